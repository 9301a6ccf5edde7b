"""English times: a period of days ("next Friday", "Jan 20th"), a clock ("3 pm"), or both, and their ranges;
what recurs ("every Thursday", "Mondays at 18:00") and what is vague ("soon")."""

import re
from dataclasses import replace

from operators.distill.calendar_words import PART, WEEKDAY, WEEKDAYS, weekday_number
from operators.distill.clocks_english import PARTS, STARTERS, clock_at, clock_led_at, clock_range_at
from operators.distill.numbers import NUMBER_WORDS, read_number
from operators.distill.periods import CalendarDate, MonthDay, Shift, Unit, Weekday
from operators.distill.periods_english import PERIOD_WORDS, cue_before, period_at
from operators.distill.times import When, weekday_name

_I = re.IGNORECASE | re.ASCII
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s"
_EVERY = re.compile(
    r"(?:every|each) (?P<other>other |second |\d{1,3} |(?:two|three|four|six) )?"
    rf"(?P<what>{WEEKDAY}(?:(?:,? and |, | or ){WEEKDAY}){{0,6}}"
    r"|(?:week|work)?days?\b|weeks?\b|weekends?\b|months?\b|quarters?\b|years?\b"
    r"|mornings?\b|afternoons?\b|evenings?\b|nights?\b|hours?\b|minutes?\b|(?:spring|summer"
    r"|autumn|fall|winter)\b)",
    _I,
)
_PLURAL = re.compile(rf"({_DAYS})\b(?:( to | through | ?- ?|–|(?:,? and |, | or ))({_DAYS})\b)?", _I)
_ADVERBS = {
    "daily": "day", "weekly": "week", "fortnightly": "2 week", "monthly": "month", "quarterly": "quarter",
    "yearly": "year", "annually": "year", "weekdays": "weekday", "weekends": "weekend", "hourly": "hour",
}  # fmt: skip
_TIMES = re.compile(
    r"(once|twice|(\d{1,3}|three|four|five|six) times) (?:a|an|per|every) (day|week|month|quarter|year)\b", _I
)
_VAGUE = re.compile(
    r"(?:sooner or later|soon(?! as\b)|some ?day|sometime(?! (?:last|this|next|in|on|around"
    r"|between))|eventually|recently|lately|shortly"
    r"|later on|later(?! (?:today|this|than|in|that))|some other (?:time|day)|at some point|another time"
    r"|in (?:the )?(?:near |distant )?future|in a (?:bit|while|moment)|a while (?:ago|back)"
    r"|one of these days|one day(?! (?:a|per|pass|only|each|of|off|trip)\b)"
    r"|the other day|as soon as possible|asap)\b",
    _I,
)
_VAGUE_STARTS = frozenset(
    [
        "sooner",
        "soon",
        "some",
        "someday",
        "sometime",
        "eventually",
        "recently",
        "lately",
        "shortly",
        "later",
        "at",
        "another",
        "in",
        "a",
        "one",
        "the",
        "as",
        "asap",
    ]
)
_PART = re.compile(rf",? (?:in the |at )?({PART})", _I)
_CLOCK_JOIN = re.compile(r"(?:,? ?\(?(at|from|by|@|around|about|after|before|between)? ?)", _I)
_BARE_STOP = re.compile(
    r"[\w%€$£]|[.,:/-]\d| ?(?:%|degrees|percent|people|guests|persons?|per\b|o\b)|[ -][a-z]{3,}s\b", _I
)
_DAY_JOIN = re.compile(r",? (?:on |this |of )?(?=(\w+))", _I)
_RANGE_JOIN = re.compile(r" ?(?:-|–|—|to\b|until\b|till\b|through\b) ?(?=(\w+))", _I)
_AND_JOIN = re.compile(r" and (?=(\w+))", _I)
_BETWEEN = re.compile(r"(?:between|from) ", _I)
_BETWEEN_END = re.compile(
    r"\s*(?:$|[.,;:!?)\n]|(?:on|in|at|tomorrow|today|if|or|please|instead|works)\b|" + WEEKDAY + ")", _I
)
_WORD = re.compile(r"\w+", re.ASCII)

