"""B-cubed agreement of two labellings of the same messages, and the returns among them.

Both labellings are given in the order of the messages; a message without a gold label is left out before.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from evaluation.score import Counts


@dataclass(frozen=True, slots=True)
class Agreement:
    """Sums over messages, so that conversations add up: each message counts once."""

    precision_sum: float = 0.0
    recall_sum: float = 0.0
    messages: int = 0

    @property
    def precision(self) -> float:
        """The mean share of a message's found topic that has its gold topic."""
        return self.precision_sum / self.messages if self.messages else 0.0

    @property
    def recall(self) -> float:
        """The mean share of a message's gold topic that is in its found topic."""
        return self.recall_sum / self.messages if self.messages else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(
            self.precision_sum + other.precision_sum,
            self.recall_sum + other.recall_sum,
            self.messages + other.messages,
        )


def agreement(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Agreement:
    """B-cubed over one conversation. Raises ValueError where the labellings differ in length."""
    both = Counter(zip(found, gold, strict=True))
    of_found, of_gold = Counter(found), Counter(gold)
    return Agreement(
        sum(n * n / of_found[topic] for (topic, _), n in both.items()),
        sum(n * n / of_gold[topic] for (_, topic), n in both.items()),
        len(gold),
    )


def returned(labels: Sequence[Hashable]) -> list[int]:
    """The places where a topic comes back that was left before."""
    seen: set[Hashable] = set()
    places = []
    for at, label in enumerate(labels):
        if label in seen and label != labels[at - 1]:
            places.append(at)
        seen.add(label)
    return places


def returns(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Counts:
    """The returns found. One is right where gold returns at the same message, and the topic found had so far
    mostly been about the gold topic that comes back."""
    ours, theirs = returned(found), set(returned(gold))
    hits = sum(at in theirs and _mostly(found, gold, at) == gold[at] for at in ours)
    return Counts(len(ours), len(theirs), hits, hits)


def _mostly(found: Sequence[Hashable], gold: Sequence[Hashable], at: int) -> Hashable:
    """The gold topic that most earlier messages of the topic found at `at` have; the first among equals."""
    earlier = Counter(g for f, g in zip(found[:at], gold[:at], strict=True) if f == found[at])
    return earlier.most_common(1)[0][0]
