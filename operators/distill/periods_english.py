"""English days, weeks, months, seasons and years in a text, told from other words that look like them."""

import re

from operators.distill.calendar_words import AMBIGUOUS_MONTHS, AMBIGUOUS_WEEKDAYS, MONTHS, WEEKDAYS
from operators.distill.periods import Month, Year
from operators.distill.periods_english_forms import (
    AGO,
    BY_WORD,
    OF_DIGITS,
    OF_MONTHS,
    OF_WEEKDAYS,
    Forms,
    date_of,
    weekday_of,
)
from operators.distill.times import When

_I = re.IGNORECASE | re.ASCII
PERIOD_WORDS = frozenset({*BY_WORD, *MONTHS, *WEEKDAYS})
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
        return _first(OF_MONTHS, text, pos) or _bare_month(text, pos, word)
    return _first(BY_WORD.get(word, AGO), text, pos)


def _first(rules: Forms, text: str, pos: int) -> tuple[int, When] | None:
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
    found = _first(OF_DIGITS, text, pos)
    if found is not None:
        return found
    if len(word) == 4 and _YEAR_ALONE.match(text, pos) and cue_before(text, pos, _YEAR_CUES):
        return pos + 4, When(first=Year(int(word)))
    short = _SLASH_SHORT.match(text, pos)
    if short is not None and cue_before(text, pos, _CUES):
        month, day = (short[1], short[2]) if int(short[1]) <= 12 else (short[2], short[1])
        period = date_of(None, int(month), day)
        return None if period is None else (short.end(), When(first=period))
    return None


def _of_weekday(text: str, pos: int, word: str) -> tuple[int, When] | None:
    """A weekday beside a date gives way to the date."""
    alone, beside = OF_WEEKDAYS
    match = beside.match(text, pos)
    if match is not None:
        dated = _dated_after(text, match.end(), text[match.end() - 4 : match.end()].casefold() == "the ")
        if dated is not None:
            end = dated[0]
            return end + (text[match.end() - 1] == "(" and text[end : end + 1] == ")"), dated[1]
    match = alone.match(text, pos)
    if match is None or (len(word) < 5 and not _is_weekday(text, pos, match.end(), word)):
        return None
    return match.end(), weekday_of(match)


def _dated_after(text: str, pos: int, article: bool) -> tuple[int, When] | None:
    found = _first(OF_DIGITS[:5] if text[pos : pos + 1].isdigit() else OF_MONTHS, text, pos)
    if found is None and article:
        found = _first(BY_WORD["the"], text, pos - 4)
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
