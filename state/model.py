"""The things Stet keeps: messages, events, edges, sessions, turns and topics (DESIGN §2).

Everything here is a frozen value. Times are timezone-aware and in UTC. Ids of events and edges come from
their content (`state.identity`), so a replay makes the same things again.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """Who wrote a message."""

    USER = "user"
    AGENT = "agent"
    ASSISTANT = "assistant"
    PEER = "peer"
    SYSTEM = "system"
    TOOL = "tool"


class Op(StrEnum):
    """What a message does to the set of accepted messages."""

    UPSERT = "upsert"
    DELETE = "delete"


class EventType(StrEnum):
    """What kind of thing an event says."""

    ACTION = "action"
    STATE_CHANGE = "state_change"
    PREFERENCE = "preference"
    PLAN = "plan"


class EdgeType(StrEnum):
    """The evidence edges; the hierarchy edges are derived when they are read."""

    CAUSES = "causes"
    ENABLES = "enables"
    PREVENTS = "prevents"
    TEMPORAL_BEFORE = "temporal_before"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"


class UpdateMode(StrEnum):
    """How an `updates` edge acts on its target (DESIGN §3)."""

    REPLACES = "replaces"
    WITHDRAWS = "withdraws"


class Act(StrEnum):
    """What a clause does with its facet: the cue that tells a relater how it bears on earlier events."""

    STATE = "state"  # says that it is so
    CHANGE = "change"  # says that it becomes so ("make it 9,000", "moved to Friday")
    WITHDRAW = "withdraw"  # takes an earlier value back without another ("forget that")
    RESTORE = "restore"  # goes back to an earlier value ("keep the first one after all")
    ADD = "add"  # adds one item to a list
    REMOVE = "remove"  # removes one item from a list
    ADOPT = "adopt"  # accepts a value that another party proposed ("that works")


class Precision(StrEnum):
    """How exactly an `Occurs` is known."""

    INSTANT = "instant"  # a clock time on a day
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    RECURRING = "recurring"  # "every Thursday": words only
    VAGUE = "vague"  # "soon": words only, never a bound


@dataclass(frozen=True, slots=True)
class Subject:
    """The unit of the graph and of parallelism. Every key, point and query carries both parts."""

    tenant: str
    name: str


@dataclass(frozen=True, slots=True)
class Message:
    """One accepted message. `id` is unique within `subject`; `metadata` is a canonical JSON text."""

    subject: Subject
    conversation: str
    id: str
    role: Role
    speaker: str
    content: str
    sent_at: datetime
    reply_to: str | None = None
    op: Op = Op.UPSERT
    revision: int | None = None
    metadata: str | None = None


@dataclass(frozen=True, slots=True)
class Facet:
    """One attribute of one thing, and its value, in the words of the conversation."""

    entity: str
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class Occurs:
    """When the text says something happens: `start` ≤ t < `end`, resolved against `sent_at`.

    `words` are the text's own. Vague and recurring times have no bounds.
    """

    words: str
    precision: Precision
    start: datetime | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that was stated: what happened, changed, is preferred or planned.

    `place` is ω(e) of DESIGN §3 as a text that sorts (`state.ordering`): stated_at, position, clause, id.
    `valid_from` is `stated_at` or an explicit effective date. `sources` are message ids, oldest first; the
    last one is the message that states the event, and is where the event belongs.
    `act`, `many` and `role` are cues for the relater: what the clause does, whether the attribute may hold
    several values at once (hobbies, items of a list), and in what role the speaker says it.
    """

    id: str
    type: EventType
    participants: tuple[str, ...]
    description: str
    facet: Facet | None
    occurs: Occurs | None
    stated_at: datetime
    valid_from: datetime
    sources: tuple[str, ...]
    conversation: str
    speaker: str
    place: str
    act: Act = Act.STATE
    many: bool = False
    role: Role = Role.USER


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge between two events of one subject; `reason` says in words why it is there.

    `owner` is the later event (by ω) whose derivation made the edge: when that event or what lies around it
    changes, all edges it owns are derived again.
    """

    id: str
    type: EdgeType
    mode: UpdateMode | None
    source: str
    target: str
    confidence: float
    reason: str
    owner: str


@dataclass(frozen=True, slots=True)
class Session:
    """A maximal run of one conversation's messages whose gaps are at most the session gap."""

    id: str
    conversation: str
    messages: tuple[str, ...]
    start: datetime
    end: datetime
    summary: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A node of the discourse forest. Its id is its first message's. `branch` is the first turn of its
    branch, `topic` its tree's root, and `refers_to` other trees that it mentions and does not move to.
    `summary` is empty where no model told it in short: its own words do then."""

    id: str
    messages: tuple[str, ...]
    parent: str | None
    branch: str
    topic: str
    summary: str
    refers_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """A tree of the discourse forest. Its id is its root turn's."""

    id: str
    label: str
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
