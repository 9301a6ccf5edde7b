"""What commands leave in the audit log: who did what to whose data, and not a word of it."""

import json
import os
import pwd
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.command_line.failures import Exit
from state.audit import audit_to, subject_mark
from tests.pipeline.command import ingest, lines, message, stet
from tests.pipeline.test_mcp import over_stdio, told

USER = pwd.getpwuid(os.getuid()).pw_name
ANN, BOB = (subject_mark("acme", name) for name in ("ann", "bob"))
Written = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    said = [message(1), message(2, "My phone is 555-0100.", subject="bob")]
    assert ingest(lines(said), tmp_path / "data").code == 0
    return tmp_path / "data"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "audit.jsonl"
    monkeypatch.setenv("STET_AUDIT_LOG", str(path))
    yield path
    audit_to(None)


@pytest.fixture
def written(log: Path) -> Written:
    """The lines so far, without their times."""

    def read() -> list[dict[str, Any]]:
        rows = [json.loads(line) for line in log.read_text().splitlines()]
        return [{name: value for name, value in row.items() if name != "at"} for row in rows]

    return read


def line(route: str, subject: str | None, code: int, action: str = "read", **more: object) -> dict[str, Any]:
    at = {"tenant": "acme", "user": USER, "route": f"stet {route}"}
    return {"action": action, **at, "subject": subject, **more, "exit": code}


def test_reads_say_who_read_what(data: Path, written: Written) -> None:
    facts = stet("state", "ann", "--json", "--ids", data=data).json
    event = facts["entities"][0]["attributes"][0]["facts"][0]["event"]
    stet("why", event, data=data)
    stet("forest", "ann", data=data)
    stet("export", "bob", data=data)
    stet("export", data=data)
    stet("subjects", data=data)
    stet("waiting", data=data)
    stet("ask", "ann", "What is the delivery address?", data=data)
    stet("context", "ann", "And my phone?", data=data)
    assert stet("state", "nobody", data=data).code == Exit.UNKNOWN
    assert written() == [
        line("state", ANN, 0),
        line("why", ANN, 0, event=event),
        line("forest", ANN, 0),
        line("export", BOB, 0),
        line("export", None, 0),
        line("subjects", None, 0),
        line("waiting", None, 0),
        line("ask", ANN, 0),
        line("context", ANN, 0),
        line("state", subject_mark("acme", "nobody"), Exit.UNKNOWN),
    ]


def test_a_batch_says_each_subject(data: Path, written: Written, log: Path) -> None:
    rows = [
        {"subject": name, "question": "Whose zebra is it?", "qid": name} for name in ("ann", "bob", "eve")
    ]
    assert stet("ask", "--batch", "-", data=data, stdin=lines(rows)).code == 0
    told_of = [(row["subject"], row.get("exit")) for row in written()]
    assert told_of == [(ANN, None), (BOB, None), (subject_mark("acme", "eve"), None), (None, 0)]
    assert "zebra" not in log.read_text()


def test_forgetting_is_told_without_the_name(data: Path, written: Written, log: Path) -> None:
    assert stet("forget", "bob", data=data).code == Exit.USAGE  # not without --yes
    assert stet("forget", "bob", "--yes", data=data).code == 0
    assert stet("forget", "ann", "--message", "m/1", "--yes", data=data).code == 0
    assert written() == [
        line("forget", BOB, Exit.USAGE, "delete"),
        line("forget", BOB, 0, "delete"),
        line("forget", ANN, 0, "delete", messages=1),
    ]
    assert "bob" not in log.read_text()


def test_retention_tells_how_much_of_whom(data: Path, written: Written) -> None:
    for options in (["--dry-run"], []):
        outcome = stet("retain", "--tenant", "acme", "--days", "0", *options, data=data)
        assert outcome.code == 0
    marks = sorted((ANN, BOB))
    assert written() == [
        line("retain", None, 0, days=0),
        line("retain", None, 0, "delete", days=0, messages=2, deletes_of=marks),
    ]


def test_calls_of_an_agent_are_told(tmp_path: Path, log: Path, written: Written) -> None:
    async def say(client: Any) -> None:
        await told(client, "remember", subject="ann", content="My zebra is 4 years old.", conversation="c",
                   role="user", speaker="Ann")  # fmt: skip
        assert (await client.call_tool("current_state", {"subject": "eve"})).is_error

    over_stdio(tmp_path / "agent", say, "--tenant", "acme", "--audit-log", str(log))
    calls = [(row["tenant"], row["user"], row["route"], row.get("tool"), row["subject"]) for row in written()]
    who = ("acme", USER, "stet mcp")
    assert calls == [
        (*who, "remember", ANN),
        (*who, "current_state", subject_mark("acme", "eve")),
        (*who, None, None),
    ]
    assert "zebra" not in log.read_text()


def test_nothing_is_read_that_cannot_be_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STET_AUDIT_LOG", str(tmp_path / "no such folder" / "audit.jsonl"))
    outcome = stet("state", "ann", data=data)
    assert (outcome.code, outcome.out) == (Exit.STORE, b"")
    audit_to(None)


def test_on_standard_output_there_is_the_answer_alone(data: Path) -> None:
    outcome = stet("state", "ann", "--json", "--audit-log", "-", data=data)
    assert outcome.json["subject"] == "ann"
    assert json.loads(outcome.err.splitlines()[-1])["route"] == "stet state"
    audit_to(None)
