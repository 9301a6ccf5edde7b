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


_FITS = [[Fit(thing, part, min(thing, part)) for part in Match] for thing in Match]
"""By the thing's match, then the attribute's."""
_NO_FIT = _FITS[Match.NO][Match.NO]


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
    """`fit` of two facets; `people` take part. `parts`: of a bare "date" or "time", which of the two its
    value tells; it may be both. Flat arguments, since they are hashed for each pair."""
    best, rank = _NO_FIT, (0, 0)
    theirs = _read(its_entity, its_attribute, its_parts, people)
    for ours in _read(entity, attribute, parts, people):
        for other in theirs:
            found = _compared(ours, other, people)
            if found is not _NO_FIT and (found.grade, found.thing + found.attribute) > rank:
                best, rank = found, (found.grade, found.thing + found.attribute)
    if best.grade > Match.LOOSE:
        return best
    owned = _of_owner(entity, attribute, its_entity, its_attribute, people) or _of_owner(
        its_entity, its_attribute, entity, attribute, people
    )
    return _OWNED if owned else best


def _read(
    entity: str, attribute: str, parts: tuple[str, ...], people: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """The readings of a facet; a bare "date" or "time" is told by its value."""
    found = readings(entity, attribute, people)
    return tuple((thing, part) for thing, _ in found for part in parts) if parts else found


def _compared(ours: tuple[str, str], theirs: tuple[str, str], people: frozenset[str]) -> Fit:
    """How well two readings, each a thing and an attribute, agree. Most agree in neither."""
    (thing, attribute), (another, its_attribute) = ours, theirs
    match = same_entity(thing, another)
    if circumstance(attribute) and (normalised(thing) in people) != (normalised(another) in people):
        match = Match.LOOSE
    return _FITS[match][same_attribute(attribute, its_attribute)]


_OWNED = _FITS[Match.LIKELY][Match.EXACT]


def _of_owner(entity: str, attribute: str, other: str, its_attribute: str, people: frozenset[str]) -> bool:
    """Whether one text gives to a participant what the other gives to the thing ("Ana's delivery address",
    "the address of the delivery"). Of two participants each has their own."""
    if not other.strip() or normalised(other) in people:
        return False
    return any(
        same_entity(thing, other) is Match.EXACT
        and (same_attribute(part, its_attribute) is Match.EXACT or _both_times(part, its_attribute))
        for thing, part in without_owner(entity, attribute, people)
    )


def _both_times(attribute: str, other: str) -> bool:
    """Whether both tell when: the date of a delivery, and its day with the hour; their values tell more."""
    return attribute_words(attribute) <= WHEN and attribute_words(other) <= WHEN
