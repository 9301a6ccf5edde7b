"""Whether facts stand, are doubted or are superseded, and which updates were made that must not be."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation.bootstrap import Figure, Sums, pooled
from evaluation.episodes import MISSING, STATUSES, EpisodeScore, each_episode
from evaluation.measures import updates
from evaluation.measures.part import Advance, Column, Part, Table, present
from evaluation.score import NONE
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER

STET, STANDS = "Stet", "all stand"
TOLD = (*STATUSES, MISSING)


def measure(gold_file: Path, seed: int, advance: Advance) -> Part:
    """An episode is a unit. Beside Stet stands what a memory without updates would say: all stands."""
    stet: list[EpisodeScore] = []
    for _, score in each_episode(gold_file, DISTILLER, RELATER):
        stet.append(score)
        advance(1)
    plain = [_all_stand(score) for score in stet]
    every: Mapping[str, Sequence[EpisodeScore]] = {STANDS: plain, STET: stet}
    return Part(
        "status",
        {name: figures(scores, seed) for name, scores in every.items()},
        _TABLES,
        confusion={name: _told(scores) for name, scores in every.items()},
    )


def figures(scores: Sequence[EpisodeScore], seed: int) -> dict[str, Figure]:
    """The figures of one system."""
    tables = [confusion(score).ravel() for score in scores]
    forbidden = [(score.forbidden_made, score.forbidden) for score in scores]
    pairs = {
        f"{kind} {name}": figure
        for kind, counts in (
            ("updates", [score.updates for score in scores]),
            ("causes", [score.causes for score in scores]),
            ("contradictions", [score.contradicts for score in scores]),
        )
        for name, figure in updates.figures(counts, seed).items()
    }
    return present(
        {
            "accuracy": pooled(tables, _accuracy, seed),
            "macro F1": pooled(tables, _macro_f1, seed),
            "found": pooled(tables, _found, seed),
            "wrong updates": pooled(forbidden, lambda s: float(s[0] / s[1]) if s[1] else 0.0, seed),
            **pairs,
        }
    )


def confusion(score: EpisodeScore) -> Sums:
    """Gold statuses by what was told: rows in the order of `STATUSES`, columns in that of `TOLD`."""
    table = np.zeros((len(STATUSES), len(TOLD)))
    for gold, got in zip(score.gold, score.predicted, strict=True):
        table[STATUSES.index(gold), TOLD.index(got)] += 1
    return table


def _all_stand(score: EpisodeScore) -> EpisodeScore:
    """The same episode where every fact is found and stands, and nothing is linked."""
    return replace(
        score,
        predicted=["stands"] * len(score.gold),
        updates=replace(NONE, gold=score.updates.gold),
        causes=replace(NONE, gold=score.causes.gold),
        contradicts=replace(NONE, gold=score.contradicts.gold),
        forbidden_made=0,
        errors=[],
    )


def _told(scores: Sequence[EpisodeScore]) -> dict[str, dict[str, int]]:
    table = np.sum([confusion(score) for score in scores], axis=0)
    return {gold: {got: int(table[i, j]) for j, got in enumerate(TOLD)} for i, gold in enumerate(STATUSES)}


def _table(sums: Sums) -> Sums:
    return sums.reshape(len(STATUSES), len(TOLD))


def _accuracy(sums: Sums) -> float:
    table = _table(sums)
    return float(np.trace(table) / table.sum()) if table.sum() else 0.0


def _found(sums: Sums) -> float:
    table = _table(sums)
    return float(1 - table[:, TOLD.index(MISSING)].sum() / table.sum()) if table.sum() else 0.0


def _macro_f1(sums: Sums) -> float:
    """The mean F1 of the statuses that occur, in gold or as told."""
    table = _table(sums)
    scores = [
        2 * table[i, i] / (table[i].sum() + table[:, i].sum())
        for i in range(len(STATUSES))
        if table[i].sum() + table[:, i].sum()
    ]
    return float(np.mean(scores)) if scores else 0.0


_TABLES = (
    Table(
        "status of facts; updates that must not be",
        (
            Column("macro F1", "macro F1"),
            Column("accuracy", "accuracy"),
            Column("wrong updates", "must-not"),
        ),
    ),
    Table(
        "edges, F1",
        (
            Column("updates f1", "updates"),
            Column("causes f1", "causes"),
            Column("contradictions f1", "contradicts"),
        ),
    ),
)
