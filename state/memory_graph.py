"""One subject's graph in memory, as a set of versioned facts (DESIGN §3).

A fact is an event or an edge, asserted or retracted, with a version that its source gives it. Of an id's
facts the highest version wins and the rest say nothing, so facts may come in any order, in any batches and
any number of times: the graph is a function of their set.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from state.maintenance import Changes, Outcome, maintain
from state.model import Edge
from state.node import Node, drive
from state.validity import Statement, Timeline

Version = tuple[int, ...]
"""Versions of one id compare as tuples do."""


@dataclass(frozen=True, slots=True)
class EventFact:
    """At `version` the event `id` is `event`, or is taken back where that is None."""

    id: str
    version: Version
    event: Statement | None


@dataclass(frozen=True, slots=True)
class EdgeFact:
    """At `version` the edge `id` is `edge`, or is taken back where that is None."""

    id: str
    version: Version
    edge: Edge | None


Fact = EventFact | EdgeFact


def _newer(fact: Fact, held: Fact | None) -> bool:
    """Whether `fact` takes the place of `held`. Of two at one version the one that takes back wins.

    Raises ValueError where one version has two contents: then no order of the facts would be the right one.
    """
    if held is None or fact.version != held.version:
        return held is None or fact.version > held.version
    content = fact.event if isinstance(fact, EventFact) else fact.edge
    standing = held.event if isinstance(held, EventFact) else held.edge
    if content is None or standing is None:
        return content is None and standing is not None
    if content != standing:
        raise ValueError(f"{fact.id} has two contents at version {fact.version}: raise one of the versions")
    return False


class MemoryGraph:
    """Holds facts and the timelines that follow from them, kept up by `state.maintenance`.

    Memory is proportional to the ids ever named, for a retracted fact keeps its version.
    """

    def __init__(self) -> None:
        self._events: dict[str, EventFact] = {}
        self._edges: dict[str, EdgeFact] = {}
        self._nodes: dict[str, Node] = {}

    @property
    def nodes(self) -> Mapping[str, Node]:
        """All nodes by id, those included for which only edges wait."""
        return self._nodes

    def timelines(self) -> dict[str, Timeline]:
        """The timeline of every stated event."""
        return {e: node.timeline for e, node in self._nodes.items() if node.timeline is not None}

    def events(self) -> list[Statement]:
        """The events that are asserted, by id."""
        return [f.event for _, f in sorted(self._events.items()) if f.event is not None]

    def edges(self) -> list[Edge]:
        """The edges that are asserted, by id, those that wait for an end included."""
        return [f.edge for _, f in sorted(self._edges.items()) if f.edge is not None]

    def fetch(self, ids: frozenset[str]) -> dict[str, Node]:
        """The known nodes among `ids`, for `state.node.drive`."""
        return {e: node for e in ids if (node := self._nodes.get(e)) is not None}

    def apply(self, facts: Iterable[Fact]) -> Outcome:
        """Takes in a batch of facts, in any order, and gives what that changed.

        Raises ValueError, with the graph as it was, where one version of an id has two contents.
        """
        events: dict[str, EventFact] = {}
        edges: dict[str, EdgeFact] = {}
        for fact in facts:
            if isinstance(fact, EventFact):
                if _newer(fact, events.get(fact.id) or self._events.get(fact.id)):
                    events[fact.id] = fact
            elif _newer(fact, edges.get(fact.id) or self._edges.get(fact.id)):
                edges[fact.id] = fact
        outcome = drive(maintain(self._changes(events, edges)), self.fetch)
        self._events |= events
        self._edges |= edges
        self._nodes |= {node.id: node for node in outcome.nodes}
        for identifier in outcome.removed:
            del self._nodes[identifier]
        return outcome

    def _changes(self, events: Mapping[str, EventFact], edges: Mapping[str, EdgeFact]) -> Changes:
        """What winning facts come to, given what is held: an edge is taken back with the ends it had."""
        held = (self._edges[e].edge for e, fact in edges.items() if fact.edge is None and e in self._edges)
        return Changes(
            assert_events=tuple(f.event for f in events.values() if f.event is not None),
            retract_events=tuple(e for e, f in events.items() if f.event is None),
            assert_edges=tuple(f.edge for f in edges.values() if f.edge is not None),
            retract_edges=tuple(edge for edge in held if edge is not None),
        )
