"""What takes the place of what, where two statements say one thing but for a part ("Sam gives the talk",
"Priya gives the talk") and something says that it is a change.

Two things can be so at once, so being alike is not enough: the later statement must be told as a change, or
its message must say why the earlier one cannot be ("Sam is ill").
"""

import re
from collections.abc import Sequence

from operators.cue import Cue
from operators.relate.at_hand import SERVICE, near
from operators.relate.gist import Gist, gist, gist_of, may_deny
from operators.relate.runs import TAKES_BACK, changes
from operators.relate.same_thing import Match, same_entity
from operators.relate.spoken import spoken
from operators.relate.typed import comparable, typed
from state.model import Act, Event

STRONG = Cue(
    "instead rather actually change changed thought thoughts correction better mean meant make over all "
    "switch switched switching",
    r"\binstead\b|\brather\b|\bactually\b|\bchanged? (?:of plans?|(?:my|our) mind)\b|\bsecond thoughts?\b|"
    r"\bcorrection\b|\bbetter\b(?! than)|\bi mean(?:t)?\b|\bmake (?:it|that)\b|\btak(?:e|en|ing) over\b|"
    r"\bhand(?:ed|ing)? (?:it |them |.{1,30} )?over\b|\bafter all\b|\bswitch(?:ed|ing)? (?:to|from)\b|"
    r"改|换|还是|更正|转给|交给",
)
"""Words that say by themselves that what follows takes another's place."""
FAILS = Cue(
    "full close closed shut ill sick sold booked expired gone left broken unavailable too being stepped "
    "leave holiday vacation dead stopped fell away busy out cancelled canceled retired moved leaving injured "
    "cold flu fever hospital off late enough t cant cannot couldnt wont",
    r"\b(?:full|closed?|shut|ill|sick|sold out|booked out|fully booked|expired|gone|(?:has|have|had) left|"
    r"broken|unavailable|too \w+|being \w+ed|stepped down|on (?:leave|holiday|vacation|sick leave)|dead|"
    r"stopped|fell through|away|busy|out of|cancell?ed|retired|moved|leaving|injured|off|late|not enough|"
    r"(?:has|have|got|caught) (?:a |the )?(?:bad )?(?:cold|flu|fever)|in hospital|"
    r"can[’']?t|cannot|couldn[’']?t|won[’']?t)\b|"
    r"太|不够|出差|生病|病了|发烧|感冒|住院|闭[园馆]|停业|没人|请假|满了|关门|封了|坏|过期|卖完|没空|没时间|不行|来不了|不在|停",
)
"""What is said of a thing that does not do (any more)."""


