"""What a worker shows of itself over HTTP: /healthz, /readyz and /metrics."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_STOP = 2.0


@contextmanager
def shown(
    listener: socket.socket, registry: CollectorRegistry, ready: Callable[[], Sequence[str]]
) -> Iterator[None]:
    """Answers on `listener` from a thread until the context ends. `ready` gives the reasons why not."""
    config = uvicorn.Config(_app(registry, ready), log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, name="worker-http", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(_STOP)
        listener.close()


def _app(registry: CollectorRegistry, ready: Callable[[], Sequence[str]]) -> Starlette:
    def healthz(request: Request) -> Response:
        """The process is up."""
        return _json({"status": "up"}, 200)

    def readyz(request: Request) -> Response:
        """200 while messages are processed; 503 with the reasons while they are not."""
        reasons = list(ready())
        return _json({"ready": not reasons, "reasons": reasons}, 503 if reasons else 200)

    def metrics(request: Request) -> Response:
        """Prometheus metrics of this process."""
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    return Starlette(
        routes=[Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]
    )


def _json(told: object, status: int) -> Response:
    return Response(json.dumps(told), status, media_type="application/json")
