"""Which earlier events a statement bears on: those of its thing and attribute (DESIGN §3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from operators.relate.at_hand import SERVICE, circumstance, near
from operators.relate.naming import readings
from operators.relate.runs import TAKES_BACK
from operators.relate.same_thing import Match, company, same_attribute, same_entity
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
    conversation, with the same attribute and company, and not by a service, which reads out item after item.
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
        if event.role in SERVICE and event.act is not Act.RESTORE:
            return Match.NO
        return Match.LOOSE if found.attribute is Match.EXACT else Match.NO
    return found.grade


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
