"""Reads of one subject's keys, as values: a step asks for several at once, and a driver answers the reads of
many subjects in one round trip (`fetch`).

A read holds its answer in `found` once it has been fetched.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

import msgspec

from state.graph_keys import SubjectKeys
from state.ledger import Remembered, decode_remembered
from state.model import Subject
from state.records import (
    EventRecord,
    Guided,
    Hung,
    MessageRecord,
    Stated,
    TurnRecord,
    decode_event,
    decode_guided,
    decode_hung,
    decode_message,
    decode_stated,
    decode_turn,
)

T = TypeVar("T")
Command = Sequence[str | int]

CHUNK = 500
"""Fields of one command at most: Lua's stack takes about 8,000, and a long command blocks others."""

# Answers a list of commands. A subject's reads are one command then: to pack each of them and to take its
# reply singly would be most of what a read costs.
_SCRIPT = """
local found = {}
for i, command in ipairs(cmsgpack.unpack(ARGV[1])) do found[i] = redis.call(unpack(command)) end
return found
"""


class Read(ABC, Generic[T]):
    """One read: it gives its commands, then takes as many replies."""

    found: T

    @abstractmethod
    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        """The Redis commands that answer it; none where there is nothing to ask."""

    @abstractmethod
    def take(self, replies: Sequence[Any]) -> None:
        """Sets `found` from the replies to those commands."""


class _ReadHash(Read[dict[str, T]]):
    """Records of a hash by field; fields that are not there are left out."""

    def __init__(self, ids: Iterable[str], decode: Callable[[bytes], T]) -> None:
        self._ids = tuple(ids)
        self._decode = decode
        self.found = {}

    @abstractmethod
    def key(self, keys: SubjectKeys) -> str: ...

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        ids, key = self._ids, self.key(keys)
        return [("HMGET", key, *ids[at : at + CHUNK]) for at in range(0, len(ids), CHUNK)]

    def take(self, replies: Sequence[Any]) -> None:
        decode, records = self._decode, chain.from_iterable(replies)
        self.found = {i: decode(raw) for i, raw in zip(self._ids, records, strict=True) if raw}


class ReadMessages(_ReadHash[MessageRecord]):
    """Message records by message id, tombstones among them."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_message)

    def key(self, keys: SubjectKeys) -> str:
        return keys.message


class ReadTurns(_ReadHash[TurnRecord]):
    """Turn records by message id."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_turn)

    def key(self, keys: SubjectKeys) -> str:
        return keys.turn


class ReadHung(_ReadHash[Hung]):
    """Where each message's turn hangs, by message id."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_hung)

    def key(self, keys: SubjectKeys) -> str:
        return keys.turn


class ReadGuided(_ReadHash[Guided]):
    """What a model answered of each message's turn, by message id."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_guided)

    def key(self, keys: SubjectKeys) -> str:
        return keys.turn


class ReadAnswers(_ReadHash[Remembered]):
    """A model's remembered answers by their keys in the ledger."""

    def __init__(self, answer_keys: Iterable[str]) -> None:
        super().__init__(answer_keys, decode_remembered)

    def key(self, keys: SubjectKeys) -> str:
        return keys.answers


class ReadStated(_ReadHash[Stated]):
    """Which events each message's turn states, by message id."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_stated)

    def key(self, keys: SubjectKeys) -> str:
        return keys.turn


class ReadEvents(_ReadHash[EventRecord]):
    """Event records by event id."""

    def __init__(self, ids: Iterable[str]) -> None:
        super().__init__(ids, decode_event)

    def key(self, keys: SubjectKeys) -> str:
        return keys.event


class ReadVersion(Read[int]):
    """How many writes a subject has had, those before it was forgotten lately included."""

    def __init__(self) -> None:
        self.found = 0

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        return (("GET", keys.version), ("HGET", keys.forgotten, "version"))

    def take(self, replies: Sequence[Any]) -> None:
        self.found = int(replies[0] or replies[1] or 0)


def fetch(client: Any, asked: Sequence[tuple[Subject, Sequence[Read[Any]]]]) -> None:
    """Answers all reads of all subjects in one round trip (one a slot on a cluster).

    All reads of one subject see it at one moment, between two writes.
    """
    pipe = client.pipeline(transaction=False)
    counts: list[list[tuple[Read[Any], int]]] = []
    for subject, reads in asked:
        keys = SubjectKeys(subject)
        queued: list[Command] = []
        taking: list[tuple[Read[Any], int]] = []
        for read in reads:
            commands = read.commands(keys)
            if commands:
                queued += commands
                taking.append((read, len(commands)))
        if queued:
            # A cluster takes EVAL in a pipeline as a bare command only.
            pipe.execute_command("EVAL", _SCRIPT, 1, keys.fence, msgspec.msgpack.encode(queued))
            counts.append(taking)
    for taking, replies in zip(counts, pipe.execute() if counts else (), strict=True):
        at = 0
        for read, count in taking:
            read.take(replies[at : at + count])
            at += count
