"""What becomes of requests that are under way when the service stops: after a while they are ended in order.

A stream of events ends with a `problem` event, and what has no answer yet gets 503, as its caller may ask
again elsewhere. To be cut off instead would look like a fault, to the caller and in the log.
"""

import asyncio
import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query_service.http_problems import MEDIA_TYPE, ProblemError

_STOPS = ProblemError(503, "The service stops: ask again.")


class EndedInOrder:
    """Around an application, in one event loop."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._over = asyncio.Event()
        self._cut_off: set[asyncio.Future[None]] = set()

    def end_within(self, seconds: float) -> None:
        """What is under way may take so long from now on."""
        asyncio.get_running_loop().call_later(seconds, self._over.set)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        work = asyncio.ensure_future(self._app(scope, receive, answer.send))
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({work, over}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                await work
                return
            await answer.end()
        finally:
            over.cancel()
            if not work.done():  # what is in a thread goes on there: it is not waited for
                self._cut_off.add(work)
                work.add_done_callback(self._ended)
                work.cancel()

    def _ended(self, work: "asyncio.Future[None]") -> None:
        self._cut_off.discard(work)
        if not work.cancelled():
            work.exception()


class _Answer:
    """Passes an answer on until it is ended."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = self._whole = self._ended = False
        self._is_events = False

    async def send(self, message: Message) -> None:
        if self._ended:
            return
        if message["type"] == "http.response.start":
            self._begun = True
            kind = dict(message["headers"]).get(b"content-type", b"")
            self._is_events = kind.startswith(b"text/event-stream")
        elif not message.get("more_body", False):
            self._whole = True
        await self._send(message)

    async def end(self) -> None:
        """Ends the answer, whatever of it was sent. One that is cut within its body stays cut: to close it
        would pass it off as whole."""
        self._ended = True
        body = json.dumps(_STOPS.body()).encode()
        if not self._begun:
            headers = [
                (b"content-type", MEDIA_TYPE.encode()),
                (b"content-length", str(len(body)).encode()),
                (b"retry-after", str(_STOPS.retry_after).encode()),
                (b"cache-control", b"no-store"),
            ]
            await self._send({"type": "http.response.start", "status": _STOPS.status, "headers": headers})
            await self._send({"type": "http.response.body", "body": body})
        elif self._is_events and not self._whole:
            told = b"event: problem\ndata: " + body + b"\n\n"
            await self._send({"type": "http.response.body", "body": told})
