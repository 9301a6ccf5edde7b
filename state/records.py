"""What the graph store writes under one subject's keys, and its bytes.

Records are JSON by `msgspec`, so that a person with `redis-cli` can read them and a field that is added
later has a default when an old record is read.
"""

from dataclasses import dataclass
from datetime import datetime

import msgspec

from state.model import Edge, EdgeType, Event, Message
from state.ordering import SEPARATOR
from state.validity import Timeline

_MARK = "\x1e"
"""Sorts before what may follow in a longer place that begins like this one."""


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """Which of two messages with one id wins: the higher revision, then the later in the log.

    An absent revision counts as lower than any given one.
    """

    revision: int
    offset: int

    @staticmethod
    def of(message: Message, offset: int) -> "Version":
        return Version(-1 if message.revision is None else message.revision, offset)


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """The winner among all that was received under one id; a tombstone where `message.op` is delete."""

    message: Message
    version: Version
    place: str


@dataclass(frozen=True, slots=True)
class TurnLink:
    """A link that the distiller stated between two events of this turn (`operators.distill.interface`)."""

    type: EdgeType
    source: str
    target: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """Which of a model's answers a turn was drawn from, and what that says besides events.

    `key` is the answer's in the ledger, `summary` the turn's gist or empty. `hang` says where the turn hangs,
    as a code, with the turn that it hangs `under` where it names one; empty where the model was not asked.
    """

    key: str
    summary: str = ""
    hang: str = ""
    under: str = ""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """What was drawn from one message: its events, what the text links, and the edges that it owns; and where
    it hangs in the forest.

    An edge belongs to the turn of its later end, so every edge has one owner. `topic` is the tree's root
    turn, `branch` the first turn of the branch, and `refers_to` other trees that the turn mentions.
    `answered` is None where rules drew it.
    """

    parent: str | None = None
    branch: str = ""
    topic: str = ""
    refers_to: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    links: tuple[TurnLink, ...] = ()
    edges: tuple[Edge, ...] = ()
    answered: Answered | None = None


@dataclass(frozen=True, slots=True)
class Guided:
    """The part of a `TurnRecord` that says what a model answered of it."""

    answered: Answered | None = None


@dataclass(frozen=True, slots=True)
class Stated:
    """The part of a `TurnRecord` that says which events it states: its links and edges are skipped."""

    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hung:
    """The part of a `TurnRecord` that says where it hangs, what it states and what was answered of it:
    links and edges are skipped."""

    parent: str | None = None
    branch: str = ""
    topic: str = ""
    refers_to: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    answered: Answered | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """The forest's state after the turn at `place`, as its operator writes it; `since` counts the turns since
    the last mark that is kept, and is 0 for one that is."""

    place: str
    since: int
    state: str

    @property
    def text(self) -> str:
        """As it lies in an ordered index: sorted by place. No place holds the sign between the parts."""
        return f"{self.place}{_MARK}{self.since}{_MARK}{self.state}"

    @staticmethod
    def span(place: str) -> tuple[str, str]:
        """The ends of the range, in lexical order, that has the mark at `place` and no other."""
        return f"[{place}{_MARK}", f"({place}{SEPARATOR}"

    @staticmethod
    def read(text: str) -> "Mark":
        place, since, state = text.split(_MARK, 2)
        return Mark(place, int(since), state)


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event with its evidence edges at either end and its validity, kept up to date."""

    event: Event
    incoming: tuple[Edge, ...]
    outgoing: tuple[Edge, ...]
    timeline: Timeline
    recorded_at: datetime


_encode = msgspec.json.Encoder().encode
decode_message = msgspec.json.Decoder(MessageRecord).decode
decode_turn = msgspec.json.Decoder(TurnRecord).decode
decode_hung = msgspec.json.Decoder(Hung).decode
decode_guided = msgspec.json.Decoder(Guided).decode
decode_stated = msgspec.json.Decoder(Stated).decode
decode_event = msgspec.json.Decoder(EventRecord).decode


def encode(record: MessageRecord | TurnRecord | EventRecord) -> str:
    """The record's JSON text."""
    return _encode(record).decode()
