"""What comes first: how well the head of a ranking serves a question, by category, language and half.

The halves are the questions at even and at odd places of a set, so that one can decide and the other check.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

FIRST = (1, 2, 3, 5)


@dataclass(slots=True)
class FirstPlaces:
    """Means over questions, by group. `wanted`: a question's facts, each as the messages that tell it."""

    found: dict[str, dict[str, list[float]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )

    def add(
        self,
        groups: Iterable[str],
        ranked: Sequence[str],
        wanted: Sequence[frozenset[str]],
        stale: bool | None,
    ) -> None:
        """Counts one question; `stale`: whether an outdated message stands first, None if none is known."""
        figures = {f"top{depth}": covered(ranked, wanted, depth) for depth in FIRST}
        figures["mrr"] = reciprocal_rank(ranked, wanted)
        if stale is not None:
            figures["stale_first"] = float(stale)
        for group in groups:
            for name, value in figures.items():
                self.found[group][name].append(value)

    def means(self) -> Mapping[str, Mapping[str, float]]:
        """By group and measure, rounded to 3 digits; groups in order of their names, with `n`."""
        return {
            group: {
                "n": len(measures["mrr"]),
                **{name: round(sum(held) / len(held), 3) for name, held in measures.items()},
            }
            for group, measures in sorted(self.found.items())
        }


def covered(ranked: Sequence[str], wanted: Sequence[frozenset[str]], depth: int) -> float:
    """The share of `wanted` facts that one of the first `depth` messages tells.

    Of at most `depth` facts: so many messages can tell no more, unless one tells several.
    """
    top = ranked[:depth]
    told = sum(not tellers.isdisjoint(top) for tellers in wanted)
    return min(1.0, told / min(depth, len(wanted)))


def reciprocal_rank(ranked: Sequence[str], wanted: Sequence[frozenset[str]]) -> float:
    """1 / the place of the first message that tells any fact; 0 where none does."""
    tellers = frozenset().union(*wanted)
    return next((1 / place for place, name in enumerate(ranked, 1) if name in tellers), 0.0)


def language(question: str) -> str:
    """`zh` for a question with Han characters, else `en`."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in question) else "en"


def groups_of(place: int, question: str, category: str) -> tuple[str, ...]:
    """What the question at `place` of its set counts towards."""
    half = "odd" if place % 2 else "even"
    tongue = language(question)
    return ("all", half, tongue, f"{category}", f"{category} {half}", f"{tongue} {half}")
