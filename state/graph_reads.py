"""Reads of one subject's keys, as values: a step asks for several at once, and a driver answers the reads of
many subjects in one round trip (`fetch`).

A read holds its answer in `found` once it has been fetched.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

import msgspec

from state.graph import Around, Spot
from state.graph_keys import SubjectKeys
from state.identity import session_id
from state.ledger import Remembered, decode_remembered
from state.model import Subject
from state.ordering import SEPARATOR, event_of, message_of
from state.records import (
    EventRecord,
    Guided,
    Hung,
    Mark,
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

_CHUNK = 500
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
        return [("HMGET", key, *ids[at : at + _CHUNK]) for at in range(0, len(ids), _CHUNK)]

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


class _ReadNeighbours(Read[tuple[str, ...]]):
    """The places nearest to `place` in an ordered index, on each side, in order; `place` itself left out.

    O(log n + before + after), whatever the index holds.
    """

    def __init__(self, index: str, place: str, *, before: int, after: int) -> None:
        self._index, self._place, self._before, self._after = index, place, before, after
        self.found = ()

    @abstractmethod
    def key(self, keys: SubjectKeys) -> str: ...

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        key, edge = self.key(keys), f"({self._place}"
        before = [_backward(key, edge, "-", self._before)] if self._before else []
        return [*before, _forward(key, edge, "+", self._after)] if self._after else before

    def take(self, replies: Sequence[Any]) -> None:
        before = reversed(replies[0]) if self._before else ()
        after = replies[-1] if self._after else ()
        self.found = tuple(place.decode() for place in (*before, *after))


class ReadSaid(_ReadNeighbours):
    """Messages of a conversation around a place."""

    def key(self, keys: SubjectKeys) -> str:
        return keys.said(self._index)


class ReadTreeEnd(Read[tuple[str, ...]]):
    """The last places of a topic's turns, latest first."""

    def __init__(self, root: str, limit: int) -> None:
        self._root, self._limit = root, limit
        self.found = ()

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        return (_backward(keys.tree(self._root), "+", "-", self._limit),)

    def take(self, replies: Sequence[Any]) -> None:
        self.found = tuple(place.decode() for place in replies[0])


class ReadMarkBefore(Read[Mark | None]):
    """The last mark of a conversation before a place."""

    def __init__(self, conversation: str, place: str) -> None:
        self._conversation, self._place = conversation, place
        self.found = None

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        return (_backward(keys.marks(self._conversation), f"({self._place}", "-", 1),)

    def take(self, replies: Sequence[Any]) -> None:
        self.found = Mark.read(replies[0][0].decode()) if replies[0] else None


class ReadMarks(Read[Mapping[str, Mark]]):
    """All marks of a conversation after one place and up to another, by place."""

    def __init__(self, conversation: str, after: str, until: str) -> None:
        self._conversation, self._after, self._until = conversation, after, until
        self.found = {}

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        # The separator sorts after the sign that follows a mark's place, and before what a longer place has.
        return (
            (
                "ZRANGEBYLEX",
                keys.marks(self._conversation),
                f"({self._after}{SEPARATOR}",
                f"({self._until}{SEPARATOR}",
            ),
        )

    def take(self, replies: Sequence[Any]) -> None:
        marks = (Mark.read(raw.decode()) for raw in replies[0])
        self.found = {mark.place: mark for mark in marks}


class ReadFiled(_ReadNeighbours):
    """Events filed under a key around a place."""

    def key(self, keys: SubjectKeys) -> str:
        return keys.filed(self._index)


class ReadFiledSpan(Read[tuple[str, ...]]):
    """Events filed under a key from `before` places before `first` to `after` places after `last`.

    Between the two at most `between` are read; `whole` tells whether that was all of them.
    """

    def __init__(self, key: str, first: str, last: str, *, before: int, after: int, between: int) -> None:
        self._key, self._first, self._last = key, first, last
        self._before, self._after, self._between = before, after, between
        self.found = ()
        self.whole = True

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        key = keys.filed(self._key)
        return (
            _backward(key, f"({self._first}", "-", self._before),
            _forward(key, f"[{self._first}", f"[{self._last}", self._between),
            _forward(key, f"({self._last}", "+", self._after),
        )

    def take(self, replies: Sequence[Any]) -> None:
        before, between, after = replies
        self.whole = len(between) < self._between
        self.found = tuple(place.decode() for place in (*reversed(before), *between, *after))


