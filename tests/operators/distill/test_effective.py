"""The date from which a clause says that something holds: only where it is said outright."""

from datetime import UTC, datetime

import pytest

from operators.distill.effective import effective_from
from operators.distill.values import find_values
from tests.operators.distill.times_table import SENT


def day(year: int, month: int, date: int) -> datetime:
    return datetime(year, month, date, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("From 5 May I'd like to pay €15 a week", day(2026, 5, 5)),
        ("make it €15 from 5 May", day(2026, 5, 5)),
        ("starting next Monday", day(2026, 1, 19)),
        ("as of March 1 it is 29 cents", day(2026, 3, 1)),
        ("effective March 1, 2027", day(2027, 3, 1)),
        ("yoga twice a week, starting on Monday 2 March", day(2026, 3, 2)),
        ("with effect from the 28th", day(2026, 1, 28)),
        ("from next month on", day(2026, 2, 1)),
        ("she works from home from tomorrow", day(2026, 1, 15)),
        ("it takes effect on 1 February", day(2026, 2, 1)),
        ("自12月1日起", day(2025, 12, 1)),
        ("从下周一开始由姑姑接", day(2026, 1, 19)),
        ("新价格3月1日起生效", day(2026, 3, 1)),
        ("下个月起换成8斤装", day(2026, 2, 1)),
    ],
)
def test_an_explicit_start_is_found(clause: str, expected: datetime) -> None:
    assert effective_from(clause, find_values(clause, SENT), SENT) == expected
    assert effective_from(clause, (), SENT) == expected


@pytest.mark.parametrize(
    "clause",
    [
        "the meeting is on 1 July",
        "from now on",
        "starting soon",
        "in future I'd like window seats",
        "from Mondays to Thursdays",
        "abroad from 3 to 11 November",
        "from Monday to Friday",
        "5 nights from 14 April",
        "a letter from Halvard",
        "以后由姑姑接",
        "我从上海来",
        "会议在12月1日",
        "从3月1日到5日",
    ],
)
def test_anything_less_is_none(clause: str) -> None:
    assert effective_from(clause, find_values(clause, SENT), SENT) is None
