"""Chinese times: a period of days (11月3日（周二）), a clock (早上7点), or both, and their ranges."""

import re
from dataclasses import replace

from operators.distill.clocks_chinese import PART, chinese_clock_at
from operators.distill.periods import CalendarDate, MonthDay, Period, Shift, Unit, Weekday, possible
from operators.distill.periods_chinese import (
    DAYNUM,
    PERIOD_CHARS,
    WEEK,
    WEEKDAY,
    chinese_period_at,
    number_of,
)
from operators.distill.times import When

CLOCK_STARTS = frozenset("0123456789一二两三四五六七八九十凌清早上中下傍晚夜半午")
TIME_CHARS = PERIOD_CHARS | CLOCK_STARTS
"""The characters with which a Chinese time can begin."""

_ASIDE = re.compile(rf"[（(]{WEEK}{WEEKDAY}[）)]|，?{WEEK}{WEEKDAY}")
_PART_AFTER = re.compile(rf"，?的?({PART})")
_RANGE = re.compile(r" ?(?:到|至|—|–|-|~|～) ?")
_DAY_AFTER = re.compile(rf"({DAYNUM})[日号]")
_PART_NAMES = {"上": "morning", "早": "morning", "清": "morning", "中": "noon", "下": "afternoon"}


def chinese_time_at(text: str, pos: int) -> tuple[int, When] | None:
    """The time that begins at `pos`. Takes bounded time, whatever follows."""
    found = chinese_period_at(text, pos)
    if found is not None:
        end, when = found
        if isinstance(when.first, CalendarDate | MonthDay):
            aside = _ASIDE.match(text, end)
            end = aside.end() if aside is not None else end
        return _with_clock(text, *_with_range(text, end, when))
    if text[pos] in CLOCK_STARTS:
        clock = chinese_clock_at(text, pos)
        if clock is not None:
            return clock[0], When(clock=clock[1], until=clock[2])
    return None


def _with_range(text: str, end: int, when: When) -> tuple[int, When]:
    if when.first is None:
        return end, when
    joint = _RANGE.match(text, end)
    if joint is None or joint.end() >= len(text):
        return end, when
    day = _DAY_AFTER.match(text, joint.end())
    first: Period = when.first
    if day is not None and isinstance(first, CalendarDate):
        number = number_of(day[1])
        if possible(first.year, first.month, number):
            return day.end(), replace(when, last=replace(first, day=number))
    last = chinese_period_at(text, joint.end())
    if last is None or last[1].first is None or type(last[1].first) is not type(first):
        return end, when
    return last[0], replace(when, last=last[1].first)


def _with_clock(text: str, end: int, when: When) -> tuple[int, When]:
    first = when.first
    day = isinstance(first, CalendarDate | MonthDay | Weekday) or (
        isinstance(first, Shift) and first.unit is Unit.DAY
    )
    if when.minutes is not None or when.vague or when.last is not None or not (day or when.every):
        return end, when
    start = end + (text[end : end + 1] in ("，", " ", "的") and end < len(text))
    inherited = "晚" if when.part == "evening" else ""
    clock = chinese_clock_at(text, start, beside_day=True, inherited=inherited)
    if clock is not None:
        return clock[0], replace(when, clock=clock[1], until=clock[2], part="")
    part = _PART_AFTER.match(text, end)
    if part is not None:
        return part.end(), replace(when, part=_PART_NAMES.get(part[1][0], "evening"))
    return end, when
