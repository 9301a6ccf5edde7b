"""The incremental form against the definition, on any history, and how little it asks for.

STET_HISTORIES sets how many random histories each property is tried on.
"""

import os
from itertools import pairwise
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from state.maintenance import Changes, maintain
from state.memory_graph import EdgeFact, EventFact, MemoryGraph
from state.model import Edge, EdgeType
from state.node import Node, drive
from state.validity import Stated, evaluate
from tests.state.histories import (
    History,
    arrival,
    causes,
    day,
    edge,
    fact_set,
    histories,
    randoms,
    replaces,
    said,
    withdraws,
)

HISTORIES = settings(
    max_examples=int(os.environ.get("STET_HISTORIES", "250")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class WatchedGraph(MemoryGraph):
    """A graph that holds maintenance to its protocol, and remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[frozenset[str]] = []

    def fetch(self, ids: frozenset[str]) -> dict[str, Node]:
        assert ids, "an empty set was asked for"
        assert ids.isdisjoint(frozenset().union(*self.asked)), "a node was asked for twice"
        self.asked.append(ids)
        return super().fetch(ids)


def fed(history: History) -> MemoryGraph:
    graph = MemoryGraph()
    for batch in history.batches:
        graph.apply(batch)
    return graph


def graph_of(events: list[Stated], edges: list[Edge]) -> WatchedGraph:
    graph = WatchedGraph()
    graph.apply([*(EventFact(e.id, (1,), e) for e in events), *(EdgeFact(e.id, (1,), e) for e in edges)])
    graph.asked.clear()
    return graph


@HISTORIES
@given(histories)
def test_every_step_of_every_history_equals_the_answer_from_scratch(history: History) -> None:
    graph = WatchedGraph()
    for batch in history.batches:
        before = dict(graph.nodes)
        graph.asked.clear()
        outcome = graph.apply(batch)
        assert graph.timelines() == evaluate(graph.events(), graph.edges())
        # the outcome says exactly what is other than it was
        names = before.keys() | graph.nodes.keys()
        blank = Node("")
        assert {n.id for n in outcome.nodes} == {n for n in graph.nodes if graph.nodes[n] != before.get(n)}
        assert set(outcome.removed) == before.keys() - graph.nodes.keys()
        assert list(outcome.changed) == sorted(
            n for n in names if before.get(n, blank).timeline != graph.nodes.get(n, blank).timeline
        )
        assert outcome.touched <= outcome.read == len(frozenset().union(*graph.asked))


@HISTORIES
@given(histories)
def test_nodes_carry_every_edge_at_both_ends_and_nothing_else(history: History) -> None:
    graph = fed(history)
    edges = graph.edges()
    assert graph.nodes.keys() == {e.id for e in graph.events()} | {
        n for e in edges for n in (e.source, e.target)
    }
    for name, node in graph.nodes.items():
        assert list(node.outgoing) == [e for e in edges if e.source == name]
        assert list(node.incoming) == [e for e in edges if e.target == name]


@HISTORIES
@given(randoms)
def test_facts_commute_and_replays_say_nothing(random: Random) -> None:
    facts = fact_set(random)
    one = fed(arrival(random, facts))
    other = fed(arrival(random, facts))
    assert dict(one.nodes) == dict(other.nodes)
    replay = one.apply(facts)
    assert (replay.nodes, replay.removed, replay.changed, replay.touched) == ((), (), (), 0)


def test_an_edge_waits_for_its_ends() -> None:
    graph = MemoryGraph()
    update = replaces("b", "a")
    graph.apply([EdgeFact(update.id, (1,), update)])
    graph.apply([EventFact("b", (1,), said("b", 2))])
    assert graph.nodes["a"].timeline is None
    graph.apply([EventFact("a", (1,), said("a", 1))])
    assert not graph.timelines()["a"].standing(day(2))


def test_taking_back_an_event_leaves_its_edges_waiting() -> None:
    graph = graph_of([said("a", 1), said("b", 2)], [replaces("b", "a")])
    outcome = graph.apply([EventFact("b", (2,), None)])
    assert graph.timelines()["a"].standing(day(9))
    assert (outcome.removed, outcome.changed) == ((), ("a", "b"))
    graph.asked.clear()
    graph.apply([EventFact("b", (3,), said("b", 3))])
    assert graph.timelines()["a"].value(day(3)) == 0


def test_a_retraction_is_not_undone_by_an_older_assertion() -> None:
    graph = MemoryGraph()
    graph.apply([EventFact("a", (2,), None)])
    graph.apply([EventFact("a", (1,), said("a", 1))])
    assert graph.timelines() == {}


def test_one_version_with_two_contents_is_refused_and_changes_nothing() -> None:
    graph = graph_of([said("a", 1)], [])
    with pytest.raises(ValueError, match="two contents at version"):
        graph.apply([EventFact("b", (1,), said("b", 1)), EventFact("a", (1,), said("a", 2))])
    assert graph.timelines().keys() == {"a"}


def test_an_id_named_twice_in_one_change_is_refused() -> None:
    changes = Changes(assert_events=(said("a", 1),), retract_events=("a",))
    with pytest.raises(ValueError, match="event a is named twice"):
        drive(maintain(changes), lambda ids: {})


def test_a_replacement_at_the_end_of_a_long_chain_reads_its_two_ends() -> None:
    names = [f"v{i:03d}" for i in range(200)]
    events = [said(n, i) for i, n in enumerate(names)]
    graph = graph_of(events, [replaces(b, a) for a, b in pairwise(names)])
    update = replaces("next", names[-1])
    outcome = graph.apply([EventFact("next", (1,), said("next", 300)), EdgeFact(update.id, (1,), update)])
    assert (outcome.read, outcome.changed) == (2, ("next", names[-1]))


def test_doubt_reads_no_further_than_the_hops_it_travels() -> None:
    names = [f"v{i:03d}" for i in range(200)]
    graph = graph_of(
        [said(n, i) for i, n in enumerate(names)],
        [causes(a, b) for a, b in pairwise(names)],
    )
    update = withdraws("gone", "v100")
    outcome = graph.apply([EventFact("gone", (1,), said("gone", 300)), EdgeFact(update.id, (1,), update)])
    assert outcome.changed == ("gone", "v100", "v101", "v102", "v103", "v104")
    # four hops after v100 for what changes, and four before it for what else could reach them
    assert outcome.read == 1 + 4 + 1 + 4


def test_a_frontier_is_asked_for_at_once() -> None:
    fan = [said(f"f{i}", 2) for i in range(50)]
    graph = graph_of([said("a", 1), *fan], [causes("a", f.id) for f in fan])
    update = withdraws("gone", "a")
    graph.apply([EventFact("gone", (1,), said("gone", 3)), EdgeFact(update.id, (1,), update)])
    assert graph.asked == [frozenset({"gone", "a"}), frozenset(f.id for f in fan)]


def test_a_reason_reworded_changes_the_nodes_and_no_timeline() -> None:
    graph = graph_of([said("a", 1), said("b", 2)], [replaces("b", "a")])
    told = replaces("b", "a")
    reworded = Edge(
        told.id, told.type, told.mode, told.source, told.target, 0.5, "said otherwise", told.owner
    )
    outcome = graph.apply([EdgeFact(told.id, (2,), reworded)])
    assert ([n.id for n in outcome.nodes], outcome.changed, outcome.touched) == (["a", "b"], (), 0)


def test_other_edges_are_kept_and_touch_nothing() -> None:
    graph = graph_of([said("a", 1), said("b", 2)], [])
    told = edge(EdgeType.CONTRADICTS, "b", "a")
    outcome = graph.apply([EdgeFact(told.id, (1,), told)])
    assert ([n.id for n in outcome.nodes], outcome.touched) == (["a", "b"], 0)


def test_a_contradiction_told_the_other_way_round_is_the_same_edge() -> None:
    graph = graph_of([said("a", 1), said("b", 2)], [edge(EdgeType.CONTRADICTS, "b", "a")])
    told = edge(EdgeType.CONTRADICTS, "a", "b")
    graph.apply([EdgeFact(told.id, (2,), told)])
    assert (graph.nodes["a"].outgoing, graph.nodes["a"].incoming) == ((told,), ())
    assert (graph.nodes["b"].outgoing, graph.nodes["b"].incoming) == ((), (told,))


def test_nodes_survive_the_way_to_the_store_and_back() -> None:
    later = said("b", 2, holds_from=5)
    graph = graph_of(
        [said("a", 1), later, said("c", 1)], [withdraws("b", "a"), causes("a", "c"), causes("a", "x")]
    )
    for node in graph.nodes.values():
        assert msgspec.json.decode(msgspec.json.encode(node), type=Node) == node


@pytest.mark.parametrize("late", range(11))
def test_the_last_piece_of_a_chain_brings_doubt_to_its_far_end(late: int) -> None:
    """As far as doubt travels, whichever piece comes last, and gone again when that piece is taken back."""
    names = ["s0", "s1", "s2", "s3", "s4"]
    links = [*(causes(a, b) for a, b in pairwise(names)), withdraws("w", "s0")]
    pieces = [
        *(EventFact(n, (1,), said(n, i)) for i, n in enumerate(names)),
        EventFact("w", (1,), said("w", 9)),
        *(EdgeFact(e.id, (1,), e) for e in links),
    ]
    last = pieces.pop(late)
    graph = MemoryGraph()
    graph.apply(pieces)
    whole = {"s0": 0, "s1": 1 / 2, "s2": 3 / 4, "s3": 7 / 8, "s4": 15 / 16, "w": 1}
    graph.apply([last])
    assert {e: t.value(day(9)) for e, t in graph.timelines().items()} == whole
    gone = EventFact(last.id, (2,), None) if isinstance(last, EventFact) else EdgeFact(last.id, (2,), None)
    graph.apply([gone])
    assert graph.timelines() == evaluate(graph.events(), graph.edges())
    assert graph.timelines().get("s4") is None or graph.timelines()["s4"].value(day(9)) == 1
