"""What surrounds every request: a time within which it is answered, headers on its answer, a line in the
access log, and one in the audit log.

The access log (the logger `stet.access`) has the template of a route, never the path or its query: these have
the names of subjects and the ids of messages, which are to be nowhere once they are forgotten.
"""

import asyncio
import logging
import time
from collections.abc import Callable, MutableMapping
from datetime import datetime
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query_service.http_problems import problem
from state.audit import audit, subject_mark

SECONDS = 60.0
"""How long a request may take to the first byte of its answer."""
UNTIMED = ("/v1/answer", "/mcp")
"""What waits for a model has the model's own deadline, and what speaks another protocol has that one's."""
AUDITED = ("/v1/", "/mcp")
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""For each answer that does not say otherwise. Whether TLS is to be kept to (HSTS) is for whoever ends it."""
PAGES = ("/docs", "/redoc")
"""Pages that load scripts from elsewhere; they are shown on loopback alone."""
_accesses = logging.getLogger("stet.access")


class Guard:
    """Surrounds an application. `seconds`: see `SECONDS`."""

    def __init__(self, app: ASGIApp, now: Callable[[], datetime], seconds: float = SECONDS) -> None:
        self._app, self._now, self._seconds = app, now, seconds
        self._late: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope.setdefault("state", {})
        answer = _Answer(send, scope["path"])
        begun = time.monotonic()
        try:
            # Forgetting takes as long as all that is stored is large.
            if scope["path"] in UNTIMED or scope["method"] == "DELETE":
                await self._app(scope, receive, answer.send)
            else:
                await self._in_time(scope, receive, answer)
        finally:
            _note_access(scope, answer.status, time.monotonic() - begun)
            if scope["path"].startswith(AUDITED):
                self._audit(scope, answer.status)

    async def _in_time(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        """The work goes on in its thread where it takes too long: what it answers then is dropped."""
        work = asyncio.create_task(self._as_coroutine(scope, receive, answer))
        begun = asyncio.create_task(answer.begun.wait())
        try:
            await asyncio.wait({work, begun}, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            work.cancel()
            raise
        finally:
            begun.cancel()
        if work.done() or answer.begun.is_set():
            await work
            return
        late = problem(504, f"There was no answer within {self._seconds:g} seconds: ask for less, or later.")
        await late(scope, receive, answer.send)
        answer.closed = True
        self._late.add(work)
        work.add_done_callback(self._ended)
        work.cancel()

    async def _as_coroutine(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        await self._app(scope, receive, answer.send)

    def _ended(self, work: asyncio.Task[None]) -> None:
        self._late.discard(work)
        if not work.cancelled():
            work.exception()

    def _audit(self, scope: Scope, status: int) -> None:
        told = scope["state"]
        tenant = told.get("tenant")
        path: MutableMapping[str, Any] = scope.get("path_params") or {}
        subject = told.get("subject") or path.get("subject")
        client = scope.get("client")
        audit(
            self._now(),
            _action(scope["method"], scope["path"]),
            tenant,
            key=told.get("key"),
            route=f"{scope['method']} {_template(scope)}",
            subject=subject_mark(tenant, subject) if tenant and subject else None,
            event=path.get("event") if status == 200 else None,
            status=status,
            client=client[0] if client else None,
            **told.get("audit", {}),
        )


class GuardedApp(FastAPI):
    """An application inside a guard. Even what the application's own outermost layer answers passes it."""

    def __init__(self, now: Callable[[], datetime], **settings: Any) -> None:
        super().__init__(**settings)
        self._guard = Guard(super().__call__, now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._guard(scope, receive, send)


class _Answer:
    """Passes an answer on, with the headers that it lacks."""

    def __init__(self, send: Send, path: str) -> None:
        self._send, self._is_page = send, path in PAGES
        self.begun = asyncio.Event()
        self.closed = False
        self.status = 500

    async def send(self, message: Message) -> None:
        if self.closed:
            return
        if message["type"] == "http.response.start":
            self.begun.set()
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if not (self._is_page and name == "Content-Security-Policy"):
                    headers.setdefault(name, value)
        await self._send(message)


def _note_access(scope: Scope, status: int, seconds: float) -> None:
    client = scope.get("client")
    _accesses.info(
        "%s %s %s %d %.3fs", client[0] if client else "-", scope["method"], _template(scope), status, seconds
    )


def _template(scope: Scope) -> str:
    """The route's path with its parameters' names; what is no route may be anything, so it is not told."""
    route = scope.get("route")
    return str(getattr(route, "path_format", None) or getattr(route, "path", "none"))


def _action(method: str, path: str) -> str:
    if method == "DELETE":
        return "delete"
    if method == "POST" and path == "/v1/messages":
        return "write"
    return "call" if path == "/mcp" else "read"
