"""`stet retain`: what a tenant keeps no longer is deleted, and a folder has no byte of it left."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.command_line.app import app
from pipeline.command_line.failures import Exit
from pipeline.embedded import Embedded
from pipeline.rejected_record import RejectedRecord
from pipeline.retention import older_rejected
from tests.pipeline.command import export, ingest, lines, message, stet
from tests.servers import broker, redis_server
from tests.servers.redis_server import RedisServer
from tests.stream.conftest import opened
from tests.stream.stream import Stream, reference

NOW = datetime.now(UTC).replace(microsecond=0)
__all__ = ["opened"]


def at(days_ago: int, n: int, content: str, **fields: Any) -> dict[str, Any]:
    sent = (NOW - timedelta(days=days_ago, minutes=-n)).isoformat()
    return message(n, content=content, sent_at=sent, **fields)


def said(tenant: str = "acme") -> list[dict[str, Any]]:
    return [
        at(40, 1, "My address is 4417 Zephyr Quay.", tenant=tenant),
        at(2, 2, "Change the address to 9 Oak Way, please.", tenant=tenant),
        at(50, 1, "My phone is 555-0100, Zephyr.", tenant=tenant, subject="bob"),
        at(1, 3, "My phone is 555-0111.", tenant=tenant, subject="cleo"),
    ]


def deleted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records that delete what is older than 30 days."""
    old = [row for row in rows if row["sent_at"] < (NOW - timedelta(days=30)).isoformat()]
    kept = ("tenant", "subject", "id", "sent_at")
    return [{**{name: row[name] for name in kept}, "op": "delete", "revision": 9} for row in old]


def traces(folder: Path) -> set[str]:
    return {p.name for p in folder.rglob("*") if p.is_file() and b"Zephyr" in p.read_bytes()}


def retain(data: Path, *options: str, tenant: str = "acme") -> dict[str, Any]:
    outcome = stet("retain", "--tenant", tenant, "--days", "30", "--json", *options, data=data)
    assert outcome.code == 0, outcome.err
    told: dict[str, Any] = json.loads(outcome.out)
    return told


def test_a_folder_has_no_byte_of_what_is_older_and_derives_the_rest_anew(tmp_path: Path) -> None:
    data, wanted = tmp_path / "data", tmp_path / "wanted"
    ingest(lines(said()), data)
    ingest(lines([*said(), *deleted(said())]), wanted)
    told = retain(data)
    assert (told["subjects"], told["messages"], told["notes"], told["records"]) == (2, 2, 2, 2)
    assert told["events"] >= 2
    assert export(data) == export(wanted)
    assert traces(data) == set()
    assert retain(data)["messages"] == 0
    assert export(data) == export(wanted)


def refused(days_ago: int, n: int, **fields: Any) -> dict[str, Any]:
    return at(days_ago, n, "My zebra, Zephyr, is 4.", role="boss", **fields)


def test_older_rejected_records_go_too_down_to_the_bytes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = [refused(2, 1, subject="young"), refused(40, 2, tenant="globex")]
    ingest(
        lines([*kept, refused(40, 3, subject="周"), refused(40, 4), at(1, 5, "My phone is 555-0111.")]), data
    )
    before = export(data)
    assert retain(data, "--dry-run") == retain(data, "--dry-run") | {"messages": 0, "rejected": 2}
    assert retain(data)["rejected"] == 2
    assert retain(data)["rejected"] == 0
    assert export(data) == before
    with Embedded.open(data) as stet:
        left = {json.loads(record.raw)["id"] for record in stet.rejected.records(with_replayed=True)}
        assert left == {row["id"] for row in kept}
        assert sum(b"Zephyr" in one.record.raw for one in stet.log.read(0, 9)) == 2


def rejected_record(raw: bytes, rejected_at: datetime) -> RejectedRecord:
    return RejectedRecord(0, 1, "malformed_json", "", "", raw, rejected_at)


@pytest.mark.parametrize(
    ("raw", "old", "is_only", "theirs", "nobodys"),
    [
        (b'{"tenant": "acme", "sent_at": "2020-01-01T00:00:00Z"}', False, False, 1, 0),
        (b'{"tenant": "acme", "sent_at": "9999-01-01T00:00:00Z"}', True, False, 1, 0),
        (b'{"tenant": "acme", "sent_at": 5}', False, False, 0, 0),
        (b'{"tenant": "globex", "sent_at": "2020-01-01T00:00:00Z"}', True, True, 0, 0),
        (b'{"tenant": "acme", "subj', True, False, 1, 0),
        (b'{"tenant": "\\u0061cme", "subj', True, False, 1, 0),
        (b"\xff not json", True, True, 1, 0),
        (b"\xff not json", True, False, 0, 1),
        (b"\xff not json", False, True, 0, 0),
        (b"[" * 100_000, True, False, 0, 1),
    ],
)
def test_whose_and_how_old_a_rejected_record_is(
    raw: bytes, old: bool, is_only: bool, theirs: int, nobodys: int
) -> None:
    record = rejected_record(raw, NOW - timedelta(days=40 if old else 0))
    found = older_rejected([record], "acme", NOW - timedelta(days=30), is_only)
    assert (len(found.theirs), found.nobodys) == (theirs, nobodys)


def test_a_dry_run_only_counts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ingest(lines(said()), data)
    before = export(data)
    assert retain(data, "--dry-run")["messages"] == 2
    assert export(data) == before
    assert traces(data)


def test_other_tenants_keep_what_they_have(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ingest(lines([*said(), *said("globex")]), data)
    before = stet("export", "--tenant", "globex", data=data).out
    retain(data)
    assert stet("export", "--tenant", "globex", data=data).out == before
    assert stet("retain", "--days", "30", data=data).code == Exit.USAGE


@pytest.mark.skipif(bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent")
def test_on_servers_a_worker_deletes_it(
    opened: Callable[[str, str], Stream],
    own_redis: RedisServer,
    qdrant_url: str,
) -> None:
    stream = opened(own_redis.url, qdrant_url)
    rows = said(stream.tenant)
    stream.feed(lines(rows))
    stream.finish()
    where = ("--kafka", stream.where.kafka, "--redis", own_redis.url, "--qdrant", qdrant_url)
    asked = ("retain", "--tenant", stream.tenant, "--days", "30", "--json", "--topic-prefix", stream.prefix)
    told = CliRunner().invoke(app, [*asked, *where])
    assert told.exit_code == 0, told.stderr
    assert json.loads(told.stdout_bytes)["messages"] == 2
    stream.finish()
    wanted, _ = reference(stream.folder, [lines([*rows, *deleted(rows)])])
    assert stream.export() == wanted
    assert sum(stream.notes().values()) == 2
    again = CliRunner().invoke(app, [*asked, *where])
    assert json.loads(again.stdout_bytes)["messages"] == 0
