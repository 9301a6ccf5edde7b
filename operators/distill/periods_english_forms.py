"""The forms of English periods, by the word they begin with: "20 January", "the 28th", "two weeks ago"."""

import re
from collections.abc import Callable
from typing import TypeAlias

from operators.distill.calendar_words import (
    HOLIDAYS,
    MONTH,
    MONTHS,
    SEASON_WORDS,
    WEEKDAY,
    WEEKDAYS,
    month_number,
    weekday_number,
)
from operators.distill.numbers import DIGITS, WORDS, read_number
from operators.distill.periods import (
    CalendarDate,
    Month,
    MonthDay,
    Period,
    Season,
    Shift,
    Unit,
    Weekday,
    possible,
)
from operators.distill.times import When

Reader: TypeAlias = Callable[[re.Match[str]], When | None]
Forms: TypeAlias = tuple[tuple[re.Pattern[str], Reader], ...]
"""Patterns with what reads their match; the first whose reader gives a time counts."""
_I = re.IGNORECASE | re.ASCII
_DAY = r"([0-3]?\d)(?:st|nd|rd|th)?(?![\d:%]|[.,]\d)"
_YEAR = r"(?:,? ((?:19|20)\d\d)(?!\d))?"
_TO = r" ?(?:-|–|to|until|till|through|and) ?"
_SIDE = r"(last|past|previous|this|next|coming|this coming|this past|the following)"
_SIDES = {"last": -1, "past": -1, "previous": -1, "this past": -1, "this": 0, "next": 1, "coming": 1}
_COUNT = rf"({DIGITS}|{WORDS}|an?|half an|a couple of|couple of|a few|few|several)"
_COUNTED = r"(minute|min|hour|hr|day|night|week|weekend|month|quarter|year|fortnight)s?\b"
_VAGUE_COUNTS = ("a couple of", "couple of", "a few", "few", "several")
_UNITS = {
    "day": Unit.DAY, "night": Unit.DAY, "week": Unit.WEEK, "weekend": Unit.WEEKEND, "month": Unit.MONTH,
    "quarter": Unit.QUARTER, "year": Unit.YEAR,
}  # fmt: skip


def date_of(year: str | None, month: int, day: str) -> Period | None:
    """The date that the digits of a day and a year, which may be left out, give; None if there is no such."""
    number = int(year) if year else None
    return CalendarDate(month, int(day), number) if possible(number, month, int(day)) else None


def _dates(year: str | None, month: int, first: str, last: str) -> When | None:
    begin, end = date_of(year, month, first), date_of(year, month, last)
    return None if begin is None or end is None else When(first=begin, last=end)


def _one(period: Period | None) -> When | None:
    return None if period is None else When(first=period)


def _slashed(match: re.Match[str]) -> When | None:
    first, second, year = match[1], match[3], match[4]
    if len(year) == 2:
        year = f"20{year}"
    american = match[2] == "/" and int(first) <= 12
    month, day = (first, second) if american else (second, first)
    return _one(date_of(year, int(month), day))


def _counted(count: str, unit: str, sign: int) -> When | None:
    word = " ".join(count.casefold().split())
    if word in _VAGUE_COUNTS:
        return When(vague=True)
    number = {"a": 1.0, "an": 1.0, "half an": 0.5}.get(word)
    if number is None:
        value = read_number(word)
        number = None if value is None else float(value)
    if number is None or number > 10_000_000:
        return None
    unit = unit.casefold()
    if unit == "fortnight":
        number, unit = number * 2, "week"
    if unit in ("minute", "min", "hour", "hr"):
        return When(minutes=round(sign * number * (60 if unit[0] == "h" else 1)))
    if number != int(number):
        return None
    return When(first=Shift(_UNITS[unit], sign * int(number)))


def _sided(match: re.Match[str]) -> When | None:
    side = _SIDES.get(match[1].casefold(), 1 if "following" in match[1].casefold() else 0)
    word = match[2].casefold().rstrip(".")
    if word in _UNITS:
        return When(first=Shift(_UNITS[word], side))
    if word in SEASON_WORDS:
        return When(first=Season(SEASON_WORDS[word], side=side))
    if word in WEEKDAYS:
        if side > 0 and match[1].casefold() == "next":
            return When(first=Weekday(WEEKDAYS[word], weeks=1))
        return When(first=Weekday(WEEKDAYS[word], past=side < 0))
    return When(first=Month(MONTHS[word], years=0) if side == 0 else Month(MONTHS[word], side=side))


def _twice_removed(match: re.Match[str]) -> When | None:
    return When(first=Shift(_UNITS[match[1].casefold()], -2 if match[2].casefold() == "before last" else 2))


def _month_day(match: re.Match[str]) -> When | None:
    if not 1 <= int(match[1]) <= 31:
        return None
    side = match[2]
    return When(first=MonthDay(int(match[1]), None if side is None else _SIDES.get(side.casefold(), 0)))


def weekday_of(match: re.Match[str]) -> When:
    """The weekday that a match of the first of `OF_WEEKDAYS` names."""
    if match[2]:
        return When(first=Weekday(weekday_number(match[1]), weeks=_SIDES.get(match[2].casefold(), 1)))
    return When(first=Weekday(weekday_number(match[1])))


