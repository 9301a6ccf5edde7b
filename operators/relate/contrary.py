"""What a statement says is not so, or over, in the words of an earlier one ("I don't eat fish any more")."""

import re
from collections.abc import Sequence

from operators.relate.at_hand import SERVICE
from operators.relate.gist import Gist, gist, gist_of, may_deny
from operators.relate.runs import TAKES_BACK
from operators.relate.spoken import spoken
from state.model import Act, Event, EventType, Facet, UpdateMode


def denied(event: Event, earlier: Sequence[Event]) -> list[tuple[Event, UpdateMode]]:
    """The statements among `earlier` that `event` says are not so any more, with how it acts on them.

    They are the same speaker's, since who denies what another says disputes it.
    """
    denies = may_deny(event.description)
    if event.act is Act.ADOPT or (not denies and event.role in SERVICE):
        return []  # a service that tells that something now works is left out: what failed before has failed
    if not denies:
        return [(told, UpdateMode.REPLACES) for told in _affirmed(event, earlier)]
    ours = gist_of(event)
    if not ours.negative or not ours.kinds or (ours.ends and event.act is Act.RESTORE):
        return []  # "don't cancel it after all" ends nothing
    mode = UpdateMode.WITHDRAWS if ours.ends else UpdateMode.REPLACES
    wish = _UNWANTED.search(event.description) is not None
    return [
        (told, mode)
        for told in earlier
        if _own(event, told)
        and _takes_up(ours, theirs := gist_of(told), told)
        and not theirs.negative
        and _deniable(told, wish, event.role in SERVICE)
        and _of_a_list(told, ours)
    ]


def _own(event: Event, told: Event) -> bool:
    """Whether `told` is what the same speaker said before, and neither taken back nor adopted by it."""
    if told.speaker != event.speaker or told.sources[-1] == event.sources[-1]:
        return False
    return told.act not in TAKES_BACK and told.act is not Act.ADOPT


_ASKS = frozenset("?？")
_GUESS = re.compile(r"\b(?:i (?:bet|guess|suppose)|maybe|perhaps)\b|我猜|也许|可能", re.IGNORECASE)
"""What is guessed is not said to be so."""
_UNWANTED = re.compile(
    r"\b(?:n[’']t|not) (?:really |actually )?(?:want|like|wish|feel like|fancy)\b|不想|不愿|不喜欢",
    re.IGNORECASE,
)
"""What one does not wish."""
_ONCE = re.compile(
    r"\b(?:last (?:time|week|month|year|night|summer|winter)|yesterday|used to|years? ago|back then)\b|"
    r"上次|昨天|去年|以前|当时",
    re.IGNORECASE,
)
"""When something was so, which nothing that is said of the present denies."""


def _deniable(told: Event, wish: bool, service: bool) -> bool:
    """Whether a denial may bear on `told`: what one does not wish denies a wish or a plan and no fact ("we
    have tickets for the wedding", "I don't want to go"); a service denies what it said, not what it asked."""
    if wish and told.type not in (EventType.PLAN, EventType.PREFERENCE, EventType.STATE_CHANGE):
        return False
    if service and told.type is EventType.PLAN:
        return False
    return _ONCE.search(told.description) is None


def _affirmed(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """What the speaker has denied, and says now."""
    speaker = event.speaker
    denied_before = [
        told
        for told in earlier
        if told.speaker == speaker
        and may_deny(told.description)
        and not _ASKS.intersection(told.description)  # "I won't stay there, can you check the Center?"
        and _own(event, told)
    ]
    if not denied_before or _GUESS.search(event.description):
        return []
    ours = gist_of(event)
    return [
        t for t in denied_before if _affirms(ours, theirs := gist_of(t)) and theirs.denies and not theirs.ends
    ]


def _takes_up(ours: Gist, theirs: Gist, told: Event) -> bool:
    """Whether all that is denied was said, of a thing that the statement may leave to the one before it."""
    if ours.cjk != theirs.cjk or ours.kinds.isdisjoint(theirs.kinds):
        return False
    if not ours.kinds <= theirs.kinds:
        unsaid = ours.kinds - theirs.kinds
        return told.facet is not None and len(unsaid) < len(ours.kinds) - 1 and unsaid <= _thing(told.facet)
    if ours.kinds == theirs.kinds or ours.ends:
        return True
    return len(ours.kinds) >= 2 and (ours.cjk or not ours.first or theirs.first)


def _thing(facet: Facet) -> frozenset[str]:
    return gist(facet.entity).kinds if facet.entity.strip() else frozenset()


def _of_a_list(told: Event, ours: Gist) -> bool:
    """Whether the denied words are those that `told` is about, where its clause says several things."""
    if told.facet is not None and told.facet.value.strip() and " (" in told.description:
        about = gist(f"{told.facet.entity} {told.facet.value}").kinds
        return bool(about & ours.kinds)
    text = spoken(told)
    several = " and " in text or "和" in text or "、" in text
    return not several or 2 * len(ours.kinds) >= len(gist(text).kinds)


def _affirms(ours: Gist, theirs: Gist) -> bool:
    """Whether what was denied is now said to be so."""
    if ours.cjk != theirs.cjk or len(ours.kinds & theirs.kinds) < 2:
        return False
    return theirs.kinds <= ours.kinds or ours.kinds <= theirs.kinds
