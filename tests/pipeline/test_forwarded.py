"""Whose word the service takes for where a request came from."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pipeline.command_line.run_http import HttpServer
from query_service.http_app import create_app
from state.audit import audit_to
from tests.query_service.test_http_app import NOW, TENANT, Runtime
from tests.query_service.worlds import piano, stores

PROXY = "127.0.0.1"


@pytest.mark.parametrize(
    ("believed", "header", "address"),
    [
        (None, "192.0.2.7", PROXY),
        (PROXY, "192.0.2.7", "192.0.2.7"),
        (PROXY, "203.0.113.9, 192.0.2.7", "192.0.2.7"),  # the caller wrote the first one itself
        (PROXY, "192.0.2.7\x1b[31m", None),
    ],
)
def test_a_forwarded_address_is_that_of_the_named_proxy_alone(
    believed: str | None, header: str, address: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if believed is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", believed)
    held = stores(piano())
    app = create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW)
    config = HttpServer(app, 1.0, {"version": 1, "disable_existing_loggers": False}).config
    config.load()
    log = tmp_path / "audit.jsonl"
    audit_to(log)
    try:
        client = TestClient(config.loaded_app, client=(PROXY, 4711))
        forwarded = {"X-Forwarded-For": header, "Forwarded": f"for={header}"}
        client.get("/v1/subjects", headers={**TENANT, **forwarded})
    finally:
        audit_to(None)
    assert json.loads(log.read_text())["client"] == address
