"""Which events of a model's answer are taken over, and as what."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stand_in import distill_reply
from operators import gate
from operators.derive import distil_turn
from operators.distill.answer import TurnTold
from operators.distill.interface import TOLD_IN
from operators.distill.llm import AskedTurn, distill_ask, distilled, per_turn
from operators.distill.rules import MAX_EVENTS, RULES
from operators.llm.refusal import Refusal
from state.model import Act, EdgeType, EventType, Facet, Precision
from tests.operators.distill.conversation import messages
from tests.operators.distill.tellings import CONTEXT, TALK, TURN, WALNUT, only, taken, told, why

R = Refusal


class TestAnEvent:
    def test_is_what_the_rules_would_make_of_the_words(self) -> None:
        event = only()
        assert event.facet == Facet("desk", "colour", "walnut")
        assert (event.type, event.act, event.many) == (EventType.PLAN, Act.CHANGE, False)
        assert event.description == "Maya: make it walnut"
        assert event.sources == (TURN.id,)
        assert (event.stated_at, event.valid_from) == (TURN.sent_at, TURN.sent_at)
        assert event.participants == ("Maya", "Shop")
        assert (event.speaker, event.role, event.conversation) == (TURN.speaker, TURN.role, TURN.conversation)
        assert "f:desk:colour" in gate.keys(event)

    def test_comes_in_the_order_in_which_it_is_told(self) -> None:
        events, _ = taken(told(), told(quote="oak scratches", thing="oak", attribute="", value="scratches"))
        assert [e.place for e in events] == sorted(e.place for e in events)

    def test_rests_on_the_messages_that_it_cites_and_on_its_own(self) -> None:
        event = only(
            quote="that works", act="adopt", attribute="delivery time", value="10:00", also=[TALK[1].id]
        )
        assert event.sources == (TALK[1].id, TURN.id)
        assert event.description == "Maya: that works (desk · delivery time: 10:00)"

    @pytest.mark.parametrize(
        ("thing", "entity"), [("I", "Maya"), ("my sister", "Maya's sister"), ("you", "Shop"), ("it", "")]
    )
    def test_is_about_somebody_by_name(self, thing: str, entity: str) -> None:
        assert only(thing=thing).facet == Facet(entity, "colour", "walnut")

    def test_needs_no_facet(self) -> None:
        assert only(thing="", attribute="", value="").facet is None

    def test_that_withdraws_needs_no_value(self) -> None:
        assert only(act="withdraw", value="cancelled").facet == Facet("desk", "colour", "")

    def test_is_told_apart_from_another_of_the_same_words(self) -> None:
        events, refused = taken(told(), told(attribute="wood"))
        assert len({event.id for event in events}) == 2
        assert refused == []

    def test_in_chinese_is_no_different(self) -> None:
        (turn,) = messages("小雨: 书房改到二楼，因为一楼太潮。")
        (event,), _ = taken(
            told(quote="书房改到二楼", thing="书房", attribute="位置", value="二楼"), turn=turn, context=[]
        )
        assert event.facet == Facet("书房", "位置", "二楼")


class TestIsRefused:
    def test_what_the_turn_does_not_say(self) -> None:
        assert why(quote="make it birch", value="") == [R.UNSAID]
        assert why(quote="Please send the desk to 14 Harbour Street") == [R.UNSAID]  # another message does
        assert why(quote=" … ") == [R.UNSAID]
        assert why(quote="\x00\n") == [R.NOTHING]

    def test_a_value_that_no_message_gives(self) -> None:
        assert why(value="mahogany") == [R.UNSAID_VALUE]
        assert why(value="14 Harbour Street") == [R.UNSAID_VALUE]  # not without citing the message that does

    @pytest.mark.parametrize("cited", ["", "c/99", "e1"])
    def test_a_message_outside_the_context(self, cited: str) -> None:
        assert why(also=[cited]) == [R.CITES_OUTSIDE]

    def test_thanks_and_questions(self) -> None:
        turn = messages("Maya: Thanks a lot! When will it come?")[0]
        for quote, reason in (("Thanks a lot!", R.SOCIAL), ("When will it come?", R.QUESTION)):
            assert taken(told(quote=quote, value=""), turn=turn, context=[]) == ([], [reason])

    def test_the_same_again(self) -> None:
        events, refused = taken(told(), told())
        assert (len(events), refused) == (1, [R.REPEATED])

    def test_more_than_a_message_may_say(self) -> None:
        events, refused = taken(*(told(attribute=f"colour {n}") for n in range(MAX_EVENTS + 2)))
        assert (len(events), refused) == (MAX_EVENTS, [R.TOO_MANY] * 2)


class TestAQuote:
    @pytest.mark.parametrize(
        "quote",
        [
            "MAKE IT  WALNUT",
            "“make it walnut”",
            "Yes … make it walnut",
            "Yes, that works. Please make it walnut",
        ],
    )
    def test_may_differ_in_case_and_marks_and_leave_something_out(self, quote: str) -> None:
        assert taken(told(quote=quote))[1] == []

    @pytest.mark.parametrize("quote", ["it walnut make", "make it wal", "walnut … Yes", "make it walnut now"])
    def test_may_not_differ_in_its_words(self, quote: str) -> None:
        assert why(quote=quote) == [R.UNSAID]


class TestAValue:
    @pytest.mark.parametrize(
        ("line", "value"),
        [
            ("We will be eight at table.", "8"),
            ("It costs €1,200.", "1200 euros"),
            ("Come at 3 pm.", "15:00"),
            ("They aren't allowed in.", "not allowed"),
            ("一共要三箱", "3箱"),
        ],
    )
    def test_may_be_written_otherwise(self, line: str, value: str) -> None:
        (turn,) = messages(f"Maya: {line}")
        assert taken(told(quote=line, value=value), turn=turn, context=[])[1] == []

    @pytest.mark.parametrize(
        ("line", "value"),
        [("We will be eight.", "9"), ("Come at 3 pm.", "13:00"), ("They are allowed in.", "not allowed")],
    )
    def test_may_not_be_another(self, line: str, value: str) -> None:
        (turn,) = messages(f"Maya: {line}")
        assert taken(told(quote=line, value=value), turn=turn, context=[]) == ([], [R.UNSAID_VALUE])


class TestALink:
    def linked(self, *links: dict[str, str]) -> tuple[Any, list[str]]:
        refused: list[str] = []
        turn = TurnTold.model_validate(
            {
                "turn": TURN.id,
                "events": [
                    {**WALNUT, "value": "walnut"},
                    {**WALNUT, "quote": "oak scratches", "thing": "oak", "attribute": "", "act": "state"},
                ],
                "links": [{"type": "causes", **link} for link in links],
            }
        )
        return distilled(turn.model_dump_json(), TURN, CONTEXT, refused.append), refused

    def test_that_the_text_states_is_surer_than_one_that_follows_from_it(self) -> None:
        stated, _ = self.linked({"reason": "e2", "result": "e1", "words": "because"})
        implied, _ = self.linked({"reason": "e2", "result": "e1", "words": "therefore"})
        change, reason = stated.events
        assert [(x.type, x.source, x.target) for x in stated.links] == [
            (EdgeType.CAUSES, reason.id, change.id)
        ]
        assert stated.links[0].confidence > implied.links[0].confidence

    def test_may_come_from_an_earlier_message(self) -> None:
        made, refused = self.linked({"reason": f"{TOLD_IN}{TALK[1].id}", "result": "e1"})
        assert [x.source for x in made.links] == [f"{TOLD_IN}{TALK[1].id}"]
        assert refused == []

    @pytest.mark.parametrize(
        ("reason", "result"),
        [
            ("e1", "e1"),
            ("e1", "e3"),
            ("e0", "e1"),
            ("told-in:c/99", "e1"),
            ("e1", f"{TOLD_IN}c/1"),
            ("", "e1"),
        ],
    )
    def test_has_two_ends_that_are_there(self, reason: str, result: str) -> None:
        made, refused = self.linked({"reason": reason, "result": result})
        assert made.links == ()
        assert refused == [R.LOOSE_END]

    def test_counts_once(self) -> None:
        made, refused = self.linked(*[{"reason": "e2", "result": "e1"}] * 2)
        assert (len(made.links), refused) == (1, [R.REPEATED])


@given(
    quote=st.text(max_size=40) | st.sampled_from(["make it walnut", "oak scratches"]),
    thing=st.text(max_size=300),
    value=st.text(max_size=20) | st.just("walnut"),
    act=st.sampled_from([act.value for act in Act]),
    also=st.lists(st.sampled_from([TALK[0].id, TALK[1].id, TURN.id]), max_size=3),
    words=st.text(max_size=20) | st.sampled_from(["soon", "Thursday 5 February"]),
    start=st.none() | st.text(max_size=20) | st.just("2026-02-05"),
)
def test_whatever_is_told_no_event_stands_on_more_than_its_messages(
    quote: str, thing: str, value: str, act: str, also: list[str], words: str, start: str | None
) -> None:
    time = {"words": words, "precision": "day", "start": start, "end": start}
    events, _ = taken(told(quote=quote, thing=thing, value=value, act=act, also=also, when=time, since=words))
    for event in events:
        assert event.sources[-1] == TURN.id
        assert set(event.sources) <= {m.id for m in TALK}
        assert list(event.sources) == [m.id for m in TALK if m.id in event.sources]
        assert (
            event.occurs is None
            or event.occurs.precision is not Precision.VAGUE
            or event.occurs.start is None
        )
        assert (
            all(len(part) <= 120 for part in (event.facet.entity, event.facet.value)) if event.facet else True
        )


@pytest.mark.parametrize(
    "lines",
    [
        (
            "Nadia: Please order 12 eggs and two litres of milk for Friday.",
            "*Shop: Certainly. Delivery is on Friday 16 January at 9:00. Shall I book it?",
            "Nadia: Yes please. Make it 18 eggs, because my brother is coming.",
            "Nadia: My new address is 3 Mill Lane.",
        ),
        (
            "小雨: 我想订一张书桌，颜色要白色。",
            "*店员: 好的，价格是420元。",
            "小雨: 颜色改成蓝色吧，因为白色不耐脏。",
        ),
    ],
)
def test_what_the_rules_read_is_taken_over_as_it_is_when_a_model_tells_it(lines: tuple[str, ...]) -> None:
    talk = messages(*lines)
    turns = [AskedTurn(turn, tuple(talk[:at])) for at, turn in enumerate(talk)]
    refused: list[str] = []
    texts = per_turn(distill_reply(distill_ask(turns).content), turns, refused.append)
    for at, turn in enumerate(talk):
        read = distil_turn(RULES, talk, at).events
        events = distilled(texts[turn.id], turn, talk[:at], refused.append).events
        assert [(e.facet, e.act, e.sources, e.occurs) for e in events] == [
            (e.facet, e.act, e.sources, e.occurs) for e in read
        ]
        assert list(map(gate.keys, events)) == list(map(gate.keys, read))
    assert refused == []
