"""What a regrown forest changes in the store: its topics' turns, when each was last spoken of, its marks."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from operators.forest.grow import Placement
from operators.forest.regrow import Regrown
from operators.steps import Steps
from state.graph_change import IndexChange, MarkChange
from state.ordering import time_of
from state.place_reads import ReadTreeEnd
from state.records import TurnRecord


@dataclass(frozen=True, slots=True)
class Regrowth:
    """`hung` are the turns that were decided on; `trees`, `recent`, `later` and `marks` are as in a
    `SubjectChange`; `more_trees` is how many more topics there are."""

    hung: Mapping[str, Placement]
    trees: Mapping[str, IndexChange]
    recent: Mapping[str, float | None]
    later: Mapping[str, float]
    marks: Mapping[str, MarkChange]
    more_trees: int


def regrowth(
    regrown: Mapping[str, Regrown], before: Mapping[str, TurnRecord], gone: Mapping[str, str]
) -> Steps[Regrowth]:
    """What `regrown` (by conversation) changes, where the turns were as `before`.

    `gone` are the places of messages that were live and are no longer, or are elsewhere, by id.
    """
    hung = {turn: at for one in regrown.values() for turn, at in one.placements.items()}
    places = {turn: place for one in regrown.values() for turn, place in one.places.items()}
    come: dict[str, set[str]] = defaultdict(set)
    left: dict[str, set[str]] = defaultdict(set)
    for turn, place in gone.items():
        left[before[turn].topic].add(place)
    for turn, at in hung.items():
        was = before.get(turn)
        if was is not None and was.topic and was.topic != at.topic and turn not in gone:
            left[was.topic].add(places[turn])
        if was is None or was.topic != at.topic or turn in gone:
            come[at.topic].add(places[turn])
    recent = yield from _recent(come, left)
    return Regrowth(
        hung=hung,
        trees={
            root: IndexChange(tuple(sorted(come[root] - left[root])), tuple(sorted(left[root] - come[root])))
            for root in sorted({*come, *left})
        },
        recent=recent,
        later={root: _seconds(max(added)) for root, added in come.items() if root not in recent},
        marks={conversation: one.marks for conversation, one in regrown.items()},
        more_trees=_roots(hung, before, gone),
    )


def _recent(come: Mapping[str, set[str]], left: Mapping[str, set[str]]) -> Steps[dict[str, float | None]]:
    """When the topics that lose a turn were last spoken of; None where none of it is left."""
    ends = {root: ReadTreeEnd(root, len(places) + 1) for root, places in left.items() if places}
    if ends:
        yield list(ends.values())
    found: dict[str, float | None] = {}
    for root, end in ends.items():
        rest = {*end.found, *come.get(root, ())} - (left[root] - come.get(root, set()))
        found[root] = _seconds(max(rest)) if rest else None
    return found


def _roots(hung: Mapping[str, Placement], before: Mapping[str, TurnRecord], gone: Mapping[str, str]) -> int:
    now = sum(at.topic == turn for turn, at in hung.items())
    return now - sum(turn in before and before[turn].topic == turn for turn in {*hung, *gone})


def _seconds(place: str) -> float:
    return time_of(place).timestamp()
