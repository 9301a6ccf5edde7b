"""Calls and tokens by tenant, day, purpose and model (in Redis), and the daily budget on them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from operators.llm.failure import BudgetSpent
from operators.llm.purpose import Purpose
from state.graph_keys import spend_key

_KEPT = timedelta(days=400)
_TOTAL = "tokens"
_COUNTS = ("calls", "read", "written")


@dataclass(frozen=True, slots=True)
class Spent:
    """What one tenant's questions of one day, purpose and model took: requests that brought a reply, tokens
    that the model read, and tokens that it wrote."""

    day: date
    purpose: Purpose
    model: str
    calls: int
    read: int
    written: int


class Spend:
    """Counts what is spent. `client` answers bytes; one server or a cluster. Days are UTC's."""

    def __init__(
        self, client: Any, daily_tokens: int = 0, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`daily_tokens` is what each tenant may use in a day; 0 means any amount."""
        self._client, self._daily, self._now = client, daily_tokens, now

    def check(self, tenant: str) -> None:
        """Raises BudgetSpent where the tenant has used its tokens of today.

        It is asked before a call, and what a call takes is known after it: calls that are under way together
        can go over the budget by what they take.
        """
        if not self._daily:
            return
        now = self._now()
        used = int(self._client.hget(spend_key(tenant, now.date()), _TOTAL) or 0)
        if used >= self._daily:
            midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
            raise BudgetSpent(tenant, (midnight - now).total_seconds())

    def add(self, tenant: str, purpose: Purpose, model: str, read: int, written: int) -> None:
        """Counts one call, in one round trip."""
        name = spend_key(tenant, self._now().date())
        pipe = self._client.pipeline(transaction=False)
        for count, by in zip(_COUNTS, (1, read, written), strict=True):
            pipe.hincrby(name, f"{purpose.value} {count} {model}", by)
        pipe.hincrby(name, _TOTAL, read + written)
        pipe.expire(name, _KEPT)
        pipe.execute()

    def of(self, tenant: str, first: date, last: date) -> list[Spent]:
        """What the tenant spent on the days from `first` to `last`, by day, purpose and model; 400 days are
        kept."""
        days = list(_days(first, last))
        pipe = self._client.pipeline(transaction=False)
        for day in days:
            pipe.hgetall(spend_key(tenant, day))
        found = pipe.execute() if days else []
        return [row for day, fields in zip(days, found, strict=True) for row in _rows(day, fields)]

    def today(self) -> date:
        """The day that calls are counted on now."""
        return self._now().date()


def _days(first: date, last: date) -> Iterator[date]:
    for offset in range((last - first).days + 1):
        yield first + timedelta(days=offset)


def _rows(day: date, fields: dict[bytes, bytes]) -> list[Spent]:
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for field, value in fields.items():
        purpose, _, rest = field.decode().partition(" ")
        count, _, model = rest.partition(" ")
        if model:
            counts.setdefault((purpose, model), {})[count] = int(value)
    return [
        Spent(day, Purpose(purpose), model, *(by.get(count, 0) for count in _COUNTS))
        for (purpose, model), by in sorted(counts.items())
    ]
