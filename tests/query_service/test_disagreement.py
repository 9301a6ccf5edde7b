"""Two parties who deny each other, as long as nothing has settled it."""

from query_service.disagreement import Disagreement, Side, disagreements
from query_service.standing import Standings
from state.graph import StoredEvent
from state.memory_reader import MemoryReader
from state.model import EdgeType
from tests.query_service.worlds import NOW, World, day


def dispute() -> World:
    world = World()
    world.say("m1", 0, "The deposit was paid.", "Ada")
    world.say("m2", 1, "No deposit has reached us.", "Nordic")
    world.say("m3", 2, "The chair is green.", "Ada")
    world.state("paid", "m1", ("deposit", "state", "paid"))
    world.state("unpaid", "m2", ("deposit", "state", "not received"))
    world.state("green", "m3", ("chair", "colour", "green"))
    world.link(EdgeType.CONTRADICTS, "unpaid", "paid")
    return world


def found(world: World, *concerned: str, on: float | None = None) -> tuple[Disagreement, ...]:
    known: dict[str, StoredEvent] = dict(
        MemoryReader([world.view()]).events(world.subject, [event.id for event in world.events])
    )
    return disagreements(concerned, known, Standings(known, NOW if on is None else day(on)))


def test_both_sides_are_told_once_the_earlier_first() -> None:
    both = found(dispute(), "unpaid", "paid")
    assert both == (
        Disagreement(
            Side("Ada", "deposit state: paid", day(0), ("m1",)),
            Side("Nordic", "deposit state: not received", day(1), ("m2",)),
        ),
    )
    assert found(dispute(), "paid") == both


def test_only_what_the_question_is_about() -> None:
    assert found(dispute(), "green", "unheard-of") == ()


def test_before_the_other_side_spoke_nothing_was_in_dispute() -> None:
    assert found(dispute(), "paid", on=0.5) == ()


def test_an_update_settles_it() -> None:
    world = dispute()
    world.say("m4", 3, "Correction: it was not paid.", "Ada")
    world.state("corrected", "m4", ("deposit", "state", "unpaid"))
    world.replace("corrected", "paid")
    assert found(world, "paid", "unpaid") == ()
    assert len(found(world, "paid", "unpaid", on=2)) == 1
