"""Which earlier events a statement bears on: those of its thing and attribute (DESIGN §3)."""

import re
from collections.abc import Sequence

from operators.distill.earlier_claims import families
from operators.relate.at_hand import SERVICE, circumstance, near
from operators.relate.fit import Fit, fit, fits, parties
from operators.relate.naming import WHEN, attribute_words, identifies, of_goods
from operators.relate.runs import TAKES_BACK, changes, is_state
from operators.relate.same_thing import Match, company, of_one_kind, same_entity
from operators.relate.spoken import spoken
from operators.relate.typed import typed
from operators.relate.words import within, words
from state.identity import normalised
from state.model import Act, Event, EventType


def whole(event: Event) -> bool:
    """Whether `event` takes back a thing as a whole, no attribute named."""
    return event.act in TAKES_BACK and event.facet is not None and not event.facet.attribute.strip()


def bearing(event: Event, told: Event, explained: bool = False) -> Match:
    """How surely `told` speaks of `event`'s thing and attribute, as far as an update needs it.

    An attribute may be unnamed only where the whole thing is taken back; a thing only within the
    conversation, with the same attribute and company, for a change. `explained`: a stated reason leads to
    `event`, which makes it a change.
    """
    return _bearing(event, told, fit(event, told), explained)


def _bearing(event: Event, told: Event, found: Fit, explained: bool) -> Match:
    if whole(event) and _lists_it(event, told):
        return Match.LIKELY
    if found.thing is Match.NO and found.attribute is Match.EXACT and _of_matter(event, told):
        return Match.LIKELY
    if found.grade is Match.NO:
        return Match.NO
    if found.attribute is Match.LOOSE:
        named = found.thing > Match.LOOSE
        return found.grade if named and (whole(event) or whole(told)) else Match.NO
    if found.thing is Match.LOOSE:
        if event.conversation != told.conversation or not company(event, told) or _recounts(told):
            return Match.NO
        back = _refers_back(event) or _renames(event, told)
        spelt = event.act in (Act.CHANGE, Act.RESTORE) and found.attribute is Match.LIKELY  # "the visit date"
        return Match.LOOSE if (found.attribute is Match.EXACT or spelt) and back else Match.NO
    if found.thing is not Match.EXACT and is_state(event):
        return Match.NO  # "The flight is free", "Your flight is booked": not surely one flight
    if event.act is Act.STATE and not explained and not changes(event) and not _names_it(event):
        again = found.attribute is Match.EXACT and _puts_right(event, told)
        return found.grade if again or _refers_back(event) else Match.NO
    return found.grade


def _of_matter(event: Event, told: Event) -> bool:
    """Whether "the budget" that is nobody's by name may be that of the thing it was last said of.

    Its owner is then a guess, made by who sees the last few messages only.
    """
    if event.facet is None or event.conversation != told.conversation or event.role in SERVICE:
        return False
    if event.facet.entity not in event.participants or not company(event, told):
        return False
    if told.facet is None or told.facet.entity in told.participants or identifies(event.facet.attribute):
        return False
    said = spoken(event).casefold()
    return f"the {event.facet.attribute}" in said and _OWN.search(said) is None


_OWN = re.compile(r"\b(?:i|we|you|my|our|your|mine|ours|yours)\b")


def _lists_it(event: Event, told: Event) -> bool:
    """Whether what `event` takes back as a whole is one that `told` put on a list by that name."""
    if event.facet is None or told.facet is None or not told.many or told.act in TAKES_BACK:
        return False
    if attribute_words(told.facet.attribute) != attribute_words("item"):
        return False
    return same_entity(event.facet.entity, told.facet.value) >= Match.LIKELY


def _names_it(event: Event) -> bool:
    """Whether the statement's own words name its thing, rather than what was said before it."""
    if event.facet is None:
        return False
    return within(words(event.facet.entity), words(spoken(event)))


def _refers_back(event: Event) -> bool:
    """Whether a statement that names no thing may be about the one at hand.

    Not if it says who or which it is; not if a service says it, which reads out item after item; and not if
    it is a mere value ("6 pm"): that answers a question, which may open another matter.
    """
    if event.facet is None or identifies(event.facet.attribute):
        return False
    if event.role in SERVICE and event.act is not Act.RESTORE:
        return False
    plain = event.act is Act.STATE and event.type is EventType.ACTION and not changes(event)
    if plain and not _spells(event, event.facet.attribute):
        return (
            False  # an account of what is so asks for nothing to be otherwise, unless it names the attribute
        )
    if event.act is Act.ADOPT:
        return False  # it takes over what another party proposed, of a thing that was not named either
    return changes(event) or event.act in TAKES_BACK or not _mere_value(event)


def _spells(event: Event, attribute: str) -> bool:
    """Whether the statement has the attribute's words; in Chinese, which parts no words, its characters."""
    said = spoken(event)
    return attribute_words(attribute) <= attribute_words(said) or (attribute[:1] > "z" and attribute in said)


_IT_IS = re.compile(r"\bit(?:[’']s| is| was| will be| should be)\b|^(?:只有|应该是|是)")


def _puts_right(event: Event, told: Event) -> bool:
    """ "It's 9:51", by who said that it is 9:15: a pronoun for the thing, and another value of it."""
    if event.role in SERVICE or event.speaker != told.speaker or event.sources[-1] == told.sources[-1]:
        return False
    return _IT_IS.search(spoken(event).casefold()) is not None


