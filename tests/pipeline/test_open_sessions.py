"""How many conversations are going on: within the gap, by an injected clock, in bounded memory."""

import pytest

from pipeline.open_sessions import GAP, OpenSessions
from state.model import Subject

ANN = Subject("acme", "ann")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_conversation_is_open_up_to_the_gap_after_its_last_message(clock: Clock) -> None:
    sessions = OpenSessions(clock)
    sessions.saw(ANN, "c1")
    clock.now += GAP
    assert sessions.count() == 1
    clock.now += 1
    assert sessions.count() == 0


def test_another_message_keeps_it_open_and_it_counts_once(clock: Clock) -> None:
    sessions = OpenSessions(clock)
    sessions.saw(ANN, "c1")
    clock.now += GAP - 1
    sessions.saw(ANN, "c1")
    clock.now += GAP - 1
    assert sessions.count() == 1


def test_tenants_subjects_and_conversations_are_told_apart(clock: Clock) -> None:
    sessions = OpenSessions(clock)
    for tenant in ("acme", "umbra"):
        for subject in ("ann", "李雷"):
            for conversation in ("c1", "c2"):
                sessions.saw(Subject(tenant, subject), conversation)
    assert sessions.count() == 8


def test_only_those_that_fell_silent_are_forgotten(clock: Clock) -> None:
    sessions = OpenSessions(clock)
    sessions.saw(ANN, "c1")
    sessions.saw(Subject("acme", "bob"), "c2")
    clock.now += GAP / 2
    sessions.saw(ANN, "c1")
    clock.now += GAP / 2 + 1
    assert sessions.count() == 1


def test_reading_forgets_as_counting_does(clock: Clock) -> None:
    sessions = OpenSessions(clock)
    for n in range(100):
        sessions.saw(ANN, f"c{n}")
        clock.now += GAP + 1
    assert len(sessions._seen) == 1


def test_past_the_most_the_longest_silent_make_room(clock: Clock) -> None:
    sessions = OpenSessions(clock, most=3)
    for name in ("c1", "c2", "c3"):
        sessions.saw(ANN, name)
        clock.now += 1
    sessions.saw(ANN, "c1")
    sessions.saw(ANN, "c4")
    assert sessions.count() == 3  # c2 made room
    clock.now += GAP  # ends c3, and neither c1 nor c4
    assert sessions.count() == 2
