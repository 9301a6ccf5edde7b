"""What stands, what is out and what is in doubt (DESIGN §3), by example and against the equations."""

import os

import pytest
from hypothesis import HealthCheck, given, settings

from state.intervals import Span
from state.memory_graph import MemoryGraph
from state.model import Edge
from state.validity import Doubt, Stated, evaluate
from tests.state.histories import (
    NAMES,
    History,
    causes,
    day,
    enables,
    histories,
    prevents,
    replaces,
    said,
    withdraws,
)
from tests.state.pointwise import hops_at


def values(events: list[Stated], edges: list[Edge], at: float = 99) -> dict[str, float]:
    return {e: t.value(day(at)) for e, t in evaluate(events, edges).items()}


def standing(events: list[Stated], edges: list[Edge], at: float = 99) -> str:
    return "".join(sorted(e for e, t in evaluate(events, edges).items() if t.standing(day(at))))


A, B, C, D = said("a", 1), said("b", 2), said("c", 3), said("d", 4)


def test_of_three_values_in_a_row_the_last_stands() -> None:
    assert standing([A, B, C], [replaces("b", "a"), replaces("c", "b")]) == "c"


def test_withdrawing_a_change_brings_back_what_it_changed() -> None:
    edges = [replaces("b", "a"), withdraws("c", "b")]
    assert standing([A, B, C], edges) == "ac"
    assert evaluate([A, B, C], edges)["a"].holds() == (Span(day(1), day(2)), Span(day(3), None))


def test_a_withdrawn_withdrawal_withdraws_nothing() -> None:
    assert standing([A, B, C], [withdraws("b", "a"), withdraws("c", "b")]) == "ac"


def test_replacing_a_withdrawal_does_not_undo_it() -> None:
    assert standing([A, B, C], [withdraws("b", "a"), replaces("c", "b")]) == "c"


def test_cancelling_everything_withdraws_every_earlier_value() -> None:
    edges = [replaces("b", "a"), replaces("c", "b"), *(withdraws("d", old) for old in "abc")]
    assert standing([A, B, C, D], edges) == "d"


def test_withdrawing_only_the_last_of_several_changes_goes_back_one() -> None:
    edges = [replaces("b", "a"), replaces("c", "b"), withdraws("d", "c")]
    assert standing([A, B, C, D], edges) == "bd"


def test_going_back_is_a_new_statement_that_replaces() -> None:
    back = said("back", 4)
    edges = [replaces("b", "a"), replaces("back", "b")]
    assert standing([A, B, back], edges) == "back"


def test_a_value_that_is_both_replaced_and_withdrawn_is_void() -> None:
    timeline = evaluate([A, B, C], [replaces("b", "a"), withdraws("c", "a")])["a"]
    assert (timeline.out, timeline.void) == ((Span(day(2), None),), (Span(day(3), None),))


def test_a_fact_holds_over_two_disjoint_periods() -> None:
    edges = [replaces("b", "a"), withdraws("c", "b"), replaces("d", "a")]
    assert evaluate([A, B, C, D], edges)["a"].holds() == (Span(day(1), day(2)), Span(day(3), day(4)))


def test_values_that_no_edge_joins_coexist() -> None:
    assert standing([A, B, C], []) == "abc"


def test_an_update_against_the_order_of_saying_is_ignored() -> None:
    assert standing([A, B], [replaces("a", "b")]) == "ab"
    assert standing([A, B], [replaces("a", "b"), replaces("b", "a"), replaces("a", "a")]) == "b"


def test_statements_of_one_moment_are_still_ordered() -> None:
    first, second = said("x", 1), said("y", 1)
    assert standing([first, second], [replaces("y", "x"), replaces("x", "y")]) == "y"


def test_an_edge_without_both_its_ends_is_ignored() -> None:
    assert values([A], [replaces("b", "a"), causes("b", "a")]) == {"a": 1}


