"""When a thing happens or begins to hold, as a model tells it: the rules read its words, where they can.

Models reckon badly with dates. So a model says which words of the text tell the time, and the rules find them
on the calendar. Its own bounds count only for words that the rules cannot read and that name something on the
calendar; "soon" has no bounds, whatever the model says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from operators.distill.anchored import TIMES
from operators.distill.answer import TimeTold
from operators.distill.values import find_values
from operators.distill.verbatim import says
from operators.llm.refusal import Refusal, Refused
from operators.relate.words import words
from state.model import Message, Occurs, Precision

LONGEST = 80
"""The most characters of the words for a time."""
FAR = timedelta(days=366 * 200)
"""A model's own bounds lie no further than this from when the words were said."""
_UNBOUND = (Precision.VAGUE, Precision.RECURRING)
_ON_THE_CALENDAR = re.compile(
    r"\d|[一二三四五六七八九十两]|[年月日号周天季]|星期|礼拜|\b(?:day|week|weekend|month|year|spring|summer|autumn|fall|winter"
    r"|easter|christmas|new year|birthday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|morning|afternoon|evening"
    r"|night|today|tomorrow|yesterday|tonight)s?\b",
    re.IGNORECASE,
)


def occurs(told: TimeTold, sources: Sequence[Message], refused: Refused) -> Occurs | None:
    """The time that `told` speaks of, resolved against when the message that says it was sent.

    None where none of `sources` (the latest first is preferred) says the words.
    """
    text = " ".join(told.words.split())
    said_in = next((m for m in reversed(sources) if says(m.content, text)), None)
    if said_in is None or len(text) > LONGEST:
        refused(Refusal.UNSAID_TIME)
        return None
    bounded = told.start is not None or told.end is not None
    read = _read(text, said_in.sent_at)
    if read is not None and (read.whole or read.occurs.precision in _UNBOUND or not bounded):
        if read.occurs.precision in _UNBOUND and bounded:
            refused(Refusal.VAGUE_BOUND)
        return read.occurs
    return _own(text, told, said_in.sent_at, refused)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the rules read in the words for a time; `whole`: nothing else is in them ("after Easter")."""

    occurs: Occurs
    whole: bool


def _read(text: str, sent_at: datetime) -> _Read | None:
    for value in find_values(text, sent_at):
        if value.kind in TIMES and value.occurs is not None:
            return _Read(value.occurs, words(text).kinds <= words(value.text).kinds)
    return None


def _own(text: str, told: TimeTold, sent_at: datetime, refused: Refused) -> Occurs:
    """The model's own reading of words that the rules cannot read, or not wholly."""
    precision = Precision(told.precision)
    bounded = told.start is not None or told.end is not None
    if not bounded:
        return Occurs(text, precision if precision in _UNBOUND else Precision.VAGUE)
    if precision in _UNBOUND or not _ON_THE_CALENDAR.search(text):
        refused(Refusal.VAGUE_BOUND)
        return Occurs(text, precision if precision in _UNBOUND else Precision.VAGUE)
    start, end = _moment(told.start), _moment(told.end)
    far = any(abs(bound - sent_at) > FAR for bound in (start, end) if bound is not None)
    if start is None or end is None or not start < end or far:
        refused(Refusal.BAD_TIME)
        return Occurs(text, Precision.VAGUE)
    return Occurs(text, precision, start, end)


def holds_from(since: str, sources: Sequence[Message], refused: Refused) -> datetime | None:
    """The start of the date that the words name as the one from which a thing holds; None if they name none.

    Only the rules reckon it: no date of a model's becomes a bound here.
    """
    text = " ".join(since.split())
    said_in = next((m for m in reversed(sources) if says(m.content, text)), None)
    if said_in is None or len(text) > LONGEST:
        refused(Refusal.UNSAID_TIME)
        return None
    for value in find_values(text, said_in.sent_at):
        if value.occurs is not None and value.kind in TIMES:
            if value.occurs.precision in _UNBOUND or value.occurs.start is None:
                refused(Refusal.VAGUE_BOUND)
                return None
            return value.occurs.start
    refused(Refusal.NO_DATE)
    return None


def _moment(text: str | None) -> datetime | None:
    """An ISO 8601 time, in UTC where it has no offset; None for anything else."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
