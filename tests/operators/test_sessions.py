"""Where sessions begin."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.sessions import SESSION_GAP, cut, starts_session
from state.model import Message, Role, Subject

START = datetime(2026, 3, 2, tzinfo=UTC)


def message(seconds: float, role: Role = Role.USER, metadata: str | None = None) -> Message:
    sent = START + timedelta(seconds=seconds)
    return Message(Subject("t", "s"), "c", f"m{seconds}", role, "Ana", "hi", sent, metadata=metadata)


def test_the_first_message_starts_a_session():
    assert starts_session(None, message(0))


def test_a_gap_of_exactly_the_limit_does_not_cut():
    limit = SESSION_GAP.total_seconds()
    assert not starts_session(message(0), message(limit))
    assert starts_session(message(0), message(limit + 0.001))


def test_an_explicit_end_cuts_after_it():
    end = message(1, Role.SYSTEM, '{"end":true}')
    assert not starts_session(message(0), end)
    assert starts_session(end, message(2))


@pytest.mark.parametrize(
    ("role", "metadata"),
    [(Role.USER, '{"end":true}'), (Role.SYSTEM, '{"end":1}'), (Role.SYSTEM, "[true]"), (Role.SYSTEM, "{")],
)
def test_only_a_system_message_that_says_so_is_an_end(role: Role, metadata: str):
    assert not starts_session(message(1, role, metadata), message(2))


@given(st.lists(st.integers(0, 40_000), unique=True, max_size=30))
def test_sessions_partition_the_conversation_at_its_gaps(seconds: list[int]):
    messages = [message(s) for s in sorted(seconds)]
    sessions = cut(messages)
    assert [m for session in sessions for m in session] == messages
    assert all(session for session in sessions)
    for session in sessions:
        assert all(b.sent_at - a.sent_at <= SESSION_GAP for a, b in itertools.pairwise(session))
    for before, after in itertools.pairwise(sessions):
        assert after[0].sent_at - before[-1].sent_at > SESSION_GAP
