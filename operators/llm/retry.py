"""The one place where a request is made again (the HTTP client makes none again by itself)."""

import random
import time
from collections.abc import Callable
from typing import TypeVar

from operators.llm.failure import CallFailed, Failure

T = TypeVar("T")

_TRIES = 4
_FIRST = 0.5
_LONGEST = 20.0
_PASSING = frozenset({Failure.RATE_LIMITED, Failure.SERVER, Failure.CONNECTION, Failure.DEADLINE})


def retried(
    action: Callable[[], T],
    patience: float,
    pause: Callable[[float], None],
    told: Callable[[CallFailed], None],
    clock: Callable[[], float] = time.monotonic,
) -> T:
    """What `action` returns at the first try that brings something.

    A failure that may pass is tried again after a pause: random below a bound that doubles, so that those who
    failed together do not come back together, and never shorter than the server asked for. Raises the last
    CallFailed after four tries, or where the next would begin more than `patience` seconds after the first.
    `pause` waits (it may raise, which ends it); `told` hears of each failure that is tried again.
    """
    begun = clock()
    bound = _FIRST
    for tries_left in reversed(range(_TRIES)):
        try:
            return action()
        except CallFailed as failed:
            wait = (failed.retry_after or 0.0) + random.uniform(0, bound)
            late = clock() - begun + wait > patience
            if failed.reason not in _PASSING or not tries_left or late:
                raise
            told(failed)
        pause(wait)
        bound = min(2 * bound, _LONGEST)
    raise AssertionError("unreachable")
