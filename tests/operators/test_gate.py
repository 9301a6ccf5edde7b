"""Under which keys events meet."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from operators import gate
from state.model import Event, EventType, Facet

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def event(entity: str, attribute: str, value: str = "x", conversation: str = "c") -> Event:
    return Event(
        id=f"{entity}/{attribute}",
        type=EventType.ACTION,
        participants=("Ana",),
        description="d",
        facet=Facet(entity, attribute, value),
        occurs=None,
        stated_at=NOW,
        valid_from=NOW,
        sources=("m",),
        conversation=conversation,
        speaker="Ana",
        place=f"{entity}/{attribute}",
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (event("Hotel Alpenrose", "nights"), event("the hotel Alpenrose", "night", conversation="other")),
        (event("rehearsal", "appointment time"), event("Oskar's rehearsal", "time", conversation="other")),
        (event("massage", "time"), event("massage", "", conversation="other")),
        (event("visit", "date"), event("trip", "date")),
        (event("购买", "日期"), event("", "购买日期")),
    ],
)
def test_what_could_be_one_thing_meets(a: Event, b: Event):
    assert set(gate.keys(a)) & set(gate.keys(b))


def test_another_conversations_unrelated_events_do_not_meet():
    a, b = event("massage", "time"), event("eggs", "quantity", conversation="other")
    assert not set(gate.keys(a)) & set(gate.keys(b))


def test_keys_are_sorted_few_and_do_not_depend_on_the_value():
    a = event("Hotel Alpenrose stay", "price", "€420")
    assert list(gate.keys(a)) == sorted(set(gate.keys(a)))
    assert len(gate.keys(a)) <= 5
    assert gate.keys(a) == gate.keys(replace(a, facet=Facet("Hotel Alpenrose stay", "price", "€9")))


def test_an_event_that_says_nothing_comparable_meets_only_what_was_said_just_before():
    bare = replace(event("a", "b"), facet=None)
    assert set(gate.keys(bare)) & set(gate.keys(event("x", "y"))) == {"n:c"}
    assert not set(gate.keys(bare)) & set(gate.keys(event("x", "y", conversation="other")))


def test_candidates_are_unique_and_latest_first():
    a, b = event("a", "x"), event("b", "x")
    assert gate.latest_first([a, b, a]) == (b, a)
