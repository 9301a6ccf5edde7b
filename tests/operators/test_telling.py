"""What the sentences of a turn do: which only ask, which tell, and which direct."""

import pytest

from operators.telling import Use, asks, sentences, telling, uses


@pytest.mark.parametrize(
    "sentence",
    [
        "What is the difference between a lease and a loan?",
        "How do I descale the kettle?",
        "Okay, but should we take the train instead?",
        "Can you explain how the deposit works?",
        "When it comes to paint, which brand lasts longest?",
        "押金什么时候退？",
        "这个套餐包括早餐吗？",
    ],
)
def test_a_question_only_asks(sentence: str) -> None:
    assert asks(sentence)
    assert telling(sentence) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "Can you add a column for the tax?",
        "Make it two nights.",
        "I have decided against the balcony.",
        "We leave on Friday, not on Thursday.",
        "请把地址改成长宁路88号。",
        "能帮我取消订单吗？",
        "房间要朝南的。",
    ],
)
def test_a_wish_or_a_statement_tells(sentence: str) -> None:
    assert not asks(sentence)
    assert telling(sentence) == sentence


def test_only_the_sentences_that_tell_are_kept() -> None:
    text = "I run a bakery. How much flour do I need? Delivery is before 6 am."
    assert telling(text) == "I run a bakery. Delivery is before 6 am."
    assert telling("我开面包店。需要多少面粉？早上六点前送到。") == "我开面包店。 早上六点前送到。"


@pytest.mark.parametrize(
    "text",
    [
        "Add a column for the tax.",
        "I've decided to keep the blue one.",
        "Please book a second room.",
        "能帮我取消订单吗？",
    ],
)
def test_a_wish_or_a_decision_directs(text: str) -> None:
    assert uses(text) == [(text, Use.DIRECTS)]


@pytest.mark.parametrize(
    "text", ["I'm fond of dark chocolate.", "My knee hurts.", "It rained all day.", "房间有点冷。"]
)
def test_telling_how_things_are_does_not(text: str) -> None:
    assert uses(text) == [(text, Use.TELLS)]


def test_what_a_question_follows_leads_in_to_it() -> None:
    text = "My knee hurts. Is swimming better? Book the pool for Monday. Is it heated?"
    assert [use for _, use in uses(text)] == [Use.LEADS_IN, Use.ASKS, Use.DIRECTS_AND_ASKS, Use.ASKS]


@pytest.mark.parametrize(
    "text",
    ["Your role is a travel agent.", "You are a gardener.", "Suppose you are a judge.", "假设你是导游。"],
)
def test_whom_the_assistant_plays_is_told_apart(text: str) -> None:
    assert uses(text) == [(text, Use.CASTS)]


def test_a_part_with_a_task_in_it_is_more_than_a_part() -> None:
    assert uses("你是导游，请帮我订两张票。")[0][1] is Use.DIRECTS


@pytest.mark.parametrize("text", ["Thank you so much!", "Hello again.", "谢谢！", "祝您生活愉快。"])
def test_a_courtesy_only_greets(text: str) -> None:
    assert uses(text) == [(text, Use.GREETS)]


@pytest.mark.parametrize("text", ["Yes, please.", "No, thank you.", "Sure.", "Thanks, Tuesday."])
def test_an_answer_is_no_courtesy(text: str) -> None:
    assert uses(text) == [(text, Use.DIRECTS)]


def test_a_sentence_ends_neither_after_an_abbreviation_nor_within_what_is_unbroken() -> None:
    assert sentences("Go to Flat No. 5. Order max. 8 chairs. Ask Dr. Oyelaran! No. Never.") == [
        "Go to Flat No. 5.",
        "Order max. 8 chairs.",
        "Ask Dr. Oyelaran!",
        "No.",
        "Never.",
    ]
    assert sentences("Use key a;b; then c.", ["a;b"]) == ["Use key a;b;", "then c."]
    assert sentences("编号是甲；乙。谢谢", ["甲；乙"]) == ["编号是甲；乙。", "谢谢"]
