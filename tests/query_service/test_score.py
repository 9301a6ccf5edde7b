"""S(π) and its parts."""

import pytest

from query_service.paths import Path, Step, Via
from query_service.plan import make_plan
from query_service.score import (
    DIRECT_EVENTS,
    confidence,
    direct,
    score_paths,
    similarities,
    temporal_consistency,
    touches,
)
from state.model import EdgeType, Occurs, Precision, UpdateMode
from state.validity import Span
from tests.query_service.worlds import NOW, World, day, stores


def pair(kind: EdgeType, trust: float = 0.8, mode: UpdateMode | None = None) -> tuple[World, Path]:
    """Two events and the path along the one edge from the later to the earlier."""
    world = World()
    world.say("m1", 0, "old")
    world.say("m2", 1, "new")
    world.state("old", "m1")
    world.state("new", "m2")
    world.link(kind, "new", "old", mode, trust)
    edge = world.edges[0]
    return world, Path(("new", "old"), (Step(Via.EDGE, edge.id, edge.confidence, edge),))


def events_of(world: World) -> dict[str, object]:
    return dict(stores(world).reader.events(world.subject, [event.id for event in world.events]))


def test_a_score_is_the_weighted_sum_of_its_parts() -> None:
    world, path = pair(EdgeType.UPDATES, 0.8, UpdateMode.REPLACES)
    (one,) = score_paths([path], events_of(world), {"new": 0.9, "old": 0.5}, make_plan("What is it?", NOW))  # type: ignore[arg-type]
    assert one.parts.similarity == pytest.approx(0.7)
    assert one.parts.confidence == pytest.approx(0.8)
    assert (one.parts.temporal, one.parts.validity, one.valid) == (1.0, 0.0, 0.0)
    assert one.score == pytest.approx(0.4 * 0.7 + 0.3 * 0.8 + 0.15 * 1 + 0.15 * 0)


def test_a_history_holds_no_lost_validity_against_a_path() -> None:
    world, path = pair(EdgeType.UPDATES, 0.8, UpdateMode.REPLACES)
    (one,) = score_paths([path], events_of(world), {}, make_plan("How has it changed?", NOW))  # type: ignore[arg-type]
    assert (one.parts.validity, one.valid) == (1.0, 0.0)


def test_validity_is_read_at_the_asked_time() -> None:
    world, path = pair(EdgeType.UPDATES, 0.8, UpdateMode.REPLACES)
    before = make_plan("What was it?", NOW, as_of=day(0.5))
    assert score_paths([path], events_of(world), {}, before)[0].valid == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "expected"), [(EdgeType.CAUSES, 0.8), (EdgeType.ENABLES, 0.4), (EdgeType.CONTRADICTS, 0.4)]
)
def test_weak_kinds_halve_confidence(kind: EdgeType, expected: float) -> None:
    assert confidence(pair(kind)[1]) == pytest.approx(expected)


def test_hops_multiply() -> None:
    path = Path(("a", "b", "c"), (Step(Via.SESSION, "s", 0.7), Step(Via.TOPIC, "t", 0.5)))
    assert confidence(path) == pytest.approx(0.35)


def test_dates_against_the_order_cost_consistency() -> None:
    world = World()
    world.say("m1", 0, "one")
    world.say("m2", 1, "two")
    world.state("a", "m1", occurs=Occurs("", Precision.DAY, day(9), day(10)))
    world.state("b", "m2", occurs=Occurs("", Precision.DAY, day(2), day(3)))
    world.link(EdgeType.CAUSES, "a", "b")
    path = Path(("a", "b"), (Step(Via.EDGE, world.edges[0].id, 1.0, world.edges[0]),))
    back = Path(("b", "a"), (Step(Via.EDGE, world.edges[0].id, 1.0, world.edges[0], False),))
    events = events_of(world)
    assert temporal_consistency(path, events, ()) == 0.0  # type: ignore[arg-type]
    assert temporal_consistency(back, events, ()) == 0.0  # type: ignore[arg-type]
    near = (Span(day(2), day(3)),)
    assert temporal_consistency(path, events, near) == pytest.approx(0.25)  # type: ignore[arg-type]


def test_touching_a_named_time_is_half_open() -> None:
    world = World()
    world.say("m1", 3, "one")
    world.state("a", "m1")
    event = world.events[0]
    assert touches(event, (Span(day(3), day(4)),))
    assert not touches(event, (Span(day(2), day(3)),))
    assert touches(event, (Span(day(1), None),))


def test_an_events_similarity_is_its_nearest_sources_and_never_negative() -> None:
    world, _ = pair(EdgeType.CAUSES)
    found = similarities(events_of(world), {"m1": 0.6, "m2": -1.0})  # type: ignore[arg-type]
    assert found == {"old": pytest.approx(0.6), "new": 0.0}


def test_direct_evidence_is_near_few_and_not_on_a_path() -> None:
    near = {f"e{i}": 0.9 - i / 100 for i in range(6)} | {"far": 0.44}
    assert [path.events for path in direct(near, {"e0"})] == [("e1",), ("e2",), ("e3",)][:DIRECT_EVENTS]
    assert direct({"far": 0.44}, set()) == ()


def test_equal_scores_are_ordered_by_their_events() -> None:
    world, _ = pair(EdgeType.CAUSES)
    paths = [Path(("old",)), Path(("new",))]
    scored = score_paths(paths, events_of(world), {}, make_plan("What is it?", NOW))  # type: ignore[arg-type]
    assert [one.path.events for one in scored] == [("new",), ("old",)]
