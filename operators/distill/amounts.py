"""Money, percentages, durations, quantities and bare numbers of both languages."""

import re
from decimal import Decimal

from operators.distill.finding import Finding
from operators.distill.numbers import DIGITS, HAN, WORDS, plain, read_number
from operators.distill.spans import ValueKind

_I = re.IGNORECASE | re.ASCII
_SYMBOLS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY", "￥": "CNY", "₹": "INR", "₩": "KRW", "₽": "RUB"}
_CODES = (
    "USD",
    "EUR",
    "GBP",
    "CNY",
    "RMB",
    "JPY",
    "INR",
    "CHF",
    "CAD",
    "AUD",
    "HKD",
    "SEK",
    "NOK",
    "DKK",
    "KRW",
    "SGD",
)
_WORDS = {
    "euro": "EUR", "dollar": "USD", "buck": "USD", "pound": "GBP", "yuan": "CNY", "yen": "JPY", "rupee": "INR",
    "franc": "CHF", "quid": "GBP",
}  # fmt: skip
_HAN_MONEY = {
    "人民币": "CNY", "块钱": "CNY", "美元": "USD", "美金": "USD", "欧元": "EUR", "日元": "JPY", "英镑": "GBP", "港币": "HKD",
    "港元": "HKD", "元": "CNY", "块": "CNY",
}  # fmt: skip
_SCALE = {
    "k": 10**3,
    "thousand": 10**3,
    "m": 10**6,
    "mn": 10**6,
    "million": 10**6,
    "bn": 10**9,
    "billion": 10**9,
    "万": 10**4,
    "亿": 10**8,
    "千": 10**3,
    "百": 100,
    "百万": 10**6,
}
_SCALES = r"(?:\s?(?P<scale>thousand|million|billion|mn|bn|[km])\b)?"
_PERIODS = {
    "hour": "hour", "hr": "hour", "day": "day", "night": "night", "week": "week", "month": "month", "year": "year",
    "annum": "year", "小时": "hour", "天": "day", "日": "day", "晚": "night", "周": "week", "星期": "week", "月": "month",
    "个月": "month", "年": "year", "人": "person", "斤": "斤", "次": "次",
}  # fmt: skip
_RATE = r"(?P<rate>(?: ?/ ?|,? (?:an?|per|each|every) )(?P<per>[a-z]{1,12})\b)?"
_NUMBER = rf"(?P<number>{DIGITS})"
_SYMBOL = re.compile(rf"(?:(?:US|C|A|HK|S)?(?P<symbol>[€$£¥￥₹₩₽]) ?){_NUMBER}{_SCALES}{_RATE}", _I)
_CODE_FIRST = re.compile(rf"(?P<code>{'|'.join(_CODES)}) ?{_NUMBER}{_SCALES}{_RATE}", re.ASCII)
_AFTER = re.compile(
    rf"(?:{_NUMBER}{_SCALES}|(?P<words>{WORDS}))(?: ?(?P<symbol>[€£])| ?(?P<code>(?:{'|'.join(_CODES)}))\b"
    rf"|[ -](?P<word>{'|'.join(_WORDS)})s?\b| (?P<cents>cents?)\b){_RATE}",
    _I,
)
_HAN_AFTER = re.compile(
    rf"(?P<every>每(?:个?(?:小时|天|日|晚|周|星期|月|年|人|斤|次)))?(?P<approx>约|大概)?(?:(?P<digits>{DIGITS})(?P<scale>百万|[万亿千百])?|(?P<han>{HAN}))"
    rf"(?P<money>{'|'.join(sorted(_HAN_MONEY, key=len, reverse=True))})(?P<half>半)?"
    r"(?:(?:[/每一]|一个)(?P<per>个?(?:小时|天|日|晚|周|星期|月|年|人|斤|次))(?!后|前|内))?"
)
_PERCENT = re.compile(rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}))(?: ?%|[ -](?:percent|per cent)\b)", _I)
_HAN_PERCENT = re.compile(rf"百分之({DIGITS}|{HAN})")
_HAN_TENTHS = re.compile(r"(\d(?:\.\d)?|[一二三四五六七八九]{1,2})折")
_DURATION_UNITS = {
    "second": ("PT{}S", 1), "sec": ("PT{}S", 1), "秒": ("PT{}S", 1), "秒钟": ("PT{}S", 1),
    "minute": ("PT{}M", 1), "min": ("PT{}M", 1), "分钟": ("PT{}M", 1),
    "hour": ("PT{}M", 60), "hr": ("PT{}M", 60), "h": ("PT{}M", 60), "小时": ("PT{}M", 60), "钟头": ("PT{}M", 60),
    "day": ("P{}D", 1), "天": ("P{}D", 1), "week": ("P{}D", 7), "周": ("P{}D", 7), "星期": ("P{}D", 7), "礼拜": ("P{}D", 7),
    "fortnight": ("P{}D", 14), "month": ("P{}M", 1), "月": ("P{}M", 1), "year": ("P{}M", 12), "年": ("P{}M", 12),
    "yr": ("P{}M", 12), "night": ("{} night", 1), "晚": ("{} night", 1), "decade": ("P{}M", 120),
}  # fmt: skip
_DURATION = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}|an?(?= hour)|half an(?= hour)))(?P<half> and a half)?[ -]?"
    r"(?:business |working |consecutive |more |full )?(?P<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|nights?|weeks?|fortnights?|months?|years?|yrs?|decades?)\b"
    r"(?![-'’] ?old| old\b)",
    _I,
)
_HAN_DURATION = re.compile(
    rf"(?P<number>{DIGITS}|{HAN})(?P<classifier>个)?(?P<half>半)?(?P<unit>秒钟?|分钟|小时|钟头|天|周|星期|礼拜|月|年|晚)(?![前后级]|以[前后]|之[前后])"
)
_MASS = {"mg": "0.001", "g": "1", "gram": "1", "kg": "1000", "kilo": "1000", "kilogram": "1000", "t": "1000000", "tonne": "1000000", "ton": "1000000", "克": "1", "千克": "1000", "公斤": "1000", "斤": "500", "两": "50", "吨": "1000000"}  # fmt: skip
_VOLUME = {"ml": "1", "millilitre": "1", "milliliter": "1", "cl": "10", "dl": "100", "l": "1000", "litre": "1000", "liter": "1000", "毫升": "1", "升": "1000"}  # fmt: skip
_LENGTH = {"mm": "0.001", "cm": "0.01", "m": "1", "km": "1000", "metre": "1", "meter": "1", "kilometre": "1000", "kilometer": "1000", "centimetre": "0.01", "centimeter": "0.01", "毫米": "0.001", "厘米": "0.01", "公分": "0.01", "米": "1", "公里": "1000", "千米": "1000", "里": "500"}  # fmt: skip
_UNITS = {unit: ("g", Decimal(size)) for unit, size in _MASS.items()}
_UNITS |= {unit: ("ml", Decimal(size)) for unit, size in _VOLUME.items()}
_UNITS |= {unit: ("m", Decimal(size)) for unit, size in _LENGTH.items()}
_UNITS |= {
    unit: (unit, Decimal(1))
    for unit in (
        "lb",
        "oz",
        "ounce",
        "inch",
        "foot",
        "mile",
        "yard",
        "gallon",
        "pint",
        "cup",
        "acre",
        "hectare",
        "degree",
    )
}
_UNITS |= {"kwh": ("kWh", Decimal(1)), "wh": ("kWh", Decimal("0.001")), "kw": ("W", Decimal(1000)), "w": ("W", Decimal(1)), "gb": ("MB", Decimal(1000)), "mb": ("MB", Decimal(1)), "tb": ("MB", Decimal(10**6)), "kb": ("MB", Decimal("0.001")), "mph": ("mph", Decimal(1)), "kmh": ("km/h", Decimal(1)), "km/h": ("km/h", Decimal(1)), "°c": ("degree", Decimal(1)), "°": ("degree", Decimal(1)), "°f": ("°F", Decimal(1)), "m²": ("m²", Decimal(1)), "sqm": ("m²", Decimal(1)), "度": ("degree", Decimal(1)), "摄氏度": ("degree", Decimal(1)), "平米": ("m²", Decimal(1)), "平方米": ("m²", Decimal(1)), "平": ("m²", Decimal(1))}  # fmt: skip
_SINGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "inches": "inch", "teeth": "tooth", "lbs": "lb", "mice": "mouse", "geese": "goose", "boxes": "box", "dishes": "dish", "glasses": "glass", "classes": "class", "batches": "batch", "potatoes": "potato", "tomatoes": "tomato"}  # fmt: skip
_MEASURE = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS}))(?P<gap>[ -]?)(?P<unit>°[CF]?|km/h|m²|[A-Za-z]{{1,12}})(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?:(?P<number>{DIGITS})|(?P<words>{WORDS})) (?P<noun>(?P<first>[a-z]{{2,20}})(?:[ -](?P<second>[a-z]{{3,20}}))?(?:[ -](?P<third>[a-z]{{3,20}}))?)(?![\w'’-])",
    _I,
)
_HAN_MEASURE = re.compile(
    rf"(?P<number>{DIGITS}(?:百万|[万千百亿])?|{HAN})(?P<unit>千克|公斤|毫升|毫米|厘米|公分|公里|千米|平方米|平米|摄氏度|[克斤吨升米里度两平])"
    r"(?P<tail>装)?(?![于级])"
)
_CLASSIFIERS = "人位名个张份件台本杯瓶箱盒袋包条只双套间辆部门页次场层楼倍桌座把块片支根朵棵头匹颗粒串盆盘碗壶罐桶盏扇架艘家所栋户步局轮课节道种样句字岁票口"
_HAN_COUNTED = re.compile(
    rf"(?P<number>{DIGITS}(?:百万|[万千百亿])?|{HAN})(?P<unit>[{_CLASSIFIERS}])(?P<noun>[票房人菜书花鱼鸡蛋床车卡]?)"
)
_BARE = re.compile(
    rf"(?:(?P<number>{DIGITS})(?:(?P<scale>[kK]|[mM](?=illion)|M)(?!\w))?(?![A-Za-z0-9_%]|[-.:,/]\d|-[A-Za-z]|['’]s\b)|(?P<words>{WORDS})(?![-'’]))"
    r"(?P<million> ?(?:million|thousand|billion)\b)?",
    _I,
)
_RANGE = re.compile(rf"({DIGITS})(?: to | ?[-–] ?)({DIGITS})(?![\w%]|[-.:,/]\d)", _I)
_HAN_BARE = re.compile(rf"(?:{DIGITS})(?:百万|[万千百亿])?|[一二两三四五六七八九十百千万]{{2,12}}")
_MONEY_CUE = re.compile(
    r"(?:budget|costs?|price|pay|paid|salary|rent|fee|worth|earn|quote|offer|spend)\b[^.\d]{0,12}$", _I
)
_NOT_NOUNS = frozenset(
    [
        "is",
        "was",
        "has",
        "this",
        "us",
        "as",
        "does",
        "yes",
        "plus",
        "less",
        "its",
        "ours",
        "his",
        "hers",
        "theirs",
        "yours",
        "across",
        "always",
        "perhaps",
        "unless",
        "towards",
        "thus",
        "times",
        "pass",
        "class",
        "address",
        "business",
        "process",
        "press",
        "boss",
        "dress",
        "across",
        "besides",
        "sometimes",
        "afterwards",
        "guess",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "with",
        "and",
        "or",
        "but",
        "if",
        "when",
        "than",
        "then",
        "the",
        "a",
        "an",
        "by",
        "per",
        "each",
        "we",
        "you",
        "they",
        "he",
        "she",
        "it",
        "that",
        "these",
        "those",
        "are",
        "were",
        "be",
        "been",
        "will",
        "would",
        "can",
        "could",
        "should",
        "may",
        "might",
        "must",
        "do",
        "did",
        "not",
        "no",
        "so",
        "too",
        "very",
        "just",
        "only",
        "also",
        "more",
        "here",
        "there",
        "who",
        "which",
        "what",
        "where",
        "why",
        "how",
        "before",
        "after",
        "until",
        "since",
        "about",
        "into",
        "over",
        "under",
        "out",
        "up",
        "down",
        "off",
        "am",
        "pm",
        "o",
        "i",
        "my",
        "your",
        "our",
        "their",
        "cents",
        "years",
        "works",
        "needs",
        "sounds",
        "looks",
        "seems",
        "feels",
        "lets",
        "means",
        "says",
        "goes",
        "comes",
        "makes",
        "takes",
        "gets",
        "wants",
    ]
)


def _value(match: re.Match[str]) -> Decimal | None:
    groups = match.groupdict()
    text = groups.get("number") or groups.get("words") or groups.get("han") or ""
    number = read_number({"a": "1", "an": "1", "half an": "0.5"}.get(text.casefold(), text))
    scale = groups.get("scale")
    if number is not None and scale:
        number *= _SCALE[scale.casefold()]
    return number


def han_value(words: str) -> Decimal | None:
    """The value of digits with a Chinese scale (3万) or of a Chinese numeral."""
    head = words.rstrip("百千万亿")
    if head[:1].isdecimal():
        number, scale = read_number(head), words[len(head) :]
        factor = _SCALE.get(scale, 1 if not scale else 0)
        return None if number is None or not factor else number * factor
    return read_number(words)


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
    return None if match is None else _money(match, _SYMBOLS[match["symbol"]], _value(match))


def money_by_code_at(text: str, pos: int) -> Finding | None:
    """ "EUR 420"."""
    match = _CODE_FIRST.match(text, pos)
    return None if match is None else _money(match, _code(match["code"]), _value(match))


def _code(code: str) -> str:
    return "CNY" if code.upper() == "RMB" else code.upper()


def amount_at(text: str, pos: int) -> Finding | None:
    """The English amount that begins at `pos` with a digit or a number word."""
    match = _AFTER.match(text, pos)
    if match is not None:
        number = _value(match)
        if match["cents"]:
            return _money(match, "XXX", None if number is None else number / 100)
        symbol, code, word = match["symbol"], match["code"], match["word"]
        currency = _SYMBOLS[symbol] if symbol else _code(code) if code else _WORDS[word.casefold()]
        return _money(match, currency, number)
    return (
        _percent_at(text, pos) or _duration_at(text, pos) or _measure_at(text, pos) or _counted_at(text, pos)
    )


def _percent_at(text: str, pos: int) -> Finding | None:
    match = _PERCENT.match(text, pos)
    number = None if match is None else _value(match)
    if match is None or number is None:
        return None
    return Finding(ValueKind.PERCENT, pos, match.end(), f"{plain(number)}%")


def _duration(match: re.Match[str], number: Decimal, unit: str) -> Finding:
    if match["half"]:
        number += Decimal("0.5")
    form, size = _DURATION_UNITS[unit]
    return Finding(ValueKind.DURATION, match.start(), match.end(), form.format(plain(number * size)))


def _duration_at(text: str, pos: int) -> Finding | None:
    match = _DURATION.match(text, pos)
    number = None if match is None else _value(match)
    if match is None or number is None:
        return None
    unit = match["unit"].casefold()
    return _duration(match, number, unit if unit in _DURATION_UNITS else unit.removesuffix("s"))


def _measure_at(text: str, pos: int) -> Finding | None:
    match = _MEASURE.match(text, pos)
    if match is None:
        return None
    unit = match["unit"]
    lower = unit.lower()
    known = _UNITS.get(_SINGULAR.get(lower, lower)) or _UNITS.get(
        lower.removesuffix("s") if len(lower) > 3 else lower
    )
    number = _value(match)
    if known is None or number is None or (lower in ("m", "t", "w", "l", "g") and match["words"]):
        return None
    return Finding(ValueKind.QUANTITY, pos, match.end(), f"{plain(number * known[1])} {known[0]}")


def _counted_at(text: str, pos: int) -> Finding | None:
    """A number and the plural noun it counts, with up to two words between; after 1, the word that follows."""
    match = _COUNTED.match(text, pos)
    number = None if match is None else _value(match)
    if match is None or number is None:
        return None
    words = [word.casefold() for word in (match["first"], match["second"], match["third"]) if word]
    if (
        number == 1
        and words[0] not in _NOT_NOUNS
        and not words[0].endswith(("ly", "ing"))
        and match["number"]
    ):
        return Finding(ValueKind.QUANTITY, pos, match.end("first"), f"1 {words[0]}")
    for index, word in enumerate(words):
        if word in _NOT_NOUNS:
            return None
        if word in _SINGULAR or (word[-1] == "s" and word[-2:] not in ("ss", "us", "is") and len(word) > 3):
            singular = _SINGULAR.get(word) or (word[:-3] + "y" if word.endswith("ies") else word[:-1])
            name = " ".join((*words[:index], singular))
            return Finding(
                ValueKind.QUANTITY,
                pos,
                match.end(("first", "second", "third")[index]),
                f"{plain(number)} {name}",
            )
    return None


def number_at(text: str, pos: int) -> Finding | None:
    """A bare number, or two with "to" or a dash between them. "one" alone is no number: it is mostly a pronoun."""
    both = _RANGE.match(text, pos)
    if both is not None:
        first, last = read_number(both[1]), read_number(both[2])
        if first is not None and last is not None and first < last:
            return Finding(ValueKind.NUMBER, pos, both.end(), f"{plain(first)}..{plain(last)}")
    match = _BARE.match(text, pos)
    number = None if match is None else _value(match)
    if match is None or number is None or (match["words"] or "").casefold() == "one":
        return None
    if match["million"]:
        number *= _SCALE[match["million"].strip().casefold()]
    if match["scale"] and _MONEY_CUE.search(text[max(0, pos - 24) : pos]):
        return Finding(ValueKind.MONEY, pos, match.end(), f"XXX {plain(number)}")
    return Finding(ValueKind.NUMBER, pos, match.end(), plain(number))


def han_amount_at(text: str, pos: int) -> Finding | None:
    """The Chinese amount that begins at `pos`, with a numeral, digits, 每 or 百分之."""
    match = _HAN_AFTER.match(text, pos)
    if match is not None:
        words = match["han"] or match["digits"] + (match["scale"] or "")
        number = han_value(words)
        if number is not None and match["half"]:
            number += Decimal("0.5")
        return _money(match, _HAN_MONEY[match["money"]], number)
    if text[pos] == "百":
        match = _HAN_PERCENT.match(text, pos)
        number = None if match is None else han_value(match[1])
        if match is not None and number is not None:
            return Finding(ValueKind.PERCENT, pos, match.end(), f"{plain(number)}%")
    for pattern, reader in (
        (_HAN_DURATION, _han_duration),
        (_HAN_MEASURE, _han_measure),
        (_HAN_COUNTED, _han_counted),
    ):
        match = pattern.match(text, pos)
        number = None if match is None else han_value(match["number"])
        if match is not None and number is not None:
            found = reader(match, number)
            if found is not None:
                return found
    return None


def _han_duration(match: re.Match[str], number: Decimal) -> Finding | None:
    if match["unit"] == "月" and not match["classifier"]:
        return None
    return _duration(match, number, match["unit"])


def _han_measure(match: re.Match[str], number: Decimal) -> Finding | None:
    unit, size = _UNITS[match["unit"]] if match["unit"] in _UNITS else _UNITS["度"]
    return Finding(ValueKind.QUANTITY, match.start(), match.end(), f"{plain(number * size)} {unit}")


def _han_counted(match: re.Match[str], number: Decimal) -> Finding | None:
    if match["number"] == "一" and not match["noun"]:  # 一个, 一次: mostly an article
        return None
    unit = (
        "人" if match["unit"] in "位名人" and match["noun"] in ("", "人") else match["unit"] + match["noun"]
    )
    return Finding(ValueKind.QUANTITY, match.start(), match.end(), f"{plain(number)} {unit}")


def han_number_at(text: str, pos: int) -> Finding | None:
    """Digits with a Chinese scale, or a numeral of at least two characters."""
    match = _HAN_BARE.match(text, pos)
    number = None if match is None else han_value(match.group())
    if match is None or number is None:
        return None
    return Finding(ValueKind.NUMBER, pos, match.end(), plain(number))
