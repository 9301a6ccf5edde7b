"""A turn in fewer of its own words: what is left out, and what never is."""

import pytest

from operators.terse import listed, named, telegram, tells, terse, topic_asked


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


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Ship it to the US.", "Ship US"),
        ("Ask Will about Plan A.", "Ask Will Plan A"),
        ("It takes 2 of 3 votes.", "takes 2 of 3 votes"),
        ("The score must be > 5 points.", "score must > 5 points"),
        ("Keep it at - 5 degrees - I insist.", "Keep - 5 degrees insist"),
        ('We need a 6" pipe of the "size 6" kind.', '6" pipe size 6 kind'),
        ("那不勒斯的酒店订好了。", "那不勒斯的酒店订好"),
        ("好时光咖啡馆改到周五。", "好时光咖啡馆改到周五"),
        ("好，给我们订三张票。", "订三张票"),
        ("我要求退款。", "我要求退款"),
        ("请假三天。", "请假三天"),
    ],
)
def test_what_only_looks_like_small_words_is_not_left_out(sentence: str, told: str) -> None:
    assert telegram(sentence) == told


def test_a_text_is_cut_in_no_value() -> None:
    street = "12 Long Garden Street, Upper Bergen"
    asked = f"Can the boat and the kayak go to {street}, and when do they come?"
    assert named(asked).endswith("go…")
    assert named(f"Will they go to the {street}?", [street]) == f"go to {street}?"
    assert topic_asked("地址是不是长宁路三百八十八弄12号楼6室？", ["长宁路三百八十八弄12号楼6室"]) == (
        "地址是不是长宁路三百八十八弄12号楼6室？"
    )
    assert topic_asked("地址是不是长宁路三百八十八弄12号楼6室？", []) == "地址是不是长宁路三百八十…？"


@pytest.mark.parametrize(
    ("text", "value", "has"),
    [
        ("order go to Mill Lane 3", "Mill Lane 3", True),
        ("meet Barn Mill", "the Barn in Mill", True),
        ("Mill Lane 4; 3 lamps", "Mill Lane 3", False),
        ("Ship boat", "US", False),
        ("choose plan boat", "Plan A", False),
        ("送到长宁路88号", "长宁路88号", True),
        ("送到长宁路8号", "长宁路88号", False),
    ],
)
def test_a_value_is_told_where_its_words_are_together(text: str, value: str, has: bool) -> None:
    assert tells(text, value) is has
