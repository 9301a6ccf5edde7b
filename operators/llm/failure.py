"""Why a model gave no answer that can be used."""

from enum import StrEnum


class Failure(StrEnum):
    """The reason code of a call that failed. The codes are labels of metrics and are shown to operators."""

    RATE_LIMITED = "rate_limited"  # 429, or the shared limit has no room within the deadline
    SERVER = "server"  # 5xx, or a reply that is no chat completion
    CONNECTION = "connection"  # no connection, or it was cut
    DEADLINE = "deadline"  # no whole reply in time
    BREAKER_OPEN = "breaker_open"  # too many calls failed just now, so none is made
    AUTH = "auth"  # 401 or 403
    UNKNOWN_MODEL = "unknown_model"  # 404: the endpoint has no such model, or is none
    TOO_LONG = "too_long"  # the question is longer than the model reads
    REJECTED = "rejected"  # any other 4xx
    DECLINED = "declined"  # the model or a content filter would not answer
    EMPTY = "empty"  # a reply without text
    TRUNCATED = "truncated"  # the answer did not fit its room, twice
    MALFORMED = "malformed"  # the answer did not fit its shape, twice
    BUDGET = "budget"  # the tenant's tokens of the day are spent
    CLOSED = "closed"  # the caller was closed


_LASTING = frozenset(
    {
        Failure.AUTH,
        Failure.UNKNOWN_MODEL,
        Failure.TOO_LONG,
        Failure.REJECTED,
        Failure.DECLINED,
        Failure.EMPTY,
        Failure.TRUNCATED,
        Failure.MALFORMED,
    }
)


class CallFailed(Exception):
    """A call gave no answer, after all retries. Its text says why, and holds no message text and no secret.

    `retry_after`: seconds after which asking again has a chance, where that is known.
    """

    def __init__(self, reason: Failure, says: str, retry_after: float | None = None) -> None:
        super().__init__(f"{reason.value}: {says}")
        self.reason = reason
        self.retry_after = retry_after

    @property
    def lasting(self) -> bool:
        """Whether the same question is likely to fail again until someone changes something."""
        return self.reason in _LASTING


class BudgetSpent(CallFailed):
    """The tenant has used its tokens of the day; `retry_after` is the time until the next day (UTC)."""

    def __init__(self, tenant: str, retry_after: float) -> None:
        super().__init__(
            Failure.BUDGET,
            f"tenant {tenant} has used its tokens of today (STET_LLM_DAILY_TOKENS, UTC)",
            retry_after,
        )
        self.tenant = tenant
