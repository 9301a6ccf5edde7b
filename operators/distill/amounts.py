"""Percentages, quantities and bare numbers of both languages; the dearest reading of a number comes first."""

import re
from decimal import Decimal

from operators.distill.durations import duration_at, han_duration_at
from operators.distill.finding import Finding
from operators.distill.money import han_money_at, money_after_number_at, speaks_of_money
from operators.distill.numbers import (
    DIGITS,
    HAN,
    SCALE_FACTORS,
    WORDS,
    han_value,
    matched_number,
    plain,
    read_number,
)
from operators.distill.spans import ValueKind
from operators.distill.units import NOT_NOUNS, UNITS, singular, unit_of

_I = re.IGNORECASE | re.ASCII
_PERCENT = re.compile(rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}))(?: ?%|[ -](?:percent|per cent)\b)", _I)
_HAN_PERCENT = re.compile(rf"百分之({DIGITS}|{HAN})")
_MEASURE = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}))(?P<gap>[ -]?)(?P<unit>°[CF]?|km/h|m²"
    rf"|[A-Za-z]{{1,12}})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS})) (?P<noun>(?P<first>[a-z]{{2,20}})(?:[ -]"
    rf"(?P<second>[a-z]{{3,20}}))?(?:[ -](?P<third>[a-z]{{3,20}}))?)(?![\w'’-])",
    _I,
)
_HAN_MEASURE = re.compile(
    rf"(?P<number>{DIGITS}(?:百万|[万千百亿])?|{HAN})(?P<unit>千克|公斤|毫升|毫米|厘米|公分|公里"
    rf"|千米|平方米|平米|摄氏度|[克斤吨升米里度两平])"
    r"(?P<tail>装)?(?![于级])"
)
_CLASSIFIERS = (
    "人位名个张份件台本杯瓶箱盒袋包条只双套间辆部门页次场层楼倍桌座把块片支根朵棵头匹颗粒串盆盘碗壶罐桶盏扇架艘"
    "家所栋户步局轮课节道种样句字岁票口"
)
_HAN_COUNTED = re.compile(
    rf"(?P<number>{DIGITS}(?:百万|[万千百亿])?|{HAN})(?P<unit>[{_CLASSIFIERS}])"
    rf"(?P<noun>[票房人菜书花鱼鸡蛋床车卡]?)"
)
_BARE = re.compile(
    rf"(?:(?P<number>{DIGITS})(?:(?P<scale>[kK]|[mM](?=illion)|M)(?!\w))?(?![A-Za-z0-9_%]"
    rf"|[-.:,/]\d|-[A-Za-z]|['’]s\b)|(?P<words>{WORDS})(?![-'’]))"
    r"(?P<million> ?(?:million|thousand|billion)\b)?",
    _I,
)
_RANGE = re.compile(rf"({DIGITS})(?: to | ?[-–] ?)({DIGITS})(?![\w%]|[-.:,/]\d)", _I)
_HAN_BARE = re.compile(
    rf"(?:{DIGITS})(?:百万|[万千百亿])?|(?=[一二两三四五六七八九]?[十百千万])[一二两三四五六七八九十百千万]{{2,12}}"
)


def amount_at(text: str, pos: int) -> Finding | None:
    """The English amount that begins at `pos` with a digit or a number word."""
    return (
        money_after_number_at(text, pos)
        or _percent_at(text, pos)
        or duration_at(text, pos)
        or _measure_at(text, pos)
        or _counted_at(text, pos)
    )


def _percent(start: int, end: int, number: Decimal) -> Finding:
    return Finding(ValueKind.PERCENT, start, end, f"{plain(number)}%")


def _percent_at(text: str, pos: int) -> Finding | None:
    match = _PERCENT.match(text, pos)
    number = None if match is None else matched_number(match)
    if match is None or number is None:
        return None
    return _percent(pos, match.end(), number)


