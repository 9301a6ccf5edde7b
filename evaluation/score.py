"""Precision, recall and F1 from counts, and macro-F1 over classes."""

from collections.abc import Sequence
from dataclasses import dataclass


def ratio(part: int, whole: int) -> float | None:
    """part/whole, or None where there is nothing to divide."""
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Counts:
    """What was predicted, what is right in the gold, and how much of each agrees.

    `hit` counts predictions that the gold has, `recalled` gold items that were predicted: they differ where
    one item can be predicted in several right ways.
    """

    predicted: int
    gold: int
    hit: int
    recalled: int

    @property
    def precision(self) -> float | None:
        return ratio(self.hit, self.predicted)

    @property
    def recall(self) -> float | None:
        return ratio(self.recalled, self.gold)

    @property
    def f1(self) -> float | None:
        p, r = self.precision, self.recall
        if p is None or r is None or p + r == 0:
            return None if p is None and r is None else 0.0
        return 2 * p * r / (p + r)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.predicted + other.predicted,
            self.gold + other.gold,
            self.hit + other.hit,
            self.recalled + other.recalled,
        )


NONE = Counts(0, 0, 0, 0)


def macro_f1(gold: Sequence[str], predicted: Sequence[str], classes: Sequence[str]) -> float:
    """The mean over `classes` of each one's F1 = 2·tp / (2·tp + fp + fn); a class in neither is left out."""
    scores = []
    for name in classes:
        right = sum(g == name == p for g, p in zip(gold, predicted, strict=True))
        either = sum(g == name for g in gold) + sum(p == name for p in predicted)
        if either:
            scores.append(2 * right / either)
    return sum(scores) / len(scores) if scores else 0.0
