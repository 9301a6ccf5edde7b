"""What a request needs before it may be sent, and what is booked when it has ended."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from operators.llm.breaker import Breaker
from operators.llm.call_metrics import CallMetrics
from operators.llm.endpoint import Endpoint
from operators.llm.failure import CallFailed, Failure
from operators.llm.limiter import Limiter
from operators.llm.purpose import Purpose
from operators.llm.spend import Spend

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Used:
    """The tokens that a request took, as far as it is known: none where no reply came."""

    read: int = 0
    written: int = 0


class Allowance:
    """Holds requests to the budget, the shared limit, the breaker and the number in flight.

    Where Redis is away it raises what Redis' client raises, before a request is sent and never after it: a
    reply that was paid for is not lost because it cannot be booked.
    """

    def __init__(self, endpoint: Endpoint, client: Any, metrics: CallMetrics) -> None:
        self._metrics, self._model = metrics, endpoint.model
        self.patience = 2 * endpoint.deadline
        self._slots = threading.BoundedSemaphore(endpoint.in_flight)
        self._breaker = Breaker()
        self._limiter = Limiter(client, endpoint)
        self._spend = Spend(client, endpoint.daily_tokens)
        self._closed = threading.Event()

    def close(self) -> None:
        """Lets no request through any more, and ends the waits of those that have not been sent."""
        self._closed.set()

    def pause(self, seconds: float) -> None:
        """Waits. Raises CallFailed (CLOSED)."""
        if self._closed.wait(seconds):
            raise CallFailed(Failure.CLOSED, "this process is ending")

    @contextmanager
    def request(self, tenant: str, purpose: Purpose, tokens: int) -> Iterator[Used]:
        """Surrounds one request that will take about so many tokens; what it took is put into the `Used`.

        Raises CallFailed where it may not be sent, and BudgetSpent.
        """
        with self._slots:
            self.pause(0)
            self._spend.check(tenant)
            self._breaker.check()
            self._wait_for_a_turn(tokens)
            used, failure = Used(), None
            begun: float | None = None
            try:
                with self._breaker.passing():
                    begun = time.monotonic()
                    yield used
            except CallFailed as failed:
                failure = failed.reason
                raise
            finally:
                if begun is not None:  # else it was refused, and is no request
                    self._metrics.called(purpose, failure, time.monotonic() - begun)
                self._book(tenant, purpose, tokens, used)

    def hold_all(self, failed: CallFailed) -> None:
        """The endpoint asked for a pause: all processes that ask it keep to it."""
        if failed.reason is Failure.RATE_LIMITED and failed.retry_after:
            with _booking():
                self._limiter.pause(failed.retry_after)

    def _wait_for_a_turn(self, tokens: int) -> None:
        turn = self._limiter.take(tokens, self.patience)
        if not turn.taken:
            raise CallFailed(
                Failure.RATE_LIMITED, "so many are asked already that the limit has no room", turn.wait
            )
        self._metrics.waited(turn.wait)
        self.pause(turn.wait)

    def _book(self, tenant: str, purpose: Purpose, tokens: int, used: Used) -> None:
        with _booking():
            if used.read or used.written:
                self._metrics.spent(purpose, used.read, used.written)
                self._spend.add(tenant, purpose, self._model, used.read, used.written)
            self._limiter.settle(tokens, used.read + used.written)


@contextmanager
def _booking() -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        _log.warning("what a call to the model took could not be booked: %s", type(error).__name__)
