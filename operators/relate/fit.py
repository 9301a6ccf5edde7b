"""How well two events' facets agree: in the thing, and in the attribute of it (DESIGN §3).

Each event is compared with some twenty others, most of which speak of something else, and names and
attributes recur. So the answer is remembered by the words alone, and found with one look for most pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from operators.distill.spans import ValueKind
from operators.relate.at_hand import circumstance
from operators.relate.naming import WHEN, attribute_words, readings, without_owner
from operators.relate.same_thing import Match, same_attribute, same_entity
from operators.relate.typed import typed
from state.identity import normalised
from state.model import Event, Facet

_PARTS = {
    ValueKind.DATE: ("date",),
    ValueKind.TIME: ("time",),
    ValueKind.DATETIME: ("date", "time"),
}


@dataclass(frozen=True, slots=True)
class Fit:
    """How surely two events speak of one thing, and of one attribute of it; `grade` is the weaker of both."""

    thing: Match
    attribute: Match
    grade: Match


def _fit(thing: Match, attribute: Match) -> Fit:
    return Fit(thing, attribute, min(thing, attribute))


_NO_FIT = _fit(Match.NO, Match.NO)


@dataclass(frozen=True, slots=True)
class _Named:
    """What of a facet tells what it is about. `parts`: of a bare "date" or "time", which of the two its value
    tells; it may be both."""

    entity: str
    attribute: str
    parts: tuple[str, ...]


@lru_cache(maxsize=4_096)
def parties(ours: tuple[str, ...], theirs: tuple[str, ...]) -> frozenset[str]:
    """The normalised names of two events' participants."""
    return frozenset(map(normalised, ours + theirs))


def fit(a: Event, b: Event) -> Fit:
    """How well two facets agree, in the readings in which they agree best.

    A mere participant is no thing that has a date or a place ("I need it on Friday"): there it is as good as
    unnamed.
    """
    return fits(a, (b,))[0]


def fits(event: Event, others: Sequence[Event]) -> list[Fit]:
    """`fit` of `event` and each of `others`."""
    ours = event.facet
    if ours is None:
        return [_NO_FIT] * len(others)
    entity, attribute, parts = ours.entity, ours.attribute, _parts(ours, event.stated_at)
    found: list[Fit] = []
    for other in others:
        theirs = other.facet
        if theirs is None:
            found.append(_NO_FIT)
            continue
        its_parts = _parts(theirs, other.stated_at)
        people = parties(event.participants, other.participants)
        found.append(_agreement(entity, attribute, parts, theirs.entity, theirs.attribute, its_parts, people))
    return found


def _parts(facet: Facet, stated_at: datetime) -> tuple[str, ...]:
    if not _bare_time(facet.attribute):
        return ()
    value = typed(facet.value, stated_at)
    return _PARTS.get(value.kind, ()) if value is not None else ()


@lru_cache(maxsize=65_536)
def _bare_time(attribute: str) -> bool:
    """Whether the attribute says no more than that it is a time."""
    return attribute.strip() != "" and attribute_words(attribute) <= WHEN


@lru_cache(maxsize=65_536)
def _agreement(
    entity: str,
    attribute: str,
    parts: tuple[str, ...],
    its_entity: str,
    its_attribute: str,
    its_parts: tuple[str, ...],
    people: frozenset[str],
) -> Fit:
    """`fit` of two facets; `people` take part. Flat arguments, since they are hashed for each pair."""
    a, b = _Named(entity, attribute, parts), _Named(its_entity, its_attribute, its_parts)
    best = _NO_FIT
    for ours in _read(a, people):
        for theirs in _read(b, people):
            best = max(best, _compared(ours, theirs, people), key=_by_both)
    return best if best.grade > Match.LOOSE else max(best, _fit_of_owned(a, b, people), key=_by_grade)


def _by_both(found: Fit) -> tuple[int, int]:
    return found.grade, found.thing + found.attribute


def _by_grade(found: Fit) -> Match:
    return found.grade


def _read(named: _Named, people: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The readings of a facet; a bare "date" or "time" is told by its value."""
    found = readings(named.entity, named.attribute, people)
    return tuple((thing, part) for thing, _ in found for part in named.parts) or found


@lru_cache(maxsize=65_536)
def _compared(ours: tuple[str, str], theirs: tuple[str, str], people: frozenset[str]) -> Fit:
    """How well two readings, each a thing and an attribute, agree."""
    (thing, attribute), (another, its_attribute) = ours, theirs
    match = same_entity(thing, another)
    one_is_a_party = (normalised(thing) in people) != (normalised(another) in people)
    if one_is_a_party and circumstance(attribute):
        match = Match.LOOSE
    return _fit(match, same_attribute(attribute, its_attribute))


def _fit_of_owned(a: _Named, b: _Named, people: frozenset[str]) -> Fit:
    """The fit where one text gives to a participant what the other gives to the thing ("Ana's delivery
    address", "the address of the delivery"). Of two participants each has their own."""
    for owned, other in ((a, b), (b, a)):
        if not other.entity.strip() or normalised(other.entity) in people:
            continue
        for thing, attribute in without_owner(owned.entity, owned.attribute, people):
            if same_entity(thing, other.entity) is not Match.EXACT:
                continue
            alike = same_attribute(attribute, other.attribute) is Match.EXACT
            if alike or _both_times(attribute, other.attribute):
                return _fit(Match.LIKELY, Match.EXACT)
    return _NO_FIT


def _both_times(attribute: str, other: str) -> bool:
    """Whether both tell when: the date of a delivery, and its day with the hour; their values tell more."""
    return attribute_words(attribute) <= WHEN and attribute_words(other) <= WHEN
