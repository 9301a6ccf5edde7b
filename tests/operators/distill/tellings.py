"""One turn of a conversation, and events that a model tells of it."""

from typing import Any

from operators.distill.admit import admitted
from operators.distill.answer import EventTold
from state.model import Event, Message
from tests.operators.distill.conversation import messages

TALK = messages(
    "Maya: Please send the desk to 14 Harbour Street.",
    "*Shop: We could deliver it on Thursday 5 February at 10:00. Would that suit you?",
    "Maya: Yes, that works. Please make it walnut, because oak scratches. I'll tell my sister soon.",
)
TURN, CONTEXT = TALK[-1], TALK[:-1]
WALNUT = {"quote": "make it walnut", "type": "plan", "act": "change", "thing": "desk", "attribute": "colour"}


def told(**fields: Any) -> EventTold:
    return EventTold.model_validate({**WALNUT, "value": "walnut", **fields})


def taken(
    *events: EventTold, turn: Message = TURN, context: list[Message] = CONTEXT
) -> tuple[list[Event], list[str]]:
    refused: list[str] = []
    return list(admitted(events, turn, context, refused.append).values()), refused


def only(**fields: Any) -> Event:
    (event,), _ = taken(told(**fields))
    return event


def why(**fields: Any) -> list[str]:
    """The refusals of an event that is not taken over."""
    events, refused = taken(told(**fields))
    assert events == []
    return refused
