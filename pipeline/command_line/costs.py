"""What `stet cost` tells: calls to a model and their tokens, by tenant, day, purpose and model."""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from operators.llm.endpoint import endpoint_from
from operators.llm.spend import Spend, Spent
from pipeline.command_line.terminal import clean, columns

DAYS = 30
"""Days that are told where none is named, today among them."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What tenants spent from `first` to `last`, and what each may spend in a day (0: any amount)."""

    first: date
    last: date
    daily_tokens: int
    spent: tuple[tuple[str, Spent], ...]

    def as_json(self) -> dict[str, Any]:
        """Each row with its tenant and day."""
        rows = [
            {
                "tenant": tenant,
                "day": row.day.isoformat(),
                "purpose": row.purpose.value,
                "model": row.model,
                "calls": row.calls,
                "tokens_read": row.read,
                "tokens_written": row.written,
            }
            for tenant, row in self.spent
        ]
        first, last = self.first.isoformat(), self.last.isoformat()
        return {"since": first, "until": last, "daily_tokens": self.daily_tokens, "spent": rows}


def costs(client: Any, tenants: Sequence[str], first: date | None) -> Costs:
    """What the tenants spent since `first`, or in the last `DAYS` days. One round trip a tenant."""
    endpoint = endpoint_from(os.environ)
    spend = Spend(client)
    today = spend.today()
    begin = first or today - timedelta(days=DAYS - 1)
    spent = tuple((tenant, row) for tenant in tenants for row in spend.of(tenant, begin, today))
    return Costs(begin, today, endpoint.daily_tokens if endpoint else 0, spent)


def costs_text(found: Costs) -> str:
    """The sums over the days as a table, and what is left of the day's budget."""
    sums: dict[tuple[str, str, str], Counter[str]] = {}
    today: Counter[str] = Counter()
    for tenant, row in found.spent:
        counts = sums.setdefault((tenant, row.purpose.value, row.model), Counter())
        counts.update(calls=row.calls, read=row.read, written=row.written)
        if row.day == found.last:
            today[tenant] += row.read + row.written
    head = f"{found.first} to {found.last} (UTC)"
    if not sums:
        return f"{head}: no call to a model"
    total: Counter[str] = Counter()
    for counts in sums.values():
        total.update(counts)
    table = [["tenant", "purpose", "model", "calls", "tokens read", "written"]]
    table += [[*map(clean, names), *_numbers(counts)] for names, counts in sorted(sums.items())]
    table.append(["all", "", "", *_numbers(total)])
    lines = [head, "", *_aligned(table)]
    if found.daily_tokens:
        lines.append("")
        lines += [
            f"{clean(tenant)}: {used:,} of {found.daily_tokens:,} tokens of today"
            for tenant, used in sorted(today.items())
        ]
    return "\n".join(lines)


def _numbers(counts: Counter[str]) -> tuple[str, str, str]:
    return f"{counts['calls']:,}", f"{counts['read']:,}", f"{counts['written']:,}"


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Names to the left, numbers to the right."""
    widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            " " * (width - columns(cell)) + cell if at > 2 else cell + " " * (width - columns(cell))
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
