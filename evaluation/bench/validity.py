"""What one change costs in a small graph and in one a hundred times as large (DESIGN I3).

The histories are made up, of one shape at any size: topics of a few values each that replace one another,
now and then withdrawn, and causes among events that were said close together. The changes are harder than
what a live subject sees: as many statements arrive late, and as many are taken back, as are new at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from time import perf_counter

from evaluation.bench.measure import Measure
from state.identity import edge_id
from state.memory_graph import EdgeFact, EventFact, Fact, MemoryGraph
from state.model import Edge, EdgeType, UpdateMode
from state.ordering import event_place, message_place
from state.validity import Stated, evaluate

SMALL = 1_000
LARGE = 100_000
CHANGES = 2_000
_START = datetime(2026, 1, 1, tzinfo=UTC)
_NEAR = 40
"""Causes reach back over this many events at most, and values of one attribute over ten times as many."""


def _event(number: float) -> Stated:
    """The event said at minute `number`; every twentieth takes effect a day later."""
    at = _START + timedelta(minutes=number)
    later = timedelta(days=1 if number % 20 == 7 else 0)
    name = f"e{number}"
    return Stated(name, event_place(message_place(at, name), 0, name), at, at + later)


def _edge(kind: EdgeType, source: str, target: str, mode: UpdateMode | None = None) -> EdgeFact:
    made = Edge(edge_id(kind, source, target), kind, mode, source, target, 1.0, "bench", source)
    return EdgeFact(made.id, (1,), made)


def _turn(random: Random, number: float, last: int) -> Iterator[Fact]:
    """One event said at minute `number` and its edges to earlier ones, none before event 0."""
    event = _event(number)
    yield EventFact(event.id, (1,), event)
    back = random.sample(range(1, _NEAR), k=random.choice((0, 1, 1, 2)))
    for cause in sorted({max(0, last - b) for b in back}):
        yield _edge(EdgeType.CAUSES, f"e{cause}", event.id)
    if random.random() < 0.4:
        old = f"e{max(0, last - random.randrange(1, 10 * _NEAR))}"
        mode = UpdateMode.WITHDRAWS if random.random() < 0.25 else UpdateMode.REPLACES
        yield _edge(EdgeType.UPDATES, event.id, old, mode)


def _change(random: Random, size: int, step: int) -> tuple[list[Fact], list[Fact]]:
    """A change to a graph of `size` events and its undoing: a statement at the end, a late one, or an event
    taken back, as likely each. Undone, so that the graph keeps its shape however many are measured."""
    kind = random.choice(("new", "late", "back"))
    if kind == "back":
        event = _event(random.randrange(size))
        return [EventFact(event.id, (2 * step,), None)], [EventFact(event.id, (2 * step + 1,), event)]
    last = size if kind == "new" else random.randrange(10 * _NEAR, size)
    facts = list(_turn(random, last + step / (CHANGES + 1), last))
    undone = [
        EventFact(f.id, (2,), None) if isinstance(f, EventFact) else EdgeFact(f.id, (2,), None) for f in facts
    ]
    return facts, undone


@dataclass(frozen=True, slots=True)
class _Load:
    """Nodes worked out again and seconds, for each change; and seconds from scratch for the whole graph."""

    touched: list[int]
    seconds: list[float]
    scratch: float
    agrees: bool


def _load(size: int) -> _Load:
    random = Random(size)
    graph = MemoryGraph()
    for start in range(0, size, 1_000):
        graph.apply(fact for n in range(start, start + 1_000) for fact in _turn(random, n, n))
    touched, seconds = [], []
    for step in range(1, CHANGES // 2 + 1):
        for facts in _change(random, size, step):
            began = perf_counter()
            outcome = graph.apply(facts)
            seconds.append(perf_counter() - began)
            touched.append(outcome.touched)
    events, edges = graph.events(), graph.edges()
    began = perf_counter()
    timelines = evaluate(events, edges)
    return _Load(touched, seconds, perf_counter() - began, timelines == graph.timelines())


def _percentile(values: list[int], share: float) -> float:
    return float(sorted(values)[min(len(values) - 1, int(share * len(values)))])


def run() -> list[Measure]:
    """Measures a change at both sizes; takes under a minute. Every graph is checked against the answer from
    scratch at its end."""
    small, large = _load(SMALL), _load(LARGE)
    found: list[Measure] = []
    for name, share in (("median", 0.5), ("99th percentile", 0.99), ("maximum", 1.0)):
        few, many = _percentile(small.touched, share), _percentile(large.touched, share)
        bound = 1.5 * few if share < 1 else None
        found.append(
            Measure(
                f"nodes touched by a change at {LARGE:,} events, {name}",
                many,
                "nodes",
                f"{few:g} at {SMALL:,} events",
                "at most 1.5 times as many" if bound is not None else "",
                None if bound is None else many <= bound,
            )
        )
    ratio = median(large.seconds) / median(small.seconds)
    speed = large.scratch / median(large.seconds)
    size = f"{SMALL:,} events"
    found += [
        Measure("time of a change, large graph to small", ratio, "times", size, "at most 2", ratio <= 2),
        Measure(
            "from scratch to one change, large graph",
            speed,
            "times",
            "median change",
            "at least 100",
            speed >= 100,
        ),
        Measure(
            "graphs equal to the answer from scratch",
            float(small.agrees + large.agrees),
            "of 2",
            "state.validity.evaluate",
            "both",
            small.agrees and large.agrees,
        ),
    ]
    return found