class ReadFiledLast(Read[Mapping[str, tuple[str, ...]]]):
    """By key, the ids of the `limit` events filed last under it, latest first; empty keys are left out."""

    def __init__(self, names: Iterable[str], limit: int) -> None:
        self._names, self._limit = tuple(dict.fromkeys(names)), limit
        self.found = {}

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        if self._limit < 1:
            return ()
        return [_backward(keys.filed(name), "+", "-", self._limit) for name in self._names]

    def take(self, replies: Sequence[Any]) -> None:
        self.found = {
            name: tuple(event_of(place.decode()) for place in places)
            for name, places in zip(self._names, replies, strict=True)
            if places
        }


class ReadAround(Read[Mapping[str, Around]]):
    """What lies around some messages of `subject` (`GraphReader.around`): four commands a message, and one
    for where they all hang."""

    def __init__(self, subject: Subject, spots: Iterable[Spot], reach: int) -> None:
        self._subject, self._spots, self._reach = subject, tuple(dict.fromkeys(spots)), reach
        self._hung = ReadHung(dict.fromkeys(spot.message for spot in self._spots))
        self.found = {}

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        asked: list[Command] = []
        for spot in self._spots:
            said, starts = keys.said(spot.conversation), keys.starts(spot.conversation)
            asked += (
                _backward(said, f"[{spot.place}", "-", self._reach + 1),
                _forward(said, f"({spot.place}", "+", self._reach),
                _backward(starts, f"[{spot.place}", "-", 1),
                _forward(starts, f"({spot.place}", "+", 1),
            )
        return [*asked, *self._hung.commands(keys)]

    def take(self, replies: Sequence[Any]) -> None:
        count = 4 * len(self._spots)
        self._hung.take(replies[count:])
        found = iter(replies[:count])
        around: dict[str, Around] = {}
        for spot, before, after, start, following in zip(
            self._spots, found, found, found, found, strict=True
        ):
            hung = self._hung.found.get(spot.message)
            if hung is None or not start or not before or before[0] != spot.place.encode():
                continue
            around[spot.message] = Around(
                session_id(self._subject, spot.conversation, message_of(start[0].decode())),
                hung.topic,
                # UTF-8 sorts as the code points do, so the places compare as bytes.
                _messages(place for place in before[1:] if place >= start[0]),
                _messages(place for place in after if not following or place < following[0]),
                hung.parent,
            )
        self.found = around


def _messages(places: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(message_of(place.decode()) for place in places)


class ReadVersion(Read[int]):
    """How many writes a subject has had, those before it was forgotten lately included."""

    def __init__(self) -> None:
        self.found = 0

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        return (("GET", keys.version), ("HGET", keys.forgotten, "version"))

    def take(self, replies: Sequence[Any]) -> None:
        self.found = int(replies[0] or replies[1] or 0)


class ReadStarts(Read[frozenset[str]]):
    """Which of some places of a conversation start a session, as stored."""

    def __init__(self, conversation: str, places: Iterable[str]) -> None:
        self._conversation, self._places = conversation, tuple(places)
        self.found = frozenset()

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        places, key = self._places, keys.starts(self._conversation)
        return [("ZMSCORE", key, *places[at : at + _CHUNK]) for at in range(0, len(places), _CHUNK)]

    def take(self, replies: Sequence[Any]) -> None:
        scores = zip(self._places, chain.from_iterable(replies), strict=True)
        self.found = frozenset(place for place, score in scores if score is not None)


def _backward(key: str, highest: str, lowest: str, limit: int) -> Command:
    """The last `limit` members of a range, latest first."""
    return ("ZREVRANGEBYLEX", key, highest, lowest, "LIMIT", 0, limit)


def _forward(key: str, lowest: str, highest: str, limit: int) -> Command:
    """The first `limit` members of a range, earliest first."""
    return ("ZRANGEBYLEX", key, lowest, highest, "LIMIT", 0, limit)


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
