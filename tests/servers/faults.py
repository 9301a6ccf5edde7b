"""Makes an HTTP application fail on request, for a while: it refuses with 503, or it hangs.

POST   /admin/fault   {"kind": "unavailable" or "hang", "seconds": 2.5}
DELETE /admin/fault   mends it at once
"""

import asyncio
import time
from typing import Annotated, Literal

from fastapi import Body, FastAPI, Response
from pydantic import BaseModel
from qdrant_client import models
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADMIN = "/admin/fault"
Kind = Literal["unavailable", "hang"]
_PAUSE = 0.005


class Fault(BaseModel, extra="forbid"):
    kind: Kind
    seconds: float


class Faults:
    """The fault that is on. Requests on the admin route are never touched by it."""

    def __init__(self, app: FastAPI) -> None:
        self._fault = Fault(kind="unavailable", seconds=0)
        self._until = 0.0
        app.post(ADMIN)(self._begin)
        app.delete(ADMIN)(self._end)
        app.add_middleware(_Failing, faults=self)

    def on(self, kind: Kind) -> bool:
        return self._fault.kind == kind and time.monotonic() < self._until

    async def _begin(self, fault: Annotated[Fault, Body()]) -> None:
        self._fault, self._until = fault, time.monotonic() + fault.seconds

    async def _end(self) -> None:
        self._until = 0.0


class _Failing:
    """A request that hangs is served once the fault is over, whether its client waits or not."""

    def __init__(self, app: ASGIApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == ADMIN:
            await self._app(scope, receive, send)
            return
        # The body is read first: a server that answers before it has read makes some clients see a reset.
        body = await _whole(receive)
        while self._faults.on("hang"):
            await asyncio.sleep(_PAUSE)
        if self._faults.on("unavailable"):
            await failure(503, "told to be unavailable")(scope, receive, send)
        else:
            await self._app(scope, _once(body), send)


def failure(code: int, reason: str) -> Response:
    """An error as Qdrant reports it."""
    body = models.ErrorResponse(time=0.0, status=models.ErrorResponseStatus(error=reason))
    return Response(body.model_dump_json(), status_code=code, media_type="application/json")


async def _whole(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _once(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