_NEXT = (
    r"(?=\s{0,3}(?:$|[.,;:!?)\n]|-|–"
    r"|(?:at|from|to|in|on|for|and|or|is|was|works|please|instead|by|until|till)\b))"
)
OF_DIGITS: Forms = tuple(
    (re.compile(pattern, _I), reader)
    for pattern, reader in (
        (
            r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d|[-/.]\d)",
            lambda m: _one(date_of(m[1], int(m[2]), m[3])),
        ),
        (r"(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|\.\d)", _slashed),
        (
            rf"{_DAY}{_TO}{_DAY}(?: of)? ({MONTH}){_YEAR}",
            lambda m: _dates(m[4], month_number(m[3]), m[1], m[2]),
        ),
        (rf"{_DAY}(?: of)?[ -]({MONTH}){_YEAR}", lambda m: _one(date_of(m[3], month_number(m[2]), m[1]))),
        (r"([0-3]?\d)(?:st|nd|rd|th)? of (this|next|last) month\b", _month_day),
        (
            rf"{_COUNT} {_COUNTED}['’]? (ago|from now|from today)\b",
            lambda m: _counted(m[1], m[2], -1 if m[3].casefold() == "ago" else 1),
        ),
    )
)
OF_WEEKDAYS = (
    re.compile(rf"({WEEKDAY})(?: (?:of |in )?(next|last|this|the following) week\b)?", _I),
    re.compile(rf"{WEEKDAY}(?:,? | \()(?:the )?", _I),
)
OF_MONTHS: Forms = tuple(
    (re.compile(pattern, _I), reader)
    for pattern, reader in (
        (
            rf"({MONTH}) {_DAY}{_TO}{_DAY}(?! (?:{MONTH})){_YEAR}",
            lambda m: _dates(m[4], month_number(m[1]), m[2], m[3]),
        ),
        (rf"({MONTH}) (?:the )?{_DAY}{_YEAR}", lambda m: _one(date_of(m[3], month_number(m[1]), m[2]))),
        (rf"({MONTH}),?(?: of)? ((?:19|20)\d\d)(?!\d)", lambda m: _one(Month(month_number(m[1]), int(m[2])))),
    )
)
_OF_SIDES = (
    (
        re.compile(
            rf"{_SIDE} ((?:day|night|week|weekend|month|quarter|year|{'|'.join(SEASON_WORDS)})\b"
            rf"|{WEEKDAY}|{MONTH})",
            _I,
        ),
        _sided,
    ),
)
AGO = (OF_DIGITS[-1],)
BY_WORD: dict[str, Forms] = {
    "today": ((re.compile(r"today\b", _I), lambda m: When(first=Shift(Unit.DAY, 0))),),
    "tonight": ((re.compile(r"tonight\b", _I), lambda m: When(first=Shift(Unit.DAY, 0), part="evening")),),
    "tomorrow": ((re.compile(r"tomorrow\b", _I), lambda m: When(first=Shift(Unit.DAY, 1))),),
    "yesterday": ((re.compile(r"yesterday\b", _I), lambda m: When(first=Shift(Unit.DAY, -1))),),
    "day": (
        (re.compile(r"day after tomorrow\b", _I), lambda m: When(first=Shift(Unit.DAY, 2))),
        (re.compile(r"day before yesterday\b", _I), lambda m: When(first=Shift(Unit.DAY, -2))),
    ),
    "the": (
        (re.compile(r"the day after tomorrow\b", _I), lambda m: When(first=Shift(Unit.DAY, 2))),
        (re.compile(r"the day before yesterday\b", _I), lambda m: When(first=Shift(Unit.DAY, -2))),
        (re.compile(r"the (week|weekend|month|year) (before last|after next)\b", _I), _twice_removed),
        (
            re.compile(r"the end of (?:the|this) (week|month|quarter|year)\b", _I),
            lambda m: When(first=Shift(_UNITS[m[1].casefold()], 0)),
        ),
        (
            re.compile(rf"the {_DAY}(?: of)? ({MONTH}){_YEAR}", _I),
            lambda m: _one(date_of(m[3], month_number(m[2]), m[1])),
        ),
        (re.compile(r"the weekend\b", _I), lambda m: When(first=Shift(Unit.WEEKEND, 0))),
        (
            re.compile(rf"the ([0-3]?\d)(?:st|nd|rd|th)(?: of (this|next|last) month\b|{_NEXT})", _I),
            _month_day,
        ),
        *_OF_SIDES,
    ),
    "in": (
        (
            re.compile(rf"in {_COUNT} {_COUNTED}(?:['’] time| time)?(?! of\b)", _I),
            lambda m: _counted(m[1], m[2], 1),
        ),
    ),
    **dict.fromkeys(("last", "past", "previous", "this", "next", "coming"), _OF_SIDES),
    **dict.fromkeys(("a", "an", "half", "couple", "few", "several"), AGO),
}
for _name in HOLIDAYS:
    _rule = (
        re.compile(_name.replace("'", "['’]") + r"\b", _I),
        lambda m: When(first=CalendarDate(*HOLIDAYS[m[0].casefold().replace("’", "'")])),
    )
    _start = _name.split()[0]
    BY_WORD[_start] = (*BY_WORD.get(_start, ()), _rule)
