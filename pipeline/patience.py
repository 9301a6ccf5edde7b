"""Waits for a store that is away, and never drops what it was to be given (DESIGN, invariant I5)."""

import random
import re
import threading
from collections.abc import Callable
from typing import TypeVar

from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from pipeline.metrics import Store
from state.graph_change import Overtaken
from state.note_points import NoteStoreError

T = TypeVar("T")

_FIRST = 0.05
_LONGEST = 5.0
_REDIS = (
    BusyLoadingError, ClusterDownError, ClusterError, ConnectionError, OutOfMemoryError, ReadOnlyError,
    TimeoutError, TryAgainError,
)  # fmt: skip
_REFUSES_NOW = re.compile(r"(?:^|caused error: )(?:MISCONF|NOREPLICAS|MASTERDOWN|BUSY) ")
"""How Redis says that its disk is full, that too few copies are there, or that a script runs; of a command in
a pipeline, its client says which before it."""


class BrokerAway(RuntimeError):
    """The brokers did not take a record in time."""


class StoppedWaiting(RuntimeError):
    """A stop was asked for while a store was away: what is unfinished is done at the next start."""


def store_of(error: BaseException) -> Store | None:
    """The store that is away, by what a call to it raised; None where waiting would be of no use."""
    if isinstance(error, _REDIS) or (isinstance(error, ResponseError) and _REFUSES_NOW.search(str(error))):
        return "redis"
    if isinstance(error, NoteStoreError):
        return "qdrant"
    if isinstance(error, BrokerAway):
        return "kafka"
    return None


class Patience:
    """Calls again, with back-off, what fails because a store is away; remembers which is.

    One for a process. `told` is given a line when a store goes and when it is back; `retried` its name at
    each try. `stopping` ends the waiting.
    """

    def __init__(
        self,
        stopping: threading.Event,
        told: Callable[[str], None],
        retried: Callable[[Store], None] = lambda store: None,
    ) -> None:
        self._stopping, self._told, self._retried = stopping, told, retried
        self._away: dict[Store, str] = {}
        self.ended_by: Exception | None = None

    @property
    def away(self) -> dict[Store, str]:
        """The stores that do not answer now, each with what it failed with."""
        return dict(self._away)

    def call(self, action: Callable[[], T], handled: type[Exception] | tuple[()] = ()) -> T:
        """What `action` returns in the end; it must be one that may be repeated.

        Raises what it raises for another reason, and StoppedWaiting. Either ends the process, and is kept as
        `ended_by`, unless it is one that the caller has `handled`.
        """
        try:
            return self._call(action)
        except Exception as error:
            if not isinstance(error, handled):
                self.ended_by = error
            raise

    def _call(self, action: Callable[[], T]) -> T:
        wait = _FIRST
        while True:
            try:
                answer = action()
            except Overtaken:
                continue  # an earlier try was made after all, and its answer got lost
            except Exception as error:
                store = store_of(error)
                if store is None:
                    raise
                self._gone(store, error)
                if self._stopping.wait(wait * random.uniform(0.5, 1)):
                    raise StoppedWaiting(
                        f"stopped while {store} was away ({_line(error)}); nothing is lost: what was not "
                        "finished is done at the next start"
                    ) from error
                wait = min(2 * wait, _LONGEST)
            else:
                self._back()
                return answer

    def _gone(self, store: Store, error: Exception) -> None:
        if store not in self._away:
            self._told(f"{store} is away ({_line(error)}): waiting for it")
        self._away[store] = _line(error)
        self._retried(store)

    def _back(self) -> None:
        for store in list(self._away):
            del self._away[store]
            self._told(f"{store} is back")


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
