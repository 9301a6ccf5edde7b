"""Reads of the ordered indexes of one subject: what lies around a place, before it, or between two.

Each costs O(log n) and what it returns, whatever the index holds.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from state.graph import Around, Spot
from state.graph_keys import SubjectKeys
from state.graph_reads import CHUNK, Command, Read, ReadHung
from state.identity import session_id
from state.model import Subject
from state.ordering import SEPARATOR, event_of, message_of
from state.records import Mark


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


class ReadStarts(Read[frozenset[str]]):
    """Which of some places of a conversation start a session, as stored."""

    def __init__(self, conversation: str, places: Iterable[str]) -> None:
        self._conversation, self._places = conversation, tuple(places)
        self.found = frozenset()

    def commands(self, keys: SubjectKeys) -> Sequence[Command]:
        places, key = self._places, keys.starts(self._conversation)
        return [("ZMSCORE", key, *places[at : at + CHUNK]) for at in range(0, len(places), CHUNK)]

    def take(self, replies: Sequence[Any]) -> None:
        scores = zip(self._places, chain.from_iterable(replies), strict=True)
        self.found = frozenset(place for place, score in scores if score is not None)


def _backward(key: str, highest: str, lowest: str, limit: int) -> Command:
    """The last `limit` members of a range, latest first."""
    return ("ZREVRANGEBYLEX", key, highest, lowest, "LIMIT", 0, limit)


def _forward(key: str, lowest: str, highest: str, limit: int) -> Command:
    """The first `limit` members of a range, earliest first."""
    return ("ZRANGEBYLEX", key, lowest, highest, "LIMIT", 0, limit)
