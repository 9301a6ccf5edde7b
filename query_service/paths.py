"""The bounded walk over the evidence graph (DESIGN §6.3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import zip_longest

from query_service.plan import Plan
from query_service.reading import Reading
from state.graph import Around, Hanging, StoredEvent
from state.model import Edge, EdgeType, Event

DEPTH = 3
EVENT_FANOUT = 5
SESSION_FANOUT = 3
TOPIC_FANOUT = 2
BRANCH_FANOUT = 2
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
BRANCH_CONFIDENCE = 0.8
"""Turns next to each other on a branch go on about one matter, however far apart they were said; those that
were only said in one session may not."""


class Via(StrEnum):
    """How a path goes from one event to the next."""

    EDGE = "edge"
    BRANCH = "branch"
    SESSION = "session"
    TOPIC = "topic"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path: the evidence edge, or the branch, session or topic (`through`) that two events
    share.

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


def walk(
    reading: Reading,
    seeds: Sequence[str],
    topics: Mapping[str, Sequence[str]],
    plan: Plan,
    hierarchy: bool = True,
) -> list[Path]:
    """Paths of 1 to `DEPTH` steps from `seeds` (best first), each once whichever end it was found from.

    `topics` gives the last turns of the topics that may be hopped through; without `hierarchy` no path hops
    at all. Level by level: all that one level
    needs is read in one batch of each kind, so the round trips are at most 2 a level that hops and 1 at the
    last, whatever the number of seeds, and the work is at most
    DEPTH · BEAM · (LOOKED_AT + BRANCH_FANOUT + SESSION_FANOUT + TOPIC_FANOUT), however large the graph is.
    """
    found: list[Path] = []
    frontier = [Path((seed,)) for seed in seeds if seed in reading.known]
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for level in range(DEPTH):
        steps = [_edge_steps(path, reading.known) for path in frontier]
        if hierarchy and level < HOP_LEVELS:
            for onward, hops in zip(steps, _hop_steps(reading, frontier[:HOPPING], topics), strict=False):
                onward.extend(hops)
        reading.read_events(event for onward in steps for _, event in onward)
        grown: list[list[Path]] = []
        for path, onward in zip(frontier, steps, strict=True):
            fresh = []
            for longer in _kept(path, onward, reading.known, plan):
                key = longer.key()
                if key not in seen:
                    seen.add(key)
                    fresh.append(longer)
            grown.append(fresh)
        frontier = _in_turn(grown)[:BEAM]
        found.extend(frontier)
        if not frontier:
            break
    return found


def _in_turn(groups: Sequence[Sequence[Path]]) -> list[Path]:
    """The groups' first paths, then their second ones, and so on: no seed starves another."""
    longest = max((len(group) for group in groups), default=0)
    return [group[i] for i in range(longest) for group in groups if i < len(group)]


def _edge_steps(path: Path, known: Mapping[str, StoredEvent]) -> list[tuple[Step, str]]:
    here = path.events[-1]
    onward = [edge for edge in known[here].edges if _other(edge, here) not in path.events]
    onward.sort(key=lambda edge: (edge.type not in FIRST, -edge.confidence, edge.id))
    return [
        (Step(Via.EDGE, edge.id, edge.confidence, edge, edge.source == here), _other(edge, here))
        for edge in onward[:LOOKED_AT]
    ]


def _other(edge: Edge, end: str) -> str:
    return edge.target if edge.source == end else edge.source


def _hop_steps(
    reading: Reading, frontier: Sequence[Path], topics: Mapping[str, Sequence[str]]
) -> list[list[tuple[Step, str]]]:
    """For each path, steps along the branch of its last event and through its session and topic (1 round
    trip).

    Only from events whose message the search has looked around already: another look would cost more than
    all the rest of a level.
    """
    at = [reading.known[path.events[-1]].event for path in frontier]
    around = [reading.around.get(event.sources[-1]) for event in at]
    near = [_near(beside, path) for path, beside in zip(frontier, around, strict=True)]
    far = [
        _far(event, beside, topics, path) for path, event, beside in zip(frontier, at, around, strict=True)
    ]
    own = [event.sources[-1] for event in at]
    beside_of = {turn: beside for turn, beside in zip(own, around, strict=True) if beside is not None}
    above = [beside.parent for beside in beside_of.values() if beside.parent is not None]
    reading.read_hanging([*(message for turns in (*near, *far) for message in turns), *beside_of, *above])
    found: list[list[tuple[Step, str]]] = []
    for path, turn, beside, close, distant in zip(frontier, own, around, near, far, strict=True):
        hops: list[tuple[Step, str]] = []
        along = _along(turn, beside, reading.hanging, path)
        if along:
            through = Step(Via.BRANCH, reading.hanging[turn].branch, BRANCH_CONFIDENCE)
            hops.extend(_reached(through, along, reading.stated, path, BRANCH_FANOUT))
        if beside is not None and close:
            through = Step(Via.SESSION, beside.session, SESSION_CONFIDENCE)
            rest = [message for message in close if message not in along]
            hops.extend(_reached(through, rest, reading.stated, path, SESSION_FANOUT))
        if beside is not None and beside.topic is not None and distant:
            through = Step(Via.TOPIC, beside.topic, TOPIC_CONFIDENCE)
            hops.extend(_reached(through, distant, reading.stated, path, TOPIC_FANOUT))
        found.append(hops)
    return found


def _along(turn: str, beside: Around | None, hanging: Mapping[str, Hanging], path: Path) -> list[str]:
    """The turns next to the event's own on its branch: the one above it, and the one below where that was
    said soon after."""
    if beside is None or turn not in hanging or path.hopped(Via.BRANCH):
        return []
    here = hanging[turn]
    above = [] if beside.parent is None else [beside.parent]
    below = [name for name in beside.after if name in hanging and hanging[name].parent == turn]
    return [name for name in (*above, *below) if name in hanging and hanging[name].branch == here.branch]


def _near(beside: Around | None, path: Path) -> list[str]:
    """The messages around the event's own in its session, nearest first, of two as near the earlier first."""
    if beside is None or path.hopped(Via.SESSION):
        return []
    pairs = zip_longest(beside.before, beside.after)
    return [message for pair in pairs for message in pair if message is not None]


def _far(event: Event, beside: Around | None, topics: Mapping[str, Sequence[str]], path: Path) -> list[str]:
    """The last turns of the event's topic, latest first."""
    if beside is None or beside.topic is None or path.hopped(Via.TOPIC):
        return []
    turns = topics.get(beside.topic, ())
    return [turn for turn in reversed(turns[-2 * NEAR :]) if turn != event.sources[-1]]


def _reached(
    through: Step, messages: Iterable[str], stated: Mapping[str, tuple[str, ...]], path: Path, fanout: int
) -> list[tuple[Step, str]]:
    events = [event for message in messages for event in stated.get(message, ())]
    fresh = [event for event in dict.fromkeys(events) if event not in path.events]
    return [(through, event) for event in fresh[:fanout]]


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
