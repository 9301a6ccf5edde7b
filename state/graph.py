"""What the graph store holds and answers, whatever keeps it (the seam between the store and its readers)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from state.model import Edge, Event, Message, Session, Subject, Topic, Turn
from state.validity import Timeline


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its edges and its validity over all time.

    `edges` are all evidence edges with the event as either end. `recorded_at` is the one wall-clock value
    that is stored; it is never exported.
    """

    event: Event
    edges: tuple[Edge, ...]
    timeline: Timeline
    recorded_at: datetime


class GraphReader(Protocol):
    """Reads one subject's graph. Every call is a bounded number of round trips, given in its text.

    No call crosses subjects or tenants. What is unknown is left out of an answer, never an error.
    """

    def messages(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Message]:
        """Live messages by id (1)."""
        ...

    def events(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, StoredEvent]:
        """Events by id (1)."""
        ...

    def events_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Event ids by the message whose turn states them (1)."""
        ...

    def filed_under(self, subject: Subject, keys: Iterable[str], limit: int) -> Mapping[str, tuple[str, ...]]:
        """By key, the ids of the `limit` events stated last (1). Keys: `operators.gate.keys`, and
        `name:<word>` for each normalised word of a facet's entity and attribute and of the participants
        (`state.graph.name_keys`)."""
        ...

    def session_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Session]:
        """The session of each message, without its summary (3)."""
        ...

    def topic_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, str]:
        """The topic id of each message (2)."""
        ...

    def topics(self, subject: Subject, limit: int) -> Sequence[Topic]:
        """The `limit` topics spoken of last, latest first (3)."""
        ...

    def everything(self, subject: Subject) -> "SubjectView | None":
        """The whole of one subject, or None where nothing of it was ever stored (proportional to it)."""
        ...

    def subjects(self, tenant: str) -> Sequence[Subject]:
        """All subjects of a tenant, sorted."""
        ...

    def subject_of_event(self, tenant: str, event: str) -> Subject | None:
        """Which subject of the tenant has this event (1)."""
        ...

    def newest(self, subject: Subject) -> datetime | None:
        """The newest `sent_at` among the subject's live messages (1)."""
        ...


@dataclass(frozen=True, slots=True)
class SubjectView:
    """All that is kept of one subject: the answer of `everything`, and of deriving it from scratch.

    Sorted by id throughout; `events` by id, with `timelines` for each.
    """

    subject: Subject
    messages: tuple[Message, ...]
    sessions: tuple[Session, ...]
    turns: tuple[Turn, ...]
    topics: tuple[Topic, ...]
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]
    timelines: Mapping[str, Timeline]
    session_of: Mapping[str, str]
    """Session id by message id."""
    topic_of: Mapping[str, str]
    """Topic id by message id."""
