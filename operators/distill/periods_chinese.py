"""Chinese periods: 11月3日, 去年夏天, 三天前; what recurs (每周四), what is vague (改天)."""

import re
from collections.abc import Callable
from typing import TypeAlias

from operators.distill.numbers import read_number
from operators.distill.periods import (
    CalendarDate,
    Month,
    MonthDay,
    Season,
    Shift,
    Unit,
    Weekday,
    Year,
    possible,
)
from operators.distill.times import When, weekday_name

Reader: TypeAlias = Callable[[re.Match[str]], When | None]
_NUM = r"(?:\d{1,4}|[〇零一二两三四五六七八九十百]{1,5})"
DAYNUM = r"(?:\d{1,2}(?!\d)|[一二三四五六七八九十]{1,3})"
WEEK = r"(?:周|星期|礼拜)"
WEEKDAY = r"[一二三四五六日天]"
_WEEKDAYS = {name: index for index, name in enumerate("一二三四五六日")} | {"天": 6}
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEAR_WORDS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_DAY_WORDS = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0, "今早": 0,
    "明天": 1, "明日": 1, "明晚": 1, "明早": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_UNITS = {
    "分钟": Unit.MINUTE, "小时": Unit.HOUR, "钟头": Unit.HOUR, "天": Unit.DAY, "日": Unit.DAY, "晚": Unit.DAY,
    "周": Unit.WEEK, "星期": Unit.WEEK, "礼拜": Unit.WEEK, "月": Unit.MONTH, "年": Unit.YEAR,
}  # fmt: skip


def number_of(words: str) -> int:
    """The whole number that `words` spell; -1 if they spell none."""
    value = read_number(words)
    return -1 if value is None else int(value)


def _calendar(match: re.Match[str]) -> When | None:
    """(year or 今年) 月 日, or 月 alone."""
    year = number_of(match["year"]) if match["year"] else None
    years = _YEAR_WORDS[match["years"]] if match["years"] else None
    month = number_of(match["month"])
    if match["day"] is None:
        return When(first=Month(month, year, years)) if 1 <= month <= 12 and year != 0 else None
    day = number_of(match["day"])
    return When(first=CalendarDate(month, day, year, years)) if possible(year, month, day) else None


def _iso(match: re.Match[str]) -> When | None:
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    return When(first=CalendarDate(month, day, year)) if possible(year, month, day) else None


def _month_day(match: re.Match[str]) -> When | None:
    day = number_of(match["day"])
    shift = match["shift"]
    if match.string[max(0, match.start() - 1) : match.start()] == "月":  # 2月30日
        return None
    return When(first=MonthDay(day, None if not shift else _SHIFTS[shift])) if 1 <= day <= 31 else None


def _week(match: re.Match[str]) -> When | None:
    shift = _SHIFTS.get(match["shift"] or "")
    day = match["day"]
    if day == "末":
        return When(first=Shift(Unit.WEEKEND, shift or 0))
    if day:
        return When(first=Weekday(_WEEKDAYS[day], shift))
    return None if shift is None else When(first=Shift(Unit.WEEK, shift))


def _day_word(match: re.Match[str]) -> When | None:
    word = match[0]
    part = {"晚": "evening", "早": "morning"}.get(word[-1], "")
    return When(first=Shift(Unit.DAY, _DAY_WORDS[word]), part=part)


def _year_word(match: re.Match[str]) -> When | None:
    years = _YEAR_WORDS[match["years"]]
    if match["season"]:
        return When(first=Season(_SEASONS[match["season"]], years=years))
    return When(first=Shift(Unit.YEAR, years))


def _year(match: re.Match[str]) -> When | None:
    year = number_of(match[1])
    if not 1000 <= year <= 9999:
        return None
    return When(first=Season(_SEASONS[match[2]], year)) if match[2] else When(first=Year(year))


def _counted(match: re.Match[str]) -> When | None:
    if match["count"] in ("几", "数", "好几"):
        return When(vague=True)
    count = read_number(match["count"])
    if count is None or count > 100_000:
        return None
    sign = -1 if "前" in match["side"] else 1
    unit = _UNITS[match["unit"]]
    number = float(count) + (0.5 if match["half"] else 0)
    if unit in (Unit.MINUTE, Unit.HOUR):
        return When(minutes=round(sign * number * (60 if unit is Unit.HOUR else 1)))
    if number != int(number):
        months = {Unit.YEAR: 12}.get(unit)
        return None if months is None else When(first=Shift(Unit.MONTH, sign * round(number * months)))
    return When(first=Shift(unit, sign * int(number)))


def _every(match: re.Match[str]) -> When | None:
    days = [_WEEKDAYS[day] for day in match["days"] if day in _WEEKDAYS] if match["days"] else []
    if days:
        joint = "-" if re.search("[到至]", match["days"]) else ","
        return When(every=joint.join(weekday_name(day) for day in days))
    return None


def _every_unit(match: re.Match[str]) -> When | None:
    unit = match["unit"].lstrip("个")
    if unit in ("早上", "早", "晚上", "晚"):
        return When(every="morning" if unit[0] == "早" else "evening")
    name = {"天": "day", "日": "day", "月": "month", "年": "year", "季度": "quarter", "周末": "weekend"}.get(
        unit
    )
    if name is None:
        name = "hour" if unit == "小时" else "week"
    count = number_of(match["count"]) if match["count"] else 1
    when = name if count in (-1, 1) else f"{count} {name}"
    if match["day"]:
        when += f", day {number_of(match['day'])}"
    return When(every=when)


