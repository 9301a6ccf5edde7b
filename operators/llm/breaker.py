"""Leaves an endpoint alone for a while after it failed again and again."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from operators.llm.failure import CallFailed, Failure

_FAILURES = 5
_REST = 30.0
_COUNTED = frozenset(
    {Failure.SERVER, Failure.CONNECTION, Failure.DEADLINE, Failure.AUTH, Failure.UNKNOWN_MODEL}
)
"""What says that the endpoint would answer no other request either."""


class Breaker:
    """After some requests in a row failed, none is let through for a while; then one is, whose end decides.
    The others wait for it: refused, all that came due at the same time would be put off again.

    Shared by the threads of a process, which are not held up by each other's requests otherwise.
    """

    def __init__(
        self, failures: int = _FAILURES, rest: float = _REST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Opens after `failures` in a row, for `rest` seconds of `clock`."""
        self._most, self._rest, self._clock = failures, rest, clock
        self._lock = threading.Condition()
        self._failures = 0
        self._open_until: float | None = None
        self._trying = False

    def check(self) -> None:
        """Raises CallFailed (BREAKER_OPEN) where no request may be made now. Does not wait."""
        with self._lock:
            self._refuse(while_trying=False)

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Surrounds one request. Raises CallFailed (BREAKER_OPEN) where it may not be made."""
        trial = self._enter()
        try:
            yield
        except CallFailed as failed:
            self._leave(trial, failed.reason in _COUNTED)
            raise
        except BaseException:
            self._leave(trial, None)
            raise
        self._leave(trial, False)

    def _enter(self) -> bool:
        """Whether the request is the one that decides."""
        with self._lock:
            self._lock.wait_for(lambda: not self._trying, self._rest)
            self._refuse(while_trying=True)
            self._trying = self._open_until is not None
            return self._trying

    def _refuse(self, while_trying: bool) -> None:
        if self._open_until is None:
            return
        left = self._open_until - self._clock()
        if left > 0 or (while_trying and self._trying):
            raise CallFailed(
                Failure.BREAKER_OPEN,
                f"the last {self._most} requests failed, so none is sent for a while",
                max(left, 0.0) or None,
            )

    def _leave(self, trial: bool, failed: bool | None) -> None:
        """`failed` is None where the request's end says nothing about the endpoint."""
        with self._lock:
            if trial:
                self._trying = False
                self._lock.notify_all()
            elif self._open_until is not None:
                return  # sent before it opened: what came later decides
            if failed is None:
                return
            self._failures = self._failures + 1 if failed else 0
            opens = trial or self._failures >= self._most
            self._open_until = self._clock() + self._rest if failed and opens else None
