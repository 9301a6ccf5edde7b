"""What surrounds every request: a time within which it is answered, headers on its answer, a line in the
access log, and one in the audit log.

The line in the audit log is written before the answer: where it cannot be, the answer is 503, as it is for
all requests until it can. What was done by then has its line first, as soon as there is room.

The access log (the logger `stet.access`) has the template of a route, never the path or its query: these have
the names of subjects and the ids of messages, which are to be nowhere once they are forgotten.
"""

import asyncio
import logging
import time
from collections.abc import Callable, MutableMapping
from datetime import datetime
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query_service.caller_address import address_of
from query_service.http_problems import problem
from state.audit import audit, audit_fault, audit_refuses, subject_mark

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
UNTOLD = "The audit log cannot be written, and nothing is answered that it does not tell: try again later."
_log = logging.getLogger(__name__)
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
        is_audited = scope["path"].startswith(AUDITED)
        answer = _Answer(send, scope["path"], partial(self._audit, scope) if is_audited else _untold)
        begun = time.monotonic()
        try:
            if is_audited and audit_refuses() and audit_fault() is not None:
                answer.is_told = True
                await problem(503, UNTOLD)(scope, receive, answer.send)
                return
            # Forgetting takes as long as all that is stored is large.
            if scope["path"] in UNTIMED or scope["method"] == "DELETE":
                await self._app(scope, receive, answer.send)
            else:
                await self._in_time(scope, receive, answer)
        finally:
            _note_access(scope, answer.status, time.monotonic() - begun)
            answer.tell()

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
        audit(
            self._now(),
            _action(scope["method"], scope["path"]),
            tenant,
            key=told.get("key"),
            route=f"{scope['method']} {_template(scope)}",
            subject=subject_mark(tenant, subject) if tenant and subject else None,
            event=path.get("event") if status == 200 else None,
            status=status,
            client=address_of(scope),
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

    def __init__(self, send: Send, path: str, audit: Callable[[int], None]) -> None:
        self._send, self._is_page, self._audit = send, path in PAGES, audit
        self.begun = asyncio.Event()
        self.closed = False
        self.is_told = False
        self.status = 500

    def tell(self) -> bool:
        """Tells the audit log, once; whether it could be. What could not waits to be written."""
        if self.is_told:
            return True
        self.is_told = True
        try:
            self._audit(self.status)
        except OSError as error:
            _log.error("the audit log cannot be written, so requests are refused: %s", error.strerror)
            return False
        return True

    async def send(self, message: Message) -> None:
        """Passes a message on; an answer that could not be told is 503 in its place."""
        if self.closed:
            return
        if message["type"] == "http.response.start":
            self.begun.set()
            self.status = message["status"]
            if not self.tell():
                for part in _refusal():
                    await self.send(part)
                self.closed = True
                return
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                if not (self._is_page and name == "Content-Security-Policy"):
                    headers.setdefault(name, value)
        await self._send(message)


def _untold(_: int) -> None:
    """What is not in the audit log."""


def _refusal() -> tuple[Message, Message]:
    """The problem as messages: an answer has begun already, and cannot be sent as a response of its own."""
    answer = problem(503, UNTOLD)
    start = {"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers}
    return start, {"type": "http.response.body", "body": answer.body}


def _note_access(scope: Scope, status: int, seconds: float) -> None:
    _accesses.info(
        "%s %s %s %d %.3fs", address_of(scope) or "-", scope["method"], _template(scope), status, seconds
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
