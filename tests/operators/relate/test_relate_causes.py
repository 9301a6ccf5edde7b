"""What a stated reason gives, to the statement beside it and to earlier ones of the same fact."""

from statements import edges, said

from operators.distill.interface import TOLD_IN, Link
from state.model import Act, EdgeType, Event


def causal(event: Event, earlier: list[Event], links: list[Link]) -> set[tuple[EdgeType, str, str]]:
    found = [e for e in edges(event, earlier, links) if e.type is not EdgeType.UPDATES]
    assert all(e.owner == event.id for e in found)
    return {(e.type, e.source, e.target) for e in found}


def because(reason: Event, result: Event, kind: EdgeType = EdgeType.CAUSES) -> Link:
    return Link(kind, reason.id, result.id, 0.9, "because")


def test_the_later_end_of_a_link_owns_its_edge():
    reason = said(1, "Lin", "line 4", "service", "closed")
    result = said(1, "Lin", "Lin", "workplace", "home", clause=1)
    link = because(reason, result)
    assert causal(result, [reason], [link]) == {(EdgeType.CAUSES, reason.id, result.id)}
    assert causal(reason, [], [link]) == set()


def test_a_reason_that_comes_after_its_result_owns_the_edge():
    result = said(1, "Lin", "Lin", "workplace", "home")
    reason = said(1, "Lin", "line 4", "service", "closed", clause=1)
    assert causal(reason, [result], [because(reason, result)]) == {(EdgeType.CAUSES, reason.id, result.id)}


def test_an_earlier_statement_of_the_reason_gets_the_edge_too():
    told = said(1, "Lin", "line 4", "service", "closed")
    other = said(1, "Lin", "line 7", "service", "closed", clause=1)
    reason = said(3, "Lin", "line 4", "service", "closed")
    result = said(3, "Lin", "Lin", "workplace", "home", clause=1)
    assert causal(reason, [told, other], [because(reason, result)]) == {(EdgeType.CAUSES, told.id, result.id)}


def test_an_earlier_statement_of_another_value_is_not_the_reason():
    told = said(1, "Lin", "line 4", "service", "running")
    reason = said(3, "Lin", "line 4", "service", "closed")
    result = said(3, "Lin", "Lin", "workplace", "home", clause=1)
    assert causal(reason, [told], [because(reason, result)]) == set()


def test_a_reason_in_nearly_the_same_words_is_the_same_reason():
    told = said(1, "宋怡", "宋怡", "公司", "晴川软件", description="我在长沙的晴川软件上班")
    reason = said(3, "宋怡", "", "", "", description="在晴川软件上班")
    result = said(3, "宋怡", "宋怡", "通勤", "班车", clause=1, description="我坐班车")
    assert causal(reason, [told], [because(reason, result)]) == {(EdgeType.CAUSES, told.id, result.id)}


def test_what_makes_a_value_give_way_prevents_it():
    old = said(1, "Petra", "reception", "venue", "Linden Court")
    reason = said(3, "Petra", "Linden Court", "condition", "flooded")
    result = said(3, "Petra", "reception", "venue", "the barn", Act.CHANGE, clause=1)
    link = because(reason, result)
    assert causal(result, [old, reason], [link]) == {
        (EdgeType.CAUSES, reason.id, result.id),
        (EdgeType.PREVENTS, reason.id, old.id),
    }


def test_an_amount_is_no_obstacle_to_another_amount():
    old = said(1, "Nira", "account", "balance", "12,400 points")
    reason = said(3, "Nira", "points", "quantity", "2,600 points")
    result = said(3, "Nira", "account", "balance", "15,000 points", Act.CHANGE, clause=1)
    link = because(reason, result)
    assert causal(result, [old, reason], [link]) == {(EdgeType.CAUSES, reason.id, result.id)}


def test_a_back_reference_means_the_last_thing_that_its_message_states():
    first = said(1, "Lin", "line 4", "service", "closed")
    last = said(1, "Lin", "line 7", "service", "crowded", clause=1)
    older = said(0, "Lin", "line 9", "service", "late")
    result = said(2, "Lin", "Lin", "workplace", "home")
    link = Link(EdgeType.CAUSES, f"{TOLD_IN}m1", result.id, 0.9, "that's why")
    assert causal(result, [older, first, last], [link]) == {(EdgeType.CAUSES, last.id, result.id)}


def test_a_back_reference_to_a_message_that_states_nothing_means_nothing():
    older = said(0, "Lin", "line 9", "service", "late")
    result = said(2, "Lin", "Lin", "workplace", "home")
    link = Link(EdgeType.CAUSES, f"{TOLD_IN}m1", result.id, 0.9, "that's why")
    assert causal(result, [older], [link]) == set()
