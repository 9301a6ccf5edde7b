"""The state as a person reads it."""

from datetime import timedelta

from pipeline.command_line.answers import state_text
from query_service.state_view import view_state
from tests.query_service.worlds import World, day


def test_what_put_a_fact_out_first_is_named_beside_when_it_went_out() -> None:
    world = World()
    world.say("a", 0, "The class is on Tuesday.")
    world.say("b", 1, "It is on Wednesday.")
    world.say("c", 5, "It is on Friday.")
    for name, message, value in (
        ("one", "a", "Tuesday"),
        ("two", "b", "Wednesday"),
        ("three", "c", "Friday"),
    ):
        world.state(name, message, ("class", "day", value))
    world.replace("two", "one")
    world.replace("three", "one")
    world.replace("three", "two")
    told = state_text(view_state(world.view(), day(9), history=True))
    assert "Tuesday (until 2026-01-02T09:00:00Z: replaced by “class day Wednesday”)" in " ".join(told.split())


def test_the_moment_is_told_to_the_second() -> None:
    world = World()
    world.say("a", 0, "The class is on Tuesday.")
    world.state("tuesday", "a", ("class", "day", "Tuesday"))
    told = state_text(view_state(world.view(), day(9) + timedelta(microseconds=51_208)))
    assert told.splitlines()[0] == "conv/1, as of 2026-01-10T09:00:00Z"
