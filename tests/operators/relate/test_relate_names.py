"""When two names mean one thing, two attribute names one attribute, two values one value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.relate.same_thing import Match, same_attribute, same_entity, same_text_value
from operators.relate.words import head, words


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        ("Hotel Mirador", "the Hotel Mirador", Match.EXACT),
        ("Hotel Mirador stay", "Hotel Mirador", Match.LIKELY),
        ("Oskar's rehearsal", "rehearsal", Match.LIKELY),
        ("soy milk", "rice milk", Match.NO),
        ("parcel A", "parcel B", Match.NO),
        ("Nadia", "Nadia's mother-in-law", Match.NO),
        ("Ana's car", "Ben's car", Match.NO),
        ("子墨的围棋班", "围棋班", Match.LIKELY),
        ("子墨的围棋班", "子言的画画班", Match.NO),
        ("宋怡", "宋怡的表姐", Match.NO),
        ("", "anything", Match.LOOSE),
    ],
)
def test_things(a: str, b: str, match: Match):
    assert same_entity(a, b) is match
    assert same_entity(b, a) is match


@pytest.mark.parametrize(
    ("a", "b", "match"),
    [
        ("delivery date", "Delivery dates", Match.EXACT),
        ("delivery date", "date", Match.LIKELY),
        ("delivery date", "delivery address", Match.NO),
        ("购买日期", "日期", Match.LIKELY),
        ("日期", "场地", Match.NO),
    ],
)
def test_attributes(a: str, b: str, match: Match):
    assert same_attribute(a, b) is match
    assert same_attribute(b, a) is match


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("9 leeks", "9", True),
        ("9,000", "9000 units", True),
        ("Friday 23 January at 4:45 pm", "the 23rd at 4:45 pm", True),
        ("three nights", "3 nights", True),
        ("included", "not included", False),
        ("€420", "€42", False),
        ("两晚", "2晚", True),
        ("周二", "周五", False),
        ("要来", "不来", False),
    ],
)
def test_values(a: str, b: str, same: bool):
    assert same_text_value(a, b) is same
    assert same_text_value(b, a) is same


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("delivery date", "date"),
        ("date of delivery", "date"),
        ("购买日期", "日期"),
        ("子墨的围棋班", "棋班"),
        ("", ""),
    ],
)
def test_the_head_names_the_kind(text: str, kind: str):
    assert head(text) == kind


@given(st.text(max_size=30), st.text(max_size=30))
def test_comparing_is_symmetric_and_never_fails(a: str, b: str):
    assert same_entity(a, b) is same_entity(b, a)
    assert same_attribute(a, b) is same_attribute(b, a)
    assert same_text_value(a, b) is same_text_value(b, a)
    assert same_text_value(a, a)
    assert words(a).terms is not None
