"""Why an event has the validity it has at a moment: a chain of edges, and what depends on it (DESIGN §3).

The chain of an event that is out, or would be, starts with the `updates` edges at it, and goes on to those
that undo them. The chain of an event in doubt goes back along the shortest way to an event that is out, and
then says why that one is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from state.intervals import span_at
from state.model import Edge, EdgeType, UpdateMode
from state.node import Neighbourhood, Reading
from state.validity import HOPS, admissible, carries_doubt


class Verdict(StrEnum):
    """How an event stands at the moment that is asked about."""

    STANDS = "stands"
    DOUBTED = "stands, in doubt"
    REPLACED = "replaced"
    WITHDRAWN = "withdrawn"
    NOT_BEGUN = "has not begun"


class Effect(StrEnum):
    """What the other end of a step's edge does to the step's event."""

    REPLACED_BY = "is replaced by"
    WITHDRAWN_BY = "is withdrawn by"
    WOULD_BE_REPLACED_BY = "would be replaced by, but it was itself withdrawn:"
    WOULD_BE_WITHDRAWN_BY = "would be withdrawn by, but it was itself withdrawn:"
    WILL_BE_REPLACED_BY = "will be replaced by"
    WILL_BE_WITHDRAWN_BY = "will be withdrawn by"
    RESTS_ON = "rests on"
    CAUSE_WENT_OUT = "rests on what went out:"


@dataclass(frozen=True, slots=True)
class Step:
    """`event` has `effect` by `other` through `edge`.

    `since` is when that effect began, will begin (WILL_…), or, for a cause, when the cause went out. It is
    None where the effect does not come about.
    """

    event: str
    effect: Effect
    other: str
    edge: Edge
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Dependent:
    """An event that this one causes or enables, `hops` away, reached last through `edge`."""

    event: str
    hops: int
    edge: Edge
    value: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """`value` is v(e) at `at`; `steps` give the reason, nearest first, and are empty where nothing bears on
    the event. `dependents` by hops, then id, up to HOPS."""

    event: str
    at: datetime
    verdict: Verdict
    value: float
    steps: tuple[Step, ...]
    dependents: tuple[Dependent, ...]


def explain(event: str, at: datetime) -> Reading[Explanation | None]:
    """Explains one event at `at`, or returns None where it has not been stated; driven as in `state.node`.

    Reads what lies within HOPS causes/enables hops and the chain of updates that undo one another.
    """
    graph = Neighbourhood()
    yield from graph.read((event,))
    timeline = graph.now[event].timeline
    if timeline is None:
        return None
    steps = yield from _updates(graph, event, at)
    hops = timeline.hops(at)
    if hops is not None:
        steps += yield from _doubt(graph, event, hops, at)
    dependents = yield from _dependents(graph, event, at)
    return Explanation(event, at, _verdict(graph, event, at), timeline.value(at), tuple(steps), dependents)


def _verdict(graph: Neighbourhood, event: str, at: datetime) -> Verdict:
    timeline = graph.now[event].timeline
    if timeline is None:
        return Verdict.NOT_BEGUN
    if span_at(timeline.void, at) is not None:
        return Verdict.WITHDRAWN
    if span_at(timeline.out, at) is not None:
        return Verdict.REPLACED
    if at < timeline.valid_from:
        return Verdict.NOT_BEGUN
    return Verdict.STANDS if timeline.hops(at) is None else Verdict.DOUBTED


def _updates(graph: Neighbourhood, event: str, at: datetime) -> Reading[list[Step]]:
    """The steps of the updates at `event`, then why each of those acts or does not, and so on.

    Every step's other end was said later than its event, so this ends; each event is gone into once.
    """
    steps: list[Step] = []
    level, seen = [event], {event}
    while level:
        yield from graph.read({e.source for n in level for e in _into(graph, n)})
        found = [
            step
            for name in level
            for step in (_acting(graph, name, at) if name == event else _why_void_or_not(graph, name, at))
        ]
        steps += found
        level = [n for n in dict.fromkeys(s.other for s in found if s.effect in _IN_FORCE) if n not in seen]
        seen.update(level)
    return steps


def _why_void_or_not(graph: Neighbourhood, event: str, at: datetime) -> list[Step]:
    """Of what acts on an update, what makes it void; or, where nothing does, what would but fails."""
    steps = list(_acting(graph, event, at))
    withdrawn = [s for s in steps if s.effect is Effect.WITHDRAWN_BY]
    return withdrawn or [s for s in steps if s.effect is Effect.WOULD_BE_WITHDRAWN_BY]


_ACTS = frozenset({Effect.REPLACED_BY, Effect.WITHDRAWN_BY})
_IN_FORCE = _ACTS | {Effect.WOULD_BE_REPLACED_BY, Effect.WOULD_BE_WITHDRAWN_BY}
"""Effects of an update that has taken effect, whether it acts or was undone."""


def _into(graph: Neighbourhood, event: str) -> list[Edge]:
    return [e for e in graph.now[event].incoming if e.type is EdgeType.UPDATES]


def _acting(graph: Neighbourhood, event: str, at: datetime) -> Iterator[Step]:
    """What the admissible updates at one event do to it at `at`, the one said last first."""
    here = graph.now[event].stated()
    if here is None:
        return
    for edge in sorted(
        _into(graph, event), key=lambda e: (graph.now[e.source].place or "", e.id), reverse=True
    ):
        node = graph.now[edge.source]
        source = node.stated()
        if source is None or node.timeline is None or not admissible(source, here):
            continue
        withdraws = edge.mode is UpdateMode.WITHDRAWS
        begins = source.valid_from
        if begins > at:
            effect = Effect.WILL_BE_WITHDRAWN_BY if withdraws else Effect.WILL_BE_REPLACED_BY
            since = None if span_at(node.timeline.void, begins) is not None else begins
        elif span_at(node.timeline.void, at) is not None:
            effect = Effect.WOULD_BE_WITHDRAWN_BY if withdraws else Effect.WOULD_BE_REPLACED_BY
            since = None
        else:
            effect = Effect.WITHDRAWN_BY if withdraws else Effect.REPLACED_BY
            earlier = (s.end for s in node.timeline.void if s.end is not None and s.end <= at)
            since = max((begins, *earlier))
        yield Step(event, effect, edge.source, edge, since)


def _doubt(graph: Neighbourhood, event: str, hops: int, at: datetime) -> Reading[list[Step]]:
    """The steps back along a shortest way to an event that is out, and what keeps that one out.

    Of several ways the one whose edge ids, from the event back, come first.
    """
    around: set[str] = {event}
    for _ in range(hops):
        yield from graph.read({e.source for n in around for e in _causes(graph.now[n].incoming)})
        around.update([e.source for n in around for e in _causes(graph.now[n].incoming)])
    ways: list[tuple[list[str], tuple[Edge, ...], datetime]] = []
    for source in around:
        timeline = graph.now[source].timeline
        gone = span_at(timeline.out, at) if timeline is not None else None
        if gone is not None:
            way = _way_back(graph, event, source, gone.start, at, hops)
            if way:
                ways.append(([e.id for e in way], way, gone.start))
    if not ways:
        raise ValueError(
            f"{event} is in doubt, but nothing within {hops} hops before it is out: repair its node"
        )
    _, way, went_out = min(ways, key=lambda found: found[0])
    *between, last = way
    steps = [Step(e.target, Effect.RESTS_ON, e.source, e, None) for e in between]
    steps.append(Step(last.target, Effect.CAUSE_WENT_OUT, last.source, last, went_out))
    updates = yield from _updates(graph, last.source, at)
    return steps + [s for s in updates if s.event == last.source and s.effect in _ACTS]


def _causes(edges: Iterable[Edge]) -> Iterator[Edge]:
    return (e for e in edges if carries_doubt(e))


def _way_back(
    graph: Neighbourhood, event: str, source: str, went_out: datetime, at: datetime, hops: int
) -> tuple[Edge, ...]:
    """The first shortest way by which doubt comes from `source`, as edges from the event back; () if none."""
    front: list[tuple[str, tuple[Edge, ...]]] = [(event, ())]
    seen = {event}
    for _ in range(hops):
        further: list[tuple[str, tuple[Edge, ...]]] = []
        for name, way in front:
            here = graph.now[name].stated()
            if here is None or here.stated_at >= went_out or here.valid_from > at:
                continue
            for edge in _causes(graph.now[name].incoming):
                if edge.source == source:
                    return (*way, edge)
                if edge.source not in seen:
                    seen.add(edge.source)
                    further.append((edge.source, (*way, edge)))
        front = further
    return ()


def _dependents(graph: Neighbourhood, event: str, at: datetime) -> Reading[tuple[Dependent, ...]]:
    """What the event causes or enables, directly and through others."""
    found: list[Dependent] = []
    front, seen = [event], {event}
    for hops in range(1, HOPS + 1):
        reached: dict[str, Edge] = {}
        for name in front:
            for edge in _causes(graph.now[name].outgoing):
                if edge.target not in seen:
                    reached.setdefault(edge.target, edge)
        yield from graph.read(reached)
        seen.update(reached)
        front = sorted(n for n in reached if graph.now[n].timeline is not None)
        for name in front:
            timeline = graph.now[name].timeline
            if timeline is not None:
                found.append(Dependent(name, hops, reached[name], timeline.value(at)))
    return tuple(found)
