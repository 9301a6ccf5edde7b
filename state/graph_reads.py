"""Reads of one subject's keys, as values: a step asks for several at once, and a driver answers the reads of
many subjects in one round trip (`fetch`).

A read holds its answer in `found` once it has been fetched.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from state.graph import Around, Spot
from state.graph_keys import SubjectKeys
from state.identity import session_id
from state.model import Subject
from state.ordering import event_of, message_of
from state.records import (
    EventRecord,
    MessageRecord,
    Stated,
    TurnRecord,
    decode_event,
    decode_message,
    decode_stated,
    decode_turn,
)

T = TypeVar("T")


class Read(ABC, Generic[T]):
    """One read: it queues its commands, then takes as many replies."""

    found: T

    @abstractmethod
    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        """Queues commands on a redis pipeline and tells how many."""

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

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        if not self._ids:
            return 0
        pipe.hmget(self.key(keys), self._ids)
        return 1

    def take(self, replies: Sequence[Any]) -> None:
        if replies:
            decode = self._decode
            self.found = {i: decode(raw) for i, raw in zip(self._ids, replies[0], strict=True) if raw}


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

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        key, edge = self.key(keys), f"({self._place}"
        if self._before:
            pipe.zrevrangebylex(key, edge, "-", 0, self._before)
        if self._after:
            pipe.zrangebylex(key, edge, "+", 0, self._after)
        return bool(self._before) + bool(self._after)

    def take(self, replies: Sequence[Any]) -> None:
        before = reversed(replies[0]) if self._before else ()
        after = replies[-1] if self._after else ()
        self.found = tuple(place.decode() for place in (*before, *after))


class ReadSaid(_ReadNeighbours):
    """Messages of a conversation around a place."""

    def key(self, keys: SubjectKeys) -> str:
        return keys.said(self._index)


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

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        key = keys.filed(self._key)
        pipe.zrevrangebylex(key, f"({self._first}", "-", 0, self._before)
        pipe.zrangebylex(key, f"[{self._first}", f"[{self._last}", 0, self._between)
        pipe.zrangebylex(key, f"({self._last}", "+", 0, self._after)
        return 3

    def take(self, replies: Sequence[Any]) -> None:
        before, between, after = replies
        self.whole = len(between) < self._between
        self.found = tuple(place.decode() for place in (*reversed(before), *between, *after))


class ReadFiledLast(Read[Mapping[str, tuple[str, ...]]]):
    """By key, the ids of the `limit` events filed last under it, latest first; empty keys are left out."""

    def __init__(self, names: Iterable[str], limit: int) -> None:
        self._names, self._limit = tuple(dict.fromkeys(names)), limit
        self.found = {}

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        if self._limit < 1:
            return 0
        for name in self._names:
            pipe.zrevrangebylex(keys.filed(name), "+", "-", 0, self._limit)
        return len(self._names)

    def take(self, replies: Sequence[Any]) -> None:
        self.found = {
            name: tuple(event_of(place.decode()) for place in places)
            for name, places in zip(self._names, replies, strict=True)
            if places
        }


class ReadAround(Read[Mapping[str, Around]]):
    """What lies around some messages of `subject` (`GraphReader.around`): four commands a message, and one a
    conversation for its root."""

    def __init__(self, subject: Subject, spots: Iterable[Spot], reach: int) -> None:
        self._subject, self._spots, self._reach = subject, tuple(dict.fromkeys(spots)), reach
        self._conversations = tuple(dict.fromkeys(spot.conversation for spot in self._spots))
        self.found = {}

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        for conversation in self._conversations:
            pipe.zrange(keys.said(conversation), 0, 0)
        for spot in self._spots:
            said, starts = keys.said(spot.conversation), keys.starts(spot.conversation)
            pipe.zrevrangebylex(said, f"[{spot.place}", "-", 0, self._reach + 1)
            pipe.zrangebylex(said, f"({spot.place}", "+", 0, self._reach)
            pipe.zrevrangebylex(starts, f"[{spot.place}", "-", 0, 1)
            pipe.zrangebylex(starts, f"({spot.place}", "+", 0, 1)
        return len(self._conversations) + 4 * len(self._spots)

    def take(self, replies: Sequence[Any]) -> None:
        roots = dict(zip(self._conversations, replies, strict=False))
        found = iter(replies[len(self._conversations) :])
        around: dict[str, Around] = {}
        for spot, before, after, start, following in zip(
            self._spots, found, found, found, found, strict=True
        ):
            if not start or not before or before[0] != spot.place.encode():
                continue
            around[spot.message] = Around(
                session_id(self._subject, spot.conversation, message_of(start[0].decode())),
                message_of(roots[spot.conversation][0].decode()),
                # UTF-8 sorts as the code points do, so the places compare as bytes.
                _messages(place for place in before[1:] if place >= start[0]),
                _messages(place for place in after if not following or place < following[0]),
            )
        self.found = around


def _messages(places: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(message_of(place.decode()) for place in places)


class ReadVersion(Read[int]):
    """How many writes a subject has had."""

    def __init__(self) -> None:
        self.found = 0

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        pipe.get(keys.version)
        return 1

    def take(self, replies: Sequence[Any]) -> None:
        self.found = int(replies[0] or 0)


class ReadStarts(Read[frozenset[str]]):
    """Which of some places of a conversation start a session, as stored."""

    def __init__(self, conversation: str, places: Iterable[str]) -> None:
        self._conversation, self._places = conversation, tuple(places)
        self.found = frozenset()

    def queue(self, pipe: Any, keys: SubjectKeys) -> int:
        if not self._places:
            return 0
        pipe.zmscore(keys.starts(self._conversation), list(self._places))
        return 1

    def take(self, replies: Sequence[Any]) -> None:
        scores = zip(self._places, replies[0], strict=True)
        self.found = frozenset(place for place, score in scores if score is not None)


def fetch(client: Any, asked: Sequence[tuple[Subject, Sequence[Read[Any]]]]) -> None:
    """Answers all reads of all subjects in one round trip (one a slot on a cluster)."""
    pipe = client.pipeline(transaction=False)
    counts: list[tuple[Read[Any], int]] = []
    for subject, reads in asked:
        keys = SubjectKeys(subject)
        counts.extend((read, read.queue(pipe, keys)) for read in reads)
    replies = pipe.execute() if any(count for _, count in counts) else []
    at = 0
    for read, count in counts:
        if count:
            read.take(replies[at : at + count])
        at += count
