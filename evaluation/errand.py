"""Fits the weights of an errand's signs: `python -m evaluation.errand [--data FOLDER] [SET …]`.

They stand in `operators.relate.errand_weights`. Of every set that labels updates by turn, one half of the
conversations, told apart by a hash of their names, is learned from; each set weighs the same. What is printed
are the weights, and the F1 of both halves. Few weights are kept (L1), so that each can be read and answered
for.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from pathlib import Path
from typing import Any
from zlib import crc32

from evaluation.corpus import DATA, by_subject, message, rows
from evaluation.gold_file import gold_rows, task_of
from evaluation.score import Counts
from evaluation.updates import Gold, Turn, turn_of
from operators.derive import derive
from operators.distill.interface import Link
from operators.distill.rules import RULES as DISTILLER
from operators.relate.errand import rival, signs_of
from operators.relate.rules import RULES as RELATER
from operators.relate.updates import certain, ruled_edges
from operators.relate.words import words
from state.model import Edge, EdgeType, Event, UpdateMode

SETS = ("sgd", "star")
STRENGTH = 0.06
"""How little the weights are held back; more keeps more of them."""
LEAST = 0.3
"""A change is taken for one from this probability on."""
_SMALLEST = 0.05


@dataclass(frozen=True, slots=True)
class Example:
    """An event that may replace an earlier one: the signs, and whether its turn's labels have its value.
    None of `signs`: the rules alone decide, and say that it does."""

    turn: Turn
    signs: tuple[str, ...] | None
    changes: bool


@dataclass(slots=True)
class Recording:
    """A relater that records what there is to be weighed, and relates by rules."""

    name: str = "recording"
    seen: list[tuple[Event, tuple[str, ...] | None]] = field(default_factory=list)

    def relate(self, event: Event, candidates: Sequence[Event], links: Sequence[Link]) -> tuple[Edge, ...]:
        earlier = sorted((c for c in candidates if c.place < event.place), key=lambda c: c.place)
        told = [c for c in earlier if c.facet is not None]
        updates = [e for e in ruled_edges(event, told, links) if e.type is EdgeType.UPDATES]
        signs = signs_of(event, links)
        decided = signs is None or any(e.mode is UpdateMode.WITHDRAWS for e in updates)
        if updates and (decided or certain(event)):
            self.seen.append((event, None))
        elif not decided and signs is not None:
            found = rival(event, told, signs, updates)
            if found is not None:
                self.seen.append((event, found.signs))
        return RELATER.relate(event, candidates, links)


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A set's examples, and the gold that they are judged by."""

    name: str
    gold: Gold
    examples: Sequence[Example]


def read(folder: Path) -> LabelledSet:
    """The examples of all conversations of a set."""
    values: dict[Turn, str] = defaultdict(str)
    for row in gold_rows(folder / "gold.json"):
        if task_of(row) == "slot_update" and row["said"]:
            values[row["subject"], row["turn"]] += f" {row['new']}"
    examples: list[Example] = []
    for messages in by_subject(map(message, rows(folder / "messages.jsonl.gz"))).values():
        recording = Recording()
        derive(messages, DISTILLER, recording)
        for event, signs in recording.seen:
            turn = turn_of(event.sources[-1])
            value = event.facet.value if event.facet is not None else ""
            labelled = not words(value).kinds.isdisjoint(words(values.get(turn, "")).kinds)
            examples.append(Example(turn, signs, labelled and turn in values))
    return LabelledSet(folder.name, Gold.read(folder / "gold.json"), examples)


def learned_from(turn: Turn) -> bool:
    """Whether a turn's conversation is of the half that the weights are learned from."""
    return crc32(turn[0].encode()) % 2 == 0


def fit(sets: Sequence[LabelledSet]) -> tuple[dict[str, int], int]:
    """The weights, in hundredths, and what the sum starts from: at 0 a change is as probable as `LEAST`."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    learned = [(s, [e for e in s.examples if _counts(s, e)]) for s in sets]
    most = max(len(examples) for _, examples in learned)
    x = [dict.fromkeys(e.signs or (), 1.0) for _, examples in learned for e in examples]
    y = [e.changes for _, examples in learned for e in examples]
    weight = [most / len(examples) for _, examples in learned for _ in examples]
    seen = DictVectorizer(sparse=False)
    chosen = LogisticRegression(l1_ratio=1, solver="liblinear", C=STRENGTH, max_iter=3_000, random_state=0)
    chosen.fit(seen.fit_transform(x), y, sample_weight=weight)
    kept = {
        str(name)
        for name, value in zip(seen.get_feature_names_out(), chosen.coef_[0], strict=True)
        if abs(value) > _SMALLEST
    }
    table = DictVectorizer(sparse=False)
    found = LogisticRegression(max_iter=3_000)
    found.fit(table.fit_transform([{k: v for k, v in row.items() if k in kept} for row in x]), y, weight)
    names = map(str, table.get_feature_names_out())
    weights = {name: round(100 * value) for name, value in zip(names, found.coef_[0], strict=True)}
    return weights, round(100 * (float(found.intercept_[0]) - log(LEAST / (1 - LEAST))))


def _counts(of: LabelledSet, example: Example) -> bool:
    return example.signs is not None and learned_from(example.turn) and example.turn not in of.gold.ignored


def judged(of: LabelledSet, weights: dict[str, int], start: int, learned: bool) -> Counts:
    """How the weights do on one half of a set, by turn."""
    found = {
        e.turn
        for e in of.examples
        if learned_from(e.turn) == learned
        and (e.signs is None or start + sum(weights.get(sign, 0) for sign in e.signs) >= 0)
    }
    gold = sum(learned_from(turn) == learned for turn in of.gold.said)
    return Counts(0, gold, 0, 0) + of.gold.counts(found)


def _lines(weights: dict[str, int], start: int) -> Iterator[str]:
    yield f"START = {start}"
    yield "WEIGHTS = {"
    for name, weight in sorted(weights.items()):
        yield f'    "{name}": {weight},'
    yield "}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table, and the figures of both halves of each set."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.errand", description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(SETS), help="folders that label updates by turn")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds the sets")
    given: Any = parser.parse_args(arguments)
    sets = [read(given.data / name) for name in given.sets]
    weights, start = fit(sets)
    print("\n".join(_lines(weights, start)))
    for one in sets:
        for half, learned in (("learned from", True), ("other half", False)):
            counts = judged(one, weights, start, learned)
            print(f"# {one.name}, {half}: F1 {counts.f1 or 0:.3f} ({counts.hit} of {counts.gold})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
