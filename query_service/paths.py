"""The bounded walk over the evidence graph (DESIGN §6.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from query_service.known import EventReader
from query_service.plan import Plan
from state.graph import GraphReader, StoredEvent
from state.model import Edge, EdgeType, Event, Session, Subject, Topic

DEPTH = 3
EVENT_FANOUT = 5
SESSION_FANOUT = 3
TOPIC_FANOUT = 2
BEAM = 32
"""Partial paths that are walked on at each level, shared among the seeds in turn."""
HOPPING = 8
"""Of these, how many may also hop through their session or topic at one level."""
HOP_LEVELS = 2
"""A hop at the last level only ends a path in an event that is nothing but near, so none is made there."""
LOOKED_AT = 2 * EVENT_FANOUT
"""Edges of one event whose other end is read; some fall to the pruning before the fan-out is taken."""
NEAR = 6
"""Messages on each side of an event's own whose events a session hop may reach."""
FIRST = (EdgeType.UPDATES, EdgeType.CONTRADICTS)
CAUSAL = (EdgeType.CAUSES, EdgeType.PREVENTS)
SESSION_CONFIDENCE = 0.7
TOPIC_CONFIDENCE = 0.5


class Via(StrEnum):
    """How a path goes from one event to the next."""

    EDGE = "edge"
    SESSION = "session"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: the evidence edge, or the session or topic (`through`) that two events share.

    `forward` is whether an edge was walked from its source to its target.
    """

    via: Via
    through: str
    confidence: float
    edge: Edge | None = None
    forward: bool = True


@dataclass(frozen=True, slots=True)
class Path:
    """`events` in walking order, one more than `steps`; no event twice. A path without steps is one event."""

    events: tuple[str, ...]
    steps: tuple[Step, ...] = ()

    def hopped(self, via: Via) -> bool:
        """Whether the path has taken its one hop of this kind."""
        return any(step.via is via for step in self.steps)

    def onward(self, step: Step, event: str) -> "Path":
        """The path with one step more."""
        return Path((*self.events, event), (*self.steps, step))

    def key(self) -> tuple[frozenset[str], frozenset[str]]:
        """Equal for a path and the same path walked from its other end."""
        return frozenset(self.events), frozenset(step.through for step in self.steps)


@dataclass(slots=True)
class Walk:
    """What a walk found. `round_trips` counts the batches of reads that it made."""

    paths: list[Path] = field(default_factory=list)
    known: dict[str, StoredEvent] = field(default_factory=dict)
    round_trips: int = 0


def walk(
    reader: GraphReader,
    events: EventReader,
    subject: Subject,
    seeds: Sequence[str],
    known: Mapping[str, StoredEvent],
    topics: Sequence[Topic],
    plan: Plan,
) -> Walk:
    """Paths of 1 to `DEPTH` steps from `seeds` (best first), each once whichever end it was found from.

    Level by level: all that one level needs is read in one batch of each kind, so the round trips are at
    most 6 a level and do not depend on the number of seeds, and the work is at most
    DEPTH · BEAM · (LOOKED_AT + SESSION_FANOUT + TOPIC_FANOUT), however large the graph is.
    """
    done = Walk(known=dict(known))
    frontier = [Path((seed,)) for seed in seeds if seed in known]
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for level in range(DEPTH):
        steps = _edge_steps(frontier, done.known)
        if level < HOP_LEVELS:
            hops = _hop_steps(reader, subject, frontier[:HOPPING], topics, done)
            steps = {path: [*steps.get(path, ()), *hops.get(path, ())] for path in frontier}
        _read(events, subject, [event for found in steps.values() for _, event in found], done)
        grown: list[list[Path]] = []
        for path in frontier:
            fresh = []
            for longer in _kept(path, steps.get(path, ()), done.known, plan):
                if longer.key() not in seen:
                    seen.add(longer.key())
                    fresh.append(longer)
            grown.append(fresh)
        frontier = _in_turn(grown)[:BEAM]
        done.paths.extend(frontier)
        if not frontier:
            break
    return done


def _in_turn(groups: Sequence[Sequence[Path]]) -> list[Path]:
    """The groups' first paths, then their second ones, and so on: no seed starves another."""
    longest = max((len(group) for group in groups), default=0)
    return [group[i] for i in range(longest) for group in groups if i < len(group)]


def _edge_steps(
    frontier: Iterable[Path], known: Mapping[str, StoredEvent]
) -> dict[Path, list[tuple[Step, str]]]:
    found: dict[Path, list[tuple[Step, str]]] = {}
    for path in frontier:
        here = path.events[-1]
        onward = [edge for edge in known[here].edges if _other(edge, here) not in path.events]
        onward.sort(key=lambda edge: (edge.type not in FIRST, -edge.confidence, edge.id))
        found[path] = [
            (Step(Via.EDGE, edge.id, edge.confidence, edge, edge.source == here), _other(edge, here))
            for edge in onward[:LOOKED_AT]
        ]
    return found


def _other(edge: Edge, end: str) -> str:
    return edge.target if edge.source == end else edge.source


