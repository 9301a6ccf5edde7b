"""The walk keeps its bounds on any graph, and prunes what cannot be so."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from query_service.paths import (
    BEAM,
    DEPTH,
    EVENT_FANOUT,
    NEAR,
    Path,
    Via,
    walk,
)
from query_service.plan import make_plan
from query_service.reading import Reading, spot_of_message
from state.model import EdgeType, Occurs, Precision, UpdateMode
from tests.query_service.worlds import NOW, World, day, stores

NAMES = [f"e{i}" for i in range(12)]
KINDS = [kind for kind in EdgeType if kind is not EdgeType.UPDATES]


class Walked(NamedTuple):
    """The paths that a walk found, and how often it went to the store."""

    paths: list[Path]
    round_trips: int


Made = tuple[World, list[str], list[list[str]]]
TOPICS = {"m0": ["m0", "m5", "m11"]}


def walked(
    world: World,
    seeds: list[str],
    question: str = "What is the plan?",
    sessions: Sequence[Sequence[str]] = (),
    topics: Mapping[str, Sequence[str]] | None = None,
) -> Walked:
    view = world.view(sessions, topics)
    held = stores(world, views=[view])
    reading = Reading(held.reader, held.reader, world.subject)
    reading.read_events(seeds)
    reading.read_messages(message.id for message in world.messages)
    reading.read_around([spot_of_message(message) for message in reading.messages.values()], NEAR)
    opening = held.reader.opening(world.subject, [], 1, 10, 20)
    assert opening is not None
    before = reading.round_trips
    paths = walk(reading, seeds, opening.topics, make_plan(question, NOW))
    return Walked(paths, reading.round_trips - before)


def chain_of(*names: str) -> World:
    world = World()
    for at, name in enumerate(names):
        world.say(f"m{at}", at, f"about {name}")
        world.state(name, f"m{at}")
    return world


@st.composite
def graphs(draw: st.DrawFn) -> Made:
    world = chain_of(*NAMES)
    ends = st.integers(0, len(NAMES) - 1)
    for a, b in draw(st.lists(st.tuples(ends, ends), max_size=40)):
        if a > b:
            kind = draw(st.sampled_from([EdgeType.UPDATES, *KINDS]))
            mode = draw(st.sampled_from(UpdateMode)) if kind is EdgeType.UPDATES else None
            world.link(kind, NAMES[a], NAMES[b], mode, draw(st.sampled_from([0.3, 0.6, 1.0])))
    world.edges = list({edge.id: edge for edge in world.edges}.values())
    seeds = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(NAMES)))
    groups = [[f"m{i}" for i in range(cut)], [f"m{i}" for i in range(cut, len(NAMES))]]
    return world, seeds, [group for group in groups if group]


@given(graphs())
def test_every_path_keeps_the_bounds(made: Made) -> None:
    world, seeds, sessions = made
    done = walked(world, seeds, sessions=sessions, topics=TOPICS)
    edges = {edge.id: edge for edge in world.edges}
    for path in done.paths:
        assert 1 <= len(path.steps) <= DEPTH
        assert len(path.events) == len(path.steps) + 1
        assert len(set(path.events)) == len(path.events)
        assert path.events[0] in seeds
        assert sum(step.via is Via.SESSION for step in path.steps) <= 1
        assert sum(step.via is Via.TOPIC for step in path.steps) <= 1
        for (here, there), step in zip(pairwise(path.events), path.steps, strict=True):
            if step.via is Via.EDGE:
                edge = edges[step.through]
                assert (edge.source, edge.target) == ((here, there) if step.forward else (there, here))
        types = [step.edge.type if step.edge else None for step in path.steps]
        assert (EdgeType.CONTRADICTS, EdgeType.CONTRADICTS) not in list(pairwise(types))


@given(graphs())
def test_a_walk_is_the_same_each_time_and_tells_no_path_twice(
    made: Made,
) -> None:
    world, seeds, sessions = made
    first, again = (
        walked(world, seeds, sessions=sessions, topics=TOPICS),
        walked(world, seeds, sessions=sessions, topics=TOPICS),
    )
    assert first.paths == again.paths
    keys = [path.key() for path in first.paths]
    assert len(keys) == len(set(keys))
    assert len(keys) <= DEPTH * BEAM


def star(rays: int) -> World:
    world = chain_of("hub", *[f"ray{i}" for i in range(rays)])
    for i in range(rays):
        world.link(EdgeType.ENABLES, f"ray{i}", "hub", confidence=round(1 - i / (2 * rays), 6))
    return world


def test_an_event_with_many_edges_gives_the_most_confident_ones() -> None:
    done = walked(star(40), ["hub"])
    assert {path.events[1] for path in done.paths if len(path.steps) == 1} == {
        f"ray{i}" for i in range(EVENT_FANOUT)
    }


def test_updates_come_before_more_confident_edges() -> None:
    world = star(8)
    world.say("late", 20, "another")
    world.state("newer", "late")
    world.link(EdgeType.UPDATES, "newer", "hub", UpdateMode.REPLACES, confidence=0.1)
    assert walked(world, ["hub"]).paths[0].events == ("hub", "newer")


def test_no_seed_starves_another() -> None:
    world = chain_of(*[f"s{i}" for i in range(30)], *[f"t{i}" for i in range(30)])
    for i in range(30):
        for j in range(3):
            world.link(EdgeType.CAUSES, f"s{i}", f"t{(i + j) % 30}")
    seeds = [f"s{i}" for i in range(30)]
    assert {path.events[0] for path in walked(world, seeds).paths} == set(seeds)


def test_round_trips_do_not_grow_with_the_seeds() -> None:
    def trips(seeds: int) -> int:
        world = chain_of(*[f"e{i}" for i in range(60)])
        for i in range(59):
            world.link(EdgeType.CAUSES, f"e{i}", f"e{i + 1}")
        return walked(world, [f"e{i}" for i in range(0, seeds * 4, 4)]).round_trips

    assert trips(1) == trips(10)


def occurring(on: float) -> Occurs:
    return Occurs("then", Precision.DAY, day(on), day(on + 1))


def test_a_temporal_edge_that_the_dates_deny_is_not_walked() -> None:
    world = World()
    world.say("m1", 0, "one")
    world.say("m2", 1, "two")
    world.state("first", "m1", occurs=occurring(9))
    world.state("second", "m2", occurs=occurring(3))
    world.link(EdgeType.TEMPORAL_BEFORE, "first", "second")
    assert walked(world, ["first"]).paths == []


def test_causes_at_an_event_that_is_out_are_walked_only_when_asked_why() -> None:
    world = chain_of("cause", "fact", "newer")
    world.link(EdgeType.CAUSES, "cause", "fact")
    world.replace("newer", "fact")
    pair = ("cause", "fact")
    assert pair not in {p.events for p in walked(world, ["cause"], "What is the plan?").paths}
    assert pair in {p.events for p in walked(world, ["cause"], "Why did the plan change?").paths}


def test_a_session_is_hopped_through_once() -> None:
    world = chain_of("a", "b", "c")
    done = walked(world, ["a"], sessions=[["m0", "m1", "m2"]])
    assert {path.events for path in done.paths} == {("a", "b"), ("a", "c")}


def test_no_hop_is_made_where_the_search_has_not_looked_around() -> None:
    world = chain_of("a", "b")
    held = stores(world, views=[world.view([["m0", "m1"]])])
    reading = Reading(held.reader, held.reader, world.subject)
    reading.read_events(["a"])
    held.reader.calls.clear()
    assert walk(reading, ["a"], {}, make_plan("What is the plan?", NOW)) == []
    assert sum(held.reader.calls.values()) == 0


def test_seeds_that_are_not_known_are_left_out() -> None:
    done = walked(chain_of("a"), ["a", "gone"])
    assert done.paths == []


def test_a_path_walked_from_either_end_is_one_path() -> None:
    world = chain_of("a", "b")
    world.link(EdgeType.CAUSES, "a", "b")
    assert [path.events for path in walked(world, ["a", "b"]).paths] == [("a", "b")]
    assert isinstance(walked(world, ["b"]).paths[0], Path)
