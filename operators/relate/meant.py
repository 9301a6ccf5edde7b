"""Which earlier events a statement bears on: those of its thing and attribute (DESIGN §3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from operators.relate.at_hand import SERVICE, circumstance, near
from operators.relate.naming import STATE, attribute_head, identifies, readings
from operators.relate.runs import TAKES_BACK, changes
from operators.relate.same_thing import Match, company, same_attribute, same_entity
from operators.relate.words import words
from state.identity import normalised
from state.model import Act, Event


@dataclass(frozen=True, slots=True)
class Fit:
    """How surely two events speak of one thing, and of one attribute of it."""

    thing: Match
    attribute: Match

    @property
    def grade(self) -> Match:
        """The weaker of the two."""
        return min(self.thing, self.attribute)


def parties(event: Event) -> frozenset[str]:
    """The normalised names of the participants."""
    return frozenset(normalised(name) for name in event.participants)


def fit(a: Event, b: Event) -> Fit:
    """How well two facets agree, in the readings in which they agree best.

    A mere participant is no thing that has a date or a place ("I need it on Friday"): there it is as good as
    unnamed.
    """
    best = Fit(Match.NO, Match.NO)
    if a.facet is None or b.facet is None:
        return best
    people = parties(a) | parties(b)
    for thing_a, attribute_a in readings(a.facet, people):
        for thing_b, attribute_b in readings(b.facet, people):
            thing = same_entity(thing_a, thing_b)
            if circumstance(attribute_a) and (normalised(thing_a) in people or normalised(thing_b) in people):
                thing = Match.LOOSE
            found = Fit(thing, same_attribute(attribute_a, attribute_b))
            best = max(best, found, key=lambda f: (f.grade, f.thing + f.attribute))
    return best


def whole(event: Event) -> bool:
    """Whether `event` takes back a thing as a whole, no attribute named."""
    return event.act in TAKES_BACK and event.facet is not None and not event.facet.attribute.strip()


def bearing(event: Event, told: Event) -> Match:
    """How surely `told` speaks of `event`'s thing and attribute, as far as an update needs it.

    An attribute may be unnamed only where the whole thing is taken back; a thing only within the
    conversation, with the same attribute and company, for a change.
    """
    found = fit(event, told)
    if found.grade is Match.NO:
        return Match.NO
    if found.attribute is Match.LOOSE:
        named = found.thing > Match.LOOSE
        return found.grade if named and (whole(event) or whole(told)) else Match.NO
    if found.thing is Match.LOOSE:
        if event.conversation != told.conversation or not company(event, told):
            return Match.NO
        return Match.LOOSE if found.attribute is Match.EXACT and _refers_back(event) else Match.NO
    if found.thing is not Match.EXACT and event.facet is not None:
        # "The flight is free" and "Your flight is booked": what is said of a thing's state tells which one.
        return Match.NO if attribute_head(event.facet.attribute) in STATE else found.grade
    return found.grade


def _refers_back(event: Event) -> bool:
    """Whether a statement that names no thing may be about the one at hand.

    Not if it says who or which it is; not if a service says it, which reads out item after item; and not if
    it is a mere value ("6 pm"): that answers a question, which may open another matter.
    """
    if event.facet is None or identifies(event.facet.attribute):
        return False
    if event.role in SERVICE and event.act is not Act.RESTORE:
        return False
    return changes(event) or event.act in TAKES_BACK or not _mere_value(event)


def _mere_value(event: Event) -> bool:
    """Whether at least half of what the event says is its value."""
    if event.facet is None:
        return False
    said, value = words(event.description.partition(": ")[2]), words(event.facet.value)
    if said.cjk:
        return 2 * len(value.cjk) >= len(said.cjk)
    return 2 * len(value.terms) >= len(said.terms)


def meant(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """The events of `earlier` (oldest first) that speak of `event`'s thing and attribute.

    Where its words fit several things ("the milk": oat milk, almond milk), the best named one is meant, and
    among equals the one spoken of last; the others are left alone. A thing that is not named must be at hand.
    """
    hand = near(event, earlier)
    fitting = [
        (grade, told.place, told)
        for told in earlier
        for grade in [bearing(event, told)]
        if grade > Match.LOOSE or (grade is Match.LOOSE and (told.id in hand or whole(event)))
    ]
    if not fitting:
        return []
    best = max(fitting, key=lambda row: row[:2])[2]
    return [told for _, _, told in fitting if fit(best, told).thing is not Match.NO]
