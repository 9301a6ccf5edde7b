"""One tree a conversation, until a policy says otherwise."""

from datetime import UTC, datetime, timedelta

from operators.discourse import grow
from state.model import Message, Role, Subject

START = datetime(2026, 3, 2, tzinfo=UTC)


def test_each_message_is_a_turn_under_the_one_before():
    said = ["Hello", "A table for two", "Done"]
    turns = grow(
        [
            Message(Subject("t", "s"), "c", f"m{i}", Role.USER, "Ana", text, START + timedelta(minutes=i))
            for i, text in enumerate(said)
        ]
    )
    assert [t.id for t in turns] == ["m0", "m1", "m2"]
    assert [t.parent for t in turns] == [None, "m0", "m1"]
    assert {t.topic for t in turns} == {t.branch for t in turns} == {"m0"}
    assert [t.summary for t in turns] == said


def test_no_messages_grow_nothing():
    assert grow([]) == ()
