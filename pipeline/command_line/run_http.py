"""Runs an HTTP application on a listener until a signal."""

import contextlib
import socket
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import uvicorn
from fastapi import FastAPI

from pipeline.command_line.failures import warn
from pipeline.command_line.stopping import Stopped

GRACE = 5
"""Seconds that requests under way have to end when the service stops."""


def run_http(application: FastAPI, listener: socket.socket, ended: Callable[[], None] = lambda: None) -> None:
    """Says where it serves, and returns once it has stopped in order; calls `ended` whatever ends it."""
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    warn(f"serving on http://{shown}:{port} (described at http://{shown}:{port}/docs; Ctrl-C stops it)")
    config = uvicorn.Config(
        application,
        log_level="info",
        log_config=_logging(),
        access_log=False,
        timeout_graceful_shutdown=GRACE,
    )
    # uvicorn stops in order, then raises the signal again.
    with contextlib.suppress(Stopped):
        try:
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            ended()


def _logging() -> dict[str, Any]:
    """uvicorn's log without the one of its own that has paths, and with the application's."""
    told = deepcopy(uvicorn.config.LOGGING_CONFIG)
    told["loggers"]["stet.access"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    return told
