"""Events, edges and histories to test the validity calculus with."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from state.identity import edge_id
from state.memory_graph import EdgeFact, EventFact, Fact
from state.model import Edge, EdgeType, UpdateMode
from state.ordering import SEPARATOR, time_key
from state.validity import Stated

NAMES = "abcdefgh"
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


_KINDS = st.sampled_from(
    [EdgeType.UPDATES] * 5
    + [EdgeType.CAUSES] * 5
    + [EdgeType.ENABLES] * 2
    + [EdgeType.PREVENTS, EdgeType.CONTRADICTS, EdgeType.TEMPORAL_BEFORE]
)
_VERSIONS = st.sampled_from([(0,), (0, 1), (1,), (2,)])
_TOLD = st.none() | st.tuples(st.integers(0, 6), st.sampled_from([0] * 6 + [-1, 1, 2, 4]))
_EVENTS = st.dictionaries(st.tuples(st.sampled_from(NAMES), _VERSIONS), _TOLD | _TOLD, max_size=14)
_EDGES = st.dictionaries(
    st.tuples(_KINDS, st.sampled_from(NAMES), st.sampled_from(NAMES), _VERSIONS),
    st.sampled_from([None, *MODES, *MODES]),
    max_size=22,
)


def _event_fact(name: str, version: tuple[int, ...], told: tuple[int, int] | None) -> EventFact:
    return EventFact(name, version, None if told is None else said(name, told[0], sum(told)))


def _edge_fact(
    kind: EdgeType, source: str, target: str, version: tuple[int, ...], mode: UpdateMode | None
) -> EdgeFact:
    made = edge(kind, source, target, mode if kind is EdgeType.UPDATES else None)
    return EdgeFact(made.id, version, None if mode is None else made)


@st.composite
def arrivals(draw: st.DrawFn, facts: list[Fact]) -> History:
    """Any arrival of all of `facts`: any order, some of them again, any batches."""
    again = draw(st.lists(st.sampled_from(facts), max_size=6)) if facts else []
    order = draw(st.permutations(facts + again))
    batches: list[tuple[Fact, ...]] = []
    while order:
        size = draw(st.integers(1, max(1, len(order))))
        batches.append(tuple(order[:size]))
        order = order[size:]
    return History(tuple(batches))


@st.composite
def fact_sets(draw: st.DrawFn) -> list[Fact]:
    """Facts about a few events: several versions, retractions, ties, cycles, edges without their ends."""
    facts: list[Fact] = [_event_fact(*key, told) for key, told in draw(_EVENTS).items()]
    contradicted: set[tuple[str, tuple[int, ...]]] = set()
    edges: dict[tuple[Any, ...], UpdateMode | None] = draw(_EDGES)
    for key, mode in edges.items():
        fact = _edge_fact(*key, mode)
        # a `contradicts` edge has one id either way round, so the second of a pair would be another content
        if (fact.id, fact.version) not in contradicted:
            contradicted.add((fact.id, fact.version))
            facts.append(fact)
    return facts


@st.composite
def histories(draw: st.DrawFn) -> History:
    """A set of facts and one arrival of it."""
    return draw(arrivals(draw(fact_sets())))
