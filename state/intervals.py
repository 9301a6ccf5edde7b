"""Sets of moments as finite unions of half-open intervals over UTC time.

A set is written in one way only, its *canonical* form: spans sorted by start, disjoint and maximal (no two
touch, none is empty). So two sets are equal exactly when their tuples are. Every function takes canonical
sets, except `canonical` itself, and gives canonical sets.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open interval [start, end) of world time; `end` None is without end."""

    start: datetime
    end: datetime | None


Spans = tuple[Span, ...]
"""A set of moments in canonical form."""


def _later(a: datetime | None, b: datetime | None) -> datetime | None:
    """The later of two ends."""
    return None if a is None or b is None else max(a, b)


def _sooner(a: datetime | None, b: datetime | None) -> datetime | None:
    """The sooner of two ends."""
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


def canonical(spans: Iterable[Span]) -> Spans:
    """The union of any spans, overlapping, empty and unsorted ones included. O(n log n)."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        if span.end is not None and span.end <= span.start:
            continue
        last = merged[-1] if merged else None
        if last is not None and (last.end is None or span.start <= last.end):
            merged[-1] = Span(last.start, _later(last.end, span.end))
        else:
            merged.append(span)
    return tuple(merged)


def union(*sets: Spans) -> Spans:
    """The moments in any of `sets`."""
    return canonical(chain.from_iterable(sets))


def difference(left: Spans, right: Spans) -> Spans:
    """The moments of `left` that are not in `right`. O(|left| · |right|); both are a handful."""
    kept: list[Span] = []
    for span in left:
        start: datetime | None = span.start
        for cut in right:
            if start is None or (span.end is not None and cut.start >= span.end):
                break
            if cut.end is not None and cut.end <= start:
                continue
            if cut.start > start:
                kept.append(Span(start, cut.start))
            start = cut.end
        if start is not None and (span.end is None or start < span.end):
            kept.append(Span(start, span.end))
    return tuple(kept)


def complement(spans: Spans, since: datetime, until: datetime | None = None) -> Spans:
    """The moments of [since, until) that are not in `spans`."""
    return difference(canonical((Span(since, until),)), spans)


def clip(spans: Spans, since: datetime, until: datetime | None = None) -> Spans:
    """The moments of `spans` that lie in [since, until)."""
    return canonical(Span(max(s.start, since), _sooner(s.end, until)) for s in spans)


def span_at(spans: Spans, at: datetime) -> Span | None:
    """The maximal span that holds the moment `at`, or None where `at` is outside the set."""
    for span in spans:
        if span.start <= at and (span.end is None or at < span.end):
            return span
    return None
