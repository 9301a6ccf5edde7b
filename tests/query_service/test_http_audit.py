"""A request that the audit log cannot tell is not answered."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from query_service.http_app import create_app
from state.audit import audit_to
from tests.query_service.test_http_app import NOW, TENANT, Runtime, row
from tests.query_service.worlds import piano, stores
from tests.state.test_audit_file import room_for

STATE = "/v1/subjects/conv/1/state"


@pytest.fixture
def runtime() -> Runtime:
    held = stores(piano())
    return Runtime(held.reader, held.notes, held.encoder)


@pytest.fixture
def client(runtime: Runtime) -> TestClient:
    return TestClient(create_app(runtime, lambda: NOW), raise_server_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "audit.jsonl"
    audit_to(None)


def told(log: Path) -> list[tuple[Any, Any]]:
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    return [(row["route"], row["status"]) for row in rows]


def test_without_room_requests_are_refused_and_nothing_more_is_done(
    client: TestClient, runtime: Runtime, log: Path
) -> None:
    audit_to(log)
    with room_for(5):
        first = client.post("/v1/messages", json=row("a"), headers=TENANT)
        assert (first.status_code, first.headers["retry-after"]) == (503, "1")
        assert first.headers["content-type"] == "application/problem+json"
        assert "audit" in first.json()["detail"]
        assert first.headers["x-content-type-options"] == "nosniff"
        assert client.post("/v1/messages", json=row("b"), headers=TENANT).status_code == 503
        assert client.get(STATE, headers=TENANT).status_code == 503
        ready = client.get("/readyz")
        assert (ready.status_code, client.get("/healthz").status_code) == (503, 200)
        assert "audit log" in ready.json()["reasons"][0]
        assert "stet_audit_lines_waiting 1.0" in client.get("/metrics").text
    assert [message.id for message in runtime.taken] == ["a"]
    assert client.get(STATE, headers=TENANT).status_code == 200
    assert client.get("/readyz").status_code == 200
    assert told(log) == [
        ("POST /v1/messages", 202),
        ("GET /v1/subjects/{subject}/state", 200),
    ]


def test_it_can_be_told_to_answer_all_the_same(client: TestClient, log: Path) -> None:
    audit_to(log, goes_on=True)
    with room_for(5):
        assert client.get(STATE, headers=TENANT).status_code == 200
        assert client.get("/readyz").status_code == 200
        assert "stet_audit_lines_waiting 1.0" in client.get("/metrics").text
    assert client.get(STATE, headers=TENANT).status_code == 200
    assert [status for _, status in told(log)] == [200, 200]
