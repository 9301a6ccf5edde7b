"""What people tell of themselves, in whatever words: the last of it stands, and nothing else is touched."""

from datetime import UTC, datetime, timedelta

import pytest

from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from state.model import Message, Role, Subject

NINA = Subject("t", "nina")
START = datetime(2026, 5, 4, 9, tzinfo=UTC)


def facts(*texts: str) -> tuple[set[tuple[str, str, str]], set[str]]:
    """The facts that stand after these turns of one person, and the values that are out."""
    said = [
        Message(NINA, f"c{n}", f"c{n}/1", Role.USER, "Nina", text, START + timedelta(days=n))
        for n, text in enumerate(texts)
    ]
    view = derive(said, DISTILLER, RELATER)
    stands: set[tuple[str, str, str]] = set()
    out: set[str] = set()
    for event in view.events:
        if event.facet is None:
            continue
        if view.timelines[event.id].value(START + timedelta(days=99)) > 0:
            stands.add((event.facet.entity, event.facet.attribute, event.facet.value))
        else:
            out.add(event.facet.value)
    return stands, out


@pytest.mark.parametrize(
    ("turns", "stands", "out"),
    [
        (("I live in Leeds.", "I live in York."), ("Nina", "home", "York"), "Leeds"),
        (("I live in Leeds.", "I moved to York last month."), ("Nina", "home", "York"), "Leeds"),
        (("I'm living in Leeds.", "We've just relocated to York."), ("Nina", "home", "York"), "Leeds"),
        (("I work at Acme.", "I work for Globex now."), ("Nina", "employer", "Globex"), "Acme"),
        (("我的房东是王先生。", "我的房东是李女士。"), ("Nina", "房东", "李女士"), "王先生"),
        (("我的取书分馆是榆园。", "我的取书分馆是海港。"), ("Nina", "取书分馆", "海港"), "榆园"),
        (("我在阿里上班。", "我现在在腾讯上班。"), ("Nina", "公司", "腾讯"), "阿里"),
        (
            ("My sister lives in Leeds.", "My sister moved to Hull."),
            ("Nina's sister", "home", "Hull"),
            "Leeds",
        ),
        (("My gym is FitHub.", "My gym is PowerHouse."), ("Nina", "gym", "PowerHouse"), "FitHub"),
        (
            ("My username is kiwi77.", "I changed my username to mango12."),
            ("Nina", "username", "mango12"),
            "kiwi77",
        ),
        (
            ("My gym is FitHub.", "Change my gym to PowerHouse, please."),
            ("Nina", "gym", "PowerHouse"),
            "FitHub",
        ),
    ],
)
def test_the_last_that_is_told_takes_the_place_of_what_was(
    turns: tuple[str, ...], stands: tuple[str, str, str], out: str
) -> None:
    standing, gone = facts(*turns)
    assert stands in standing
    assert out in gone


@pytest.mark.parametrize(
    ("before", "after", "stands"),
    [
        ("My pick-up branch is Elm Park.", "Please change it to Harbour Lane.", "pick-up branch"),
        ("My pick-up branch is Elm Park.", "It's Harbour Lane now.", "pick-up branch"),
        ("Our supplier is Elm Park.", "Change the supplier to Harbour Lane.", "supplier"),
        ("Our supplier is Elm Park.", "We switched to Harbour Lane.", "supplier"),
        ("Our supplier is Elm Park.", "Harbour Lane is our supplier now.", "supplier"),
        (
            "My emergency contact is Elm Park.",
            "Use Harbour Lane as my emergency contact.",
            "emergency contact",
        ),
        ("My landlord is Elm Park.", "My landlord changed, it's Harbour Lane now.", "landlord"),
    ],
)
def test_a_name_takes_the_place_of_a_name_in_the_same_talk(before: str, after: str, stands: str) -> None:
    said = [
        Message(NINA, "c", f"c/{n}", Role.USER, "Nina", text, START + timedelta(minutes=n))
        for n, text in enumerate((before, after))
    ]
    view = derive(said, DISTILLER, RELATER)
    at = START + timedelta(days=1)
    holds = {e.facet.value: view.timelines[e.id].value(at) > 0 for e in view.events if e.facet is not None}
    assert holds == {"Elm Park": False, "Harbour Lane": True}
    assert {e.facet.attribute for e in view.events if e.facet is not None} == {stands}


def test_a_chinese_change_that_leaves_out_what_is_of_what_was_told_last() -> None:
    said = [
        Message(NINA, "c", f"c/{n}", Role.USER, "小周", text, START + timedelta(minutes=n))
        for n, text in enumerate(("我的取书分馆是榆园。", "请改成海港路。"))
    ]
    view = derive(said, DISTILLER, RELATER)
    at = START + timedelta(days=1)
    told = {
        (e.facet.attribute, e.facet.value): view.timelines[e.id].value(at) for e in view.events if e.facet
    }
    assert told == {("取书分馆", "榆园"): 0.0, ("取书分馆", "海港路"): 1.0}


@pytest.mark.parametrize(
    "turns",
    [
        ("I live in Leeds.", "My parents live in Lyon."),
        ("I live in Leeds.", "We moved to Slack for chat."),
        ("I live in Leeds.", "I want to live in York."),
        ("I live in Leeds.", "I work at Acme."),
        ("I live in Leeds.", "I need to move my piano to the garage."),
        ("My gym is FitHub.", "My dentist is Dr. Moor."),
        ("I live in Leeds.", "我的房东是李女士。"),
    ],
)
def test_what_is_told_of_something_else_leaves_it_standing(turns: tuple[str, ...]) -> None:
    standing, gone = facts(*turns)
    assert not gone
    assert {value for _, _, value in standing} & {"Leeds", "FitHub"}


def test_where_one_does_not_live_is_no_home() -> None:
    standing, _ = facts("I don't live in Leeds.")
    assert ("Nina", "home", "not Leeds") in standing
