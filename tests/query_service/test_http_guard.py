"""Times and headers around every request."""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, MutableMapping
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI, Response
from fastapi.testclient import TestClient
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from query_service import http_request
from query_service.http_app import create_app
from query_service.http_guard import Guard
from tests.query_service.test_http_app import NOW, TENANT, Runtime
from tests.query_service.worlds import piano, stores

go_on = threading.Event()


def slow() -> FastAPI:
    """An application that can keep a thread or a stream waiting."""
    app = FastAPI()

    @app.get("/work")
    def work() -> dict[str, str]:
        go_on.wait(30)
        return {"done": "yes"}

    @app.get("/v1/answer")
    async def answer() -> dict[str, str]:
        await asyncio.sleep(0.3)
        return {"done": "yes"}

    @app.get("/stream")
    async def stream() -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            yield b"begun "
            await asyncio.sleep(0.3)
            yield b"ended"

        return StreamingResponse(pieces())

    @app.get("/fails")
    async def fails() -> None:
        raise RuntimeError("no")

    return app


@pytest.fixture
def client() -> TestClient:
    go_on.clear()
    return TestClient(Guard(slow(), lambda: datetime.now(UTC), seconds=0.1), raise_server_exceptions=False)


def test_a_request_that_takes_too_long_is_told_so_while_the_work_goes_on(client: TestClient) -> None:
    with client:
        late = client.get("/work")
        assert (late.status_code, late.headers["content-type"]) == (504, "application/problem+json")
        assert late.json()["title"] == "No answer in time"
        assert late.headers["x-content-type-options"] == "nosniff"
        go_on.set()
        assert client.get("/work").json() == {"done": "yes"}


def test_what_has_begun_to_answer_may_take_its_time(client: TestClient) -> None:
    assert client.get("/stream").text == "begun ended"


def test_what_waits_for_a_model_has_the_models_own_deadline(client: TestClient) -> None:
    assert client.get("/v1/answer").json() == {"done": "yes"}


def test_a_fault_is_an_answer_with_the_headers_too(client: TestClient) -> None:
    broken = client.get("/fails")
    assert (broken.status_code, broken.headers["x-frame-options"]) == (500, "DENY")


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    held = stores(piano())
    app = create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW)
    monkeypatch.setattr(http_request, "BODY_SECONDS", 0.1)
    sent: list[MutableMapping[str, Any]] = []
    pieces = iter([{"type": "http.request", "body": b'{"subject": ', "more_body": True}])

    async def receive() -> MutableMapping[str, Any]:
        for piece in pieces:
            return piece
        await asyncio.sleep(30)
        raise AssertionError("it was waited for")

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(_called(app, receive, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["title"] == "Request timeout"


async def _called(app: FastAPI, receive: Receive, send: Send) -> None:
    scope: Scope = {
        "type": "http", "method": "POST", "path": "/v1/ask", "raw_path": b"/v1/ask", "query_string": b"",
        "headers": [(b"x-stet-tenant", TENANT["X-Stet-Tenant"].encode())], "http_version": "1.1",
        "scheme": "http", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8080), "root_path": "",
    }  # fmt: skip
    await app(scope, receive, send)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [("/v1/ask", "POST"), ("/v1/subjects/a/messages", "DELETE, GET"), ("/healthz", "GET")],
)
def test_a_method_that_is_not_there_is_told_which_are(path: str, allowed: str) -> None:
    held = stores(piano())
    app = create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW)
    answer = TestClient(app).patch(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


def test_the_access_log_has_routes_and_no_names(caplog: pytest.LogCaptureFixture) -> None:
    held = stores(piano())
    app = create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW)
    with caplog.at_level(logging.INFO, "stet.access"):
        client = TestClient(app, client=("192.0.2.7", 4711), headers=TENANT)
        client.get("/v1/subjects/conv/1/messages", params={"id": "conv/1/1"})
        client.get("/v1/subjects?starts_with=Amara")
        client.get("/amara/nowhere")
    told = [record.getMessage() for record in caplog.records if record.name == "stet.access"]
    assert [line.rpartition(" ")[0] for line in told] == [
        "192.0.2.7 GET /v1/subjects/{subject}/messages 200",
        "192.0.2.7 GET /v1/subjects 200",
        "192.0.2.7 GET none 404",
    ]
