"""Gists are short, extractive, and the same every time."""

from hypothesis import given
from hypothesis import strategies as st

from operators.summary import CHARACTERS, LABEL_WORDS, WIDTH, WORDS, digest_of, gist, label


def test_a_short_text_is_its_own_gist():
    assert gist("  Please move it\n to Friday. ") == "Please move it to Friday."


def test_a_greeting_in_front_is_left_out():
    assert gist("Hi! Please send the invoice to Mrs Okafor.") == "Please send the invoice to Mrs Okafor."


def test_a_long_text_is_cut_at_a_word_and_marked():
    cut = gist(" ".join(f"word{i}" for i in range(100)))
    assert cut.endswith("word29…")
    assert len(cut.split()) == WORDS


def test_chinese_counts_by_character():
    cut = gist("陶艺课改到周日" * 20)
    assert len(cut) == CHARACTERS + 1
    assert cut.endswith("…")


def test_a_word_as_long_as_a_message_is_cut_too():
    for text in ("w" * 60_000, "See https://example.org/" + "a" * 60_000, "." * 60_000, "\u200b" * 20_000):
        assert len(gist(text)) <= WORDS * WIDTH + 1
        assert gist(text).endswith("…")
        assert len(label([text])) <= LABEL_WORDS * WIDTH + 1


def test_what_tells_something_is_found_behind_short_sentences_and_marked_where_it_goes_on():
    told = gist("Hi! " * 100 + "Please send the invoice to Mrs Okafor. " + "Hm! " * 2_000)
    assert told.startswith("Please send the invoice to Mrs Okafor. Hm! Hm!")
    assert told.endswith("…")


def test_a_decimal_point_ends_no_sentence():
    assert gist("The 2.4 m ladder costs 18.75 a week. Shall we take it?").startswith(
        "The 2.4 m ladder costs 18.75"
    )


def test_a_topic_is_named_by_the_first_turn_that_says_enough():
    assert label(["Hello!", "I need a dentist appointment next week, please, for my son", "Sure"]) == (
        "I need a dentist appointment next week, please…"
    )
    assert label([]) == ""


def test_a_session_is_summed_up_by_its_fullest_message():
    assert (
        digest_of(["Hi", "Book table for twelve people tonight", "Done"])
        == "Book table for twelve people tonight"
    )


@given(st.text(max_size=400))
def test_a_gist_only_has_the_texts_own_words(text: str):
    flat = " ".join(text.split())
    assert gist(text).removesuffix("…") in flat or gist(text) in flat
