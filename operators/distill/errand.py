"""Signs that a customer's turn gives another value to what they asked of a service before.

A customer seldom says that a value takes the place of another: "how about Friday?", after "Thursday is full",
says so by where it stands. The signs are noted here, where the turn and the few messages before it are at
hand; `operators.relate.errand` weighs them with what the two values have in common, however long ago the
first was given.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from operators.cue import Cue
from operators.distill.clause import Clause, Mood, Reading
from operators.distill.earlier_claims import families
from operators.distill.interface import TOLD_IN, Link
from operators.distill.said import SERVICE
from state.model import Act, EdgeType, Event, Message

NOTED = 0.5
"""The confidence of a link that notes signs. It is no edge by itself."""

OF_TURN = {
    "another": Cue(
        "instead actually rather change make sorry wait other another else different again mistake mean "
        "meant",
        r"\b(?:instead|actually|rather|change|make (?:it|that)|sorry|wait|other|another|else|different|"
        r"again|mistake|meant?)\b|改|换|还是|抱歉|不好意思|等等|别的|其他|重新",
    ),
    "how about": Cue(
        "about try maybe perhaps lets let",
        r"\b(?:how|what) about\b|\btry\b|\bmaybe\b|\bperhaps\b|\blet[’']?s\b|怎么样|如何|试试|呢[？?]",
    ),
    "opens": Cue(
        "need want like book reserve schedule make find get set order plan help looking rent",
        r"\b(?:need|want|like|book|reserve|schedule|make|find|get|set up|order|plan|help|looking for|rent)\b"
        r"[^.?!]{0,20}\b(?:an?|some)\b|(?:订|买|租|约|找)(?:一?[个张间份位家辆])",
    ),
}
"""Signs of the turn's own words. "opens": it asks for a thing that was not spoken of, so an errand begins."""
REPORT = Cue(
    "weather forecast temperature news score traffic",
    r"\b(?:weather|forecast|temperature|news|score|traffic)\b|天气|预报|新闻|比分|路况",
)
"""What one can only be told and nobody arranges: two towns' weather stand side by side."""
CLOSES = Cue("else bye goodbye", r"\b(?:any|some)thing else\b|\bgood ?bye\b|还有(?:什么|其他|别的)|再见")
_DONE = re.compile(
    r"\b(?:success\w*|booked|confirmed|reserved|scheduled|submitted|all set|done|completed?|purchased)\b"
    r"|已经?(?:为您|帮您)?(?:预订|预约|安排|办|改|下单|提交)|成功",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"[a-z]{3,}|[\u4e00-\u9fff]")
_SHARES = (8, 16, 25, 40)
_SHORT, _LONG = 4, 20


def noted(
    turn: Message, before: Sequence[Message], told: Reading, events: Mapping[str, tuple[Event, Clause]]
) -> tuple[Link, ...]:
    """A link from each event that asks for a value to the message before it, whose reason names the signs.

    `before` is not empty; `told` is what its last message says. Time linear in the texts.
    """
    asking = [(event, clause) for event, clause in events.values() if _asks_for(event)]
    if not asking:
        return ()
    of_turn = tuple(_signs(turn, before, told))
    target = f"{TOLD_IN}{before[-1].id}"
    return tuple(
        Link(
            EdgeType.UPDATES, event.id, target, NOTED,
            ", ".join((*of_turn, *_signs_of(event, clause, before[-1].content, told))),
        )
        for event, clause in asking
    )  # fmt: skip


_OF_ERRANDS = frozenset(("with", "number of people", "quantity", "duration", "人数"))
_KINDS = frozenset(("date", "time", "end", "money", "number", "place", "destination", "origin", "name"))


def _asks_for(event: Event) -> bool:
    """Whether an event gives a value of a kind that errands have: a day, a place, a name, a number of things.
    What somebody or something is, and what was accepted, the rules tell alone."""
    facet = event.facet
    if facet is None or not facet.value or event.many or len(event.sources) > 1 or event.act is Act.ADOPT:
        return False
    return facet.attribute in _OF_ERRANDS or not _KINDS.isdisjoint(families(facet.attribute))


def _signs(turn: Message, before: Sequence[Message], told: Reading) -> Iterator[str]:
    """The signs of a turn as a whole."""
    last = before[-1].content
    yield from (name for name, cue in OF_TURN.items() if cue.found(turn.content))
    if "?" in turn.content or "？" in turn.content:
        yield "question"
    if told.unmet:
        yield "unmet"
    if "?" in last or "？" in last:
        yield "after a question"
    if CLOSES.found(last):
        yield "after closing"
    if REPORT.found(turn.content) or REPORT.found(last):
        yield "report"
    yield f"again {_again(turn, before)}"
    length = len(turn.content.split()) if turn.content.isascii() else len(turn.content) // 2
    if length <= _SHORT or length > _LONG:
        yield "short" if length <= _SHORT else "long"
    if any(_done(message) for message in before[-2:]):
        yield "just done"
    if any(_done(message) for message in before[:-2]):
        yield "done before"


def _signs_of(event: Event, clause: Clause, last: str, told: Reading) -> Iterator[str]:
    """The signs of one of the turn's events: whether its value was asked for, and who said it already."""
    if event.facet is None:
        return
    kinds = families(event.facet.attribute)
    asked = [one.asks for one in told.clauses if one.asks]
    if any(ask == event.facet.attribute or not kinds.isdisjoint(families(ask)) for ask in asked):
        yield "asked"
    if event.facet.value.casefold() in last.casefold():
        yield "repeats"
    if clause.mood is Mood.REQUEST:
        yield "request"


def _again(turn: Message, before: Sequence[Message]) -> int:
    """How much of the turn its speaker has said before, at best: 0 to 4, by the share of words in common."""
    ours, best = _content(turn.content), 0
    for earlier in before:
        if earlier.speaker == turn.speaker:
            theirs = _content(earlier.content)
            both = len(ours & theirs)
            either = max(len(ours) + len(theirs) - both, 1)
            best = max(best, bisect_right(_SHARES, 100 * both // either))
    return best


@lru_cache(maxsize=2_048)
def _content(text: str) -> frozenset[str]:
    return frozenset(_CONTENT.findall(text.casefold()))


def _done(message: Message) -> bool:
    """Whether a service says that what was asked for is done: with it an errand ends."""
    return message.role in SERVICE and _says_done(message.content)


@lru_cache(maxsize=2_048)
def _says_done(text: str) -> bool:
    return _DONE.search(text) is not None
