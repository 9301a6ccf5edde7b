"""Topics by B-cubed, beside the baselines of `evaluation.topics`."""

from pathlib import Path

from evaluation.bootstrap import Figure, Sums, pooled
from evaluation.measures.part import Advance, Column, Part, Table, present
from evaluation.topic_sets import Half
from evaluation.topics import Scored
from evaluation.topics import measure as scored_of


def measure(folder: Path, cache: Path | None, encoder: str, seed: int, advance: Advance) -> Part:
    """A conversation is a unit. A baseline's threshold is the best one on the development half."""
    scored = scored_of(folder, Half.ALL, cache, encoder, advance)
    return Part("topics", {one.name: figures(one, seed) for one in reversed(scored)}, (_TABLE,))


def figures(scored: Scored, seed: int) -> dict[str, Figure]:
    """The figures of one system."""
    units = [(one.precision_sum, one.recall_sum, one.messages) for one in scored.conversations]
    returned = scored.returns
    return present(
        {
            "precision": pooled(units, lambda s: float(s[0] / s[2]), seed),
            "recall": pooled(units, lambda s: float(s[1] / s[2]), seed),
            "f1": pooled(units, _f1, seed),
            "returns precision": _of(returned.precision, returned.predicted),
            "returns recall": _of(returned.recall, returned.gold),
        }
    )


def _f1(sums: Sums) -> float:
    both = float(sums[0] + sums[1])
    return 2 * float(sums[0]) * float(sums[1]) / (both * float(sums[2])) if both else 0.0


def _of(value: float | None, units: int) -> Figure | None:
    return None if value is None else Figure(value, units)


_TABLE = Table(
    "topics, B-cubed",
    (Column("f1", "F1"), Column("precision", "precision"), Column("recall", "recall")),
)
