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


@dataclass(frozen=True, slots=True)
class Opening:
    """What a question needs before anything is searched for: see `GraphReader.opening`."""

    newest: datetime
    filed: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, tuple[str, ...]]
    """The last turns of the topics spoken of last, in order; latest topic first."""


@dataclass(frozen=True, slots=True)
class Told:
    """A live message, and the ids of the events that its turn states."""

    message: Message
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message stands: `place` is the message's own (`state.ordering.message_place`)."""

    message: str
    conversation: str
    place: str


@dataclass(frozen=True, slots=True)
class Around:
    """What lies around a message: its session's and its topic's ids (a view may have no topics), the
    messages beside it in its session, nearest first on each side, and the turn that it hangs under."""

    session: str
    topic: str | None
    before: tuple[str, ...]
    after: tuple[str, ...]
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Hanging:
    """Where a turn hangs in its conversation's forest, and the events that it states. `topic` and `branch`
    are empty in a view that has no forest, `summary` where no model told the turn in short."""

    parent: str | None
    branch: str
    topic: str
    refers_to: tuple[str, ...]
    events: tuple[str, ...]
    summary: str = ""


@dataclass(frozen=True, slots=True)
class TreeEnds:
    """A topic by its ends: how many turns it has, and its first and its last ones, each in order."""

    size: int
    first: tuple[str, ...]
    last: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionSpan:
    """A session by its ends: the places of its first and its last message."""

    id: str
    conversation: str
    first: str
    last: str


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

    def opening(
        self, subject: Subject, keys: Iterable[str], limit: int, topics: int, turns: int
    ) -> Opening | None:
        """The newest `sent_at`, `filed_under(keys, limit)`, and the last `turns` turns of the last `topics`
        topics; None where the subject has no live message (2)."""
        ...

    def told(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, Told]:
        """Live messages by id, with the events that they state (1)."""
        ...

    def around(self, subject: Subject, spots: Iterable[Spot], reach: int) -> Mapping[str, Around]:
        """By message, what lies at most `reach` messages from it in its session (1). Messages that are not
        live are left out. O(reach + log n) each, however long the session is."""
        ...

    def session_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Session]:
        """The session of each message, without its summary (3)."""
        ...

    def topic_of(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, str]:
        """The topic id of each message (2)."""
        ...

    def places(
        self, subject: Subject, after: str, before: str, limit: int, latest: bool = False
    ) -> Sequence[str]:
        """Places of live messages that sort between two texts, ends excluded, in order: the first `limit`,
        or with `latest` the last (1). O(limit + log n)."""
        ...

    def session_spans(
        self, subject: Subject, between: Mapping[str, tuple[str, str]], limit: int
    ) -> Sequence[SessionSpan]:
        """By conversation, the sessions that lie between two of its messages' places or hold one of them: of
        each conversation the first `limit`, in order (2). O(limit · log n) each, however long they are."""
        ...

    def hanging(self, subject: Subject, turns: Iterable[str]) -> Mapping[str, Hanging]:
        """Where turns hang, by id (1)."""
        ...

    def line(self, subject: Subject, turn: str, limit: int) -> Mapping[str, Hanging]:
        """A turn, its parent and so on up to its tree's root: the `limit` nearest, nearest first (1)."""
        ...

    def heads(self, subject: Subject, roots: Iterable[str], among: int) -> Mapping[str, Mapping[str, str]]:
        """By topic, the newest turn of each branch, by branch, the one spoken on last first (2). A branch
        with no turn among the topic's last `among` is left out."""
        ...

    def branch_end(self, subject: Subject, head: str, limit: int) -> Sequence[str]:
        """The last `limit` turns of the branch that `head` is the newest turn of, latest first (1)."""
        ...

    def tree_ends(self, subject: Subject, roots: Iterable[str], turns: int) -> Mapping[str, TreeEnds]:
        """Topics by their ends: at most `turns` turns of either (1)."""
        ...

    def recent_topics(
        self, subject: Subject, limit: int, before: tuple[datetime, str] | None = None
    ) -> Sequence[str]:
        """The ids of the `limit` topics spoken of last, latest first (1). With `before`, when a topic was
        spoken of last and its id, those that come after it in this order (2, more where many topics were
        last spoken of at the same time)."""
        ...

    def forest_state(self, subject: Subject, conversation: str | None = None) -> tuple[str, str] | None:
        """A conversation and its forest's state after its last turn, as the forest's operator wrote it (2).

        Of the conversation named, else of the one spoken in last (of two at once, the later by name). None
        where nothing is kept of it.
        """
        ...

    def topics(self, subject: Subject, limit: int) -> Sequence[Topic]:
        """The `limit` topics spoken of last, latest first (3)."""
        ...

    def everything(self, subject: Subject) -> "SubjectView | None":
        """The whole of one subject, or None where nothing of it was ever stored (proportional to it)."""
        ...

    def subjects(self, tenant: str) -> Sequence[Subject]:
        """All subjects of a tenant, sorted (1, proportional to them)."""
        ...

    def subject_names(self, tenant: str, limit: int, starts_with: str = "", after: str = "") -> Sequence[str]:
        """The first `limit` names of the tenant's subjects that start so and come after that one, sorted (1,
        bounded by `limit`)."""
        ...

    def subject_of_event(self, tenant: str, event: str) -> Subject | None:
        """Which subject of the tenant has this event (1)."""
        ...

    def newest(self, subject: Subject) -> datetime | None:
        """The newest `sent_at` among the subject's live messages (1)."""
        ...

    def written(self, subject: Subject) -> str | None:
        """A short text that is another one after each write of the subject; None where it is unknown (1)."""
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
