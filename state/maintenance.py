"""Validity kept up as facts come and go (DESIGN §3, *Maintained, not recomputed*).

The answer always equals `state.validity.evaluate` over what the graph then holds; the work depends on what
the change reaches and not on how large the graph is:

1. The changed facts are put on their nodes.
2. void and out are worked out again for the targets of what changed, down ω; where void(e) comes out other
   than it was, the targets of e's own `updates` edges follow. A replacement never passes this on: what a
   replaced statement replaced stays out.
3. Doubt is worked out again within HOPS causes/enables hops after what changed, from what lies within HOPS
   hops before that.
"""

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from state.model import Edge, EdgeType
from state.node import Neighbourhood, Node, Reading, drive
from state.validity import (
    HOPS,
    Acting,
    Doubt,
    Stated,
    Statement,
    Timeline,
    admissible,
    carries_doubt,
    doubts,
    superseded,
)

__all__ = ["Changes", "Node", "Outcome", "Reading", "drive", "maintain"]


@dataclass(frozen=True, slots=True)
class Changes:
    """What one flush does to one subject's graph. Each id is named once; order has no meaning.

    An event or edge that is there already is replaced; taking back what is not there does nothing. Edges are
    taken back whole, since their ends say where they are kept. An edge's id fixes its type and its two ends,
    and but for `contradicts`, which is the same edge either way round, which of them is the source.
    """

    assert_events: tuple[Statement, ...] = ()
    retract_events: tuple[str, ...] = ()
    assert_edges: tuple[Edge, ...] = ()
    retract_edges: tuple[Edge, ...] = ()

    def check(self) -> None:
        """Raises ValueError where an id is named twice."""
        named = (
            *(("event", e.id) for e in self.assert_events),
            *(("event", e) for e in self.retract_events),
            *(("edge", e.id) for e in (*self.assert_edges, *self.retract_edges)),
        )
        if len(set(named)) < len(named):
            kind, twice = next(name for i, name in enumerate(named) if name in named[:i])
            raise ValueError(
                f"{kind} {twice} is named twice in one change: settle on one version of it first"
            )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change leaves behind; every tuple is sorted by id.

    `nodes`: all nodes that are other than they were. `removed`: ids of nodes of which nothing is left.
    `changed`: events whose timeline is other than it was, those newly stated and those taken back included.
    `touched`: how many nodes had void, out or doubt worked out again. `read`: how many were asked for.
    """

    nodes: tuple[Node, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    touched: int
    read: int


@dataclass(slots=True)
class _Run:
    """One run of maintenance: the nodes at hand and what has been found to change."""

    graph: Neighbourhood = field(default_factory=Neighbourhood)
    moved: set[str] = field(default_factory=set)
    """Events stated, taken back, or given another place or time."""
    turned: list[Edge] = field(default_factory=list)
    """Edges that came, went or changed mode."""
    out_changed: set[str] = field(default_factory=set)
    """Events whose out set is other than it was."""
    touched: set[str] = field(default_factory=set)

    def node(self, event: str) -> Node:
        return self.graph.now[event]

    def stated(self, event: str) -> Stated | None:
        return self.graph.now[event].stated()

    def update_sources(self, event: str) -> list[str]:
        return [e.source for e in self.node(event).incoming if e.type is EdgeType.UPDATES]

    def update_targets(self, event: str) -> list[str]:
        return [e.target for e in self.node(event).outgoing if e.type is EdgeType.UPDATES]


def maintain(changes: Changes) -> Reading[Outcome]:
    """Applies `changes` and works out what they change; see `state.node` for how it is driven.

    Raises ValueError where `changes` names an id twice, before it asks for anything.
    """
    changes.check()
    run = _Run()
    ends = {end for e in (*changes.assert_edges, *changes.retract_edges) for end in (e.source, e.target)}
    yield from run.graph.read(ends.union((e.id for e in changes.assert_events), changes.retract_events))
    _put_events(run, changes)
    _put_edges(run, changes)
    yield from _settle_out(run)
    yield from _settle_doubt(run)
    return _outcome(run)


def _put_events(run: _Run, changes: Changes) -> None:
    """Puts stated and retracted events on their nodes, and notes which of them moved."""
    now = run.graph.now
    for event in changes.assert_events:
        node = now[event.id]
        if (node.place, node.stated_at, node.valid_from) != (event.place, event.stated_at, event.valid_from):
            run.moved.add(event.id)
            now[event.id] = replace(
                node, place=event.place, stated_at=event.stated_at, valid_from=event.valid_from
            )
    for identifier in changes.retract_events:
        if now[identifier].place is not None:
            run.moved.add(identifier)
            now[identifier] = replace(now[identifier], place=None, stated_at=None, valid_from=None)


def _put_edges(run: _Run, changes: Changes) -> None:
    """Puts asserted and retracted edges on the nodes at both their ends, and notes which of them turned."""
    now = run.graph.now
    outgoing: dict[str, dict[str, Edge]] = {}
    incoming: dict[str, dict[str, Edge]] = {}
    asserted = {e.id for e in changes.assert_edges}
    for edge in (*changes.assert_edges, *changes.retract_edges):
        old: Edge | None = None
        for end in (edge.source, edge.target):
            leaving = outgoing.setdefault(end, {e.id: e for e in now[end].outgoing})
            entering = incoming.setdefault(end, {e.id: e for e in now[end].incoming})
            old = leaving.pop(edge.id, old)
            entering.pop(edge.id, None)
        if edge.id in asserted:
            outgoing[edge.source][edge.id] = incoming[edge.target][edge.id] = edge
            if old is None or old.mode is not edge.mode:
                run.turned.append(edge)
        elif old is not None:
            run.turned.append(old)
    for end in outgoing:
        leaves, enters = _by_id(outgoing[end].values()), _by_id(incoming[end].values())
        now[end] = replace(now[end], outgoing=leaves, incoming=enters)


def _by_id(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(sorted(edges, key=lambda e: e.id))


def _settle_out(run: _Run) -> Reading[None]:
    """Works out void and out again where they can have changed, from the last statement to the first.

    The queue is sorted by ω and taken from its end, so each event is worked out once, after everything that
    acts on it. Reads ahead for the whole queue at a time.
    """
    started = {e.target for e in run.turned if e.type is EdgeType.UPDATES} | run.moved
    started.update(target for event in run.moved for target in run.update_targets(event))
    queued: set[str] = set()
    queue: list[tuple[str, str]] = []
    fresh = started
    while fresh or queue:
        if fresh:
            yield from run.graph.read(fresh)
            yield from run.graph.read({s for event in fresh for s in run.update_sources(event)})
            for event in fresh - queued:
                insort(queue, (run.node(event).place or "", event))
            queued |= fresh
        event = queue.pop()[1]
        fresh = set(run.update_targets(event)) - queued if _rework_out(run, event) else set()


def _rework_out(run: _Run, event: str) -> bool:
    """Works out void and out of one event; whether its void set is other than it was."""
    run.touched.add(event)
    node = run.node(event)
    old = node.timeline
    here = node.stated()
    void, out = superseded(_acting(run, here)) if here else ((), ())
    timeline = Timeline(here.valid_from, void, out, old.doubt if old else ()) if here else None
    run.graph.now[event] = replace(node, timeline=timeline)
    if out != (old.out if old else ()):
        run.out_changed.add(event)
    return void != (old.void if old else ())


def _acting(run: _Run, target: Stated) -> Iterator[Acting]:
    """What acts on `target`: its admissible `updates` edges whose source has been stated."""
    for edge in run.node(target.id).incoming:
        if edge.type is EdgeType.UPDATES:
            source, timeline = run.stated(edge.source), run.node(edge.source).timeline
            if source and timeline and admissible(source, target):
                yield Acting(edge.mode, source.valid_from, timeline.void)


def _settle_doubt(run: _Run) -> Reading[None]:
    """Works out doubt again for every event that a change of out, place or causal edge can reach."""
    affected = yield from _reached(run)
    around = yield from _before(run, affected)
    found = _doubts_among(run, around, affected)
    for event in affected:
        node = run.node(event)
        doubt = found.get(event, ())
        if node.timeline is not None and node.timeline.doubt != doubt:
            run.graph.now[event] = replace(node, timeline=replace(node.timeline, doubt=doubt))
    run.touched |= affected


def _doubts_among(run: _Run, around: Iterable[str], wanted: frozenset[str]) -> dict[str, tuple[Doubt, ...]]:
    """The doubt of those of `wanted` that have any, from the events `around` them."""
    stated = {e: s for e in around if (s := run.stated(e)) is not None}
    out = {e: t.out for e in stated if (t := run.node(e).timeline) is not None and t.out}
    if not out:
        return {}
    follows = {
        e: [edge.target for edge in run.node(e).outgoing if carries_doubt(edge) and edge.target in stated]
        for e in stated
    }
    return doubts(out, follows, stated, wanted=wanted)


def _reached(run: _Run) -> Reading[frozenset[str]]:
    """The stated events whose doubt can change.

    An event whose out set changed is felt HOPS hops away; one that moved lies on the way of others, and an
    edge that turned is itself one hop, so they are felt one hop less far. A way that has gone counts through
    the part of it that is still there, after its last piece that went: that piece is among the changes.
    """
    left = {e.target: HOPS - 1 for e in run.turned if carries_doubt(e)}
    left |= dict.fromkeys(run.moved, HOPS - 1)
    left |= dict.fromkeys(run.out_changed, HOPS)
    for hops in range(HOPS, 0, -1):
        front = [e for e, remaining in left.items() if remaining == hops]
        yield from run.graph.read(front)
        for event in front:
            if run.node(event).place is not None or event in run.moved:
                for edge in run.node(event).outgoing:
                    if carries_doubt(edge):
                        left[edge.target] = max(left.get(edge.target, 0), hops - 1)
    yield from run.graph.read(left)
    return frozenset(e for e in left if run.node(e).place is not None)


def _before(run: _Run, events: frozenset[str]) -> Reading[set[str]]:
    """`events` and the stated events from which doubt can come to them: those within HOPS hops before."""
    around = set(events)
    front: Iterable[str] = events
    for _ in range(HOPS):
        sources = {edge.source for e in front for edge in run.node(e).incoming if carries_doubt(edge)}
        sources -= around
        yield from run.graph.read(sources)
        front = [e for e in sources if run.node(e).place is not None]
        around.update(front)
    return around


def _outcome(run: _Run) -> Outcome:
    before, now = run.graph.before, run.graph.now
    altered = sorted(e for e in now if now[e] is not before[e] and now[e] != before[e])
    return Outcome(
        nodes=tuple(now[e] for e in altered if not now[e].empty()),
        removed=tuple(e for e in altered if now[e].empty()),
        changed=tuple(e for e in altered if now[e].timeline != before[e].timeline),
        touched=len(run.touched),
        read=len(now),
    )
