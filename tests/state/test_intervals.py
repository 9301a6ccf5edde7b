"""The algebra of sets of moments, against membership of each moment."""

from datetime import datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from state.intervals import Span, Spans, canonical, clip, complement, difference, span_at, union
from tests.state.histories import day

LAST = 12
MOMENTS = [day(half / 2) for half in range(-2, 2 * LAST + 4)]
"""Every bound that is drawn, and a moment between each two."""

_DAYS = st.integers(0, LAST)
_SPANS = st.lists(
    st.builds(lambda a, b: Span(day(a), None if b is None else day(b)), _DAYS, st.none() | _DAYS)
)
_SETS = _SPANS.map(canonical)


def within(spans: Spans, at: datetime) -> bool:
    return any(s.start <= at and (s.end is None or at < s.end) for s in spans)


def is_canonical(spans: Spans) -> bool:
    proper = all(s.end is None or s.start < s.end for s in spans)
    return proper and all(a.end is not None and a.end < b.start for a, b in pairwise(spans))


@given(_SPANS)
def test_canonical_form_keeps_every_moment_and_is_the_only_one(spans: list[Span]) -> None:
    form = canonical(spans)
    assert is_canonical(form)
    assert all(within(form, t) == within(tuple(spans), t) for t in MOMENTS)
    assert canonical(reversed(spans)) == form == canonical(form)


@given(_SETS, _SETS)
def test_union_and_difference_are_those_of_their_moments(a: Spans, b: Spans) -> None:
    assert is_canonical(union(a, b))
    assert is_canonical(difference(a, b))
    for t in MOMENTS:
        assert within(union(a, b), t) == (within(a, t) or within(b, t))
        assert within(difference(a, b), t) == (within(a, t) and not within(b, t))


@given(_SETS, _DAYS, st.none() | _DAYS)
def test_clip_and_complement_part_a_window(a: Spans, since: int, until: int | None) -> None:
    start, end = day(since), None if until is None else day(until)
    inside, outside = clip(a, start, end), complement(a, start, end)
    assert is_canonical(inside)
    assert is_canonical(outside)
    assert union(inside, outside) == canonical([Span(start, end)])
    for t in MOMENTS:
        assert within(inside, t) == (within(a, t) and within((Span(start, end),), t))


@given(_SETS, st.sampled_from(MOMENTS))
def test_the_span_at_a_moment_is_the_maximal_one(a: Spans, at: datetime) -> None:
    found = span_at(a, at)
    assert (found is not None) == within(a, at)
    assert found is None or found in a


def test_spans_that_touch_are_one() -> None:
    assert canonical([Span(day(2), day(3)), Span(day(1), day(2))]) == (Span(day(1), day(3)),)


def test_an_interval_holds_its_start_and_not_its_end() -> None:
    spans = (Span(day(1), day(2)),)
    assert span_at(spans, day(1)) is not None
    assert span_at(spans, day(2)) is None