TIME_WORDS = frozenset(
    {
        *PERIOD_WORDS,
        *STARTERS,
        *NUMBER_WORDS,
        *_VAGUE_STARTS,
        *_ADVERBS,
        "every",
        "each",
        "once",
        "twice",
        "between",
        "from",
    }
    | {f"{day}s" for day in WEEKDAYS if len(day) > 5}
)
"""The words with which an English time can begin, in lower case; a run of digits can begin one too."""


_COUNTS = rf"(?:\d|few |several |couple |half an |(?:{'|'.join(sorted(NUMBER_WORDS))})\b)"
_PERIOD_NOUNS = "(?:minute|min|hour|hr|day|night|week|weekend|month|quarter|year|fortnight)"
GATES = {
    word: re.compile(rf" (?:{rest})", _I)
    for word, rest in {
        "the": r"day (?:after|before)|(?:week|weekend|month|year) (?:before|after)|weekend|end of|other day"
        r"|following|\d"
        r"|past|last|next|coming|previous",
        "a": rf"{_PERIOD_NOUNS}|quarter|while|few|couple|dozen|hundred|thousand|million|billion",
        "an": "hour",
        "in": rf"{_COUNTS}|(?:the )?(?:near |distant )?future"
        rf"|an? (?:{_PERIOD_NOUNS}|few|couple|bit|while|moment)",
        "at": "some point",
        "as": "soon as possible",
        "another": "time",
        "from": r"\d|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b",
        "half": "past|an hour|a dozen",
        "some": "day|other",
        "day": "after tomorrow|before yesterday",
        **dict.fromkeys(PARTS, r"(?:at |around )?\d"),
    }.items()
}
"""What must follow a frequent word for it to begin a value: a cheap test before the dear ones."""


def english_time_at(text: str, pos: int, word: str) -> tuple[int, When] | None:
    """The time that begins at `pos`, where `word` is the word or the run of digits there, in lower case.

    Takes bounded time, whatever follows.
    """
    digits = word[0].isdigit()
    if not digits:
        found = _recurring(text, pos, word)
        if found is not None:
            return found
        if word in ("between", "from"):
            return _between(text, pos)
    elif len(word) > 8:
        return None
    period = period_at(text, pos, word) if digits or word in PERIOD_WORDS or word in NUMBER_WORDS else None
    if period is not None:
        return _with_clock(text, *_with_range(text, pos, *period))
    if not digits and word in _VAGUE_STARTS:
        vague = _VAGUE.match(text, pos)
        if vague is not None and not (word == "soon" and cue_before(text, pos, ("as",))):
            return vague.end(), When(vague=True)
    if (digits and len(word) <= 2) or word in STARTERS:
        clock = clock_range_at(text, pos)
        if clock is not None:
            return _with_day(text, clock[0], When(clock=clock[1], until=clock[2]))
    return None


def _recurring(text: str, pos: int, word: str) -> tuple[int, When] | None:
    if word in ("every", "each"):
        match = _EVERY.match(text, pos)
        if match is None:
            return None
        other = (match["other"] or "").strip().casefold()
        count = {"": "", "other": "2 ", "second": "2 "}.get(other)
        every = (f"{read_number(other)} " if count is None else count) + _recurring_name(match["what"])
        return _with_clock(text, match.end(), When(every=every))
    if word in _ADVERBS:
        return _with_clock(text, pos + len(word), When(every=_ADVERBS[word]))
    if word in ("once", "twice") or word[0].isdigit() or word in NUMBER_WORDS:
        match = _TIMES.match(text, pos)
        if match is None:
            return None
        times = {"once": "1", "twice": "2"}.get(match[1].casefold()) or str(read_number(match[2]))
        return match.end(), When(every=f"{match[3].casefold()}, {times} times")
    if word[-1] == "s" and word[:-1] in WEEKDAYS and len(word) > 6:
        match = _PLURAL.match(text, pos)
        if match is None:
            return None
        every = weekday_name(weekday_number(match[1][:-1]))
        if match[3]:
            joint = match[2].strip(" ,").casefold()
            every += ("," if joint in ("and", "or", "") else "-") + weekday_name(
                weekday_number(match[3][:-1])
            )
        return _with_clock(text, match.end(), When(every=every))
    return None


