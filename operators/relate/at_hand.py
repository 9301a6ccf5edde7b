"""The matter at hand: what a statement that does not name its thing is about.

"Make it Friday" is about what was spoken of just now. So a thing that is not named, or that is only the
speaker ("I need it on Friday"), is looked for in the last few messages; a thing that is named, anywhere.
"""

from collections.abc import Sequence

from operators.relate.runs import changes
from operators.relate.same_thing import Match, same_entity
from operators.relate.words import head, words
from state.identity import normalised
from state.model import Event, Role

NEAR = 4
"""How many of the conversation's last messages with events the matter at hand reaches back."""

_CIRCUMSTANCES = frozenset(
    [
        "date",
        "time",
        "day",
        "hour",
        "place",
        "venue",
        "citi",
        "area",
        "locat",
        "origin",
        "destin",
        "number",
        "quantiti",
        "duration",
        "durat",
        "price",
        "cost",
        "amount",
        "percentag",
        "temperatur",
        "start",
        "end",
        "with",
        "address",
        "日期",
        "时间",
        "地点",
        "地址",
        "数量",
        "人数",
        "价格",
        "金额",
        "时长",
    ]
)
"""Heads (stems) of attributes that no person has: of an event, an order or a journey that the person is in."""

SERVICE = frozenset({Role.AGENT, Role.ASSISTANT, Role.SYSTEM, Role.TOOL})
"""Roles that read out what a system says, of one item after another."""


def near(event: Event, earlier: Sequence[Event]) -> frozenset[str]:
    """Ids of those among `earlier` (oldest first) that the last messages of the conversation state: `NEAR` for
    a change, which refers to something; half as many for a plain statement. `event`'s own is not counted."""
    reach = NEAR if changes(event) else NEAR // 2
    messages: list[str] = []
    found: list[str] = []
    for told in reversed(earlier):
        if told.conversation != event.conversation:
            continue
        message = told.sources[-1]
        if message not in messages and message != event.sources[-1]:
            if len(messages) == reach:
                break
            messages.append(message)
        found.append(told.id)
    return frozenset(found)


def circumstance(attribute: str) -> bool:
    """Whether an attribute is one of a happening or an order rather than of a person."""
    named = words(attribute).terms
    return bool(named) and (head(attribute) in _CIRCUMSTANCES or named[0] in ("quantiti", "number"))


def thing_of(a: Event, b: Event) -> Match:
    """`same_entity` of two events; a mere participant is no thing that has a date or a place, so there it is
    as good as unnamed."""
    if a.facet is None or b.facet is None:
        return Match.NO
    if circumstance(a.facet.attribute) and (_is_party(a, a.facet.entity) or _is_party(b, b.facet.entity)):
        return Match.LOOSE
    return same_entity(a.facet.entity, b.facet.entity)


def _is_party(event: Event, entity: str) -> bool:
    name = normalised(entity)
    return any(normalised(p) == name for p in event.participants)
