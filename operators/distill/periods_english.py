"""English days, weeks, months, seasons and years: "20 January", "the 28th", "two weeks ago"."""

import re
from collections.abc import Callable
from typing import TypeAlias

from operators.distill.calendar_words import (
    AMBIGUOUS_MONTHS,
    AMBIGUOUS_WEEKDAYS,
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
    Year,
    possible,
)
from operators.distill.times import When

Reader: TypeAlias = Callable[[re.Match[str]], When | None]
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


def _date(year: str | None, month: int, day: str) -> Period | None:
    number = int(year) if year else None
    return CalendarDate(month, int(day), number) if possible(number, month, int(day)) else None


def _dates(first: Period | None, last: Period | None) -> When | None:
    return None if first is None or last is None else When(first=first, last=last)


def _one(period: Period | None) -> When | None:
    return None if period is None else When(first=period)


def _slashed(match: re.Match[str]) -> When | None:
    first, second, year = match[1], match[3], match[4]
    if len(year) == 2:
        year = f"20{year}"
    american = match[2] == "/" and int(first) <= 12
    month, day = (first, second) if american else (second, first)
    return _one(_date(year, int(month), day))


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


def _weekday(match: re.Match[str]) -> When | None:
    if match[2]:
        return When(first=Weekday(weekday_number(match[1]), weeks=_SIDES.get(match[2].casefold(), 1)))
    return When(first=Weekday(weekday_number(match[1])))