def _recounts(told: Event) -> bool:
    """Whether `told` says in passing when something happened ("today a firm called"), no more."""
    if told.facet is None or told.facet.entity.strip() or told.act is not Act.STATE:
        return False
    if told.type is not EventType.ACTION or told.role in SERVICE:
        return False
    if not attribute_words(told.facet.attribute) <= WHEN:
        return False
    return 3 * len(words(told.facet.value).kinds) < len(words(spoken(told)).kinds)


def _renames(event: Event, told: Event) -> bool:
    """ "Try Bella Vista" after "book Il Forno": what a customer looks for by name is another one now."""
    if event.facet is None or told.facet is None or event.act is not Act.CHANGE:
        return False
    unnamed = not event.facet.entity.strip() and not told.facet.entity.strip()
    return unnamed and event.role not in SERVICE and event.speaker == told.speaker


def _mere_value(event: Event) -> bool:
    """Whether what the event says is its value and hardly anything else."""
    if event.facet is None:
        return False
    said, value = words(spoken(event)), words(event.facet.value)
    if said.cjk:
        return 4 * len(value.cjk) >= 3 * len(said.cjk)
    return 4 * len(value.terms) >= 3 * len(said.terms)


def meant(event: Event, earlier: Sequence[Event], explained: bool) -> list[Event]:
    """The events of `earlier` (oldest first) that speak of `event`'s thing and attribute.

    Where its words fit several things ("the tea": green tea, black tea), the best named one is meant, and
    among equals the one spoken of last; the others are left alone. A thing that is not named must be at hand.
    """
    hand = near(event, earlier)
    all_of_it = whole(event)
    found = [
        (_bearing(event, told, agreed, explained), told.place, told)
        for told, agreed in zip(earlier, fits(event, earlier), strict=True)
        if agreed.grade or agreed.attribute is Match.EXACT or all_of_it  # most have nothing in common
    ]
    fitting = [
        (grade, place, told)
        for grade, place, told in found
        if grade and (grade is not Match.LOOSE or told.id in hand or all_of_it)
    ]
    if not fitting:
        return (
            _by_old_value(event, earlier)
            or _by_another_name(event, earlier, hand)
            or _by_kind_of_name(event, earlier, hand)
        )
    best = max(fitting, key=lambda row: row[:2])[2]
    return [told for _, _, told in fitting if fit(best, told).thing is not Match.NO]


def _by_old_value(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """What a change is about that says which value it ends ("make the colour walnut instead of oak"): the one
    stated last with that value in the conversation, if it may be of the same thing."""
    if event.facet is None or event.act is not Act.CHANGE:
        return []
    said, new = words(spoken(event)), words(f"{event.facet.entity} {event.facet.value}")
    for told in reversed(earlier):
        if told.facet is None or told.conversation != event.conversation:
            continue
        if told.sources[-1] == event.sources[-1]:
            continue
        old = words(told.facet.value)
        if within(old, said) and not old.kinds & new.kinds and _telling(old.terms):
            if same_entity(event.facet.entity, told.facet.entity) is Match.NO or not of_one_kind(event, told):
                continue
            return [told]
    return []


def _telling(terms: Sequence[str]) -> bool:
    """Whether a value's words are enough to know it by, when a text mentions them."""
    return any(len(term) > 2 or "\u3400" <= term[0] <= "\u9fff" for term in terms)


def _by_another_name(event: Event, earlier: Sequence[Event], hand: frozenset[str]) -> list[Event]:
    """What a change is about whose thing was never spoken of before: the same speaker's last value, at hand,
    of the same circumstance ("the party" on Sunday, after "the venue" on Friday).

    A change changes something; where its thing is new by name, that can only be the matter at hand.
    """
    if event.facet is None or event.act is not Act.CHANGE or event.role in SERVICE:
        return []
    known = any(fit(event, told).thing >= Match.LIKELY for told in earlier)
    if known or not circumstance(event.facet.attribute) or of_goods(event.facet.attribute):
        return []
    found = [
        told
        for told in earlier
        if told.id in hand
        and told.speaker == event.speaker
        and not _recounts(told)
        and fit(event, told).attribute is Match.EXACT
        and of_one_kind(event, told)
        and not _of_twoparties(event, told)
    ]
    return [told for told in found if fit(found[-1], told).thing is not Match.NO]


def _by_kind_of_name(event: Event, earlier: Sequence[Event], hand: frozenset[str]) -> list[Event]:
    """What a bare name takes the place of ("How about the Heron?", after "a table at the Magpie"): the same
    speaker's last name of somebody or something looked for, at hand. What a party is called is none."""
    if (
        event.facet is None
        or event.act is not Act.CHANGE
        or event.role in SERVICE
        or event.facet.entity.strip()
    ):
        return []
    if not _looked_for(event):
        return []
    for told in reversed(earlier):
        if told.id not in hand or told.speaker != event.speaker or told.sources[-1] == event.sources[-1]:
            continue
        if told.facet is not None and _looked_for(told) and told.act not in TAKES_BACK:
            called = identifies(told.facet.attribute) and normalised(told.facet.entity) in parties(
                told.participants, ()
            )
            return [] if called else [told]
    return []


def _looked_for(event: Event) -> bool:
    """Whether an event gives a proper name to what is looked for: a place, a person, a firm."""
    if event.facet is None or typed(event.facet.value, event.stated_at) is not None:
        return False
    return "name" in families(event.facet.attribute) and event.facet.value[:1].isupper()


def _of_twoparties(event: Event, told: Event) -> bool:
    """Whether the two are about participants, and not the same one: each has an address of their own."""
    if event.facet is None or told.facet is None:
        return False
    people = parties(event.participants, told.participants)
    named = {normalised(event.facet.entity), normalised(told.facet.entity)}
    return len(named) == 2 and named <= people
