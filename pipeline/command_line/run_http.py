"""Runs an HTTP application on a listener until a signal."""

import contextlib
import os
import socket
from collections.abc import Callable
from copy import deepcopy
from math import ceil
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from pipeline.command_line.failures import warn
from pipeline.command_line.stopping import Stopped
from query_service.http_ending import EndedInOrder

GRACE = 5.0
"""Seconds that requests under way have to end when the service stops."""
_TO_END = 1
"""Seconds that they have then to be ended."""


def run_http(application: FastAPI, listener: socket.socket, ended: Callable[[], None] = lambda: None) -> None:
    """Says where it serves, and returns once it has stopped in order; calls `ended` whatever ends it."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    warn(f"serving on http://{shown}:{port} (described at http://{shown}:{port}/docs; Ctrl-C stops it)")
    # uvicorn stops in order, then raises the signal again.
    with contextlib.suppress(Stopped):
        try:
            HttpServer(application, GRACE, _logging()).run(sockets=[listener])
        finally:
            ended()


class HttpServer(uvicorn.Server):
    """A server whose requests have `grace` seconds once it stops, and are ended in order then."""

    def __init__(self, application: ASGIApp, grace: float, logging: dict[str, Any]) -> None:
        self._requests, self._grace = EndedInOrder(application), grace
        super().__init__(
            uvicorn.Config(
                self._requests,
                log_level="info",
                log_config=logging,
                access_log=False,
                # By itself it would believe all that comes over loopback.
                proxy_headers="FORWARDED_ALLOW_IPS" in os.environ,
                timeout_graceful_shutdown=ceil(grace) + _TO_END,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Takes no more requests, and returns when there is none."""
        self._requests.end_within(self._grace)
        await super().shutdown(sockets)


def _logging() -> dict[str, Any]:
    """uvicorn's log without the one of its own that has paths, and with the application's."""
    told = deepcopy(uvicorn.config.LOGGING_CONFIG)
    told["loggers"]["stet.access"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    return told
