"""What the context of a next turn keeps of what still holds, beside the last turns in as many tokens, and
what it keeps and costs where no budget is given."""

from pathlib import Path

from evaluation.bootstrap import Figure, Sums, pooled
from evaluation.context import COST, SHARE, Kept
from evaluation.context import measure as kept_of
from evaluation.corpus import by_subject, message, rows
from evaluation.gold_file import gold_rows, task_of
from evaluation.measures.part import Advance, Column, Part, Table, present
from state.notes import Encoder

STET, LAST, UNASKED = "Stet", "last turns", "Stet, no budget given"


def measure(messages_file: Path, gold_file: Path, encoder: Encoder, seed: int, advance: Advance) -> Part:
    """A conversation is a unit; one whose last turn is its only one is left out."""
    gold = {row["subject"]: row["items"] for row in gold_rows(gold_file) if task_of(row) == "final_state"}
    found: list[Kept] = []
    unasked: list[Kept] = []
    for subject, said in by_subject(map(message, rows(messages_file))).items():
        if subject.name in gold and len(said) > 1:
            found.append(kept_of(said, gold[subject.name], encoder, COST, SHARE))
            unasked.append(kept_of(said, gold[subject.name], encoder, None, SHARE))
        advance(1)
    told = {LAST: _recent(found, seed), STET: figures(found, seed), UNASKED: figures(unasked, seed)}
    return Part("next turn", told, (_TABLE,))


def figures(found: list[Kept], seed: int) -> dict[str, Figure]:
    """What Stet's contexts keep and cost, pooled over conversations."""
    kept = [(one.kept, one.shown) for one in found]
    cost = [(one.context_tokens, one.history_tokens) for one in found]
    return present({"kept": pooled(kept, _share, seed), "of tokens": pooled(cost, _share, seed)})


def _recent(found: list[Kept], seed: int) -> dict[str, Figure]:
    return present({"kept": pooled([(one.recent, one.shown) for one in found], _share, seed)})


def _share(sums: Sums) -> float:
    return float(sums[0] / sums[1]) if sums[1] else 1.0


_TABLE = Table(
    f"items kept in {COST:.0%} of the history's tokens",
    (Column("kept", "kept"), Column("of tokens", "of tokens")),
)
