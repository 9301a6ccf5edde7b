"""The HTTP client that an endpoint is asked with, and bounds that hold whatever a server sends.

A read's own time-out begins anew with every byte, so a server that drips bytes, be it in a header, a comment
or the body of an error, would hold a thread for as long as it likes; and how much memory a reply takes would
be the server's to say. Here each read of the socket is held to the request's end and to what is left of its
size.
"""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2
from openai import DefaultHttpxClient

LARGEST = 8 * 1024 * 1024
"""Bytes of a reply at most: a hundred times the longest answer that is asked for."""
_HEADERS = 1024 * 1024
_CONNECT = 10.0


@dataclass(slots=True)
class Bounds:
    """Until when (of the monotonic clock) one request may take, and how many bytes may still come of it."""

    end: float
    left: int = LARGEST + _HEADERS


_now = threading.local()


@contextmanager
def held(bounds: Bounds) -> Iterator[None]:
    """What this thread sends and reads within is held to `bounds`: what goes beyond fails as a time-out or as
    a connection that was cut."""
    before = getattr(_now, "bounds", None)
    _now.bounds = bounds
    try:
        yield
    finally:
        _now.bounds = before


def held_client(deadline: float) -> httpx2.Client:
    """A client whose requests can be `held`.

    It follows no redirect, which would carry what was said to a server that nobody named. It asks for replies
    as they are, and unpacks none that comes packed all the same: a small one may unpack to any size.
    """
    client = DefaultHttpxClient(
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [_as_it_is]},
        timeout=httpx2.Timeout(deadline, connect=min(_CONNECT, deadline)),
    )
    # Neither library has a place for it to be named where proxies are to be taken from the environment.
    for transport in (client._transport, *client._mounts.values()):
        pool: Any = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _Backend(pool._network_backend)
    return client


def _as_it_is(response: httpx2.Response) -> None:
    response.headers.pop("content-encoding", None)


def _time_left(timeout: float | None) -> float | None:
    bounds: Bounds | None = getattr(_now, "bounds", None)
    if bounds is None:
        return timeout
    left = bounds.end - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the request's time is over")
    return left if timeout is None else min(timeout, left)


class _Stream(httpcore2.NetworkStream):
    """A connection's bytes, held to the bounds of the request that reads and writes them."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        part = self._stream.read(max_bytes, _time_left(timeout))
        bounds: Bounds | None = getattr(_now, "bounds", None)
        if bounds is not None:
            bounds.left -= len(part)
            if bounds.left < 0:
                raise httpcore2.ReadError("the reply is too large")
        return part

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _time_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _time_left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    """Opens connections that are `_Stream`s."""

    def __init__(self, backend: httpcore2.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        return _Stream(
            self._backend.connect_tcp(host, port, _time_left(timeout), local_address, socket_options)
        )

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._backend.connect_unix_socket(path, _time_left(timeout), socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