class TestTime:
    def test_a_change_acts_from_the_day_it_takes_effect(self) -> None:
        plan = said("plan", 2, holds_from=10)
        timelines = evaluate([A, plan], [replaces("plan", "a")])
        assert timelines["a"].holds() == (Span(day(1), day(10)),)
        assert [timelines["plan"].standing(day(t)) for t in (5, 10)] == [False, True]
        assert timelines["plan"].value(day(5)) == 1

    def test_a_plan_cancelled_ahead_of_its_day_never_acts(self) -> None:
        plan, cancel = said("plan", 2, holds_from=10), said("cancel", 5)
        timelines = evaluate([A, plan, cancel], [replaces("plan", "a"), withdraws("cancel", "plan")])
        assert timelines["a"].holds() == (Span(day(1), None),)
        assert timelines["plan"].holds() == ()

    def test_a_plan_cancelled_ahead_is_out_from_its_cancellation_on(self) -> None:
        plan, cancel = said("plan", 2, holds_from=10), said("cancel", 5)
        timeline = evaluate([plan, cancel], [withdraws("cancel", "plan")])["plan"]
        assert timeline.out == (Span(day(5), None),)
        assert [timeline.value(day(t)) for t in (3, 6, 11)] == [1, 0, 0]

    def test_a_cancellation_set_for_later_lets_the_change_act_until_then(self) -> None:
        cancel = said("cancel", 3, holds_from=8)
        timeline = evaluate([A, B, cancel], [replaces("b", "a"), withdraws("cancel", "b")])["a"]
        assert timeline.holds() == (Span(day(1), day(2)), Span(day(8), None))

    def test_a_change_may_take_effect_before_it_is_said(self) -> None:
        since = said("b", 9, holds_from=5)
        assert evaluate([A, since], [replaces("b", "a")])["a"].holds() == (Span(day(1), day(5)),)

    def test_what_was_recorded_later_was_not_known(self) -> None:
        update = replaces("b", "a")
        recorded = {"a": day(1), "b": day(2), update.id: day(6)}

        def known(at: float) -> set[str]:
            timelines = evaluate([A, B], [update], known_at=day(at), recorded=recorded)
            return {e for e, t in timelines.items() if t.standing(day(99))}

        assert [known(t) for t in (0, 1, 2, 6)] == [set(), {"a"}, {"a", "b"}, {"b"}]

    def test_an_edge_without_a_recorded_time_is_known_with_its_ends(self) -> None:
        recorded = {"a": day(1), "b": day(4)}
        edges = [replaces("b", "a")]
        assert evaluate([A, B], edges, known_at=day(3), recorded=recorded)["a"].out == ()
        assert evaluate([A, B], edges, known_at=day(4), recorded=recorded)["a"].out == (Span(day(2), None),)


