"""How a service stops while requests are under way (`pipeline.command_line.run_http`)."""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from pipeline.command_line.run_http import HttpServer
from tests.query_service.test_answer import wait_for

FOR_EVER = 3600.0


def application(under_way: threading.Event, stopping: Callable[[], bool]) -> FastAPI:
    """Sets `under_way` once a request is as far as it gets before the service stops."""
    app = FastAPI()

    async def drips() -> AsyncIterator[bytes]:
        yield b"event: token\ndata: {}\n\n"
        under_way.set()
        await asyncio.sleep(FOR_EVER)

    @app.get("/events")
    async def events() -> StreamingResponse:
        return StreamingResponse(drips(), media_type="text/event-stream")

    @app.get("/body")
    async def body() -> StreamingResponse:
        return StreamingResponse(drips(), media_type="application/json")

    @app.get("/slow")
    async def slow() -> None:
        under_way.set()
        await asyncio.sleep(FOR_EVER)

    @app.get("/in-time")
    async def in_time() -> str:
        under_way.set()
        while not stopping():
            await asyncio.sleep(0.001)
        return "told"

    return app


@contextmanager
def stopped(path: str, grace: float = 0.0) -> Iterator[httpx.Response]:
    """The response to a request that is under way when the service stops."""
    under_way = threading.Event()
    app = application(under_way, lambda: server.should_exit)
    server = HttpServer(app, grace, {"version": 1, "disable_existing_loggers": False})
    server.config.port = 0

    def stop() -> None:
        under_way.wait(60)
        server.should_exit = True

    threads = [threading.Thread(target=work) for work in (server.run, stop)]
    for thread in threads:
        thread.start()
    try:
        wait_for(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        with (
            httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client,
            client.stream("GET", path) as response,
        ):
            yield response
    finally:
        under_way.set()
        for thread in threads:
            thread.join()


def test_a_stream_of_events_ends_with_the_problem(caplog: pytest.LogCaptureFixture) -> None:
    with stopped("/events") as response:
        *_, name, data = response.read().decode().split("\n")[:-2]
    assert name == "event: problem"
    assert json.loads(data.removeprefix("data: "))["status"] == 503
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


def test_what_has_no_answer_yet_gets_503(caplog: pytest.LogCaptureFixture) -> None:
    with stopped("/slow") as response:
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        assert json.loads(response.read())["detail"] == "The service stops: ask again."
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


def test_a_body_that_is_cut_is_not_passed_off_as_whole() -> None:
    with stopped("/body") as response, pytest.raises(httpx.RemoteProtocolError):
        response.read()


def test_what_ends_in_time_is_answered() -> None:
    with stopped("/in-time", grace=30.0) as response:
        assert response.read() == b'"told"'
