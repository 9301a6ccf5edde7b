"""Which notes a revision takes out: also those that a crash may have left without a graph entry."""

from dataclasses import replace
from datetime import UTC, datetime

from redis import Redis

from state.model import Message, Op, Role, Subject
from tests.operators.test_revise import flush

SENT = datetime(2026, 1, 1, 9, tzinfo=UTC)
SAID = Message(Subject("acme", "ann"), "c1", "m1", Role.USER, "Ann", "The address is 4 Elm Road.", SENT)
TAKEN_BACK = replace(SAID, op=Op.DELETE, content="")


def test_a_message_that_comes_with_its_delete_has_its_note_taken_out(redis: Redis) -> None:
    revision, _ = flush(redis, SAID.subject, [(SAID, 1), (TAKEN_BACK, 2)])
    assert revision is not None
    assert (revision.upserted, revision.deleted) == ((), ("m1",))
