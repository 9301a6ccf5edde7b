"""Lengths of time: "8 weeks", "an hour", 两个小时.

Weeks count as days, hours as minutes, years as months; nights stay nights.
"""

import re
from decimal import Decimal

from operators.distill.finding import Finding
from operators.distill.numbers import DIGITS, HAN, WORDS, han_value, matched_number, plain
from operators.distill.spans import ValueKind

_I = re.IGNORECASE | re.ASCII
_UNITS = {
    "second": ("PT{}S", 1), "sec": ("PT{}S", 1), "秒": ("PT{}S", 1), "秒钟": ("PT{}S", 1),
    "minute": ("PT{}M", 1), "min": ("PT{}M", 1), "分钟": ("PT{}M", 1),
    "hour": ("PT{}M", 60), "hr": ("PT{}M", 60), "h": ("PT{}M", 60), "小时": ("PT{}M",
    60), "钟头": ("PT{}M", 60),
    "day": ("P{}D", 1), "天": ("P{}D", 1), "week": ("P{}D", 7), "周": ("P{}D", 7), "星期": ("P{}D",
    7), "礼拜": ("P{}D", 7),
    "fortnight": ("P{}D", 14), "month": ("P{}M", 1), "月": ("P{}M", 1), "year": ("P{}M",
    12), "年": ("P{}M", 12),
    "yr": ("P{}M", 12), "night": ("{} night", 1), "晚": ("{} night", 1), "decade": ("P{}M", 120),
}  # fmt: skip
_ENGLISH = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}|an?(?= hour)|half an(?= hour)))(?P<half> and a half)?[ -]?"
    r"(?:business |working |consecutive |more |full )?(?P<unit>seconds?|secs?|minutes?|mins?"
    r"|hours?|hrs?|h|days?|nights?|weeks?|fortnights?|months?|years?|yrs?|decades?)\b"
    r"(?![-'’] ?old| old\b)",
    _I,
)
_HAN = re.compile(
    rf"(?P<number>{DIGITS}|{HAN})(?P<classifier>个)?(?P<half>半)?(?P<unit>秒钟?|分钟|小时|钟头|天"
    rf"|周|星期|礼拜|月|年|晚)(?![前后级]|以[前后]|之[前后])"
)


def _duration(match: re.Match[str], number: Decimal, unit: str) -> Finding:
    if match["half"]:
        number += Decimal("0.5")
    form, size = _UNITS[unit]
    return Finding(ValueKind.DURATION, match.start(), match.end(), form.format(plain(number * size)))


def duration_at(text: str, pos: int) -> Finding | None:
    match = _ENGLISH.match(text, pos)
    number = None if match is None else matched_number(match)
    if match is None or number is None:
        return None
    unit = match["unit"].casefold()
    return _duration(match, number, unit if unit in _UNITS else unit.removesuffix("s"))


def han_duration_at(text: str, pos: int) -> Finding | None:
    """两个小时; a month needs its 个, since 三月 is March."""
    match = _HAN.match(text, pos)
    number = None if match is None else han_value(match["number"])
    if match is None or number is None or (match["unit"] == "月" and not match["classifier"]):
        return None
    return _duration(match, number, match["unit"])
