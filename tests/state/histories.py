"""Events, edges and histories to test the validity calculus with."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import strategies as st

from state.identity import edge_id
from state.memory_graph import EdgeFact, EventFact, Fact
from state.model import Edge, EdgeType, UpdateMode
from state.ordering import SEPARATOR, time_key
from state.validity import Stated

NAMES = "abcdefghij"
MODES = (UpdateMode.REPLACES, UpdateMode.WITHDRAWS)


def day(number: float) -> datetime:
    """Day `number` of the examples."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def said(name: str, on: float, holds_from: float | None = None) -> Stated:
    """An event said on a day, which holds from that day or from another one."""
    place = f"{time_key(day(on))}{SEPARATOR}{name}"
    return Stated(name, place, day(on), day(on if holds_from is None else holds_from))


def edge(kind: EdgeType, source: str, target: str, mode: UpdateMode | None = None) -> Edge:
    """An edge between two named events, owned by its source."""
    return Edge(edge_id(kind, source, target), kind, mode, source, target, 1.0, "as told", source)


def replaces(new: str, old: str) -> Edge:
    """`new` gives the attribute of `old` another value."""
    return edge(EdgeType.UPDATES, new, old, UpdateMode.REPLACES)


def withdraws(new: str, old: str) -> Edge:
    """`new` takes `old` back."""
    return edge(EdgeType.UPDATES, new, old, UpdateMode.WITHDRAWS)


def causes(source: str, target: str) -> Edge:
    """`source` is why `target`."""
    return edge(EdgeType.CAUSES, source, target)


def enables(source: str, target: str) -> Edge:
    """`source` makes `target` possible."""
    return edge(EdgeType.ENABLES, source, target)


def prevents(source: str, target: str) -> Edge:
    """`source` keeps `target` from being."""
    return edge(EdgeType.PREVENTS, source, target)


@dataclass(frozen=True, slots=True)
class History:
    """The facts of a history, as they arrive: in batches, with repeats, in any order."""

    batches: tuple[tuple[Fact, ...], ...]

    def facts(self) -> list[Fact]:
        """All facts in the order of arrival."""
        return [fact for batch in self.batches for fact in batch]


_KINDS = (
    *[EdgeType.UPDATES] * 6,
    *[EdgeType.CAUSES] * 6,
    *[EdgeType.ENABLES] * 2,
    EdgeType.PREVENTS,
    EdgeType.CONTRADICTS,
    EdgeType.TEMPORAL_BEFORE,
)
_VERSIONS = ((0,), (1,), (1,), (1,), (1, 1), (2,))


def _some_event(random: Random, name: str) -> EventFact:
    """An event fact: one in twelve takes back; the first six letters are mostly said early, the rest late."""
    version = random.choice(_VERSIONS)
    if random.random() < 1 / 12:
        return EventFact(name, version, None)
    early = random.randrange(3)
    on = random.randrange(8) if random.random() < 1 / 4 else early if name < "g" else early + 3
    return EventFact(name, version, said(name, on, on + random.choice((0, 0, 0, 0, 0, 1, 3, -1))))


def _some_edge(random: Random) -> EdgeFact:
    """An edge fact: one in twelve takes back; most causes lead on a step or two, most updates back."""
    kind = random.choice(_KINDS)
    first, second = sorted(random.sample(range(len(NAMES)), k=2))
    if kind is not EdgeType.UPDATES and random.random() < 2 / 3:
        first = random.randrange(5)
        second = first + random.choice((1, 1, 2))
    elif random.random() < 2 / 3:
        second = max(second, random.randrange(6, len(NAMES)))
    ends = [NAMES[first], NAMES[second]]
    if (kind is EdgeType.UPDATES) is (random.random() < 7 / 8):
        ends.reverse()
    if random.random() < 1 / 30:
        ends[1] = ends[0]
    made = edge(kind, *ends, random.choice(MODES) if kind is EdgeType.UPDATES else None)
    return EdgeFact(made.id, random.choice(_VERSIONS), None if random.random() < 1 / 12 else made)


def fact_set(random: Random) -> list[Fact]:
    """Facts about a few events: several versions, retractions, ties, cycles, edges without their ends."""
    events = [_some_event(random, name) for name in NAMES if random.random() < 7 / 8]
    events += [_some_event(random, random.choice(NAMES)) for _ in range(random.randrange(4))]
    edges = [_some_edge(random) for _ in range(random.randrange(6, 30))]
    # one version of an id has one content
    return list({(fact.id, fact.version): fact for fact in (*events, *edges)}.values())


def arrival(random: Random, facts: list[Fact]) -> History:
    """Any arrival of all of `facts`: any order, some of them again, any batches."""
    order = facts + random.choices(facts, k=random.randrange(6))
    random.shuffle(order)
    largest = random.choice((1, 3, 10, len(order)))
    batches: list[tuple[Fact, ...]] = []
    while order:
        size = random.randint(1, largest)
        batches.append(tuple(order[:size]))
        order = order[size:]
    return History(tuple(batches))


# Drawn from a seed: histories that hypothesis draws piece by piece come out so sparse that few of them have
# any event out and hardly any have doubt. A failure names its seed, which gives the history again.
randoms = st.integers(0, 2**48).map(Random)


def _history(random: Random) -> History:
    return arrival(random, fact_set(random))


histories = randoms.map(_history)
"""A set of facts and one arrival of it."""
