"""Times as the text gives them, and their place on the calendar once it is known when the text was sent.

A recogniser (`times_english`, `times_chinese`) reads words into a `When`, which depends on the text alone;
`When.resolve` places it, its days by the rules of `periods`. The text's clock is taken to be UTC, since a
message carries no zone.

* A weekday beside a date is ignored: the date wins.
* Hours and minutes from now are instants. A clock without a day is on the day of sending. A part of the day
  keeps the whole day's bounds.
* A time outside the calendar that can be written (years 1 to 9999) keeps its words and has no bounds.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from operators.distill.periods import DAY, CalendarDate, Days, Month, Period, Shift, Unit
from operators.distill.spans import ValueKind
from state.model import Occurs, Precision

_ISO_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True, slots=True)
class Clock:
    """Minutes after midnight; 1440 is the end of the day."""

    minutes: int

    def __str__(self) -> str:
        return f"{self.minutes // 60:02d}:{self.minutes % 60:02d}"


@dataclass(frozen=True, slots=True)
class When:
    """A time as the text gives it.

    `first` to `last` are days, `clock` to `until` the time on them; `part` a part of the day ("morning");
    `minutes` counts from the moment of sending; `every` names what recurs; `vague` has neither.
    """

    first: Period | None = None
    last: Period | None = None
    clock: Clock | None = None
    until: Clock | None = None
    part: str = ""
    minutes: int | None = None
    every: str = ""
    vague: bool = False

    def kind(self) -> ValueKind:
        if self.minutes is not None:
            return ValueKind.DATETIME
        if self.clock is None:
            return ValueKind.DATE
        return ValueKind.DATETIME if self.first is not None or self.every else ValueKind.TIME

    def resolve(self, words: str, sent_at: datetime) -> tuple[str, Occurs]:
        """The canonical text and the `Occurs`. `sent_at` without a zone is taken as UTC. Never raises."""
        if self.vague:
            return " ".join(words.casefold().split()), Occurs(words, Precision.VAGUE)
        if self.every:
            clock = f" {self.clock}" if self.clock else ""
            return f"every {self.every}{clock}", Occurs(words, Precision.RECURRING)
        try:
            now = sent_at.replace(tzinfo=UTC) if sent_at.tzinfo is None else sent_at.astimezone(UTC)
            return self._place(words, now)
        except (ValueError, OverflowError):  # beyond the calendar's ends, or 29 February of a common year
            return " ".join(words.casefold().split()), Occurs(words, Precision.VAGUE)

    def _place(self, words: str, now: datetime) -> tuple[str, Occurs]:
        if self.minutes is not None:
            start = now + timedelta(minutes=self.minutes)
            return start.isoformat(), Occurs(words, Precision.INSTANT, start, start + timedelta(minutes=1))
        today = now.date()
        days = self.first.place(today) if self.first is not None else Shift(Unit.DAY, 0).place(today)
        last = self._last_day(days)
        if self.clock is None:
            name = days.name if last is days else f"{days.name}/{last.name}"
            end = _midnight(last.last) + DAY
            return f"{name} {self.part}".rstrip(), Occurs(words, last.precision, _midnight(days.first), end)
        start = _midnight(days.first) + timedelta(minutes=self.clock.minutes)
        end = start + timedelta(minutes=1)
        if self.until is not None:
            end = _midnight(last.last) + timedelta(minutes=self.until.minutes)
            if end <= start:
                end += DAY
        name = str(self.clock) + (f"/{self.until}" if self.until is not None else "")
        if self.first is not None:
            name = f"{days.name}T{name}"
        return name, Occurs(words, Precision.INSTANT, start, end)

    def _last_day(self, first: Days) -> Days:
        if self.last is None:
            return first
        last = self.last.place(first.first)
        if (
            last.first < first.first
            and isinstance(self.last, CalendarDate | Month)
            and self.last.year is None
        ):
            later = first.first + relativedelta(months=6)
            last = self.last.place(later)
        if last.last < first.first:
            raise ValueError("a range that ends before it starts")
        return last


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def weekday_name(weekday: int) -> str:
    """The canonical short name of a weekday, 0 for Monday."""
    return _ISO_WEEKDAYS[weekday]
