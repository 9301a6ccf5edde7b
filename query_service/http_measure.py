"""How long requests take, as a Prometheus histogram."""

import time
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from prometheus_client import CollectorRegistry, Histogram


def measured(
    registry: CollectorRegistry,
) -> Callable[[Request, Callable[[Request], Awaitable[Response]]], Awaitable[Response]]:
    """A middleware that measures every request; of a stream, the time to its first byte."""
    seconds = Histogram(
        "stet_http_request_seconds", "Time to answer an HTTP request.", ["method", "route", "status"],
        registry=registry,
    )  # fmt: skip

    async def measure(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        begun = time.perf_counter()
        status = 500
        try:
            response = await call_next(request)
            status = response.status_code
            return response
        finally:
            # The route's template, never the path: ids would make a series each, and stay in the metrics.
            route = getattr(request.scope.get("route"), "path", "none")
            seconds.labels(request.method, route, str(status)).observe(time.perf_counter() - begun)

    return measure
