"""Statements that sound as if they took something's place, and do not."""

from datetime import UTC, datetime, timedelta

import pytest

from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from state.graph import SubjectView
from state.model import EdgeType, Message, Role, Subject


def of(*said: str) -> SubjectView:
    """What is kept of messages by one customer, a minute apart."""
    begun, subject = datetime(2026, 9, 1, 9, tzinfo=UTC), Subject("t", "tom")
    return derive(
        (
            Message(subject, "c", f"m{n}", Role.USER, "Tom", text, begun + timedelta(minutes=n))
            for n, text in enumerate(said)
        ),
        DISTILLER,
        RELATER,
    )


def replaced(view: SubjectView) -> list[str]:
    """The values that updates took out."""
    out = {edge.target for edge in view.edges if edge.type is EdgeType.UPDATES}
    return [event.facet.value for event in view.events if event.id in out and event.facet is not None]


@pytest.mark.parametrize("number", ["0170 5554321", "030 1234567"])
def test_a_phone_number_in_two_groups_is_one_and_stands_when_rooms_are_changed(number: str) -> None:
    view = of(f"My number is {number}.", "And we need two single rooms instead of the double room.")
    facets = [event.facet for event in view.events if event.facet is not None]
    assert ("Tom", "phone number", number) in [(f.entity, f.attribute, f.value) for f in facets]
    assert replaced(view) == []


@pytest.mark.parametrize("part", ["one of the single rooms", "half of the rooms", "two of the rooms"])
def test_to_call_off_a_part_takes_neither_the_whole_nor_what_was_said_last(part: str) -> None:
    assert replaced(of("We need five rooms.", "My email is tom@example.org.", f"I cancelled {part}.")) == []


def test_the_whole_is_called_off_as_before() -> None:
    assert replaced(of("We need five rooms.", "I cancelled the rooms.")) == ["five rooms"]


def test_a_reason_is_not_what_takes_the_place_of_what_it_is_a_reason_against() -> None:
    view = of(
        "I want to visit my brother in London.",
        "I don't want to go to London, because my brother is better at home.",
    )
    reasons = [edge.reason for edge in view.edges if edge.type is EdgeType.UPDATES]
    assert "says another in its place" not in reasons