def _hop_steps(
    reader: GraphReader, subject: Subject, frontier: Sequence[Path], topics: Sequence[Topic], done: Walk
) -> dict[Path, list[tuple[Step, str]]]:
    """Steps through the session and the topic of each path's last event."""
    at = {path: done.known[path.events[-1]].event for path in frontier}
    messages = list(dict.fromkeys(event.sources[-1] for event in at.values()))
    if not messages:
        return {}
    sessions = reader.session_of(subject, messages)
    topic_of = reader.topic_of(subject, messages) if topics else {}
    by_topic = {topic.id: topic for topic in topics}
    near = {path: _near(event, sessions, path) for path, event in at.items()}
    far = {path: _far(event, topic_of, by_topic, path) for path, event in at.items()}
    asked = dict.fromkeys(m for turns in (*near.values(), *far.values()) for m in turns)
    stated = reader.events_of(subject, list(asked)) if asked else {}
    done.round_trips += 1 + bool(topics) + bool(asked)
    found: dict[Path, list[tuple[Step, str]]] = {}
    for path, event in at.items():
        message = event.sources[-1]
        if near[path]:
            through = Step(Via.SESSION, sessions[message].id, SESSION_CONFIDENCE)
            found.setdefault(path, []).extend(_reached(through, near[path], stated, path, SESSION_FANOUT))
        if far[path]:
            through = Step(Via.TOPIC, topic_of[message], TOPIC_CONFIDENCE)
            found.setdefault(path, []).extend(_reached(through, far[path], stated, path, TOPIC_FANOUT))
    return found


def _near(event: Event, sessions: Mapping[str, Session], path: Path) -> list[str]:
    """The messages around the event's own in its session, nearest first."""
    message = event.sources[-1]
    session = sessions.get(message)
    if session is None or path.hopped(Via.SESSION) or message not in session.messages:
        return []
    at = session.messages.index(message)
    around = range(max(0, at - NEAR), min(len(session.messages), at + NEAR + 1))
    return [session.messages[i] for i in sorted(around, key=lambda i: (abs(i - at), i)) if i != at]


def _far(event: Event, topic_of: Mapping[str, str], topics: Mapping[str, Topic], path: Path) -> list[str]:
    """The last turns of the event's topic, latest first."""
    message = event.sources[-1]
    topic = topics.get(topic_of.get(message, ""))
    if topic is None or path.hopped(Via.TOPIC):
        return []
    return [turn for turn in reversed(topic.turns[-2 * NEAR :]) if turn != message]


def _reached(
    through: Step, messages: Iterable[str], stated: Mapping[str, tuple[str, ...]], path: Path, fanout: int
) -> list[tuple[Step, str]]:
    events = [event for message in messages for event in stated.get(message, ())]
    fresh = [event for event in dict.fromkeys(events) if event not in path.events]
    return [(through, event) for event in fresh[:fanout]]


def _read(reader: EventReader, subject: Subject, wanted: Iterable[str], done: Walk) -> None:
    missing = [event for event in dict.fromkeys(wanted) if event not in done.known]
    if missing:
        done.known.update(reader.events(subject, missing))
        done.round_trips += 1


def _kept(
    path: Path, steps: Iterable[tuple[Step, str]], known: Mapping[str, StoredEvent], plan: Plan
) -> list[Path]:
    """The path's continuations that are not pruned: edges up to the fan-out, hops as they come."""
    kept: list[Path] = []
    edges = 0
    for step, event in steps:
        if event not in known or _pruned(path, step, known[path.events[-1]], known[event], plan):
            continue
        if step.via is Via.EDGE:
            edges += 1
            if edges > EVENT_FANOUT:
                continue
        kept.append(path.onward(step, event))
    return kept


def _pruned(path: Path, step: Step, here: StoredEvent, there: StoredEvent, plan: Plan) -> bool:
    if plan.until is not None and there.event.stated_at > plan.until:
        return True
    edge = step.edge
    if edge is None:
        return False
    earlier, later = (here.event, there.event) if step.forward else (there.event, here.event)
    if edge.type is EdgeType.TEMPORAL_BEFORE and denied(earlier, later):
        return True
    before = path.steps[-1].edge if path.steps else None
    if edge.type is EdgeType.CONTRADICTS and before is not None and before.type is EdgeType.CONTRADICTS:
        return True
    out = here.timeline.value(plan.at) == 0.0 or there.timeline.value(plan.at) == 0.0
    return edge.type in CAUSAL and out and not plan.walk_out_causes


def happens(event: Event) -> tuple[datetime, datetime] | None:
    """The bounds of when the event happens, where its text gives any."""
    occurs = event.occurs
    if occurs is None or occurs.start is None:
        return None
    return occurs.start, occurs.end or occurs.start


def denied(earlier: Event, later: Event) -> bool:
    """Whether the dates say that `later` is over before `earlier` begins."""
    first, second = happens(earlier), happens(later)
    return first is not None and second is not None and second[1] <= first[0]
