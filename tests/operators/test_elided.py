"""What is left of a telegram beside what was said: the news of it, and what news may not be parted from."""

import pytest

from operators.elided import asked, elided, pieces
from state.lexicon import terms


def left(telegram: str, said: str, kept: str = "") -> str:
    return elided(pieces(telegram, frozenset(terms(kept))), frozenset(terms(said)))


@pytest.mark.parametrize(
    ("telegram", "said", "told"),
    [
        ("book ferry cabins choir tour", "The choir goes on tour by ferry.", "book cabins"),
        ("ferry leaves choir", "The choir leaves by ferry.", ""),
        ("book cabins", "", "book cabins"),
        ("ferry or coach from Oslo", "the ferry from Oslo", "or coach"),
        ("帮我订船票，合唱团一起去，靠窗座位", "合唱团一起去", "帮我订船票，靠窗座位"),
        ("合唱团一起去", "合唱团一起去", ""),
    ],
)
def test_what_was_said_is_left_out(telegram: str, said: str, told: str) -> None:
    assert left(telegram, said) == told


@pytest.mark.parametrize(
    ("telegram", "told"),
    [
        ("Remove ferry cabins invite parents choir", "Remove ferry cabins invite parents"),
        ("choir wants coach instead ferry", "wants coach instead ferry"),
        ("choir tour lasts 3 days", "lasts 3 days"),
        ("choir tour lasts two days", "lasts two days"),
        ("choir sings Plan A", "sings Plan A"),
        ("choir pays > 5 pounds", "pays > 5 pounds"),
        ("取消船票，坐大巴，合唱团一起去", "取消船票，坐大巴"),
        ("合唱团3天，坐大巴", "合唱团3天，坐大巴"),
    ],
)
def test_what_a_change_a_denial_or_a_number_is_about_stays(telegram: str, told: str) -> None:
    assert left(telegram, "The choir tour by ferry, cabins, days. 船票，合唱团一起去，合唱团3天") == told


def test_a_value_is_not_broken() -> None:
    assert left("meet Mill Lane Bergen", "Bergen, Mill", kept="Mill Lane, Bergen") == "meet Mill Lane Bergen"
    assert left("meet Mill Lane Bergen", "Bergen, Mill") == "meet Lane"


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("best insurance kayak rental", "kayak rentals", "insurance?"),
        ("best kayak rental", "kayak rentals", ""),
        ("kayak go to Mill Lane 3", "3 kayaks", "go Mill Lane 3?"),
        ("kayak costs three hundred euros", "three kayaks", "costs three hundred euros?"),
        ("押金什么时候退？", "", "押金什么时候退？"),
        ("押金？", "押金", ""),
    ],
)
def test_of_a_question_what_nothing_else_says_is_told_and_its_numbers(
    question: str, said: str, told: str
) -> None:
    assert asked(pieces(question, frozenset()), frozenset(terms(said))) == told


def test_a_value_is_not_broken_in_a_question_either() -> None:
    told = pieces("parcel go Mill Lane Bergen", frozenset(terms("Mill Lane, Bergen")))
    assert asked(told, frozenset(terms("Bergen, Mill"))) == "parcel go Mill Lane Bergen?"
