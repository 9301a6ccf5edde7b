"""Forgetting on servers: what was said before the record is in no store, what comes after is kept anew, and
no other subject or tenant is touched."""

import json
import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from redis import Redis
from typer.testing import CliRunner

from pipeline.command_line.app import app
from pipeline.command_line.failures import Exit
from pipeline.kafka_record import Outgoing
from state.graph_forgetting import rewrite_log
from state.graph_keys import TENANTS, names_key
from state.model import Subject
from state.notes_qdrant import QdrantNoteStore, connect
from tests.pipeline.command import Outcome, message
from tests.servers.chat_model import CAREFUL
from tests.servers.chat_server import ChatServer
from tests.servers.redis_cluster import RedisCluster
from tests.servers.redis_server import RedisServer
from tests.stream.consumers import Follower, assert_told, published
from tests.stream.stream import DIMENSION, Stream, reference
from tests.stream.traffic import conversation, lines
from tests.stream.worker_process import wait_for

GONE = "zoë-quartz 周晓雯"
SAID = ("My address is 4417 Zephyr Quay.", "Please cancel the blue kayak.", "送货地址改为梧桐路93号")
TRACES = (GONE, "quartz", "Quartz", "Zephyr", "4417 ", "kayak", "梧桐路")


def of_gone(tenant: str, *texts: str, first: int = 1) -> list[dict[str, Any]]:
    return [
        message(n, content=text, subject=GONE, id=f"quartz/{n}", conversation="c-quartz",
                speaker="Zoë Quartz", tenant=tenant)
        for n, text in enumerate(texts or SAID, first)
    ]  # fmt: skip


def forget(stream: Stream, *options: str, subject: str = GONE, tenant: str | None = None) -> Outcome:
    where = ("--kafka", stream.where.kafka, "--redis", stream.where.redis, "--qdrant", stream.where.qdrant)
    asked = ("forget", subject, "--tenant", tenant or stream.tenant, *where, "--topic-prefix", stream.prefix)
    result = CliRunner().invoke(app, [*asked, "--yes", "--json", *options])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout_bytes, result.stderr)


def receipt_of(outcome: Outcome) -> Mapping[str, Any]:
    assert outcome.code == 0, outcome.err
    told: Mapping[str, Any] = json.loads(outcome.out)
    return told


def texts() -> list[bytes]:
    """All forms that what was said may have in a store."""
    forms = [form for text in TRACES for form in (text, json.dumps(text)[1:-1], quote(text, safe=" -"))]
    return [form.encode() for form in forms]


def rewrite_uncompressed(client: Redis) -> None:
    """The append-only file anew, in a form that can be searched for texts."""
    client.config_set("rdbcompression", "no")
    rewrite_log(client)


def traces_in(folder: Path) -> set[str]:
    return {
        f"{path.name}: {text!r}"
        for path in folder.rglob("*")
        if path.is_file()
        for text in texts()
        if text in path.read_bytes()
    }


def assert_gone(stream: Stream, tenant: str | None = None) -> None:
    """Nothing of it is in the graph, among the notes, or in an index across subjects."""
    subject = Subject(tenant or stream.tenant, GONE)
    with (
        stream.graph() as graph,
        QdrantNoteStore(connect(stream.where.qdrant), DIMENSION) as notes,
    ):
        assert graph.everything(subject) is None
        assert subject not in graph.subjects(subject.tenant)
        assert notes.count(subject) == 0


def assert_as_fed(stream: Stream, *left: list[dict[str, Any]]) -> None:
    """The export is what the embedded mode makes of these rows alone, and so is what was published."""
    wanted, _ = reference(stream.folder, [lines(rows) for rows in left])
    assert stream.export() == wanted
    assert_told(stream)


def test_nothing_is_left_in_any_store_and_no_other_is_touched(stream: Stream, own_redis: RedisServer) -> None:
    others = conversation(stream.tenant, 3, 20)
    elsewhere = f"{stream.tenant}-2"
    namesake = of_gone(elsewhere, "My address is 9 Oak Way.")
    stream.feed(lines([*others, *of_gone(stream.tenant)]))
    stream.feed(lines(namesake))
    worker = stream.worker()
    with stream.graph() as graph:
        wait_for(lambda: graph.subjects(elsewhere) and stream.stored() == len(others) + 3, "the messages")
        held = graph.everything(Subject(elsewhere, GONE))
    receipt = receipt_of(forget(stream))
    assert (receipt["messages"], receipt["notes"]) == (3, 3)
    assert receipt["events"] > 0
    assert receipt["kafka_keeps"]["topic"] == stream.kafka.topics.messages
    assert worker.terminate() == 0, worker.said
    assert_gone(stream)
    wanted, _ = reference(stream.folder, [lines(others)])
    assert stream.export() == wanted
    ours = [record for record in stream.changes() if record.key.startswith(f"{stream.tenant}/".encode())]
    assert Follower().follow(ours).things == published(wanted)
    with stream.graph() as graph:
        assert graph.everything(Subject(elsewhere, GONE)) == held
    (before,) = {r.offset for r in stream.messages() if r.headers.get("stet-control")}
    said = [r for r in stream.messages() if r.key == f"{stream.tenant}/{GONE}".encode()]
    assert all((r.partition, r.offset <= before) == (receipt["kafka_keeps"]["partition"], True) for r in said)

    assert forget_with_a_worker(stream, tenant=elsewhere)["messages"] == 1
    client = own_redis.client()
    assert client.sismember(TENANTS, elsewhere) == 0
    rewrite_uncompressed(client)
    client.close()
    assert traces_in(own_redis.folder) == set()


