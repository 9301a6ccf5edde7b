"""How two searches become one order, and what the question's words do to it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from query_service.plan import make_plan
from query_service.ranking import dense_share, fuse, later_first, rank, restatements, with_places
from state.graph import Around
from state.model import Message, Role, Subject
from state.notes import Hit
from tests.query_service.worlds import NOW, day

SUBJECT = Subject("shop", "s")


def said(name: str, text: str, on: float = 0, speaker: str = "Ada", role: Role = Role.USER) -> Message:
    return Message(SUBJECT, "c", name, role, speaker, text, day(on))


def hits(draw_from: list[tuple[str, float]]) -> list[Hit]:
    return sorted((Hit(n, s) for n, s in draw_from), key=lambda h: (-h.score, h.message))


found = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.floats(-1, 30, allow_nan=False)),
    max_size=8,
    unique_by=lambda p: p[0],
).map(hits)


@given(found, found)
def test_fusion_is_the_union_in_order_within_zero_and_one(dense: list[Hit], lexical: list[Hit]) -> None:
    fused = fuse(dense, lexical)
    assert sorted(h.message for h in fused) == sorted({h.message for h in (*dense, *lexical)})
    assert fused == sorted(fused, key=lambda h: (-h.score, h.message))
    assert all(0 <= h.score <= 1.000001 for h in fused)


def test_what_is_best_in_both_searches_is_best() -> None:
    fused = fuse([Hit("a", 0.8), Hit("b", 0.5)], [Hit("a", 9.0), Hit("c", 8.0)])
    assert fused[0] == Hit("a", 1.0)


def order(question: str, *messages: Message, scores: tuple[float, ...] = (), **around: Around) -> list[str]:
    held = {m.id: m for m in messages}
    given_scores = scores or tuple(1.0 for _ in messages)
    fused = [Hit(m.id, s) for m, s in zip(messages, given_scores, strict=True) if s > 0]
    return [h.message for h in rank(fused, around, held, question, make_plan(question, NOW))]


def test_a_person_whom_the_question_names_speaks_first() -> None:
    assert order("Where does Bo live?", said("a", "here", 0, "Ada"), said("b", "there", 1, "Bo")) == [
        "b",
        "a",
    ]
    assert order("小明住哪里？", said("a", "这里", 0, "小红"), said("b", "那里", 1, "小明")) == ["b", "a"]


def test_a_name_within_another_word_names_nobody() -> None:
    messages = (said("a", "here", 0, "Ada"), said("b", "there", 1, "Bo"))
    assert order("Where is the boat?", *messages) == ["a", "b"]


def test_my_words_before_the_assistants_and_the_other_way_round() -> None:
    mine = said("a", "x", 1)
    theirs = said("b", "x", 0, "Assistant", Role.ASSISTANT)
    assert order("What is my budget?", mine, theirs) == ["a", "b"]
    assert order("What did you recommend?", mine, theirs) == ["b", "a"]


def test_messages_near_a_named_day_come_first() -> None:
    question = "What happened on 11 January 2026?"
    assert order(question, said("a", "x", 2), said("b", "x", 10.2)) == ["b", "a"]


def beside(before: tuple[str, ...] = (), after: tuple[str, ...] = ()) -> Around:
    return Around("session", None, before, after)


def test_the_reply_to_a_question_comes_in_beside_it() -> None:
    asked, reply = said("a", "Where do you live?", 0), said("b", "In Porto.", 0.01, "Bo")
    found = order("Where does she live?", asked, reply, scores=(1.0, 0.0), a=beside(after=("b",)))
    assert found == ["a", "b"]


@pytest.mark.parametrize(
    ("question", "hit", "next_turn", "far_turn"),
    [
        (
            "Who sang at the fair?",
            "The fair was great!",
            "Rita Moon, she is so good",
            "Rita Sun, she is so bad",
        ),
        ("庙会上谁唱的歌？", "庙会真热闹！", "是李月，唱得真好", "是王阳，唱得真差"),
    ],
)
def test_a_turn_beside_a_hit_comes_above_one_as_like_elsewhere(
    question: str, hit: str, next_turn: str, far_turn: str
) -> None:
    turns = (said("far", far_turn, 0), said("hit", hit, 1), said("next", next_turn, 1.01, "Bo"))
    found = order(question, *turns, scores=(0.2, 1.0, 0.2), hit=beside(("before",), ("next",)))
    assert found == ["hit", "next", "far"]


def test_a_turn_near_a_hit_that_no_search_found_comes_in_only_from_two_turns_away() -> None:
    turns = [said(name, "we had fun", at / 100) for at, name in enumerate("abcd")]
    found = order("Where was the fun?", *turns, scores=(1.0, 0, 0, 0), a=beside(after=("b", "c", "d")))
    assert found == ["a", "b", "c"]


def test_beside_an_assistant_the_turns_around_a_hit_gain_nothing() -> None:
    mine = said("a", "the oak desk", 0)
    answer = said("b", "a long answer", 0.01, "Assistant", Role.ASSISTANT)
    assert order("Which desk?", mine, answer, scores=(1.0, 0.0), a=beside(after=("b",))) == ["a"]


def test_a_person_comes_above_an_assistant_who_says_the_same() -> None:
    theirs = said("a", "the oak desk", 0, "Assistant", Role.ASSISTANT)
    assert order("Which desk?", theirs, said("b", "the oak desk", 1)) == ["b", "a"]


def test_of_two_as_like_the_one_that_tells_more_comes_first() -> None:
    short, long = said("a", "a fair", 0), said("b", "at the fair we saw two bands and ate plum cake", 1)
    assert order("What about the fair?", short, long) == ["b", "a"]


@pytest.mark.parametrize(
    ("question", "instruction", "other"),
    [
        (
            "Which train?",
            "Always name the price when I ask about trains.",
            "There are lots of trains in Porto.",
        ),
        ("坐哪趟火车？", "以后每次说火车都要报价格。", "这里有很多趟火车可以坐。"),
    ],
)
def test_an_instruction_for_every_time_comes_above_what_is_as_like(
    question: str, instruction: str, other: str
) -> None:
    assert order(question, said("a", other, 0), said("b", instruction, 1)) == ["b", "a"]


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def restated(question: str, speaker: str = "Ada", later: str = "the budget is 9 now") -> list[str]:
    messages = {"old": said("old", "budget is 5"), "new": said("new", later, 3, speaker)}
    vectors = {"old": unit(1, 0.2), "new": unit(1, 0)}
    found_in_order = [Hit("old", 1.0), Hit("new", 0.8)]
    plan = make_plan(question, NOW)
    pairs = restatements(found_in_order, messages, vectors, question, plan)
    return later_first([h.message for h in found_in_order], pairs)


def test_what_was_said_again_later_comes_first_for_a_state() -> None:
    assert restated("What is the budget?") == ["new", "old"]


def test_for_a_history_or_another_speaker_the_order_stands() -> None:
    assert restated("How has the budget changed?") == ["old", "new"]
    assert restated("What is the budget?", speaker="Bo") == ["old", "new"]


@pytest.mark.parametrize(
    ("question", "later"),
    [("What is the budget?", "Thanks, that was quick!"), ("预算是多少？", "谢谢，您真快！")],
)
def test_a_message_that_is_only_similar_in_tone_stays_where_it_is(question: str, later: str) -> None:
    assert restated(question, later=later) == ["old", "new"]


@pytest.mark.parametrize(
    ("question", "polite", "fact"),
    [
        ("Where is the piano?", "Noted, see you!", "The piano stands in Hall B."),
        ("钢琴在哪里？", "好的，再见！", "钢琴在二号厅。"),
    ],
)
def test_a_polite_turn_gets_no_lift_from_likeness(question: str, polite: str, fact: str) -> None:
    messages = {"a": said("a", polite, 1), "b": said("b", fact)}
    fused = [Hit("a", 1.0), Hit("b", 0.5)]
    ranked = rank(fused, {}, messages, question, make_plan(question, NOW), stating={"b"})
    assert [h.message for h in ranked] == ["b", "a"]


@pytest.mark.parametrize(
    ("question", "asks", "fact"),
    [
        ("When does the ferry leave?", "When does the ferry leave?", "It leaves at 7."),
        ("渡轮几点开？", "渡轮几点开？", "渡轮七点开。"),
    ],
)
def test_a_message_that_only_asks_comes_below_one_that_tells(question: str, asks: str, fact: str) -> None:
    messages = {"a": said("a", asks, 1), "b": said("b", fact)}
    fused = [Hit("a", 1.0), Hit("b", 0.5)]
    ranked = rank(fused, {}, messages, question, make_plan(question, NOW), stating={"b"})
    assert [h.message for h in ranked] == ["b", "a"]


def test_what_an_assistant_is_asked_tells_what_its_asker_was_about() -> None:
    asks, answer = said("a", "How do I fix the lamp?"), said("b", "Sure.", 1, "Assistant", Role.ASSISTANT)
    other = said("c", "I bought the blue lamp.", 2)
    question = "What was wrong with the lamp?"
    plan = make_plan(question, NOW)
    fused = [Hit("a", 1.0), Hit("c", 0.7)]

    def first(*messages: Message) -> str:
        return rank(fused, {}, {m.id: m for m in messages}, question, plan, stating={"c"})[0].message

    assert first(asks, answer, other) == "a"
    assert first(asks, other) == "c"


def test_what_states_a_facet_keeps_its_place_though_it_ends_with_a_question() -> None:
    messages = {"a": said("a", "The ferry is at 7, right?", 1), "b": said("b", "It leaves at 7.")}
    plan = make_plan("When is the ferry?", NOW)
    ranked = rank(
        [Hit("a", 1.0), Hit("b", 0.5)], {}, messages, "When is the ferry?", plan, stating={"a", "b"}
    )
    assert [h.message for h in ranked] == ["a", "b"]


def test_words_weigh_more_where_the_question_is_chinese() -> None:
    assert dense_share("钢琴在哪里？") < dense_share("Where is the piano?")
    assert dense_share("Is the piano in 二号厅?") == dense_share("Where is the piano?")
    assert dense_share("") == dense_share("Where?")


@given(st.permutations(["a", "b", "c", "d", "e", "f", "g", "h"]))
def test_nothing_is_lost_and_scores_stay_in_order(names: list[str]) -> None:
    messages = {n: said(n, "the budget", i) for i, n in enumerate("abcdefgh")}
    vectors = {n: unit(1, i / 4) for i, n in enumerate("abcdefgh")}
    given_hits = [Hit(n, 1 - i / 10) for i, n in enumerate(names)]
    pairs = restatements(given_hits, messages, vectors, "What is the budget?", make_plan("What is it?", NOW))
    told = with_places(given_hits, later_first([h.message for h in given_hits], pairs))
    assert sorted(h.message for h in told) == sorted(names)
    assert [h.score for h in told] == [h.score for h in given_hits]
