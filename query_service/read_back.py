"""Whether what was taken can be read: between the two the message is processed."""

import time

from query_service.http_problems import STORES_AWAY
from query_service.memory import Memory
from state.model import Message, Op

_AGAIN = 0.02
"""Seconds between two looks."""


def is_read(memory: Memory, taken: Message) -> bool:
    """Waits until reads see a message, or see it no more where it is a deletion, for `memory.read_within`
    seconds at most; whether they do. A store that is away is no error here: the message is kept."""
    until = time.monotonic() + memory.read_within
    while not _is_seen(memory, taken):
        if time.monotonic() >= until:
            return False
        time.sleep(_AGAIN)
    return True


def _is_seen(memory: Memory, taken: Message) -> bool:
    try:
        stored = memory.reader.messages(taken.subject, [taken.id]).get(taken.id)
    except STORES_AWAY:
        return False
    if taken.op is Op.DELETE:
        return stored is None
    return stored is not None and stored.content == taken.content
