"""`stet ingest` with a model: the same graph in any order and after any failure, and nothing asked twice."""

import json
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from pipeline.embedded import Embedded
from state.graph_keys import SubjectKeys
from state.model import Subject
from tests.pipeline.command import Outcome, begin, export, ingest, lines, message, stet
from tests.servers.chat_model import CAREFUL, answer
from tests.servers.chat_replies import Asked, Cuts, Fails, Hangs, Says, Sends, limited
from tests.servers.chat_server import ChatServer

SAID = (
    "The colour of desk is now red{n}.",
    "Thanks, that is all for now.",
    "By the way, The price of party is now c{n}. The place of party is now p{n}",
    "桌子的颜色改为红{n}。",
    "The colour of desk is now blue{n}, and {padding}",
)
PADDING = "I say so at some length, with more words than fit into a gist, " * 4
DEADLINE = 90.0


def said(count: int, subjects: int = 3, tenant: str = "acme") -> list[dict[str, Any]]:
    return [
        message(
            n,
            content=SAID[n // subjects % len(SAID)].format(n=n, padding=PADDING),
            subject=f"customer {n % subjects}",
            conversation=f"c{n % subjects}",
            tenant=tenant,
            sent_at=f"2026-03-{1 + n // 60:02d}T09:{n % 60:02d}:00Z",
        )
        for n in range(count)
    ]


@pytest.fixture
def model(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    chat.always = CAREFUL
    for name, value in settings(chat).items():
        monkeypatch.setenv(name, value)
    return chat


def settings(chat: ChatServer) -> dict[str, str]:
    return {"STET_LLM": f"{chat.url}#careful", "STET_LLM_DEADLINE": "60", "STET_LLM_QUIET": "0.2"}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a model makes of all that is said, when nothing goes wrong."""
    data = tmp_path_factory.mktemp("peace")
    with ChatServer() as chat, pytest.MonkeyPatch.context() as patch:
        chat.always = CAREFUL
        for name, value in settings(chat).items():
            patch.setenv(name, value)
        ingest(lines(said(90)), data)
    return export(data)


def taken(rows: Sequence[dict[str, Any]], data: Path) -> Outcome:
    outcome = ingest(lines(rows), data)
    assert outcome.code == 0, outcome.err
    return outcome


def events(data: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in export(data).splitlines()]
    return [row for row in rows if row["kind"] == "event"]


def test_a_model_reads_what_is_said_in_two_calls_for_twenty_turns(model: ChatServer, tmp_path: Path) -> None:
    summary = taken(said(20, subjects=1), tmp_path).json
    assert model.calls == 2
    assert (summary["waiting"], summary["parked"]) == (0, {})
    stands = {(e["facet"]["entity"], e["facet"]["value"]) for e in events(tmp_path) if e["valid"] == 1}
    assert stands == {("desk", "blue19"), ("party", "c17"), ("party", "p17"), ("桌子", "红18")}


def test_the_same_messages_again_cost_no_call(model: ChatServer, tmp_path: Path, wanted: bytes) -> None:
    taken(said(90), tmp_path)
    assert export(tmp_path) == wanted
    model.forget()
    taken(said(90), tmp_path)
    assert (model.calls, export(tmp_path)) == (0, wanted)


@pytest.mark.parametrize("seed", range(4))
def test_any_order_and_any_batches_give_the_same(
    model: ChatServer, tmp_path: Path, wanted: bytes, seed: int
) -> None:
    chance, rows = random.Random(seed), said(90)
    chance.shuffle(rows)
    while rows:
        cut = chance.randrange(1, 50)
        taken(rows[:cut], tmp_path)
        rows = rows[cut:]
    assert export(tmp_path) == wanted


@pytest.mark.parametrize(
    "fault",
    [
        limited("0.1"),
        Fails(500),
        Cuts(),
        Says("not JSON at all"),
        Says('{"turns": [{"turn": "m1"'),
        Says('{"turns": []}'),
        Says(""),
        Sends(b"<html>busy</html>"),
        Says('{"turns":[{"turn":"m99","events":[{"quote":"gold","type":"plan","act":"state"}]}]}'),
    ],
    ids=["limited", "500", "cut", "malformed", "truncated", "left out", "empty", "no completion", "made up"],
)
def test_a_failure_that_passes_leaves_no_trace(
    model: ChatServer, tmp_path: Path, wanted: bytes, fault: Any
) -> None:
    model.next_new(fault, CAREFUL, fault)
    summary = taken(said(90), tmp_path).json
    assert (summary["waiting"], summary["parked"]) == (0, {})
    assert export(tmp_path) == wanted


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fails(401, "no such key"), "auth"),
        (Says("no JSON, ever"), "malformed"),
        (Says('{"turns": []}'), "missing"),
        (Hangs(), "deadline"),
        (Says("I cannot do that", refusal="I cannot do that"), "declined"),
    ],
    ids=["auth", "malformed", "left out", "hangs", "declined"],
)
def test_a_failure_that_lasts_parks_turns_which_are_counted_and_answered_later(
    model: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Any, reason: str
) -> None:
    monkeypatch.setenv("STET_LLM_DEADLINE", "0.2")
    model.always = fault
    rows = said(20, subjects=1)
    summary = taken(rows, tmp_path).json
    assert summary["messages"] == 20
    assert summary["waiting"] == 20
    assert set(summary["parked"]) <= {reason, "breaker_open"}
    assert sum(summary["parked"].values()) == 20
    assert events(tmp_path) == []
    shown = stet("waiting", "--json", data=tmp_path).json
    assert (shown["waiting"], shown["parked"]) == (20, summary["parked"])


def test_where_rules_stand_in_a_model_that_always_fails_leaves_what_they_make(
    model: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_LLM_ON_FAILURE", "rules")
    model.always = Fails(401, "no such key")
    rows = said(60)
    summary = taken(rows, tmp_path / "model").json
    assert (summary["waiting"], summary["parked"], sum(summary["by_rules"].values())) == (0, {}, 60)
    assert summary["by_rules"].keys() <= {"auth", "breaker_open"}
    monkeypatch.delenv("STET_LLM")
    taken(rows, tmp_path / "rules")
    assert export(tmp_path / "model") == export(tmp_path / "rules")


def test_two_tenants_share_no_answer(model: ChatServer, tmp_path: Path) -> None:
    taken(said(20, subjects=1), tmp_path)
    calls = model.calls
    taken(said(20, subjects=1, tenant="other"), tmp_path)
    assert model.calls == 2 * calls


@pytest.mark.parametrize("seed", range(3))
def test_killed_while_it_asks_it_loses_nothing_and_repeats_no_answered_call(
    model: ChatServer, tmp_path: Path, wanted: bytes, seed: int
) -> None:
    model.latency = 0.15
    source, data = tmp_path / "calls.jsonl", tmp_path / "data"
    source.write_bytes(lines(said(90)))
    chance = random.Random(seed)
    remembered: list[tuple[int, set[str]]] = []
    for _ in range(2):
        before = model.calls
        running = begin("ingest", "--encoder", "hashing", source, data=data, env=settings(model))
        wait_for(lambda calls=before, process=running: model.calls > calls or process.poll() is not None)
        time.sleep(chance.uniform(0.0, 0.5))
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=DEADLINE)
        remembered.append((model.calls, answered_turns(data)))
    taken(said(90), data)
    assert export(data) == wanted
    for calls, turns in remembered:
        assert not turns & asked_turns(model.requests[calls:])


def wait_for(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not reached():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.002)


def answered_turns(data: Path) -> set[str]:
    """The texts of the turns that an answer is remembered about."""
    found: set[str] = set()
    with Embedded.open(data) as folder:
        for n in range(3):
            kept = folder.client.hvals(SubjectKeys(Subject("acme", f"customer {n}")).answers)
            told = [json.loads(json.loads(raw)["text"]) for raw in kept]
            found |= {one["turn"] for one in told if "turn" in one}
    return {row["content"] for row in said(90) if row["id"] in found} - {SAID[1]}


def asked_turns(requests: Sequence[Asked]) -> set[str]:
    return {record["text"] for asked in requests for record in asked.records if record.get("read")}


def test_told_to_stop_it_takes_in_what_is_under_way_and_resumes(
    model: ChatServer, tmp_path: Path, wanted: bytes
) -> None:
    stopped = threading.Event()
    model.always = Says(lambda asked: answer(asked) if stopped.wait(DEADLINE) else "")
    source, data = tmp_path / "calls.jsonl", tmp_path / "data"
    source.write_bytes(lines(said(90)))
    running = begin("ingest", "--encoder", "hashing", source, data=data, env=settings(model))
    wait_for(lambda: model.calls > 0)
    running.send_signal(signal.SIGTERM)
    stopped.set()
    _, errors = running.communicate(timeout=DEADLINE)
    assert running.returncode == 143, errors
    taken(said(90), data)
    assert export(data) == wanted
    asked = [asked.content for asked in model.requests]
    assert len(asked) == len(set(asked))


def test_a_model_that_is_named_wrongly_is_told_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_LLM", "http://127.0.0.1:1/v1")
    outcome = ingest(lines(said(3)), tmp_path / "data")
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert not (tmp_path / "data").exists()


def test_the_forest_tells_long_turns_and_topics_as_the_export_does_in_the_models_words(
    model: ChatServer, tmp_path: Path
) -> None:
    long = "Garden party with many guests " + "and one more guest " * 20
    taken([message(0, content=long, conversation="c")], tmp_path)
    rows = [json.loads(line) for line in export(tmp_path).splitlines()]
    told = {row["kind"]: row for row in rows}
    assert told["turn"]["summary"] == told["topic"]["label"] == "Garden party with many"
    (topic,) = stet("forest", told["turn"]["subject"], "--json", data=tmp_path).json["topics"]
    assert (topic["label"], topic["turns"][0]["gist"]) == ("Garden party with many",) * 2
