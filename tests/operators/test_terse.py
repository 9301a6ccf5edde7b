"""A turn in fewer of its own words: what is left out, and what never is."""

import pytest

from operators.terse import asked_about, listed, named, telegram, terse
from state.lexicon import terms


def test_courtesies_go_and_the_matter_stays() -> None:
    assert terse("Okay, could you please book the table for 8 pm?") == "book table for 8 pm?"
    assert terse("I would like to move the piano to the hall.") == "move piano to hall."
    assert terse("好的，请帮我把航班改到周五。") == "把航班改到周五。"


@pytest.mark.parametrize(
    "word", ["not", "no", "without", "never", "instead", "from", "until", "or", "if", "12.50", "30%"]
)
def test_negations_numbers_and_directions_stay(word: str) -> None:
    text = f"I want the soup {word} salt"
    assert word in terse(text).split()
    assert word in telegram(text).split()


def test_a_terse_text_keeps_its_order_and_its_own_words() -> None:
    text = "Please send the blue chairs to the school, and the red ones to the library."
    words = iter(text.split())
    assert all(word in words for word in terse(text).split())
    assert len(telegram(text)) < len(terse(text)) < len(text)


def test_a_long_text_is_cut_and_says_so() -> None:
    long = "The hall needs " + ", ".join(f"chair{n}" for n in range(60))
    assert terse(long).endswith("…")
    assert len(terse(long).split()) <= 30
    assert len(named("红色的椅子放在左边第三排靠窗的位置上面")) <= 13


def test_a_text_of_light_words_alone_is_not_lost() -> None:
    assert terse("So it is.") != ""
    assert terse("") == ""
    assert telegram("So it is.") == ""


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ('Please add the user\'s name to the "report", and the date.', "add user name report date"),
        (
            "Move the stand-up to 10:30, from the hall to Room 4.",
            "Move stand-up to 10:30 from hall to Room 4",
        ),
        ("New topic: the third-party licence costs $1,200.", "third party licence costs $1,200"),
        ("I forgot to mention that Ann's flight is late - book a taxi.", "Ann flight late book taxi"),
        ("We've decided to keep the piano or the organ.", "keep piano or organ"),
        ("I'm considering a second dog.", "considering second dog"),
        ("好的，请帮我把航班改到周五吧。", "把航班改到周五"),
    ],
)
def test_a_telegram_has_the_telling_words_alone(sentence: str, told: str) -> None:
    assert telegram(sentence) == told


def test_a_list_of_settings_in_one_sentence_is_not_cut() -> None:
    settings = [f"size{n}" for n in range(40)]
    assert telegram("Set " + ", ".join(settings) + ".") == "Set " + " ".join(settings)


def test_the_verb_that_adds_to_a_list_is_told_once() -> None:
    assert listed("Add dark mode toggle") == "dark mode toggle"
    assert listed("添加深色模式") == "深色模式"
    assert listed("Remove dark mode toggle") == "Remove dark mode toggle"
    assert listed("Add piano") == "Add piano"
    assert listed("Address Ann first") == "Address Ann first"


def test_of_a_question_what_nothing_else_says_is_told() -> None:
    assert asked_about("best insurance kayak rental", terms("kayak rentals")) == "insurance?"
    assert asked_about("best kayak rental", terms("kayak rentals")) == ""
    assert asked_about("押金什么时候退？", ()) == "押金什么时候退？"
    assert asked_about("押金？", terms("押金")) == ""
