"""Small made subjects to ask about: events, edges and messages by hand, with the stores that hold them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from evaluation.memory_notes import MemoryNotes, noted
from query_service.ask import Asker
from state.graph import SubjectView
from state.hashing_encoder import HashingEncoder
from state.identity import edge_id
from state.memory_reader import MemoryReader
from state.model import (
    Edge,
    EdgeType,
    Event,
    EventType,
    Facet,
    Message,
    Occurs,
    Role,
    Session,
    Subject,
    Topic,
    UpdateMode,
)
from state.ordering import event_place, message_place
from state.validity import evaluate

START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    """9 o'clock on day `number` of 2026, counted from 0."""
    return START + timedelta(days=number)


@dataclass
class World:
    """One subject in the making. Each message is a session of its own unless told otherwise."""

    subject: Subject = field(default_factory=lambda: Subject("shop", "conv/1"))
    messages: list[Message] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    recorded: dict[str, datetime] = field(default_factory=dict)

    def say(self, name: str, on: float, text: str, speaker: str = "Ada", role: Role = Role.USER) -> str:
        """A message `name` on a day."""
        self.messages.append(Message(self.subject, self.subject.name, name, role, speaker, text, day(on)))
        return name

    def state(
        self,
        name: str,
        message: str,
        facet: tuple[str, str, str] | None = None,
        holds_from: datetime | None = None,
        occurs: Occurs | None = None,
        recorded_at: datetime | None = None,
    ) -> str:
        """An event `name` that `message` states."""
        told = next(m for m in self.messages if m.id == message)
        place = event_place(message_place(told.sent_at, told.id), len(self.events), name)
        self.events.append(
            Event(
                id=name,
                type=EventType.ACTION,
                participants=(told.speaker,),
                description=" ".join(facet) if facet else told.content,
                facet=Facet(*facet) if facet else None,
                occurs=occurs,
                stated_at=told.sent_at,
                valid_from=holds_from or told.sent_at,
                sources=(message,),
                conversation=told.conversation,
                speaker=told.speaker,
                place=place,
            )
        )
        if recorded_at is not None:
            self.recorded[name] = recorded_at
        return name

    def link(
        self,
        kind: EdgeType,
        source: str,
        target: str,
        mode: UpdateMode | None = None,
        confidence: float = 1.0,
    ) -> str:
        """An edge between two events."""
        name = edge_id(kind, source, target)
        self.edges.append(Edge(name, kind, mode, source, target, confidence, "as told", source))
        return name

    def replace(self, new: str, old: str) -> str:
        """`new` gives what `old` says another value."""
        return self.link(EdgeType.UPDATES, new, old, UpdateMode.REPLACES)

    def view(
        self, sessions: Iterable[Sequence[str]] = (), topics: Mapping[str, Sequence[str]] | None = None
    ) -> SubjectView:
        """The subject as the store would give it."""
        sent = {m.id: m.sent_at for m in self.messages}
        grouped = [tuple(s) for s in sessions]
        alone = [(m.id,) for m in self.messages if not any(m.id in s for s in grouped)]
        made = [
            Session(f"se-{s[0]}", self.subject.name, s, sent[s[0]], sent[s[-1]], "")
            for s in (*grouped, *alone)
        ]
        session_of = {m: s.id for s in made for m in s.messages}
        trees = [
            Topic(name, name, tuple(turns), tuple(dict.fromkeys(session_of[t] for t in turns)))
            for name, turns in (topics or {}).items()
        ]
        return SubjectView(
            self.subject,
            tuple(sorted(self.messages, key=lambda m: m.id)),
            tuple(made),
            (),
            tuple(trees),
            tuple(sorted(self.events, key=lambda e: e.id)),
            tuple(sorted(self.edges, key=lambda e: e.id)),
            evaluate(self.events, self.edges),
            session_of,
            {turn: topic.id for topic in trees for turn in topic.turns},
        )


@dataclass
class Stores:
    """Stores that hold some worlds, and what asks them."""

    reader: MemoryReader
    notes: MemoryNotes
    encoder: HashingEncoder
    asker: Asker


def stores(*worlds: World, views: Sequence[SubjectView] = ()) -> Stores:
    """In-memory stores over the worlds, with a hashing encoder and a clock that stands at `NOW`."""
    encoder = HashingEncoder()
    held = list(views) or [world.view() for world in worlds]
    recorded = {name: at for world in worlds for name, at in world.recorded.items()}
    notes = noted([message for view in held for message in view.messages], encoder)
    reader = MemoryReader(held, recorded=recorded)
    return Stores(reader, notes, encoder, Asker(reader, notes, encoder, lambda: NOW))


def piano() -> World:
    """A tuning that is moved twice; the second change takes effect later."""
    world = World()
    world.say("conv/1/1", 0, "The tuning is on Tuesday at 3 pm.")
    world.say("conv/1/2", 1, "Could we have the tuning on Thursday at 9 am?")
    world.say("conv/1/3", 2, "The voucher goes to the school.")
    world.say("conv/1/4", 5, "The tuning is on Friday at 11 am now, since the west wing is flooded.")
    world.state("tuesday", "conv/1/1", ("tuning", "time", "Tuesday at 3 pm"))
    world.state("thursday", "conv/1/2", ("tuning", "time", "Thursday at 9 am"))
    world.state("voucher", "conv/1/3", ("voucher", "holder", "school"))
    world.state("friday", "conv/1/4", ("tuning", "time", "Friday at 11 am"))
    world.state("flooded", "conv/1/4", ("west wing", "state", "flooded"))
    world.replace("thursday", "tuesday")
    world.replace("friday", "thursday")
    world.link(EdgeType.CAUSES, "flooded", "friday")
    return world
