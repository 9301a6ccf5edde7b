"""The matter at hand: what a statement that does not name its thing is about.

"Make it Friday" is about what was spoken of just now. So a thing that is not named, or that is only the
speaker ("I need it on Friday"), is looked for in the last few messages; a thing that is named, anywhere.
"""

from collections.abc import Sequence

from operators.relate.naming import attribute_head
from operators.relate.runs import changes
from state.model import Event, Role

NEAR = 6
"""How many of the conversation's last messages with events the matter at hand reaches back."""

_CIRCUMSTANCE_WORDS = """
    date time place venue origin destination number quantity duration price percentage temperature start end
    with address 日期 时间 地点 地址 数量 人数 价格 时长
"""
_CIRCUMSTANCES = frozenset(attribute_head(word) for word in _CIRCUMSTANCE_WORDS.split())
"""Kinds of attributes that no person has, but an event, an order or a journey that the person is in."""

SERVICE = frozenset({Role.AGENT, Role.ASSISTANT, Role.SYSTEM, Role.TOOL})
"""Roles that read out what a system says, of one item after another."""


def near(event: Event, earlier: Sequence[Event]) -> frozenset[str]:
    """Ids of those among `earlier` (oldest first) that the conversation's last messages state.

    `NEAR` messages for a change, which refers to something; a third of that for a plain statement. The
    message of `event` itself is not counted.
    """
    reach = NEAR if changes(event) else NEAR // 3
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
    return attribute_head(attribute) in _CIRCUMSTANCES