class TestDoubt:
    chain: tuple[Stated, ...] = tuple(said(f"s{i}", i / 10) for i in range(6))
    links: tuple[Edge, ...] = tuple(causes(f"s{i}", f"s{i + 1}") for i in range(5))

    def test_doubt_halves_with_every_hop_and_ends_after_the_fourth(self) -> None:
        found = values([*self.chain, said("n", 1)], [*self.links, replaces("n", "s0")])
        assert [found[e.id] for e in self.chain] == [0, 1 / 2, 3 / 4, 7 / 8, 15 / 16, 1]

    def test_enabling_carries_doubt_and_preventing_does_not(self) -> None:
        events = [A, B, C, said("n", 9)]
        found = values(events, [enables("a", "b"), prevents("a", "c"), withdraws("n", "a")])
        assert (found["b"], found["c"]) == (1 / 2, 1)

    def test_doubt_is_not_loss(self) -> None:
        assert standing([A, B, said("n", 9)], [causes("a", "b"), withdraws("n", "a")]) == "bn"

    def test_one_weakened_cause_is_enough(self) -> None:
        events = [A, B, C, said("n", 9)]
        assert values(events, [causes("a", "c"), causes("b", "c"), withdraws("n", "a")])["c"] == 1 / 2

    def test_a_fact_stated_after_the_change_is_not_in_doubt(self) -> None:
        after, same = said("after", 6), said("same", 5)
        events, edges = (
            [A, said("n", 5), after, same],
            [causes("a", "after"), causes("a", "same"), replaces("n", "a")],
        )
        assert (values(events, edges)["after"], values(events, edges)["same"]) == (1, 1)

    def test_nor_does_doubt_pass_through_it(self) -> None:
        events = [A, B, said("n", 5), said("after", 6)]
        assert values(events, [causes("a", "after"), causes("after", "b"), replaces("n", "a")])["b"] == 1

    def test_doubt_passes_through_an_event_that_is_out_itself(self) -> None:
        events = [A, B, C, said("n", 5), said("m", 6)]
        edges = [causes("a", "b"), causes("b", "c"), replaces("n", "a"), replaces("m", "b")]
        assert evaluate(events, edges)["c"].doubt == (Doubt(day(5), day(6), 2), Doubt(day(6), None, 1))

    def test_doubt_ends_when_its_cause_stands_again(self) -> None:
        events = [A, said("b", 1.5), said("n", 5), said("w", 8)]
        edges = [causes("a", "b"), replaces("n", "a"), withdraws("w", "n")]
        assert evaluate(events, edges)["b"].doubt == (Doubt(day(5), day(8), 1),)

    def test_each_time_its_cause_goes_out_counts_anew(self) -> None:
        between = said("between", 9)
        events = [A, between, said("n", 5), said("w", 8), said("m", 12)]
        edges = [causes("a", "between"), replaces("n", "a"), withdraws("w", "n"), replaces("m", "a")]
        assert evaluate(events, edges)["between"].doubt == (Doubt(day(12), None, 1),)

    def test_an_event_is_in_doubt_from_when_all_on_the_way_have_begun(self) -> None:
        later = said("later", 2, holds_from=10)
        events = [A, later, C, said("n", 5)]
        timelines = evaluate(events, [causes("a", "later"), causes("later", "c"), replaces("n", "a")])
        assert timelines["later"].doubt == (Doubt(day(10), None, 1),)
        assert timelines["c"].doubt == (Doubt(day(10), None, 2),)

    def test_a_longer_way_counts_until_a_shorter_one_opens(self) -> None:
        gate = said("gate", 2, holds_from=10)
        events = [A, gate, said("p", 2), said("q", 3), said("r", 4), said("n", 5)]
        edges = [causes("a", "gate"), causes("gate", "r"), replaces("n", "a")]
        edges += [causes("a", "p"), causes("p", "q"), causes("q", "r")]
        assert evaluate(events, edges)["r"].doubt == (Doubt(day(5), day(10), 3), Doubt(day(10), None, 2))

    def test_of_two_ways_the_shorter_counts(self) -> None:
        edges = [causes("a", "b"), causes("b", "c"), causes("c", "d"), causes("a", "c"), causes("b", "d")]
        found = values([A, B, C, D, said("n", 9)], [*edges, replaces("n", "a")])
        assert (found["b"], found["c"], found["d"]) == (1 / 2, 1 / 2, 3 / 4)

    def test_causes_may_run_in_a_circle(self) -> None:
        edges = [causes("a", "b"), causes("b", "c"), causes("c", "a"), causes("b", "b")]
        found = values([A, B, C, said("n", 9)], [*edges, replaces("n", "a")])
        assert [found[e] for e in "abc"] == [0, 1 / 2, 3 / 4]

    def test_an_event_that_is_out_is_not_also_in_doubt(self) -> None:
        edges = [causes("a", "b"), replaces("n", "a"), replaces("m", "b")]
        timeline = evaluate([A, B, said("n", 5), said("m", 7)], edges)["b"]
        assert timeline.doubt == (Doubt(day(5), day(7), 1),)

    def test_what_was_replaced_by_something_withdrawn_gives_no_doubt(self) -> None:
        events = [A, said("b", 1.5), said("n", 5), said("w", 5)]
        assert evaluate(events, [causes("a", "b"), replaces("n", "a"), withdraws("w", "n")])["b"].doubt == ()


@settings(
    max_examples=int(os.environ.get("STET_HISTORIES", "200")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(histories)
def test_the_algebra_gives_what_the_equations_give_at_every_moment(history: History) -> None:
    graph = MemoryGraph()
    graph.apply(history.facts())
    events, edges = graph.events(), graph.edges()
    timelines = evaluate(events, edges)
    assert timelines.keys() <= set(NAMES)
    for at in (day(half / 2) for half in range(-4, 26)):
        expected = hops_at(events, edges, at)
        for event, timeline in timelines.items():
            out, hops = expected[event]
            assert timeline.standing(at) == (timeline.valid_from <= at and not out)
            assert timeline.value(at) == (0 if out else 1 if hops is None else 1 - 0.5**hops)


def test_no_event_and_no_edge_is_an_empty_answer() -> None:
    assert evaluate([], [replaces("b", "a")]) == {}


def test_the_timeline_of_a_plain_event_is_bare() -> None:
    timeline = evaluate([A], [])["a"]
    assert (timeline.void, timeline.out, timeline.doubt) == ((), (), ())
    assert timeline.holds() == (Span(day(1), None),)


@pytest.mark.parametrize(("at", "stands"), [(0.9, False), (1, True), (1.9, True), (2, False)])
def test_bounds_belong_to_what_begins(at: float, stands: bool) -> None:
    assert evaluate([A, B], [replaces("b", "a")])["a"].standing(day(at)) is stands
