"""Whether a Redis on a Unix socket answers now, asked often and cheaply."""

import threading
import time
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

_SECONDS = 1.0
"""How long an answer may take, and how long it is believed."""


class RedisPulse:
    """Asks on a connection of its own, so that long commands of others do not hold it up. Thread-safe."""

    def __init__(self, socket: Path) -> None:
        self._client = redis.Redis(
            unix_socket_path=str(socket),
            socket_timeout=_SECONDS,
            socket_connect_timeout=_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._lock = threading.Lock()
        self._asked = float("-inf")
        self._error: str | None = None

    def fault(self) -> str | None:
        """The kind of error that asking gave, or None if it answered; at most a second old, or new."""
        with self._lock:
            if time.monotonic() - self._asked > _SECONDS:
                try:
                    self._client.ping()
                    self._error = None
                except redis.RedisError as error:
                    self._error = type(error).__name__
                self._asked = time.monotonic()
            return self._error

    def close(self) -> None:
        self._client.close()
