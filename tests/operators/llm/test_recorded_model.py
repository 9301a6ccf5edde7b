"""A recorded model's answers come over HTTP and through every check, as a live one's do."""

import gzip
import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest
from redis import Redis

from operators.distill.llm import AskedTurn, distill_ask, distilled, per_turn
from operators.llm.purpose import Purpose
from operators.llm.refusal import Refusal
from operators.llm.spend import Spend
from state.model import Message, Role, Subject
from tests.operators.llm.questions import TENANT, caller_of
from tests.servers.chat_replies import Says
from tests.servers.chat_server import ChatServer
from tests.servers.recorded_model import RecordedModel

CONVERSATION = "conv-26"
BATCH = 20


@pytest.fixture
def messages(conversations: Path) -> list[Message]:
    rows = gzip.decompress((conversations / "locomo" / "messages.jsonl.gz").read_bytes()).splitlines()
    found = [row for row in map(json.loads, rows) if row["conversation"] == CONVERSATION]
    return [
        Message(
            Subject(TENANT, CONVERSATION),
            row["conversation"],
            row["id"],
            Role(row["role"]),
            row["speaker"],
            row["content"],
            datetime.fromisoformat(row["sent_at"]),
        )
        for row in found[:100]
    ]


def test_a_call_for_twenty_turns_brings_events_of_them(
    chat: ChatServer, redis: Redis, conversations: Path, messages: list[Message]
) -> None:
    chat.always = Says(RecordedModel(conversations / "recorded" / f"{CONVERSATION}.json.gz"))
    caller = caller_of(chat, redis)
    refused: Counter[Refusal] = Counter()
    events = 0
    for first in range(0, len(messages), BATCH):
        turns = [AskedTurn(m, tuple(messages[max(0, i - 6) : i])) for i, m in enumerate(messages)]
        batch = turns[first : first + BATCH]
        answer = caller.ask(TENANT, distill_ask(batch))
        told = per_turn(answer, batch, lambda reason: refused.update([reason]))
        assert set(told) == {asked.turn.id for asked in batch}
        for asked in batch:
            drawn = distilled(told[asked.turn.id], asked.turn, asked.context)
            assert all(event.sources[-1] == asked.turn.id for event in drawn.events)
            events += len(drawn.events)
    assert chat.calls == len(messages) / BATCH
    assert events > 20
    spend = Spend(redis)
    (row,) = spend.of(TENANT, spend.today(), spend.today())
    assert (row.purpose, row.calls) == (Purpose.DISTILL, chat.calls)