_NEXT = (
    r"(?=\s{0,3}(?:$|[.,;:!?)\n]|-|–"
    r"|(?:at|from|to|in|on|for|and|or|is|was|works|please|instead|by|until|till)\b))"
)
_OF_DIGITS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern, _I), reader)
    for pattern, reader in (
        (
            r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d|[-/.]\d)",
            lambda m: _one(_date(m[1], int(m[2]), m[3])),
        ),
        (r"(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/]|\.\d)", _slashed),
        (
            rf"{_DAY}{_TO}{_DAY}(?: of)? ({MONTH}){_YEAR}",
            lambda m: _dates(_date(m[4], month_number(m[3]), m[1]), _date(m[4], month_number(m[3]), m[2])),
        ),
        (rf"{_DAY}(?: of)?[ -]({MONTH}){_YEAR}", lambda m: _one(_date(m[3], month_number(m[2]), m[1]))),
        (r"([0-3]?\d)(?:st|nd|rd|th)? of (this|next|last) month\b", _month_day),
        (
            rf"{_COUNT} {_COUNTED}['’]? (ago|from now|from today)\b",
            lambda m: _counted(m[1], m[2], -1 if m[3].casefold() == "ago" else 1),
        ),
    )
)
_OF_WEEKDAYS = (
    re.compile(rf"({WEEKDAY})(?: (?:of |in )?(next|last|this|the following) week\b)?", _I),
    re.compile(rf"{WEEKDAY}(?:,? | \()(?:the )?", _I),
)
_OF_MONTHS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern, _I), reader)
    for pattern, reader in (
        (
            rf"({MONTH}) {_DAY}{_TO}{_DAY}(?! (?:{MONTH})){_YEAR}",
            lambda m: _dates(_date(m[4], month_number(m[1]), m[2]), _date(m[4], month_number(m[1]), m[3])),
        ),
        (rf"({MONTH}) (?:the )?{_DAY}{_YEAR}", lambda m: _one(_date(m[3], month_number(m[1]), m[2]))),
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
_AGO = (_OF_DIGITS[-1],)
_BY_WORD: dict[str, tuple[tuple[re.Pattern[str], Reader], ...]] = {
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
            lambda m: _one(_date(m[3], month_number(m[2]), m[1])),
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
    **dict.fromkeys(("a", "an", "half", "couple", "few", "several"), _AGO),
}
for _name in HOLIDAYS:
    _rule = (
        re.compile(_name.replace("'", "['’]") + r"\b", _I),
        lambda m: When(first=CalendarDate(*HOLIDAYS[m[0].casefold().replace("’", "'")])),
    )
    _start = _name.split()[0]
    _BY_WORD[_start] = (*_BY_WORD.get(_start, ()), _rule)

PERIOD_WORDS = frozenset({*_BY_WORD, *MONTHS, *WEEKDAYS})
"""The words with which a period can begin, in lower case."""

_YEAR_ALONE = re.compile(r"(?:19|20)\d\d(?![\w%]|[-/.:,]\d)", re.ASCII)
_YEAR_CUES = (
    "in",
    "since",
    "by",
    "until",
    "till",
    "during",
    "from",
    "before",
    "after",
    "year",
    "summer",
    "winter",
)
_IMPOSSIBLE = re.compile(
    r"\.? (?:29|3\d)(?:st|nd|rd|th)?(?![\w:%])", _I
)  # "February 30", the year given or not
_IMPOSSIBLE_BEFORE = re.compile(r"(?:29|3\d)(?:st|nd|rd|th)?(?: of)? $", _I)
_SLASH_SHORT = re.compile(r"(\d{1,2})/(\d{1,2})(?![\d/])", re.ASCII)
_CUES = ("on", "by", "from", "until", "till", "due", "for", "to", "since", "before", "after")


def cue_before(text: str, pos: int, cues: tuple[str, ...]) -> bool:
    """Whether the word before `pos` is one of `cues`."""
    word = text[max(0, pos - 12) : pos]
    return word.endswith(" ") and word[:-1].casefold().rpartition(" ")[2] in cues


def period_at(text: str, pos: int, word: str) -> tuple[int, When] | None:
    """The days that begin at `pos`, where `word` is the word or the run of digits there, in lower case."""
    if word[0].isdigit():
        return _of_digits(text, pos, word)
    if word in WEEKDAYS:
        return _of_weekday(text, pos, word)
    if word in MONTHS:
        if _IMPOSSIBLE_BEFORE.search(text[max(0, pos - 9) : pos]):
            return None
        return _first(_OF_MONTHS, text, pos) or _bare_month(text, pos, word)
    return _first(_BY_WORD.get(word, _AGO), text, pos)


def _first(rules: tuple[tuple[re.Pattern[str], Reader], ...], text: str, pos: int) -> tuple[int, When] | None:
    for pattern, reader in rules:
        match = pattern.match(text, pos)
        if match is not None:
            when = reader(match)
            if when is not None:
                return match.end(), when
    return None


def _of_digits(text: str, pos: int, word: str) -> tuple[int, When] | None:
    if len(word) > 8:
        return None
    found = _first(_OF_DIGITS, text, pos)
    if found is not None:
        return found
    if len(word) == 4 and _YEAR_ALONE.match(text, pos) and cue_before(text, pos, _YEAR_CUES):
        return pos + 4, When(first=Year(int(word)))
    short = _SLASH_SHORT.match(text, pos)
    if short is not None and cue_before(text, pos, _CUES):
        month, day = (short[1], short[2]) if int(short[1]) <= 12 else (short[2], short[1])
        period = _date(None, int(month), day)
        return None if period is None else (short.end(), When(first=period))
    return None


def _of_weekday(text: str, pos: int, word: str) -> tuple[int, When] | None:
    """A weekday beside a date gives way to the date."""
    alone, beside = _OF_WEEKDAYS
    match = beside.match(text, pos)
    if match is not None:
        dated = _dated_after(text, match.end(), text[match.end() - 4 : match.end()].casefold() == "the ")
        if dated is not None:
            end = dated[0]
            return end + (text[match.end() - 1] == "(" and text[end : end + 1] == ")"), dated[1]
    match = alone.match(text, pos)
    if match is None or (len(word) < 5 and not _is_weekday(text, pos, match.end(), word)):
        return None
    return match.end(), _weekday(match) or When(vague=True)


def _dated_after(text: str, pos: int, article: bool) -> tuple[int, When] | None:
    found = _first(_OF_DIGITS[:5] if text[pos : pos + 1].isdigit() else _OF_MONTHS, text, pos)
    if found is None and article:
        found = _first(_BY_WORD["the"], text, pos - 4)
    return found if found is not None and not isinstance(found[1].first, Month) else None


def _is_weekday(text: str, pos: int, end: int, word: str) -> bool:
    """ "Sat" and "Sun" are weekdays with a capital, beside a preposition or before a sign or a digit."""
    if word not in AMBIGUOUS_WEEKDAYS:
        return True
    if not text[pos].isupper() or text[pos : pos + 2].isupper():
        return False
    after = text[end : end + 2].lstrip(" ")[:1]
    return (
        cue_before(text, pos, (*_CUES, "this", "next", "last", "every", "or", "and"))
        or not after
        or (after.isdigit() or after in ",-–)/@")
    )


def _bare_month(text: str, pos: int, word: str) -> tuple[int, When] | None:
    end = pos + len(word)
    if word in AMBIGUOUS_MONTHS and not (
        text[pos].isupper()
        and (
            cue_before(text, pos, (*_CUES, "in", "during", "of", "early", "late", "mid", "every"))
            or word == "march"
        )
    ):
        return None
    if _IMPOSSIBLE.match(text, end):
        return None
    return end, When(first=Month(MONTHS[word]))
