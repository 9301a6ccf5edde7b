"""A turn in fewer of its own words: what is left out, and what never is."""

import pytest

from operators.terse import asks, bare, directs, named, telling, terse


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


def test_courtesies_go_and_the_matter_stays() -> None:
    assert terse("Okay, could you please book the table for 8 pm?") == "book table for 8 pm?"
    assert terse("I would like to move the piano to the hall.") == "move piano to hall."
    assert terse("好的，请帮我把航班改到周五。") == "把航班改到周五。"


@pytest.mark.parametrize(
    "word", ["not", "no", "without", "never", "instead", "from", "until", "12.50", "30%"]
)
def test_negations_numbers_and_directions_stay(word: str) -> None:
    text = f"I want the soup {word} salt"
    assert word in terse(text).split()
    assert word in bare(terse(text)).split()


def test_a_terse_text_keeps_its_order_and_its_own_words() -> None:
    text = "Please send the blue chairs to the school, and the red ones to the library."
    words = iter(text.split())
    assert all(word in words for word in terse(text).split())
    assert len(bare(terse(text))) < len(terse(text)) < len(text)


def test_a_long_text_is_cut_and_says_so() -> None:
    long = "The hall needs " + ", ".join(f"chair{n}" for n in range(60))
    assert terse(long).endswith("…")
    assert len(terse(long).split()) <= 30
    assert len(named("红色的椅子放在左边第三排靠窗的位置上面")) <= 13


def test_a_text_of_light_words_alone_is_not_lost() -> None:
    assert terse("So it is.") != ""
    assert bare("this or that") == "this or that"
    assert terse("") == ""


@pytest.mark.parametrize(
    "text",
    [
        "Add a column for the tax.",
        "I've decided to keep the blue one.",
        "My sister visits. Please book a second room.",
        "能帮我取消订单吗？",
    ],
)
def test_a_wish_or_a_decision_directs(text: str) -> None:
    assert directs(text)


@pytest.mark.parametrize(
    "text",
    ["I'm fond of dark chocolate.", "My knee hurts.", "It rained all day.", "How far is it?", "房间有点冷。"],
)
def test_telling_how_things_are_does_not(text: str) -> None:
    assert not directs(text)
