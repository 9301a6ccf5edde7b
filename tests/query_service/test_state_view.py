"""The facts that stand, grouped."""

from dataclasses import replace

from query_service.state_view import Status, view_state
from state.model import Act, EdgeType, UpdateMode
from tests.query_service.worlds import World, day, piano


def flat(world: World, on: float, history: bool = False) -> dict[tuple[str, str], list[tuple[str, Status]]]:
    state = view_state(world.view(), day(on), history)
    return {
        (entity.entity, attribute.attribute): [(fact.value, fact.status) for fact in attribute.facts]
        for entity in state.entities
        for attribute in entity.attributes
    }


def test_only_what_stands_is_told() -> None:
    assert flat(piano(), 10)[("tuning", "time")] == [("Friday at 11 am", Status.STANDS)]


def test_what_stood_earlier_is_told_as_of_then() -> None:
    assert flat(piano(), 3)[("tuning", "time")] == [("Thursday at 9 am", Status.STANDS)]
    assert ("west wing", "state") not in flat(piano(), 3)


def test_history_tells_what_was_replaced_when_and_by_what() -> None:
    state = view_state(piano().view(), day(10), history=True)
    (times,) = next(e for e in state.entities if e.entity == "tuning").attributes
    assert [f.status for f in times.facts] == [Status.SUPERSEDED, Status.SUPERSEDED, Status.STANDS]
    assert times.facts[0].until == day(1)
    assert [r.event for r in times.facts[0].replaced_by] == ["thursday"]
    assert times.facts[0].replaced_by[0].mode is UpdateMode.REPLACES


def test_what_a_withdrawn_change_had_replaced_stands_again() -> None:
    world = piano()
    world.say("conv/1/5", 7, "Forget Friday.")
    world.state("undo", "conv/1/5", ("tuning", "time", ""))
    world.link(EdgeType.UPDATES, "undo", "friday", UpdateMode.WITHDRAWS)
    told = flat(world, 10)[("tuning", "time")]
    assert ("Thursday at 9 am", Status.STANDS) in told
    assert ("Friday at 11 am", Status.STANDS) not in told


def test_what_merely_takes_something_back_is_no_value() -> None:
    world = piano()
    world.say("conv/1/5", 7, "Forget Friday.")
    world.state("undo", "conv/1/5", ("tuning", "time", "Forget Friday."))
    world.link(EdgeType.UPDATES, "undo", "friday", UpdateMode.WITHDRAWS)
    view = world.view()
    taken = {e.id: replace(e, act=Act.WITHDRAW) if e.id == "undo" else e for e in view.events}
    view = replace(view, events=tuple(taken.values()))
    told = [f for e in view_state(view, day(10)).entities for a in e.attributes for f in a.facts]
    assert "undo" not in {fact.event for fact in told}
    passed = [
        f for e in view_state(view, day(10), history=True).entities for a in e.attributes for f in a.facts
    ]
    assert [r.event for f in passed if f.event == "friday" for r in f.replaced_by] == ["undo"]


def test_a_fact_whose_cause_is_out_is_doubted() -> None:
    world = World()
    for name, on in (("m1", 0), ("m2", 1), ("m3", 2)):
        world.say(name, on, name)
    world.state("garden", "m1", ("party", "place", "garden"))
    world.state("tent", "m2", ("tent", "need", "yes"))
    world.state("hall", "m3", ("party", "place", "hall"))
    world.replace("hall", "garden")
    world.link(EdgeType.CAUSES, "garden", "tent")
    assert flat(world, 5)[("tent", "need")] == [("yes", Status.DOUBTED)]
    assert flat(world, 1.5)[("tent", "need")] == [("yes", Status.STANDS)]


def test_names_that_differ_in_case_are_one_and_facts_without_a_facet_go_by_who_takes_part() -> None:
    world = World()
    world.say("m1", 0, "one")
    world.say("m2", 1, "two")
    world.say("m3", 2, "we met")
    world.state("a", "m1", ("Budget", "Amount", "1"))
    world.state("b", "m2", ("budget", "amount", "2"))
    world.state("c", "m3")
    told = flat(world, 5)
    assert [value for value, _ in told[("Budget", "Amount")]] == ["1", "2"]
    assert told[("Ada", "action")] == [("we met", Status.STANDS)]