def _vague(match: re.Match[str]) -> When | None:
    return When(vague=True)


_CALENDAR = re.compile(
    rf"(?:(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}})年|(?P<years>大前年|前年|去年|今年|明年"
    rf"|后年)(?:的)?)?"
    rf"(?P<month>{DAYNUM})月(?:份|(?P<day>{DAYNUM})[日号]?(?![\d个]))?"
)
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d.])")
_MONTH_DAY = re.compile(
    rf"(?:(?P<shift>上上|上|这|本|下下|下)个?月)?(?P<day>{DAYNUM})[号日]"
    rf"(?![线楼栋院室门机馆厅店桌库仓柜床员本常])"
)
_WEEKS = re.compile(rf"(?P<shift>上上|上|这|本|下下|下)?个?{WEEK}(?P<day>{WEEKDAY}(?![个天周家种])|末)?")
_RULES: tuple[tuple[str, re.Pattern[str], Reader], ...] = (
    (
        "0123456789一二两三四五六七八九十百半几数好",
        re.compile(
            rf"(?P<count>{_NUM}|半|好几|几|数)(?:个|多)?(?P<half>半)?"
            r"(?P<unit>分钟|小时|钟头|天|周|星期|礼拜|月|年)(?P<side>之前|以前|前|之后|以后|后)(?![年天])"
        ),
        _counted,
    ),
    ("0123456789一二三四五六七八九十〇大前去今明后", _CALENDAR, _calendar),
    ("12", _ISO, _iso),
    ("0123456789一二三四五六七八九十上这本下", _MONTH_DAY, _month_day),
    (
        "12一二",
        re.compile(r"(\d{4}|[〇零一二三四五六七八九]{4})年(?:的)?([春夏秋冬](?![节运装令瓜]))?(?:天|季)?"),
        _year,
    ),
    (
        "大前去今明后",
        re.compile(
            r"(?P<years>大前年|前年|去年|今年|明年|后年)(?:的)?(?P<season>[春夏秋冬])?(?(season)[天季]?)"
        ),
        _year_word,
    ),
    ("大前昨今明后", re.compile("|".join(sorted(_DAY_WORDS, key=len, reverse=True))), _day_word),
    (
        "上这本下周星礼",
        _WEEKS,
        _week,
    ),
    (
        "上这本下",
        re.compile(r"(上上|上|这|本|下下|下)个?月"),
        lambda m: When(first=Shift(Unit.MONTH, _SHIFTS[m[1]])),
    ),
    (
        "上这本下",
        re.compile(r"(上|这|本|下)个?季度"),
        lambda m: When(first=Shift(Unit.QUARTER, _SHIFTS[m[1]])),
    ),
    ("月", re.compile(r"月底|月末|月初"), lambda m: When(first=Shift(Unit.MONTH, 0))),
    ("年", re.compile(r"年底|年末|年初"), lambda m: When(first=Shift(Unit.YEAR, 0))),
    ("元", re.compile(r"元旦"), lambda m: When(first=CalendarDate(1, 1))),
    ("圣", re.compile(r"圣诞节?"), lambda m: When(first=CalendarDate(12, 25))),
    (
        "每",
        re.compile(
            rf"每(?:逢|个)?{WEEK}(?P<days>{WEEKDAY}(?:(?:、|和|及|到|至|，)?{WEEK}?{WEEKDAY}"
            rf"(?![个天件])){{0,6}})"
        ),
        _every,
    ),
    (
        "每",
        re.compile(
            rf"每(?P<count>隔?{_NUM}(?=个?(?:天|周|月|年|星期|小时)))?"
            rf"(?P<unit>个?(?:周末|天|日|周|星期|礼拜|月|年|季度|小时|早上|早|晚上|晚))"
            rf"(?P<day>(?<=月){DAYNUM}(?=[号日]))?[号日]?"
        ),
        _every_unit,
    ),
    (
        "以改将未有过最近尽不迟早总回下前这晚稍等一",
        re.compile(
            "以后|改天|改日|将来|未来(?![一二三四五六七八九十几0-9])|有空(?:的时候)?|有机会|过几天|过两天|过段时间|过一段时间|过阵子|过些时候|最近|近期|近来"
            "|尽快|尽早|不久(?:以后|之后|后)?|迟早|早晚|总有一天|回头(?!率)|下次|下回|前几天|前段时间|前阵子|前些天|这几天"
            "|晚点儿?|晚些时候|稍后|等会儿?|一会儿"
        ),
        _vague,
    ),
)
_BY_CHAR: dict[str, list[tuple[re.Pattern[str], Reader]]] = {}
for _chars, _pattern, _reader in _RULES:
    for _char in _chars:
        _BY_CHAR.setdefault(_char, []).append((_pattern, _reader))

PERIOD_CHARS = frozenset(_BY_CHAR)
"""The characters with which a period can begin."""


def chinese_period_at(text: str, pos: int) -> tuple[int, When] | None:
    """The days that begin at `pos`, or what recurs or is vague. Takes bounded time."""
    for pattern, reader in _BY_CHAR.get(text[pos], ()):
        match = pattern.match(text, pos)
        if match is not None:
            when = reader(match)
            if when is not None:
                return match.end(), when
    return None