def forget_with_a_worker(stream: Stream, **of: str) -> Mapping[str, Any]:
    worker = stream.worker()
    try:
        return receipt_of(forget(stream, **of))
    finally:
        assert worker.terminate() == 0, worker.said


def test_what_comes_after_is_kept_anew_and_a_reading_from_the_beginning_ends_alike(
    stream: Stream, own_redis: RedisServer
) -> None:
    others = conversation(stream.tenant, 2, 15)
    after = of_gone(stream.tenant, "My phone is 555-0199.", "My address is 9 Oak Way.", first=3)
    stream.feed(lines([*others, *of_gone(stream.tenant)]))
    assert json.loads(forget(stream, "--no-wait").out) == {
        "tenant": stream.tenant, "subject": GONE, "done": False,
    }  # fmt: skip
    stream.feed(lines(after))
    stream.finish()
    assert_as_fed(stream, others, after)
    again = stream.writes()
    stream.finish(recovery="another")
    assert stream.writes() == again
    assert_as_fed(stream, others, after)
    client = own_redis.client()
    client.flushall()
    client.close()
    stream.finish(recovery="a third")
    assert_as_fed(stream, others, after)


def test_asked_for_twice_it_is_done_once_and_one_that_is_unknown_is_told(stream: Stream) -> None:
    stream.feed(lines(of_gone(stream.tenant)))
    worker = stream.worker()
    assert receipt_of(forget(stream))["messages"] == 3
    second = forget(stream)
    assert second.code == Exit.UNKNOWN, second.err
    assert forget(stream, subject="nobody").code == Exit.UNKNOWN
    assert forget(stream, subject="x" * 257).code == Exit.UNKNOWN
    assert worker.terminate() == 0, worker.said
    assert_gone(stream)


def test_where_no_worker_runs_it_is_said_and_done_later(stream: Stream) -> None:
    stream.feed(lines(of_gone(stream.tenant)))
    outcome = forget(stream, "--time-limit", "0.5")
    assert outcome.code == Exit.STORE
    assert "no worker has come to it" in outcome.err
    stream.finish()
    assert_gone(stream)


def test_killed_anywhere_it_ends_forgotten(stream: Stream) -> None:
    chance = random.Random(4)
    others = conversation(stream.tenant, 4, 30)
    after: list[dict[str, Any]] = []
    for turn in range(4):
        stream.feed(lines(others[turn * 30 : turn * 30 + 30] + of_gone(stream.tenant)))
        before = stream.writes()
        forget(stream, "--no-wait")
        after = of_gone(stream.tenant, f"My phone is 555-01{turn}0.", first=9)
        stream.feed(lines(after))
        worker = stream.worker()
        wait_for(lambda seen=before: stream.writes() != seen, "a write")
        time.sleep(chance.uniform(0.0, 0.3))
        worker.kill()
    stream.finish()
    assert_as_fed(stream, others, after)
    assert stream.notes()[GONE] == 1


def test_on_a_cluster(
    opened: Callable[[str, str], Stream], own_redis_cluster: RedisCluster, qdrant_url: str
) -> None:
    stream = opened(own_redis_cluster.url, qdrant_url)
    others, after = (
        conversation(stream.tenant, 4, 20),
        of_gone(stream.tenant, "My phone is 555-0199.", first=9),
    )
    stream.feed(lines([*others, *of_gone(stream.tenant)]))
    worker = stream.worker()
    assert receipt_of(forget(stream))["messages"] == 3
    assert_gone(stream)
    for node in own_redis_cluster.nodes:
        with node.client() as client:
            rewrite_uncompressed(client)
        assert traces_in(node.folder) == set()
    stream.feed(lines(after))
    wait_for(lambda: stream.stored() == len(others) + 1, "the message")
    assert worker.terminate() == 0, worker.said
    assert_as_fed(stream, others, after)


def test_an_answer_that_is_on_its_way_is_not_remembered(
    stream: Stream, own_redis: RedisServer, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.always, chat.latency = CAREFUL, 1.5
    monkeypatch.setenv("STET_LLM", f"{chat.url}#careful")
    monkeypatch.setenv("STET_LLM_QUIET", "0.1")
    stream.feed(lines(of_gone(stream.tenant)))
    worker = stream.worker()
    wait_for(lambda: chat.calls > 0, "a question")
    receipt_of(forget(stream))
    calls = chat.calls
    wait_for(lambda: "answered" if chat.calls > calls else time.sleep(2.5) or True, "its end")
    assert worker.terminate() == 0, worker.said
    assert_gone(stream)
    client = own_redis.client()
    assert not list(client.scan_iter(match="*quartz*"))
    assert not client.exists(names_key(stream.tenant))
    client.close()


def test_no_message_and_no_record_of_another_form_forgets(stream: Stream) -> None:
    said = of_gone(stream.tenant)
    key = f"{stream.tenant}/{GONE}".encode()
    asked = json.dumps({"tenant": stream.tenant, "subject": GONE, "request": "a" * 32}).encode()
    control = (("stet-control", b"forget"),)
    stream.feed(lines([*said, {**said[0], "id": "quartz/8", "metadata": {"stet-control": "forget"}}]))
    stream.produce([
        Outgoing(stream.kafka.topics.messages, key, asked),
        Outgoing(stream.kafka.topics.messages, b"elsewhere/else", asked, control),
        Outgoing(stream.kafka.topics.messages, key, asked, (("stet-control", b"erase"),)),
        Outgoing(stream.kafka.topics.messages, key, lines(said[:1]), control),
    ])  # fmt: skip
    stream.finish()
    assert stream.stored() == 4
    reasons = sorted(record.headers["reason"] for record in stream.rejected())
    assert reasons == ["bad_control", "bad_control", "bad_control", "missing_field"]
