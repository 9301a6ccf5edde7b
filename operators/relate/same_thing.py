"""Whether two events speak of the same thing, the same attribute of it, and the same value (DESIGN §3).

Each test answers in three grades, so that a rule can ask for certainty where it matters.
"""

import re
from enum import IntEnum
from functools import lru_cache

from operators.relate.naming import attribute_head, attribute_words
from operators.relate.typed import comparable, equal, typed
from operators.relate.words import Words, within, words
from state.identity import normalised
from state.model import Event

_OWNED = re.compile(r"^(?P<owner>.+?)(?:['’]s\s+|的)(?P<thing>.+)$")


class Match(IntEnum):
    """How sure it is that two names mean one thing."""

    NO = 0
    LOOSE = 1  # one of the two is not named, or only in part
    LIKELY = 2  # one name spells the other out
    EXACT = 3  # the same words


@lru_cache(maxsize=65536)
def _owned(name: str) -> tuple[str, str]:
    """An entity as (owner, thing): "Juno's nap" is a nap, and Juno's."""
    match = _OWNED.match(normalised(name))
    return (match["owner"], match["thing"]) if match else ("", normalised(name))


def _overlap(a: Words, b: Words) -> Match:
    if a.kinds == b.kinds:
        return Match.EXACT
    return Match.LIKELY if within(a, b) or within(b, a) else Match.NO


@lru_cache(maxsize=65536)
def same_entity(a: str, b: str) -> Match:
    """Whether two entity names mean one thing.

    Names with a word each that the other lacks are two things ("green tea", "black tea"); an owner and what
    is owned are two ("Leila", "Leila's mother"); so are two owners' ("Ana's car", "Ben's car").
    """
    if not a.strip() or not b.strip():
        return Match.LOOSE
    (owner_a, thing_a), (owner_b, thing_b) = _owned(a), _owned(b)
    named_a, named_b = words(thing_a), words(thing_b)
    if bool(owner_a) != bool(owner_b):
        owner, other = (owner_a, named_b) if owner_a else (owner_b, named_a)
        if within(words(owner), other):
            rest = words(thing_a if owner_a else thing_b)
            return Match.LIKELY if within(rest, other) else Match.NO
    if owner_a and owner_b and _overlap(words(owner_a), words(owner_b)) is Match.NO:
        return Match.NO
    match = _overlap(named_a, named_b)
    return min(match, Match.LIKELY) if owner_a != owner_b else match


@lru_cache(maxsize=65536)
def same_attribute(a: str, b: str) -> Match:
    """Whether two attribute names mean one: the same words, or one spells the other out ("date", "delivery
    date"). An attribute that is not named matches loosely: the entity alone then decides."""
    if not a.strip() or not b.strip():
        return Match.LOOSE
    named_a, named_b = attribute_words(a), attribute_words(b)
    if named_a == named_b:
        return Match.EXACT
    one_in_other = within(words(a), words(b)) or within(words(b), words(a))
    one_in_other = one_in_other or named_a <= named_b or named_b <= named_a
    return Match.LIKELY if one_in_other and attribute_head(a) == attribute_head(b) else Match.NO


@lru_cache(maxsize=65536)
def same_text_value(a: str, b: str) -> bool:
    """Whether two values are one: equal, or one spells the other out without denying it ("18", "18 eggs")."""
    if normalised(a) == normalised(b):
        return True
    said_a, said_b = words(a), words(b)
    if said_a.denies != said_b.denies:
        return False
    if (
        said_a.numbers
        and said_b.numbers
        and not (said_a.numbers <= said_b.numbers or said_b.numbers <= said_a.numbers)
    ):
        return False
    return within(said_a, said_b) or within(said_b, said_a)


def same_value(a: Event, b: Event) -> bool:
    """Whether two events give one value, by what it denotes where that is known, else by its words."""
    if a.facet is None or b.facet is None:
        return False
    if normalised(a.facet.value) == normalised(b.facet.value):
        return True
    ours, theirs = typed(a.facet.value, a.stated_at), typed(b.facet.value, b.stated_at)
    if ours is not None and theirs is not None and comparable(ours, theirs):
        told = equal(ours, theirs)
        if told is not None:
            return told
    return same_text_value(a.facet.value, b.facet.value)


def of_one_kind(a: Event, b: Event) -> bool:
    """Whether the values of two events are of one kind: a day does not replace a place."""
    if a.facet is None or b.facet is None:
        return False
    ours, theirs = typed(a.facet.value, a.stated_at), typed(b.facet.value, b.stated_at)
    return comparable(ours, theirs)


def company(a: Event, b: Event) -> bool:
    """Whether the participants agree enough to compare the two: Jaccard ≥ ½ or one set within the other
    (DESIGN §4). In integers, so that no rounding decides. No participants agree with any."""
    return _company(a.participants, b.participants)


@lru_cache(maxsize=4_096)
def _company(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    ours, theirs = {normalised(p) for p in a}, {normalised(p) for p in b}
    if not ours or not theirs or ours <= theirs or theirs <= ours:
        return True
    return 2 * len(ours & theirs) >= len(ours | theirs)
