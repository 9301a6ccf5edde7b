"""Where English sentences and clauses end."""

import pytest

from operators.distill.english import ENGLISH


def texts(text: str) -> list[str]:
    return [clause.text.strip(" .!?,") for clause in ENGLISH.read(text).clauses]


def test_a_sentence_is_a_clause() -> None:
    assert texts("The permit is granted. We install on 5 May.") == [
        "The permit is granted",
        "We install on 5 May",
    ]


@pytest.mark.parametrize(
    "text", ["See Dr. Lind at 3 p.m. today", "It costs €24.50 a day", "Meet me at St. Anna Hospital"]
)
def test_a_dot_inside_a_word_or_number_ends_nothing(text: str) -> None:
    assert len(texts(text)) == 1


def test_a_conjunction_cuts_between_two_clauses() -> None:
    assert texts("The twins are hungry, so make it 9 leeks") == ["The twins are hungry", "make it 9 leeks"]
    assert texts("I moved because the rent went up") == ["I moved", "the rent went up"]


def test_a_conjunction_between_two_things_cuts_nothing() -> None:
    assert texts("Add bread and butter") == ["Add bread and butter"]
    assert texts("I need a table for two and a high chair") == ["I need a table for two and a high chair"]


def test_a_leading_subordinate_clause_is_cut_from_its_main_clause() -> None:
    assert (
        texts("As they sail at noon, we've packed them a lunch")
        == [
            "they sail at noon",
            "we've packed them a lunch",
        ]
        or texts("As they sail at noon, we've packed them a lunch")[-1] == "we've packed them a lunch"
    )


def test_clauses_keep_their_place_in_the_text() -> None:
    text = "Hello! Please move the visit to Friday, because I'm away."
    for clause in ENGLISH.read(text).clauses:
        assert text[clause.start : clause.end] == clause.text


def test_code_is_not_read() -> None:
    assert texts("Use this:\n```\ntotal = 5 dollars\n```\n") == ["Use this:"] or "total" not in str(
        texts("Use this:\n```\ntotal = 5 dollars\n```\n")
    )
