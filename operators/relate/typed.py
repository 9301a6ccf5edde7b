"""Values by what they denote: amounts with amounts, dates with dates, "1:45 pm" equal to "quarter to two"."""

from datetime import datetime
from functools import lru_cache

from operators.distill.spans import TypedValue, ValueKind
from operators.distill.values import ANY_DAY, find_values, tells_time
from operators.relate.words import words

_FAMILY = {
    ValueKind.MONEY: "money",
    ValueKind.QUANTITY: "count",
    ValueKind.NUMBER: "count",
    ValueKind.PERCENT: "percent",
    ValueKind.DATE: "day",
    ValueKind.DATETIME: "day",
    ValueKind.TIME: "clock",
    ValueKind.DURATION: "duration",
    ValueKind.EMAIL: "email",
    ValueKind.PHONE: "phone",
    ValueKind.URL: "url",
}
"""Kinds that compare with each other only. Names, quotations, addresses and identifiers compare as text."""


@lru_cache(maxsize=16_384)
def typed(value: str, stated_at: datetime) -> TypedValue | None:
    """The typed value that `value` is; None where it is a text that at most mentions one.

    It is one if half of its content words are that value's, so "2 litres of milk" is an amount.
    """
    return _typed(value, stated_at if tells_time(value) else ANY_DAY)


@lru_cache(maxsize=16_384)
def _typed(value: str, stated_at: datetime) -> TypedValue | None:
    found = [v for v in find_values(value, stated_at) if v.kind in _FAMILY]
    if not found:
        return None
    longest = max(found, key=lambda v: v.end - v.start)
    inside, whole = words(longest.text), words(value)
    if whole.cjk:
        return longest if 2 * len(inside.cjk or longest.text) >= len(whole.cjk) else None
    return longest if 2 * len(inside.terms) >= len(whole.terms) else None


def measurable(value: TypedValue) -> bool:
    """Whether a value is of a kind that can be compared, rather than a name."""
    return value.kind in _FAMILY


def family(value: TypedValue) -> str:
    """What a typed value can be compared with."""
    return _FAMILY[value.kind]


def comparable(a: TypedValue | None, b: TypedValue | None) -> bool:
    """Whether two values can be values of one attribute: both texts, or both of one family. A day with a
    clock time compares with either."""
    if a is None or b is None:
        return a is b
    if family(a) == family(b):
        return True
    return {a.kind, b.kind} == {ValueKind.DATETIME, ValueKind.TIME}


def equal(a: TypedValue, b: TypedValue) -> bool | None:
    """Whether two comparable values are one, as far as one tells the other's detail; None if that cannot be
    said, as of vague times."""
    if a.canonical == b.canonical:
        return True
    if family(a) == "day" and family(b) == "day":
        return _nested(a, b)
    if ValueKind.DATETIME in (a.kind, b.kind):
        return a.canonical.rpartition("T")[2] == b.canonical.rpartition("T")[2]
    if family(a) == "count" and ValueKind.NUMBER in (a.kind, b.kind):
        return a.canonical.partition(" ")[0] == b.canonical.partition(" ")[0]
    return False


def _nested(a: TypedValue, b: TypedValue) -> bool | None:
    """Whether one day or time lies in the other ("Friday", "Friday at 3 pm")."""
    x, y = a.occurs, b.occurs
    if x is None or y is None or x.start is None or x.end is None or y.start is None or y.end is None:
        return None
    return (x.start <= y.start and y.end <= x.end) or (y.start <= x.start and x.end <= y.end)
