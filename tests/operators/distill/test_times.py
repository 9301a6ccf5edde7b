"""Times: what the words mean, seen from the moment of sending."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.distill.spans import TypedValue, ValueKind
from operators.distill.values import find_values
from state.model import Occurs, Precision
from tests.operators.distill.times_table import (
    CHINESE_CLOCKS,
    CHINESE_DAYS,
    ENGLISH_CLOCKS,
    ENGLISH_DAYS,
    RECURRING,
    SENT,
    VAGUE,
)

TIMES = {ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME}
ALL_WORDS = [row[0] for row in (*ENGLISH_DAYS, *ENGLISH_CLOCKS, *CHINESE_DAYS, *CHINESE_CLOCKS)]


def only(text: str, sent_at: datetime = SENT) -> TypedValue:
    (value,) = find_values(text, sent_at)
    return value


def bounds(text: str, sent_at: datetime = SENT) -> tuple[datetime, datetime]:
    occurs = only(text, sent_at).occurs
    assert occurs is not None
    assert occurs.start is not None
    assert occurs.end is not None
    return occurs.start, occurs.end


@pytest.mark.parametrize(("words", "canonical", "precision"), [*ENGLISH_DAYS, *CHINESE_DAYS])
def test_days(words: str, canonical: str, precision: str) -> None:
    value = only(words)
    assert (value.text, value.kind, value.canonical) == (words, ValueKind.DATE, canonical)
    assert value.occurs is not None
    assert value.occurs.precision == precision
    assert value.occurs.words == words


@pytest.mark.parametrize(("words", "canonical"), [*ENGLISH_CLOCKS, *CHINESE_CLOCKS])
def test_clocks(words: str, canonical: str) -> None:
    value = only(words)
    assert (value.text, value.canonical) == (words, canonical)
    assert value.kind is (ValueKind.DATETIME if "T" in canonical else ValueKind.TIME)
    assert value.occurs is not None
    assert value.occurs.precision is Precision.INSTANT


@pytest.mark.parametrize(("words", "canonical"), RECURRING)
def test_recurring_times_have_no_bounds(words: str, canonical: str) -> None:
    value = only(words)
    assert value.canonical == canonical
    assert value.occurs == Occurs(words, Precision.RECURRING)


@pytest.mark.parametrize("words", VAGUE)
def test_vague_times_keep_their_words_and_have_no_bounds(words: str) -> None:
    assert only(words).occurs == Occurs(words, Precision.VAGUE)


def test_bounds_are_half_open_and_in_utc() -> None:
    assert bounds("20 January") == (datetime(2026, 1, 20, tzinfo=UTC), datetime(2026, 1, 21, tzinfo=UTC))
    assert bounds("next week") == (datetime(2026, 1, 19, tzinfo=UTC), datetime(2026, 1, 26, tzinfo=UTC))
    assert bounds("上个月") == (datetime(2025, 12, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))
    assert bounds("22 to 28 December") == (
        datetime(2025, 12, 22, tzinfo=UTC),
        datetime(2025, 12, 29, tzinfo=UTC),
    )
    assert bounds("tomorrow at 3 pm") == (
        datetime(2026, 1, 15, 15, tzinfo=UTC),
        datetime(2026, 1, 15, 15, 1, tzinfo=UTC),
    )
    assert bounds("between 10 and 12") == (
        datetime(2026, 1, 14, 10, tzinfo=UTC),
        datetime(2026, 1, 14, 12, tzinfo=UTC),
    )


def test_a_clock_that_runs_past_midnight_ends_on_the_next_day() -> None:
    assert bounds("Friday from 10 pm to 2 am") == (
        datetime(2026, 1, 16, 22, tzinfo=UTC),
        datetime(2026, 1, 17, 2, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "words", ["February 30", "30 February", "2月30日", "31 April 2026", "2026-13-01", "Feb 29 2025"]
)
def test_impossible_dates_are_no_dates(words: str) -> None:
    assert not any(value.kind in TIMES for value in find_values(words, SENT))


@pytest.mark.parametrize(
    "text",
    ["You may go", "I sat down", "march on", "We had fun in the sun", "3点建议", "地铁4号线", "a second one"],
)
def test_words_that_only_look_like_times(text: str) -> None:
    assert not any(value.kind in TIMES for value in find_values(text, SENT))


def test_a_date_without_a_year_is_the_nearest_one() -> None:
    new_year_eve = datetime(2025, 12, 31, 12, tzinfo=UTC)
    assert only("1 January", new_year_eve).canonical == "2026-01-01"
    assert only("December 30", datetime(2026, 1, 2, tzinfo=UTC)).canonical == "2025-12-30"
    assert only("29 February", datetime(2026, 9, 1, tzinfo=UTC)).canonical == "2028-02-29"


def test_the_28th_looks_ahead_unless_the_last_one_is_nearer() -> None:
    assert only("the 1st", datetime(2025, 2, 26, tzinfo=UTC)).canonical == "2025-03-01"
    assert only("the 28th", datetime(2025, 3, 30, tzinfo=UTC)).canonical == "2025-03-28"
    assert only("the 31st", datetime(2025, 2, 10, tzinfo=UTC)).canonical == "2025-03-31"


def test_the_zone_of_sent_at_is_converted_to_utc() -> None:
    tokyo = datetime(2026, 1, 15, 3, tzinfo=timezone(timedelta(hours=9)))  # 14 January in UTC
    assert only("today", tokyo).canonical == "2026-01-14"
    assert only("today", datetime(2026, 1, 14, 23)).canonical == "2026-01-14"


@pytest.mark.parametrize(
    "sent_at",
    [datetime.min, datetime.max, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)],
)
def test_at_the_calendar_ends_nothing_raises_and_bounds_stay_in_order(sent_at: datetime) -> None:
    for words in ALL_WORDS:
        for value in find_values(words, sent_at):
            if value.occurs is not None and value.occurs.start is not None:
                assert value.occurs.end is not None
                assert value.occurs.start < value.occurs.end


@given(st.sampled_from(ALL_WORDS), st.datetimes(timezones=st.just(UTC)))
def test_resolving_is_a_function_with_ordered_bounds(words: str, sent_at: datetime) -> None:
    values = find_values(words, sent_at)
    assert values == find_values(words, sent_at)
    for value in values:
        assert value.occurs is not None
        start, end = value.occurs.start, value.occurs.end
        assert (start is None) == (end is None)
        if start is not None and end is not None:
            assert start < end
            assert start.tzinfo is UTC


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.datetimes(timezones=st.just(UTC)))
def test_all_written_forms_of_a_full_date_agree(day: date, sent_at: datetime) -> None:
    month = day.strftime("%B")
    forms = [
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]} {day.day} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ]
    assert [only(form, sent_at).canonical for form in forms] == [day.isoformat()] * len(forms)


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC)))
def test_weekdays_fall_where_the_rules_say(sent_at: datetime) -> None:
    today = sent_at.date()
    monday = today - timedelta(days=today.weekday())
    assert 0 <= (bounds("Friday", sent_at)[0].date() - today).days < 7
    assert 1 <= (today - bounds("last Friday", sent_at)[0].date()).days <= 7
    assert bounds("next Friday", sent_at)[0].date() == monday + timedelta(days=11)
    assert bounds("下周五", sent_at) == bounds("next Friday", sent_at)
