"""Which pairs a model is asked about, and which edges come of its answers."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statements import at, said

from operators.distill.interface import Link
from operators.llm.instead import RULES_INSTEAD
from operators.llm.refusal import Refusal
from operators.relate.answer import RelateAnswer
from operators.relate.llm import ALIKE, SUPPORT, Pair, edges, pair_key, pairs_of, per_pair, relate_ask
from operators.relate.rules import RULES
from state.model import Act, Edge, EdgeType, Event, EventType, Occurs, Precision, UpdateMode

R = Refusal
OLD = said(1, "Nadia", "eggs", "quantity", "12 eggs")
NEW = said(2, "Nadia", "eggs", "quantity", "18 eggs", Act.CHANGE)
REPLACES = {"type": "updates", "mode": "replaces", "confidence": 0.9, "reason": "another number"}


OTHER = st.text().filter(lambda text: text not in (RULES_INSTEAD, '{"type":"none"}'))


def judged(event: Event, earlier: Event, **told: Any) -> tuple[list[Edge], list[str]]:
    """The edges of `event` where a model says `told` of the pair, and the refusals."""
    refused: list[str] = []
    text = json.dumps({**REPLACES, **told})
    made = edges(event, [earlier], {pair_key("m", event, earlier): text}, (), refused.append, model="m")
    return list(made), refused


def why(event: Event, earlier: Event, **told: Any) -> list[str]:
    made, refused = judged(event, earlier, **told)
    assert [edge for edge in made if edge.type is not EdgeType.TEMPORAL_BEFORE] == []
    return refused


def day(number: int) -> Occurs:
    start = at(0) + timedelta(days=number)
    return Occurs(f"day {number}", Precision.DAY, start, start + timedelta(days=1))


class TestThePairs:
    def test_are_those_that_an_update_could_be_admitted_to_and_the_last_few(self) -> None:
        others = [said(n, "Nadia", f"thing {n}", "colour", "red") for n in range(2, 20)]
        asked = [pair.earlier for pair in pairs_of(replace(NEW, place="3"), [*others, OLD])]
        assert asked == [*reversed(others[-SUPPORT:]), OLD]

    def test_are_bounded(self) -> None:
        many = [said(n, "Nadia", "eggs", "quantity", f"{n} eggs") for n in range(2, 60)]
        event = said(99, "Nadia", "eggs", "quantity", "1 egg", conversation="d")
        assert len(pairs_of(event, many)) == ALIKE

    def test_do_not_depend_on_the_order_of_the_candidates(self) -> None:
        many = [said(n, "Nadia", "eggs", "quantity", f"{n} eggs") for n in range(2, 9)]
        event = said(9, "Nadia", "eggs", "quantity", "1 egg")
        assert pairs_of(event, many) == pairs_of(event, many[::-1])

    def test_hold_nothing_that_was_said_later(self) -> None:
        assert pairs_of(OLD, [NEW]) == ()


class TestTheKey:
    def test_is_of_what_is_shown_of_both(self) -> None:
        others = [
            replace(OLD, act=Act.ADD),
            replace(OLD, many=True),
            replace(OLD, occurs=day(1)),
            replace(OLD, facet=None),
            replace(OLD, description="Nadia: a dozen eggs"),
        ]
        keys = {pair_key("m", NEW, other) for other in (OLD, *others)}
        keys |= {pair_key("m", OLD, NEW), pair_key("n", NEW, OLD)}
        assert len(keys) == 8
        assert pair_key("m", NEW, OLD) == pair_key("m", replace(NEW), replace(OLD))


class TestTheQuestion:
    def test_shows_each_statement_once_and_which_to_compare(self) -> None:
        third = said(3, "Nadia", "eggs", "quantity", "6 eggs", Act.CHANGE)
        content = relate_ask([Pair(third, NEW), Pair(third, OLD), Pair(NEW, OLD)]).content
        shown = [json.loads(line) for line in content.splitlines() if line.startswith("{")]
        assert [(r["s"], r["about"][2]) for r in shown if "s" in r] == [
            ("s1", "12 eggs"),
            ("s2", "18 eggs"),
            ("s3", "6 eggs"),
        ]
        assert [r for r in shown if "s" not in r] == [
            {"later": "s3", "earlier": ["s2", "s1"]},
            {"later": "s2", "earlier": ["s1"]},
        ]
        assert OLD.id not in content


class TestTheAnswer:
    def cut(self, *pairs: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
        refused: list[str] = []
        answer = RelateAnswer.model_validate({"pairs": [{"source": "later", **REPLACES, **p} for p in pairs]})
        return per_pair("m", answer, [Pair(NEW, OLD)], refused.append), refused

    def test_becomes_one_text_a_pair(self) -> None:
        texts, refused = self.cut({"later": "s2", "earlier": "s1"})
        assert json.loads(texts[pair_key("m", NEW, OLD)]) == REPLACES
        assert refused == []

    def test_that_leaves_a_pair_out_says_that_it_has_no_relation(self) -> None:
        assert self.cut() == ({pair_key("m", NEW, OLD): '{"type":"none"}'}, [])

    @pytest.mark.parametrize(
        ("later", "earlier", "reason"),
        [("s1", "s2", R.AGAINST_ORDER), ("s2", "s2", R.UNASKED), ("s9", "s1", R.UNASKED)],
    )
    def test_makes_nothing_outside_the_pairs(self, later: str, earlier: str, reason: Refusal) -> None:
        texts, refused = self.cut({"later": later, "earlier": earlier})
        assert list(texts.values()) == ['{"type":"none"}']
        assert refused == [reason]

    def test_counts_once_for_a_pair(self) -> None:
        pair = {"later": "s2", "earlier": "s1"}
        texts, refused = self.cut(pair, {**pair, "type": "causes", "mode": None})
        assert json.loads(texts[pair_key("m", NEW, OLD)])["type"] == "updates"
        assert refused == [R.REPEATED]


class TestAnEdge:
    def test_replaces_what_another_value_of_the_attribute_said(self) -> None:
        (edge,), refused = judged(NEW, OLD)
        assert (edge.type, edge.mode) == (EdgeType.UPDATES, UpdateMode.REPLACES)
        assert (edge.source, edge.target, edge.owner) == (NEW.id, OLD.id, NEW.id)
        assert (edge.confidence, edge.reason) == (0.9, "another number")
        assert refused == []

    def test_withdraws_what_is_taken_back(self) -> None:
        (edge,), _ = judged(said(2, "Nadia", "eggs", "", "", Act.WITHDRAW), OLD, mode="withdraws")
        assert edge.mode is UpdateMode.WITHDRAWS

    def test_withdraws_what_was_put_on_a_list_by_that_name(self) -> None:
        milk = said(1, "Nadia", "shopping list", "item", "milk", Act.ADD, many=True)
        off = said(2, "Nadia", "milk", "", "", Act.REMOVE)
        (edge,), refused = judged(off, milk, mode="withdraws")
        assert (edge.mode, refused) == (UpdateMode.WITHDRAWS, [])

    def test_between_parties_that_disagree_is_stored_one_way_round(self) -> None:
        for event in (
            said(2, "Shop", "eggs", "quantity", "18 eggs"),
            said(3, "Shop", "egg", "quantity", "6"),
        ):
            (edge,), _ = judged(event, OLD, type="contradicts", mode=None)
            assert (edge.source, edge.target) == tuple(sorted((event.id, OLD.id)))
            assert (edge.mode, edge.owner) == (None, event.id)

    @pytest.mark.parametrize("source", ["later", "earlier"])
    @pytest.mark.parametrize("kind", ["causes", "enables", "prevents"])
    def test_of_support_may_lead_either_way(self, kind: str, source: str) -> None:
        event = said(2, "Nadia", "kitchen", "state", "closed")
        (edge,), _ = judged(event, OLD, type=kind, source=source, mode=None)
        ends = (event.id, OLD.id) if source == "later" else (OLD.id, event.id)
        assert (edge.type, (edge.source, edge.target), edge.owner) == (EdgeType(kind), ends, event.id)

    def test_is_not_made_of_a_pair_that_has_no_answer(self) -> None:
        assert edges(NEW, [OLD], {}, (), model="m") == ()

    def test_of_the_text_and_of_the_dates_needs_no_answer(self) -> None:
        cause = said(1, "Nadia", "oven", "state", "broken", occurs=day(1))
        event = said(2, "Nadia", "cake", "date", "Sunday", occurs=day(3), kind=EventType.PLAN)
        link = Link(EdgeType.CAUSES, cause.id, event.id, 0.9, "so")
        made = edges(event, [cause], {}, [link], model="m")
        assert {edge.type for edge in made} == {EdgeType.CAUSES, EdgeType.TEMPORAL_BEFORE}

    def test_is_the_rules_where_no_model_answered(self) -> None:
        answers = {pair_key("m", NEW, OLD): RULES_INSTEAD}
        assert edges(NEW, [OLD], answers, (), model="m") == RULES.relate(NEW, [OLD], ())


class TestAnUpdateIsRefused:
    def test_where_it_leads_forward(self) -> None:
        assert why(NEW, OLD, source="earlier") == [R.AGAINST_ORDER]

    @pytest.mark.parametrize("confidence", [0.0, 0.49, 1.01, -1.0, 1e308])
    def test_where_the_model_is_not_sure(self, confidence: float) -> None:
        assert why(NEW, OLD, confidence=confidence) == [R.LOW_CONFIDENCE]

    def test_where_it_has_no_mode_or_the_wrong_one(self) -> None:
        assert why(NEW, OLD, mode=None) == [R.WRONG_MODE]
        assert why(NEW, OLD, mode="withdraws") == [R.WRONG_MODE]
        assert why(said(2, "Nadia", "eggs", "quantity", "", Act.WITHDRAW), OLD) == [R.WRONG_MODE]

    def test_where_nothing_is_said_of_an_attribute(self) -> None:
        assert why(replace(NEW, facet=None), OLD) == [R.NO_FACET]

    @pytest.mark.parametrize(
        ("thing", "attribute", "reason"),
        [
            ("soy milk", "quantity", R.OTHER_THING),
            ("Nadia's mother", "quantity", R.OTHER_THING),
            ("eggs", "price", R.OTHER_ATTRIBUTE),
            ("", "", R.UNNAMED),
        ],
    )
    def test_where_it_is_about_something_else(self, thing: str, attribute: str, reason: Refusal) -> None:
        assert why(said(2, "Nadia", thing, attribute, "18", Act.CHANGE), OLD) == [reason]

    def test_where_what_it_does_not_name_is_not_at_hand(self) -> None:
        unnamed = said(2, "Nadia", "", "quantity", "18 eggs", Act.CHANGE)
        assert judged(unnamed, OLD)[1] == []
        assert why(replace(unnamed, conversation="d"), OLD) == []  # and so it is not asked about
        assert why(replace(unnamed, stated_at=at(60 * 48)), OLD) == [R.UNNAMED]

    def test_where_the_same_is_said_again(self) -> None:
        assert why(said(2, "Nadia", "eggs", "quantity", "a dozen: 12 eggs"), OLD) == [R.SAME_VALUE]

    def test_where_several_values_stand_side_by_side(self) -> None:
        tea = said(1, "Nadia", "Nadia", "hobby", "chess", many=True)
        assert why(said(2, "Nadia", "Nadia", "hobby", "rowing", many=True), tea) == [R.COEXISTS]
        assert why(said(2, "Nadia", "eggs", "quantity", "18 eggs", Act.ADD), OLD) == [R.COEXISTS]
        other = said(2, "Nadia", "Nadia", "hobby", "rowing", Act.REMOVE)
        assert why(other, tea, mode="withdraws") == [R.COEXISTS]

    def test_where_it_says_what_else_somebody_is(self) -> None:
        nurse = said(1, "Nadia", "Nadia", "state", "a nurse")
        assert why(said(2, "Nadia", "Nadia", "state", "tired"), nurse) == [R.COEXISTS]
        assert judged(said(2, "Nadia", "Nadia", "state", "retired", Act.CHANGE), nurse)[1] == []

    def test_where_another_party_merely_says_otherwise(self) -> None:
        says = said(2, "Shop", "eggs", "quantity", "18 eggs")
        assert why(says, OLD) == [R.DISPUTE]
        assert judged(replace(says, act=Act.CHANGE), OLD)[1] == []
        assert judged(replace(says, type=EventType.PLAN), OLD)[1] == []
        nap = said(1, "Ana", "Juno", "nap", "after lunch")
        denial = said(2, "Ben", "Juno", "nap", "not after lunch")
        assert why(denial, nap, mode="withdraws") == [R.DISPUTE]
        own = said(2, "Ana", "Juno", "nap", "not after lunch")
        assert judged(own, nap, mode="withdraws")[1] == []

    def test_where_the_values_are_of_two_kinds(self) -> None:
        place = said(1, "Nadia", "party", "place", "the garden")
        assert why(said(2, "Nadia", "party", "place", "€40"), place) == [R.OTHER_KIND]

    def test_where_each_holds_in_its_own_period(self) -> None:
        before = said(1, "Nadia", "Nadia", "city", "Rome", occurs=day(-900))
        assert why(said(2, "Nadia", "Nadia", "city", "Bern", occurs=day(-300)), before) == [R.OTHER_PERIOD]

    def test_where_one_message_says_both(self) -> None:
        first = said(2, "Nadia", "eggs", "quantity", "12 eggs")
        assert why(said(2, "Nadia", "eggs", "quantity", "6 eggs", clause=1), first) == [R.SAME_MESSAGE]
        assert judged(said(2, "Nadia", "eggs", "quantity", "6", Act.CHANGE, clause=1), first)[1] == []


class TestAContradictionIsRefused:
    def why(self, event: Event, earlier: Event) -> list[str]:
        return why(event, earlier, type="contradicts", mode=None)

    def test_where_the_two_are_of_different_things(self) -> None:
        assert self.why(said(2, "Shop", "eggs", "price", "18"), OLD) == [R.OTHER_ATTRIBUTE]

    def test_where_one_has_no_value(self) -> None:
        assert self.why(said(2, "Shop", "eggs", "quantity", "", Act.WITHDRAW), OLD) == [R.WRONG_MODE]

    def test_where_both_say_the_same(self) -> None:
        assert self.why(said(2, "Shop", "eggs", "quantity", "12"), OLD) == [R.SAME_VALUE]

    def test_where_both_can_be_so(self) -> None:
        chess = said(1, "Nadia", "Nadia", "hobby", "chess", many=True)
        assert self.why(said(2, "Shop", "Nadia", "hobby", "rowing"), chess) == [R.COEXISTS]

    def test_where_the_values_are_of_two_kinds(self) -> None:
        place = said(1, "Nadia", "party", "place", "the garden")
        assert self.why(said(2, "Shop", "party", "place", "€40"), place) == [R.OTHER_KIND]

    def test_where_each_holds_in_its_own_period(self) -> None:
        before = said(1, "Nadia", "Nadia", "city", "Rome", occurs=day(-900))
        assert self.why(said(2, "Otto", "Nadia", "city", "Bern", occurs=day(-300)), before) == [
            R.OTHER_PERIOD
        ]


class TestSupportIsRefused:
    def test_where_the_reason_happens_when_its_effect_is_over(self) -> None:
        early = said(1, "Nadia", "party", "date", "day 1", occurs=day(1))
        late = said(2, "Nadia", "oven", "state", "broken", occurs=day(5))
        assert why(late, early, type="causes", mode=None) == [R.AGAINST_DATES]
        assert judged(late, early, type="causes", mode=None, source="earlier")[1] == []

    def test_where_the_two_have_nobody_in_common(self) -> None:
        stranger = said(2, "Otto", "oven", "state", "broken")
        assert why(stranger, OLD, type="causes", mode=None) == [R.OTHER_COMPANY]


def test_no_relation_makes_no_edge_however_sure_the_model_is() -> None:
    assert why(NEW, OLD, type="none") == []


@pytest.mark.parametrize("kind", ["temporal_before", "supersedes", ""])
def test_a_relation_that_is_none_is_refused(kind: str) -> None:
    assert why(NEW, OLD, type=kind) == [R.UNREADABLE]


@given(OTHER | st.sampled_from(["{}", "null", '{"type":"updates"}', '{"type":"none","more":1}']))
def test_a_remembered_text_of_another_form_makes_no_edge(text: str) -> None:
    refused: list[str] = []
    answers = {pair_key("m", NEW, OLD): text}
    assert edges(NEW, [OLD], answers, (), refused.append, model="m") == ()
    assert len(refused) == 1
