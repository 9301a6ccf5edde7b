"""Workers that a model reads for: the graph is that of the embedded mode, however often one was killed."""

import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from state.graph_keys import SubjectKeys
from state.model import Subject
from state.redis_client import connect
from state.waiting import Counts, Waiting
from tests.pipeline.command import message
from tests.servers.chat_model import CAREFUL, answer
from tests.servers.chat_replies import Asked, Fails, Says
from tests.servers.chat_server import ChatServer
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import lines
from tests.stream.worker_process import wait_for

SUBJECTS, EACH = 6, 30


@pytest.fixture
def model(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    chat.always = CAREFUL
    monkeypatch.setenv("STET_LLM", f"{chat.url}#careful")
    monkeypatch.setenv("STET_LLM_DEADLINE", "60")
    monkeypatch.setenv("STET_LLM_QUIET", "0.3")
    return chat


def said(stream: Stream) -> list[dict[str, Any]]:
    things = ("desk", "sofa", "桌子")
    return [
        message(
            n,
            content=f"The colour of {things[n % 3]} is now red{n} for {one}.",
            tenant=stream.tenant,
            subject=f"customer {one}",
            conversation=f"c{one}",
            sent_at=f"2026-03-02T{9 + n // 60:02d}:{n % 60:02d}:00Z",
        )
        for n in range(EACH)
        for one in range(SUBJECTS)
    ]


def waiting(stream: Stream) -> Counts:
    client = connect(stream.where.redis)
    try:
        store = Waiting(client)
        return store.counts(store.subjects())
    finally:
        client.close()


def asked_about(requests: Sequence[Asked]) -> list[str]:
    """The texts of the turns that these requests ask about."""
    return [r["text"] for asked in requests for r in asked.records if r.get("read")]


def asked_twice(model: ChatServer) -> int:
    """How many turns were asked about more than once."""
    texts = asked_about(model.requests)
    return len(texts) - len(set(texts))


def answered(stream: Stream) -> set[str]:
    """The texts of the turns that an answer is remembered about."""
    client, found = connect(stream.where.redis), set()
    try:
        for one in range(SUBJECTS):
            kept = client.hvals(SubjectKeys(Subject(stream.tenant, f"customer {one}")).answers)
            found |= {(f"customer {one}", json.loads(json.loads(raw)["text"]).get("turn")) for raw in kept}
    finally:
        client.close()
    return {row["content"] for row in said(stream) if (row["subject"], row["id"]) in found}


def test_two_processes_ask_once_and_make_what_the_embedded_mode_makes(
    stream: Stream, model: ChatServer
) -> None:
    stream.feed(lines(said(stream)))
    stream.finish("--processes", "2")
    assert waiting(stream) == Counts(0, {})
    assert asked_twice(model) == 0
    calls = model.calls
    stream.finish("--processes", "2", recovery="another")
    assert model.calls == calls
    stream.assert_whole()
    assert_told(stream, by_model=True)


def test_killed_while_they_ask_they_lose_nothing_and_ask_nothing_again_that_was_answered(
    stream: Stream, model: ChatServer
) -> None:
    model.latency, chance = 0.2, random.Random(3)
    rows = said(stream)
    remembered: list[tuple[int, set[str]]] = []
    sets: tuple[tuple[str, ...], ...] = (("--processes", "2"), ())
    for at, processes in zip((0, len(rows) // 2), sets, strict=True):
        stream.feed(lines(rows[at : at + len(rows) // 2]))
        before = model.calls
        worker = stream.worker(*processes)
        wait_for(lambda calls=before: model.calls > calls, "a question")
        time.sleep(chance.uniform(0.0, 0.8))
        for pid in worker.children():
            os.kill(pid, signal.SIGKILL)
        worker.kill()
        remembered.append((model.calls, answered(stream)))
    stream.finish()
    for calls, texts in remembered:
        assert not texts.intersection(asked_about(model.requests[calls:]))
    assert waiting(stream) == Counts(0, {})
    stream.assert_whole()
    assert_told(stream, by_model=True)


def test_a_worker_asks_as_messages_come_and_what_failed_waits_for_the_next_one(
    stream: Stream, model: ChatServer
) -> None:
    rows = said(stream)
    worker = stream.worker()
    stream.feed(lines(rows[:90]))
    wait_for(lambda: stream.stored() == 90 and waiting(stream).waiting == 0, "an answer")
    model.always = Fails(401, "no such key")
    stream.feed(lines(rows[90:]))
    wait_for(lambda: sum(waiting(stream).parked.values()) == len(rows) - 90, "the failure")
    assert stream.stored() == len(rows)
    assert worker.terminate() == 0, worker.said
    assert waiting(stream).parked.keys() <= {"auth", "breaker_open"}


def test_a_stop_takes_in_what_is_under_way(stream: Stream, model: ChatServer) -> None:
    stopped = threading.Event()
    model.always = Says(lambda asked: answer(asked) if stopped.wait(60) else "")
    stream.feed(lines(said(stream)))
    worker = stream.worker()
    wait_for(lambda: model.calls > 0, "a question")
    worker.process.send_signal(signal.SIGTERM)
    stopped.set()
    assert worker.code() == 0, worker.said
    stream.finish()
    assert asked_twice(model) == 0
    stream.assert_whole()
    assert_told(stream, by_model=True)
