"""Every validity can be told as a chain of edges (DESIGN I4)."""

import os

from hypothesis import given, settings

from state.explanation import Effect, Explanation, Verdict, explain
from state.memory_graph import EdgeFact, EventFact, MemoryGraph
from state.model import Edge
from state.node import drive
from state.validity import Stated
from tests.state.histories import History, causes, day, enables, histories, replaces, said, withdraws


def told(events: list[Stated], edges: list[Edge], event: str, at: float = 99) -> Explanation:
    graph = MemoryGraph()
    graph.apply([*(EventFact(e.id, (1,), e) for e in events), *(EdgeFact(e.id, (1,), e) for e in edges)])
    found = drive(explain(event, day(at)), graph.fetch)
    assert found is not None
    return found


def chain(found: Explanation) -> list[tuple[str, Effect, str]]:
    return [(s.event, s.effect, s.other) for s in found.steps]


A, B, C, D = said("a", 1), said("b", 2), said("c", 3), said("d", 4)


def test_an_event_that_nothing_bears_on_stands_without_a_reason() -> None:
    found = told([A], [], "a")
    assert (found.verdict, found.value, found.steps, found.dependents) == (Verdict.STANDS, 1, (), ())


def test_an_event_that_was_never_stated_has_no_explanation() -> None:
    assert drive(explain("a", day(1)), lambda ids: {}) is None


def test_a_replaced_event_names_what_replaced_it_and_since_when() -> None:
    found = told([A, B], [replaces("b", "a")], "a")
    assert (found.verdict, chain(found)) == (Verdict.REPLACED, [("a", Effect.REPLACED_BY, "b")])
    assert found.steps[0].since == day(2)


def test_an_event_that_stands_again_says_what_was_undone_and_by_what() -> None:
    found = told([A, B, C], [replaces("b", "a"), withdraws("c", "b")], "a")
    assert (found.verdict, found.value) == (Verdict.STANDS, 1)
    assert chain(found) == [("a", Effect.WOULD_BE_REPLACED_BY, "b"), ("b", Effect.WITHDRAWN_BY, "c")]


def test_a_withdrawal_that_failed_is_followed_to_its_end() -> None:
    events = [A, B, C, D]
    found = told(events, [replaces("b", "a"), withdraws("c", "b"), withdraws("d", "c")], "a")
    assert chain(found) == [
        ("a", Effect.REPLACED_BY, "b"),
        ("b", Effect.WOULD_BE_WITHDRAWN_BY, "c"),
        ("c", Effect.WITHDRAWN_BY, "d"),
    ]


def test_an_update_that_acts_again_does_so_since_it_was_reinstated() -> None:
    events = [A, B, C, D]
    found = told(events, [replaces("b", "a"), withdraws("c", "b"), withdraws("d", "c")], "a")
    assert found.steps[0].since == day(4)


def test_before_a_change_takes_effect_it_is_announced() -> None:
    plan = said("plan", 2, holds_from=10)
    found = told([A, plan], [replaces("plan", "a")], "a", at=5)
    assert (found.verdict, chain(found)) == (Verdict.STANDS, [("a", Effect.WILL_BE_REPLACED_BY, "plan")])
    assert found.steps[0].since == day(10)
    assert told([A, plan], [replaces("plan", "a")], "plan", at=5).verdict is Verdict.NOT_BEGUN


def test_doubt_is_led_back_to_what_went_out_and_why() -> None:
    edges = [causes("a", "b"), enables("b", "c"), withdraws("n", "a")]
    found = told([A, B, C, said("n", 9)], edges, "c")
    assert (found.verdict, found.value) == (Verdict.DOUBTED, 3 / 4)
    assert chain(found) == [
        ("c", Effect.RESTS_ON, "b"),
        ("b", Effect.CAUSE_WENT_OUT, "a"),
        ("a", Effect.WITHDRAWN_BY, "n"),
    ]
    assert found.steps[1].since == day(9)


def test_dependents_are_told_by_hops_with_their_values() -> None:
    edges = [causes("a", "b"), causes("b", "c"), causes("a", "c"), causes("c", "d"), withdraws("n", "a")]
    found = told([A, B, C, D, said("n", 9)], edges, "a")
    assert [(d.event, d.hops, d.value) for d in found.dependents] == [
        ("b", 1, 1 / 2),
        ("c", 1, 1 / 2),
        ("d", 2, 3 / 4),
    ]


@settings(max_examples=int(os.environ.get("STET_HISTORIES", "200")), deadline=None)
@given(histories)
def test_every_verdict_of_every_history_has_its_reason(history: History) -> None:
    graph = MemoryGraph()
    graph.apply(history.facts())
    timelines = graph.timelines()
    for event, timeline in timelines.items():
        for at in (day(t) for t in range(1, 12, 3)):
            found = drive(explain(event, at), graph.fetch)
            assert found is not None
            assert found.value == timeline.value(at)
            effects = {s.effect for s in found.steps if s.event == event}
            assert (found.verdict is Verdict.WITHDRAWN) == (Effect.WITHDRAWN_BY in effects)
            if found.verdict is not Verdict.WITHDRAWN:
                assert (found.verdict is Verdict.REPLACED) == (Effect.REPLACED_BY in effects)
            way = [s for s in found.steps if s.effect in (Effect.RESTS_ON, Effect.CAUSE_WENT_OUT)]
            assert len(way) == (timeline.hops(at) or 0)
            assert [s.event for s in way][1:] == [s.other for s in way][:-1]
            if way:
                assert timelines[way[-1].other].value(at) == 0