def _recurring_name(words: str) -> str:
    days = [word for word in _WORD.findall(words.casefold()) if word in WEEKDAYS]
    if days:
        return ",".join(weekday_name(weekday_number(day)) for day in days)
    return words.casefold().removesuffix("s")


def _between(text: str, pos: int) -> tuple[int, When] | None:
    """ "between 10 and 12" and "from 2 to 4 pm" are clocks only where no unit or noun follows."""
    start = _BETWEEN.match(text, pos)
    if start is None:
        return None
    between = start.group().casefold().startswith("between")
    clock = clock_range_at(text, start.end(), bare=False, between=between)
    if clock is None and between:
        clock = clock_range_at(text, start.end(), bare=True, between=True)
        if clock is not None and (clock[2] is None or not _BETWEEN_END.match(text, clock[0])):
            return None
    if clock is not None and clock[2] is not None:
        return _with_day(text, clock[0], When(clock=clock[1], until=clock[2]))
    word = _WORD.match(text, start.end())
    if clock is not None or word is None or not between:
        return None
    first = period_at(text, start.end(), word.group().casefold())
    joint = None if first is None else _AND_JOIN.match(text, first[0])
    last = None if joint is None else period_at(text, joint.end(), joint[1].casefold())
    if first is None or last is None or not (_concrete(first[1]) and _concrete(last[1])):
        return None
    return last[0], replace(first[1], last=last[1].first)


def _concrete(when: When) -> bool:
    return when.first is not None and when.last is None


def _is_day(when: When) -> bool:
    first = when.first
    return isinstance(first, CalendarDate | MonthDay | Weekday) or (
        isinstance(first, Shift) and first.unit is Unit.DAY
    )


def _with_range(text: str, pos: int, end: int, when: When) -> tuple[int, When]:
    joint = _RANGE_JOIN.match(text, end) if _concrete(when) and not when.part else None
    if joint is None:
        return end, when
    last = period_at(text, joint.end(), joint[1].casefold())
    if last is None or not _concrete(last[1]) or type(last[1].first) is Shift:
        return end, when
    return last[0], replace(when, last=last[1].first)


def _with_clock(text: str, end: int, when: When) -> tuple[int, When]:
    """Adds the part of the day and the clock that follow a day."""
    if when.minutes is not None or when.vague or not (when.every or _is_day(when)):
        return end, when
    part = _PART.match(text, end)
    if part is not None:
        led = clock_led_at(text, part.start(1))
        if led is not None:
            return led[0], replace(when, clock=led[1])
        end, when = part.end(), replace(when, part=part[1].casefold())
    joint = _CLOCK_JOIN.match(text, end)
    if joint is None or joint.end() == end or when.last is not None:
        return end, when
    word = (joint[1] or "").casefold()
    clock = clock_range_at(text, joint.end(), between=word == "between")
    if clock is None and word == "between":
        clock = clock_range_at(text, joint.end(), bare=True, between=True)
    if clock is None and word in ("at", "@", "by"):
        alone = clock_at(text, joint.end(), bare=True)
        if alone is not None and not _BARE_STOP.match(text, alone[0]):
            clock = (*alone, None)
    if clock is None:
        return end, when
    return clock[0], replace(when, clock=clock[1], until=clock[2], part="")


def _with_day(text: str, end: int, when: When) -> tuple[int, When]:
    """Adds the day that follows a clock: "3 pm on Friday"."""
    joint = _DAY_JOIN.match(text, end)
    if joint is None:
        return end, when
    word = joint[1].casefold()
    if cue_before(text, joint.end(), ("this",)) and word not in WEEKDAYS:
        return end, when
    found = (
        _recurring(text, joint.end(), word) if word in ("every", "each") or word[:-1] in WEEKDAYS else None
    )
    if found is not None and not found[1].clock:
        return found[0], replace(when, every=found[1].every)
    period = period_at(text, joint.end(), word) if word[0].isdigit() or word in PERIOD_WORDS else None
    if period is None or not _is_day(period[1]) or period[1].last is not None:
        return end, when
    return period[0], replace(when, first=period[1].first)
