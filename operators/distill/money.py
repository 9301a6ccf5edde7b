"""Money of both languages, with the rate it is paid at: "€420", "$30 a month", 每周59元."""

import re
from decimal import Decimal

from operators.distill.finding import Finding
from operators.distill.numbers import DIGITS, HAN, WORDS, han_value, matched_number, plain
from operators.distill.spans import ValueKind

_I = re.IGNORECASE | re.ASCII
_SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW", "₽": "RUB"}
_CODES = "USD|EUR|GBP|CNY|RMB|JPY|INR|CHF|CAD|AUD|HKD|SEK|NOK|DKK|KRW|SGD"
_WORDS = {
    "euro": "EUR", "dollar": "USD", "buck": "USD", "pound": "GBP", "yuan": "CNY",
    "yen": "JPY", "rupee": "INR",
    "franc": "CHF", "quid": "GBP",
}  # fmt: skip
_HAN_MONEY = {
    "人民币": "CNY", "块钱": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "日元": "JPY", "英镑": "GBP",
    "港币": "HKD", "港元": "HKD", "元": "CNY", "块": "CNY",
}  # fmt: skip
_SCALES = r"(?:\s?(?P<scale>thousand|million|billion|mn|bn|[km])\b)?"
_PERIODS = {
    "hour": "hour", "hr": "hour", "day": "day", "night": "night", "week": "week",
    "month": "month", "year": "year",
    "annum": "year", "小时": "hour", "天": "day", "日": "day", "晚": "night", "周": "week",
    "星期": "week", "月": "month",
    "个月": "month", "年": "year", "人": "person", "斤": "斤", "次": "次",
}  # fmt: skip
_RATE = r"(?P<rate>(?: ?/ ?|,? (?:an?|per|each|every) )(?P<per>[a-z]{1,12})\b)?"
_NUMBER = rf"(?P<number>{DIGITS})"
_SYMBOL = re.compile(rf"(?:(?:US|C|A|HK|S)?(?P<symbol>[€$£¥￥₹₩₽]) ?){_NUMBER}{_SCALES}{_RATE}", _I)
_CODE_FIRST = re.compile(rf"(?P<code>{_CODES}) ?{_NUMBER}{_SCALES}{_RATE}", re.ASCII)
_AFTER = re.compile(
    rf"(?:{_NUMBER}{_SCALES}|(?P<words>{WORDS}))(?: ?(?P<symbol>[€£])| ?(?P<code>(?:{_CODES}))\b"
    rf"|[ -](?P<word>{'|'.join(_WORDS)})s?\b| (?P<cents>cents?)\b){_RATE}",
    _I,
)
_HAN_AFTER = re.compile(
    rf"(?P<every>每(?:个?(?:小时|天|日|晚|周|星期|月|年|人|斤|次)))?(?P<approx>约|大概)?(?:"
    rf"(?P<digits>{DIGITS})(?P<scale>百万|[万亿千百])?|(?P<han>{HAN}))"
    rf"(?P<money>{'|'.join(sorted(_HAN_MONEY, key=len, reverse=True))})(?P<half>半)?"
    r"(?:(?:[/每一]|一个)(?P<per>个?(?:小时|天|日|晚|周|星期|月|年|人|斤|次))(?!后|前|内))?"
)
_CUE = re.compile(
    r"(?:budget|costs?|price|pay|paid|salary|rent|fee|worth|earn|quote|offer|spend)\b[^.\d]{0,12}$", _I
)


def _money(match: re.Match[str], currency: str, number: Decimal | None) -> Finding | None:
    if number is None:
        return None
    groups = match.groupdict()
    per = groups.get("per")
    end = match.end()
    rate = ""
    if per is not None:
        unit = _PERIODS.get(per.casefold().removeprefix("个"), per.casefold())
        if (
            groups.get("rate")
            and groups["rate"].strip().casefold().startswith("a")
            and unit not in _PERIODS.values()
        ):
            end, unit = match.start("rate"), ""
        rate = f"/{unit}" if unit else ""
    if groups.get("every"):
        rate = f"/{_PERIODS[groups['every'].lstrip('每').removeprefix('个')]}"
    return Finding(ValueKind.MONEY, match.start(), end, f"{currency} {plain(number)}{rate}")


def money_by_symbol_at(text: str, pos: int) -> Finding | None:
    """Money whose currency stands first: "€420", "$1,200.50 a month"."""
    match = _SYMBOL.match(text, pos)
    return None if match is None else _money(match, _SYMBOLS[match["symbol"]], matched_number(match))


def money_by_code_at(text: str, pos: int) -> Finding | None:
    """ "EUR 420"."""
    match = _CODE_FIRST.match(text, pos)
    return None if match is None else _money(match, _code(match["code"]), matched_number(match))


def _code(code: str) -> str:
    return "CNY" if code.upper() == "RMB" else code.upper()


def money_after_number_at(text: str, pos: int) -> Finding | None:
    """ "420 euros", "5 million yuan", "31 cents per kWh": the currency follows. Cents are hundredths of
    XXX, which is ISO 4217 for no currency."""
    match = _AFTER.match(text, pos)
    if match is None:
        return None
    number = matched_number(match)
    if match["cents"]:
        return _money(match, "XXX", None if number is None else number / 100)
    symbol, code, word = match["symbol"], match["code"], match["word"]
    currency = _SYMBOLS[symbol] if symbol else _code(code) if code else _WORDS[word.casefold()]
    return _money(match, currency, number)


def han_money_at(text: str, pos: int) -> Finding | None:
    """59元, 3万美元, 每周59元, 59元一周."""
    match = _HAN_AFTER.match(text, pos)
    if match is None:
        return None
    number = han_value(match["han"] or match["digits"] + (match["scale"] or ""))
    if number is not None and match["half"]:
        number += Decimal("0.5")
    return _money(match, _HAN_MONEY[match["money"]], number)


def speaks_of_money(text: str, pos: int) -> bool:
    """Whether the words just before `pos` name a price, a budget or a wage, so that "45k" is money."""
    return _CUE.search(text[max(0, pos - 24) : pos]) is not None