def supplanted(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """The statements among `earlier` (oldest first) whose place `event` takes, by its words; mostly none."""
    if event.many or event.act in (Act.ADD, Act.ADOPT, *TAKES_BACK):
        return []
    text = spoken(event)
    strong = STRONG.found(text)
    beside = _failing(event, earlier)
    if not strong and not beside and (event.role in SERVICE or not changes(event)):
        return []
    ours = gist_of(event)
    if ours.negative or not 0 < len(ours.kinds) <= _SHORT[ours.cjk]:
        return []
    sure = strong or _rejected(event, earlier)
    ordered = not sure and event.act is not Act.RESTORE and _PROPOSED.match(text) is None
    hand = near(event, earlier)
    best: tuple[int, str, str] | None = None
    for told in earlier:
        if told.sources[-1] == event.sources[-1] or told.act in TAKES_BACK or told.speaker != event.speaker:
            continue
        theirs = gist_of(told)
        alike = ours.kinds & theirs.kinds
        gone = theirs.kinds - ours.kinds
        if not alike or not gone or not ours.kinds - theirs.kinds or theirs.negative:
            continue
        if _filled_in(text, told, gone):
            continue
        named = any(gone & other.kinds for other in beside)
        if ordered and _another_deed(ours, theirs):
            continue
        if not named and not (told.id in hand and _one_matter(alike, ours, theirs, sure)):
            continue
        rank = (len(alike), told.place, told.sources[-1])
        best = rank if best is None or rank > best else best
    return _of_clause(event, earlier, best) if best is not None else []


_SHORT = {False: 6, True: 12}
"""A statement of more words than these says more than one thing."""


def _one_matter(alike: frozenset[str], ours: Gist, theirs: Gist, strong: bool) -> bool:
    """Whether the shared words are enough of both statements to be their matter."""
    least = min(len(ours.kinds), len(theirs.kinds))
    least -= strong and not ours.cjk and bool(alike & ours.verbs)  # "meet in the barn instead", "… town hall"
    if len(theirs.kinds) > _SHORT[theirs.cjk] or 2 * len(alike) < least:
        return False
    return strong or (len(alike) >= 2 and bool(alike - ours.verbs))


_PROPOSED = re.compile(r"\W*(?:how|what) about\b", re.IGNORECASE)


def _another_deed(ours: Gist, theirs: Gist) -> bool:
    """Whether another thing is done to what both name ("transfer 40 to the account", "check the account")."""
    return bool(ours.verbs) and bool(theirs.verbs) and ours.verbs.isdisjoint(theirs.verbs)


_PRONOUN = re.compile(r"\b(?:it|them|that one|this one)\b", re.IGNORECASE)


def _filled_in(text: str, told: Event, gone: frozenset[str]) -> bool:
    """Whether the one word that `told` has and `text` has not is what its pronoun stands for: "play it on the
    big screen" says where to play the film, and puts nothing in the film's place."""
    if len(gone) > 1 or _PRONOUN.search(text) is None:
        return False
    return _PRONOUN.search(spoken(told)) is None


def _failing(event: Event, earlier: Sequence[Event]) -> list[Gist]:
    """What the message of `event` has said before of things that do not do."""
    found = []
    for told in reversed(earlier):
        if told.sources[-1] != event.sources[-1]:
            break
        fails = FAILS.found(told.description) or may_deny(told.description)
        if fails and spoken(told) != spoken(event):
            found.append(gist_of(told))
    return found


_TOO = re.compile(r"\b(?:it(?:[’']s| is) )?too \w+\W*$|太\w{1,4}\W*$", re.IGNORECASE)


def _rejected(event: Event, earlier: Sequence[Event]) -> bool:
    """Whether the message of `event` has just said of what was meant that it does not do ("Too far.")."""
    before = next((t for t in reversed(earlier) if t.sources[-1] == event.sources[-1]), None)
    return before is not None and len(spoken(before)) < _BRIEF and _TOO.search(spoken(before)) is not None


_BRIEF = 24
"""A statement of fewer characters names nothing that it is about."""


def _of_clause(event: Event, earlier: Sequence[Event], best: tuple[int, str, str]) -> list[Event]:
    """The events of the clause at `best` whose values `event` leaves out; all if none is such."""
    clause = next(spoken(told) for told in earlier if told.place == best[1])
    ours = gist_of(event).kinds
    same = [told for told in earlier if told.sources[-1] == best[2] and spoken(told) == clause]
    if len(same) == 1 and (event.facet is None or same[0].facet is None):
        return same
    return [told for told in same if _left_out(told, ours) and _of_a_kind(event, told)]


def _left_out(told: Event, ours: frozenset[str]) -> bool:
    if told.facet is None or not told.facet.value.strip():
        return True
    return not gist(told.facet.value).kinds <= ours


def _of_a_kind(event: Event, told: Event) -> bool:
    if event.facet is None or told.facet is None:
        return told.facet is None or typed(told.facet.value, told.stated_at) is None
    if same_entity(event.facet.entity, told.facet.entity) is Match.NO:
        return False
    return comparable(typed(event.facet.value, event.stated_at), typed(told.facet.value, told.stated_at))
