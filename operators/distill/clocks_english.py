"""English clock times: "3 pm", "15:30", "noon", "half past six", "8 in the morning"."""

import re

from operators.distill.times import Clock

_I = re.IGNORECASE | re.ASCII
_WORD_HOURS = {
    word: hour
    for hour, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
        start=1,
    )
}
_WORD_MINUTES = {
    "half": 30,
    "quarter": 15,
    "a quarter": 15,
    "five": 5,
    "ten": 10,
    "twenty": 20,
    "twenty-five": 25,
}
_HOUR = rf"(?:\d{{1,2}}(?!\d)|(?:{'|'.join(_WORD_HOURS)})\b)"
_HALF = r"(?P<half>\s?(?:[ap]m\b|[ap]\.m\b\.?)|,? in the (?:morning|afternoon|evening)\b| at night\b)"
_CLOCK = re.compile(
    rf"(?P<named>noon|midday|midnight)\b"
    rf"|(?:(?P<minutes>half|(?:a )?quarter|five|ten|twenty(?:-five)?)(?: minutes)? (?P<side>past|to|after) )?"
    rf"(?P<hour>{_HOUR})(?:(?P<sep>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d))?"
    rf"(?P<oclock> ?o['’]?clock\b)?{_HALF}?",
    _I,
)
_LED = re.compile(
    r"(?P<part>morning|afternoon|evening)(?: at| around)? "
    r"(?P<hour>\d{1,2})(?!\d)(?::(?P<minute>[0-5]\d)(?!\d))?"
    r"(?! ?(?:%|[ap]\.?m\b|degrees|percent|people|guests|persons?|minutes?|hours?|o\b)|[\w€$£:]|[.,/-]\d"
    r"| [a-z]{3,}s\b)",
    _I,
)
_JOIN = re.compile(r" ?(?:-|–|—|to\b|until\b|till\b|and\b|through\b) ?", _I)
PARTS = ("morning", "afternoon", "evening")
STARTERS = frozenset({*PARTS, "noon", "midday", "midnight", "half", "quarter", "a", *_WORD_HOURS, "twenty"})


def clock_at(text: str, pos: int, bare: bool = False) -> tuple[int, Clock] | None:
    """The clock time at `pos`. `bare` takes an hour alone ("at 8"), which elsewhere is a number.

    Without am or pm, an hour from 1 to 6 written with one digit or as a word is in the afternoon.
    """
    match = _CLOCK.match(text, pos)
    if match is None:
        return clock_led_at(text, pos)
    if match["named"]:
        return match.end(), Clock(0 if match["named"].casefold() == "midnight" else 720)
    if not (match["half"] or match["oclock"] or match["minutes"] or match["sep"] == ":" or bare):
        return None
    if match["sep"] == "." and not match["half"]:
        return None
    minutes = _minutes(match)
    return None if minutes is None else (match.end(), Clock(minutes % 1440))


def clock_led_at(text: str, pos: int) -> tuple[int, Clock] | None:
    """A clock time that the part of the day stands in front of: "morning 9", "evening at 5:30"."""
    match = _LED.match(text, pos)
    hour = int(match["hour"]) if match is not None else 0
    if match is None or not 1 <= hour <= 12:
        return None
    late = match["part"].casefold() != "morning"
    return match.end(), Clock((hour % 12 + 12 * late) * 60 + int(match["minute"] or 0))


def _minutes(match: re.Match[str]) -> int | None:
    word = match["hour"].casefold()
    hour = _WORD_HOURS.get(word)
    if hour is None:
        hour = int(word)
    minute = int(match["minute"] or 0)
    half = (match["half"] or "").casefold().strip(" ,")
    if half:
        if not 1 <= hour <= 12 and not half.startswith(("in", "at")):
            return None
        late = (
            half[0] == "p"
            or "afternoon" in half
            or "evening" in half
            or (half == "at night" and 5 < hour < 12)
        )
        hour = hour % 12 + 12 * late if hour <= 12 else hour
    elif 1 <= hour <= 6 and not word.startswith("0"):
        hour += 12
    if hour > 23:
        return None
    shift = 0
    if match["minutes"]:
        shift = _WORD_MINUTES[match["minutes"].casefold()] * (-1 if match["side"].casefold() == "to" else 1)
    return hour * 60 + minute + shift


def clock_range_at(
    text: str, pos: int, bare: bool = False, between: bool = False
) -> tuple[int, Clock, Clock | None] | None:
    """A clock time at `pos` and the one it runs to, if any: "10 to 12 am", "15:00-17:00".

    Two bare hours are a range only where `bare`; "and" joins only after "between".
    """
    start = clock_at(text, pos, bare=True)
    if start is None:
        return None
    explicit = clock_at(text, pos)
    join = _JOIN.match(text, start[0])
    until = None
    if join is not None and (between or "and" not in join.group().casefold()):
        until = clock_at(text, join.end(), bare=bare or explicit is not None)
    if until is None:
        single = explicit if not bare else start
        return None if single is None else (*single, None)
    first, last = start[1].minutes, until[1].minutes
    if explicit is None or not _has_half(
        text, pos, start[0]
    ):  # "2 to 4 pm": the first takes the second's half
        hours = first % 720
        first = next((hour for hour in (hours + 720, hours) if hour < last <= hour + 720), first)
    if last == 0:
        last = 1440
    return until[0], Clock(first), Clock(last)


def _has_half(text: str, start: int, end: int) -> bool:
    words = text[start:end].casefold()
    return (
        words.endswith(("m", "m.", "ing", "noon", "night")) or words.startswith("0") or int_hour(words) > 12
    )


def int_hour(words: str) -> int:
    """The hour that a clock's digits begin with; 0 where it begins with a word."""
    digits = words[:2] if words[:2].isdecimal() else words[:1]
    return int(digits) if digits.isdecimal() else 0
