"""Sessions: maximal runs of one conversation's messages whose gaps are at most `SESSION_GAP` (DESIGN §4).

Whether a message starts a session depends on it and on the message before it only, so a message that comes
late moves at most two cuts: its own and its successor's.
"""

import json
from collections.abc import Sequence
from datetime import timedelta

from state.model import Message, Role

SESSION_GAP = timedelta(minutes=30)
"""The longest silence within a session."""


def ends_session(message: Message) -> bool:
    """Whether `message` is an explicit end: role `system` with `"end": true` in its metadata."""
    if message.role is not Role.SYSTEM or message.metadata is None:
        return False
    try:
        metadata = json.loads(message.metadata)
    except ValueError:
        return False
    return isinstance(metadata, dict) and metadata.get("end") is True


def starts_session(previous: Message | None, message: Message) -> bool:
    """Whether `message` starts a session; `previous` is the message before it in its conversation, if any."""
    if previous is None:
        return True
    return message.sent_at - previous.sent_at > SESSION_GAP or ends_session(previous)


def cut(messages: Sequence[Message]) -> tuple[tuple[Message, ...], ...]:
    """The sessions of one conversation, from all its messages in the order of their places. O(n)."""
    sessions: list[list[Message]] = []
    previous: Message | None = None
    for message in messages:
        if starts_session(previous, message):
            sessions.append([])
        sessions[-1].append(message)
        previous = message
    return tuple(tuple(session) for session in sessions)
