"""Stretches of days as a text names them, placed on the calendar once the day of saying is known.

Rules, both languages (weeks run from Monday to Sunday):

* A date without a year is the nearest such date to that day, the later one of two equally near; so is a month
  without a year. 29 February goes to the nearest leap year.
* "the 28th" is this month's if that is today or to come, else the nearer of this and the next month's.
* A bare weekday is the coming one, today included ("this Friday" as well); "last Friday" the latest before
  today; "next Friday" that of the next calendar week. 本周五, 下周五, 上周五 count calendar weeks.
* "two weeks ago" is the calendar week that holds that day, "in a month" the calendar month. A season is the
  northern one, by months; a weekend is Saturday and Sunday.
"""

from calendar import isleap, monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Protocol

from dateutil.relativedelta import relativedelta

from state.model import Precision

DAY = timedelta(days=1)
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Unit(StrEnum):
    """What a relative time counts."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Days:
    """The days from `first` to `last`, both included; `name` is their canonical text."""

    first: date
    last: date
    precision: Precision
    name: str


class Period(Protocol):
    """A stretch of days, known up to the day on which it is said."""

    def place(self, today: date) -> Days:
        """Raises ValueError or OverflowError where the calendar ends."""
        ...


def _day(day: date) -> Days:
    return Days(day, day, Precision.DAY, day.isoformat())


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return Days(
        first, first.replace(day=monthrange(year, month)[1]), Precision.MONTH, f"{year:04d}-{month:02d}"
    )


def _year(year: int) -> Days:
    return Days(date(year, 1, 1), date(year, 12, 31), Precision.YEAR, f"{year:04d}")


def _week(day: date) -> Days:
    monday = day - day.weekday() * DAY
    number = monday.isocalendar()
    return Days(monday, monday + 6 * DAY, Precision.WEEK, f"{number.year:04d}-W{number.week:02d}")


def _nearest(today: date, candidates: list[date]) -> date:
    return min(candidates, key=lambda day: (abs((day - today).days), day < today))


def possible(year: int | None, month: int, day: int) -> bool:
    """Whether the calendar has such a date (without a year: in some year)."""
    if not (1 <= month <= 12 and 1 <= day <= DAYS_IN_MONTH[month - 1]):
        return False
    return year is None or (1 <= year <= 9999 and (month != 2 or day != 29 or isleap(year)))


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A day of a month, in a year that may be left out, or told relative to this one."""

    month: int
    day: int
    year: int | None = None
    years: int | None = None

    def place(self, today: date) -> Days:
        year = self.year if self.years is None else today.year + self.years
        if year is not None:
            return _day(date(year, self.month, self.day))
        reach = 8 if (self.month, self.day) == (2, 29) else 1
        near = range(max(1, today.year - reach), min(9999, today.year + reach) + 1)
        return _day(
            _nearest(
                today, [date(y, self.month, self.day) for y in near if possible(y, self.month, self.day)]
            )
        )


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of a month that is not named: "the 28th", or that of the month `months` from now."""

    day: int
    months: int | None = None

    def place(self, today: date) -> Days:
        first = today.replace(day=1)
        if self.months is not None:
            return _day((first + relativedelta(months=self.months)).replace(day=self.day))
        here = today.replace(day=self.day) if self.day <= monthrange(today.year, today.month)[1] else None
        if here is not None and here >= today:
            return _day(here)
        following = first + relativedelta(months=1)
        while self.day > monthrange(following.year, following.month)[1]:
            following += relativedelta(months=1)
        there = following.replace(day=self.day)
        return _day(there if here is None else _nearest(today, [here, there]))


@dataclass(frozen=True, slots=True)
class Weekday:
    """A weekday (0 is Monday): the coming one, the latest before today, or that of `weeks` weeks from now."""

    weekday: int
    weeks: int | None = None
    past: bool = False

    def place(self, today: date) -> Days:
        if self.past:
            return _day(today - ((today.weekday() - self.weekday - 1) % 7 + 1) * DAY)
        if self.weeks is None:
            return _day(today + (self.weekday - today.weekday()) % 7 * DAY)
        return _day(today + (self.weekday - today.weekday() + 7 * self.weeks) * DAY)


@dataclass(frozen=True, slots=True)
class Shift:
    """The day, week, weekend, month, quarter or year that lies `count` of them from this one."""

    unit: Unit
    count: int

    def place(self, today: date) -> Days:
        match self.unit:
            case Unit.DAY:
                return _day(today + self.count * DAY)
            case Unit.WEEK:
                return _week(today + 7 * self.count * DAY)
            case Unit.WEEKEND:
                saturday = today + (5 - today.weekday() + 7 * self.count) * DAY
                name = f"{saturday.isoformat()}/{(saturday + DAY).isoformat()}"
                return Days(saturday, saturday + DAY, Precision.DAY, name)
            case Unit.MONTH:
                there = today.replace(day=1) + relativedelta(months=self.count)
                return _month(there.year, there.month)
            case Unit.QUARTER:
                start = today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1)
                first = start + relativedelta(months=3 * self.count)
                last = first + relativedelta(months=3) - DAY
                return Days(first, last, Precision.MONTH, f"{first.year:04d}-Q{(first.month + 2) // 3}")
            case _:
                return _year(today.year + self.count)


@dataclass(frozen=True, slots=True)
class Month:
    """A named month: of a year, of that `years` from now, the nearest, or that on one `side` of now."""

    month: int
    year: int | None = None
    years: int | None = None
    side: int = 0

    def place(self, today: date) -> Days:
        if self.year is not None:
            return _month(self.year, self.month)
        if self.years is not None:
            return _month(today.year + self.years, self.month)
        away = (self.month - today.month) % 12
        if self.side < 0:
            away = away - 12
        elif self.side > 0:
            away = away or 12
        elif away > 6:
            away -= 12
        there = today.replace(day=1) + relativedelta(months=away)
        return _month(there.year, there.month)


@dataclass(frozen=True, slots=True)
class Year:
    year: int

    def place(self, today: date) -> Days:
        return _year(self.year)


SEASONS = ("spring", "summer", "autumn", "winter")


@dataclass(frozen=True, slots=True)
class Season:
    """A northern season (0 is spring, from March): of a year, of that `years` from now, the nearest, or the
    nearest one before (`side` -1) or after (+1) today. Winter belongs to the year in which it begins."""

    season: int
    year: int | None = None
    years: int | None = None
    side: int = 0

    def place(self, today: date) -> Days:
        if self.year is not None or self.years is not None:
            return self._in(self.year if self.year is not None else today.year + (self.years or 0))
        if self.side < 0:
            found = self._in(today.year)
            return found if found.last < today else self._in(today.year - 1)
        found = self._in(max(1, today.year - 1))
        if found.last >= today and self.side == 0:
            return found
        found = self._in(today.year)
        late = found.first <= today if self.side > 0 else found.last < today
        return self._in(today.year + 1) if late else found

    def _in(self, year: int) -> Days:
        first = date(year, 3 + 3 * self.season, 1)
        return Days(
            first,
            first + relativedelta(months=3) - DAY,
            Precision.MONTH,
            f"{year:04d} {SEASONS[self.season]}",
        )