def _measure_at(text: str, pos: int) -> Finding | None:
    match = _MEASURE.match(text, pos)
    if match is None:
        return None
    known, number = unit_of(match["unit"]), matched_number(match)
    if known is None or number is None or (match["words"] and len(match["unit"]) == 1):  # "one m"
        return None
    return Finding(ValueKind.QUANTITY, pos, match.end(), f"{plain(number * known[1])} {known[0]}")


def _counted_at(text: str, pos: int) -> Finding | None:
    """A number and the plural noun it counts, up to two words apart; after 1, the word that follows."""
    match = _COUNTED.match(text, pos)
    number = None if match is None else matched_number(match)
    if match is None or number is None:
        return None
    words = [word.casefold() for word in (match["first"], match["second"], match["third"]) if word]
    if number == 1 and words[0] not in NOT_NOUNS and not words[0].endswith(("ly", "ing")) and match["number"]:
        return Finding(ValueKind.QUANTITY, pos, match.end("first"), f"1 {words[0]}")
    for index, word in enumerate(words):
        if word in NOT_NOUNS:
            return None
        one = singular(word)
        if one is not None:
            name = " ".join((*words[:index], one))
            end = match.end(("first", "second", "third")[index])
            return Finding(ValueKind.QUANTITY, pos, end, f"{plain(number)} {name}")
    return None


def number_at(text: str, pos: int) -> Finding | None:
    """A bare number, or two joined by "to" or a dash. "one" alone is mostly a pronoun and no number."""
    both = _RANGE.match(text, pos)
    if both is not None:
        first, last = read_number(both[1]), read_number(both[2])
        if first is not None and last is not None and first < last:
            return Finding(ValueKind.NUMBER, pos, both.end(), f"{plain(first)}..{plain(last)}")
    match = _BARE.match(text, pos)
    number = None if match is None else matched_number(match)
    if match is None or number is None or (match["words"] or "").casefold() == "one":
        return None
    if match["million"]:
        number *= SCALE_FACTORS[match["million"].strip().casefold()]
    if match["scale"] and speaks_of_money(text, pos):
        return Finding(ValueKind.MONEY, pos, match.end(), f"XXX {plain(number)}")
    return Finding(ValueKind.NUMBER, pos, match.end(), plain(number))


def han_amount_at(text: str, pos: int) -> Finding | None:
    """The Chinese amount that begins at `pos`, with a numeral, digits, 每 or 百分之."""
    return (
        han_money_at(text, pos)
        or _han_percent_at(text, pos)
        or han_duration_at(text, pos)
        or _han_measure_at(text, pos)
        or _han_counted_at(text, pos)
    )


def _han_percent_at(text: str, pos: int) -> Finding | None:
    match = _HAN_PERCENT.match(text, pos)
    number = None if match is None else han_value(match[1])
    return None if match is None or number is None else _percent(pos, match.end(), number)


def _han_measure_at(text: str, pos: int) -> Finding | None:
    match = _HAN_MEASURE.match(text, pos)
    number = None if match is None else han_value(match["number"])
    if match is None or number is None:
        return None
    unit, size = UNITS[match["unit"]]
    return Finding(ValueKind.QUANTITY, pos, match.end(), f"{plain(number * size)} {unit}")


def _han_counted_at(text: str, pos: int) -> Finding | None:
    match = _HAN_COUNTED.match(text, pos)
    number = None if match is None else han_value(match["number"])
    if match is None or number is None or (match["number"] == "一" and not match["noun"]):  # 一个: an article
        return None
    unit = (
        "人" if match["unit"] in "位名人" and match["noun"] in ("", "人") else match["unit"] + match["noun"]
    )
    return Finding(ValueKind.QUANTITY, pos, match.end(), f"{plain(number)} {unit}")


def han_number_at(text: str, pos: int) -> Finding | None:
    """Digits with a Chinese scale, or a numeral of at least two characters."""
    match = _HAN_BARE.match(text, pos)
    number = None if match is None else han_value(match.group())
    if match is None or number is None:
        return None
    return Finding(ValueKind.NUMBER, pos, match.end(), plain(number))
