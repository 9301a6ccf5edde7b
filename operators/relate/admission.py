"""Which of the edges that a model sees between two statements may stand (DESIGN §3).

A model judges what words mean; these rules say what no meaning excuses. An update needs the same thing and
the same attribute of it, a new value or a withdrawal, and a later statement; values that can coexist do. What
the rules of `operators.relate.fit` find to be two things or two attributes stays two, however sure a model
is.
"""

from datetime import timedelta
from math import isfinite

from operators.llm.refusal import Refusal
from operators.relate.answer import Told
from operators.relate.fit import fit
from operators.relate.meant import bearing, whole
from operators.relate.runs import TAKES_BACK, bare_state, changes
from operators.relate.same_thing import Match, company, of_one_kind, same_value
from operators.relate.updates import apart
from operators.relate.words import words
from state.model import Act, Event, EventType

LEAST = 0.5
"""How sure a model must be at least."""
AT_HAND = timedelta(days=1)
"""A thing that is not named is one that was spoken of in the same conversation no longer ago than this."""


def why_not(told: Told, event: Event, earlier: Event) -> Refusal | None:
    """Why `told` makes no edge between `event` and one that was stated before it; None where it makes one."""
    if not isfinite(told.confidence) or not LEAST <= told.confidence <= 1:
        return Refusal.LOW_CONFIDENCE
    if told.type == "updates":
        return _no_update(told, event, earlier)
    if told.type == "contradicts":
        return _no_contradiction(event, earlier)
    return _no_support(told, event, earlier)


def _no_update(told: Told, event: Event, earlier: Event) -> Refusal | None:
    if told.source != "later" or event.place <= earlier.place:
        return Refusal.AGAINST_ORDER
    if told.mode is None:
        return Refusal.WRONG_MODE
    why = _unlike(event, earlier)
    if why is not None:
        return why
    return _no_withdrawal(event, earlier) if told.mode == "withdraws" else _no_replacement(event, earlier)


def _no_withdrawal(event: Event, earlier: Event) -> Refusal | None:
    """A withdrawal takes back, lets something else stand again, or says that its value does not hold. Where
    values stand side by side, it takes back the one that it names."""
    denies = words(_value(event)).denies
    if event.act not in (*TAKES_BACK, Act.RESTORE):
        if not denies:
            return Refusal.WRONG_MODE
        if _disputes(event, earlier):
            return Refusal.DISPUTE
    spared = earlier.many and _value(event) and not denies and not same_value(event, earlier)
    return Refusal.COEXISTS if spared else None


def _no_replacement(event: Event, earlier: Event) -> Refusal | None:
    if event.act in TAKES_BACK or earlier.act in TAKES_BACK or not _value(event) or not _value(earlier):
        return Refusal.WRONG_MODE
    if same_value(event, earlier):
        return Refusal.SAME_VALUE
    if event.many or earlier.many or event.act is Act.ADD or _one_of_many(event):
        return Refusal.COEXISTS
    if _disputes(event, earlier):
        return Refusal.DISPUTE
    if event.act not in (Act.CHANGE, Act.RESTORE) and not of_one_kind(event, earlier):
        return Refusal.OTHER_KIND
    if apart(event, earlier):
        return Refusal.OTHER_PERIOD
    if event.sources[-1] == earlier.sources[-1] and event.act is not Act.CHANGE:
        return Refusal.SAME_MESSAGE
    return None


def _one_of_many(event: Event) -> bool:
    """Whether the statement gives no attribute but what something is, without saying that it became so: of
    that many things hold at once ("I'm tired", "I'm a nurse")."""
    return bare_state(event) and event.act not in (Act.CHANGE, Act.RESTORE)


def _disputes(event: Event, earlier: Event) -> bool:
    """Whether another party merely says otherwise: then the two disagree, and neither value is known to be
    over. What a customer asks for is no mere account of how things are."""
    return event.speaker != earlier.speaker and not changes(event) and event.type is not EventType.PLAN


def _no_contradiction(event: Event, earlier: Event) -> Refusal | None:
    why = _unlike(event, earlier)
    if why is not None:
        return why
    if not _value(event) or not _value(earlier):
        return Refusal.WRONG_MODE
    if same_value(event, earlier):
        return Refusal.SAME_VALUE
    if event.many or earlier.many:
        return Refusal.COEXISTS
    if not of_one_kind(event, earlier):
        return Refusal.OTHER_KIND
    return Refusal.OTHER_PERIOD if apart(event, earlier) else None


def _no_support(told: Told, event: Event, earlier: Event) -> Refusal | None:
    """A cause begins before its effect is over, and the two have people in common."""
    if not company(event, earlier):
        return Refusal.OTHER_COMPANY
    reason, result = (event, earlier) if told.source == "later" else (earlier, event)
    begins = reason.occurs.start if reason.occurs is not None else None
    over = result.occurs.end if result.occurs is not None else None
    return Refusal.AGAINST_DATES if begins is not None and over is not None and begins >= over else None


def _unlike(event: Event, earlier: Event) -> Refusal | None:
    """Why the two do not speak of one attribute of one thing.

    One of the two may be named on one side only; the thing only where it is the matter at hand. Where the
    whole thing is taken back, or spoken of, no attribute need be named.
    """
    if event.facet is None or earlier.facet is None:
        return Refusal.NO_FACET
    if takes_off(event, earlier):
        return None
    found = fit(event, earlier)
    if found.thing is Match.NO:
        return Refusal.OTHER_THING
    if found.attribute is Match.NO:
        return Refusal.OTHER_ATTRIBUTE
    if found.thing is Match.LOOSE:
        near = event.stated_at - earlier.stated_at <= AT_HAND
        if found.attribute is Match.LOOSE or event.conversation != earlier.conversation or not near:
            return Refusal.UNNAMED
        return None if company(event, earlier) else Refusal.OTHER_COMPANY
    return None


def takes_off(event: Event, earlier: Event) -> bool:
    """Whether `event` takes back as a whole what `earlier` put on a list by that name ("no milk, please")."""
    return whole(event) and bearing(event, earlier, explained=True) >= Match.LIKELY


def _value(event: Event) -> str:
    return event.facet.value.strip() if event.facet is not None else ""
