"""Questions go through the forest: along a branch, and from the best notes' topics to their turns."""

from dataclasses import replace

from query_service.paths import BRANCH_CONFIDENCE, NEAR, SESSION_CONFIDENCE, TOPIC_CONFIDENCE, Path, Via, walk
from query_service.plan import make_plan
from query_service.reading import Reading, spot_of_message
from query_service.score import confidence
from state.graph import SubjectView
from state.model import Turn
from tests.query_service.worlds import NOW, World, stores


def interleaved() -> SubjectView:
    """Two topics told in turn, three sessions: the kiln's turns are k0 to k3, the boat's b0 to b2; the kiln
    branches at k1 to k3, and k2 was said in a later session than k1."""
    world = World()
    for on, name in enumerate(["k0", "b0", "k1", "b1", "k2", "b2", "k3"]):
        world.say(name, on, f"about {name}")
        world.state(f"e-{name}", name)
    view = world.view(
        [["k0", "b0", "k1", "b1"], ["k2", "b2", "k3"]],
        {"k0": ["k0", "k1", "k2", "k3"], "b0": ["b0", "b1", "b2"]},
    )
    hung = {
        "k0": (None, "k0", "k0"),
        "k1": ("k0", "k0", "k0"),
        "k2": ("k1", "k0", "k0"),
        "k3": ("k1", "k3", "k0"),
        "b0": (None, "b0", "b0"),
        "b1": ("b0", "b0", "b0"),
        "b2": ("b1", "b0", "b0"),
    }
    turns = tuple(Turn(name, (name,), *at, "") for name, at in sorted(hung.items()))
    return replace(view, turns=turns)


def walked(seed: str) -> list[Path]:
    view = interleaved()
    held = stores(views=[view])
    reading = Reading(held.reader, held.reader, view.subject)
    reading.read_events([seed])
    reading.read_messages(message.id for message in view.messages)
    reading.read_around([spot_of_message(message) for message in reading.messages.values()], NEAR)
    return walk(reading, [seed], {}, make_plan("What about it?", NOW))


def steps_from(seed: str, via: Via) -> dict[str, str]:
    """The events that one step of this kind reaches, with what the step goes through."""
    return {
        p.events[1]: p.steps[0].through for p in walked(seed) if len(p.steps) == 1 and p.steps[0].via is via
    }


def test_the_turns_next_to_each_other_on_a_branch_are_linked() -> None:
    assert steps_from("e-k1", Via.BRANCH) == {"e-k0": "k0"}
    assert steps_from("e-b0", Via.BRANCH) == {"e-b1": "b0"}


def test_a_branch_is_gone_along_across_sessions() -> None:
    assert steps_from("e-k2", Via.BRANCH) == {"e-k1": "k0"}
    assert "e-k1" not in steps_from("e-k2", Via.SESSION)


def test_a_turn_that_leaves_on_a_branch_of_its_own_is_not_on_the_branch_it_left() -> None:
    assert steps_from("e-k3", Via.BRANCH) == {}
    assert "e-k3" not in steps_from("e-k1", Via.BRANCH)


def test_what_a_branch_links_the_session_does_not_link_again() -> None:
    for seed in ("e-k0", "e-k1", "e-b0", "e-b1"):
        assert not steps_from(seed, Via.BRANCH).keys() & steps_from(seed, Via.SESSION).keys()
    assert "e-b0" in steps_from("e-k1", Via.SESSION)


def test_a_path_goes_along_a_branch_at_most_once() -> None:
    assert any(path.hopped(Via.BRANCH) for path in walked("e-k2"))
    assert all(sum(step.via is Via.BRANCH for step in path.steps) <= 1 for path in walked("e-k2"))


def test_a_branch_counts_for_more_than_a_session_and_less_than_an_edge() -> None:
    path = next(p for p in walked("e-k2") if len(p.steps) == 1 and p.hopped(Via.BRANCH))
    assert confidence(path) == BRANCH_CONFIDENCE
    assert TOPIC_CONFIDENCE < SESSION_CONFIDENCE < BRANCH_CONFIDENCE < 1.0


def test_a_view_without_a_forest_has_no_branches_to_go_along() -> None:
    world = World()
    for on, name in enumerate("ab"):
        world.say(name, on, f"about {name}")
        world.state(f"e-{name}", name)
    view = world.view([["a", "b"]])
    held = stores(views=[view])
    reading = Reading(held.reader, held.reader, view.subject)
    reading.read_events(["e-a"])
    reading.read_messages("ab")
    reading.read_around([spot_of_message(message) for message in reading.messages.values()], NEAR)
    (path,) = walk(reading, ["e-a"], {}, make_plan("What about it?", NOW))
    assert path.steps[0].via is Via.SESSION


def test_an_older_topic_that_the_best_notes_belong_to_is_gone_into() -> None:
    """Its turns far from the notes come in through the tree, though newer topics were spoken of since."""
    world = World()
    turns = [world.say(f"old/{n}", n, f"The kiln holds glaze{n}.") for n in range(2 * NEAR)]
    topics = {turns[0]: turns}
    for n in range(6):
        topics[f"new/{n}"] = [world.say(f"new/{n}", 50 + n, f"Ship number {n} sails.")]
    last = world.state("fired", turns[-1], ("kiln", "state", "fired"))
    world.state("first", turns[0], ("glaze", "colour", "blue"))
    held = stores(views=[world.view((), topics)])
    answer = held.asker.ask(world.subject, "What about glaze0 of the kiln?")
    through = {step.through for path in answer.paths for step in path.edges if step.via == "topic"}
    assert through == {turns[0]}
    assert any({"first", last} <= set(path.events) for path in answer.paths)
