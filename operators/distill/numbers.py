"""Numbers as digits, English words and Chinese numerals."""

import re
from decimal import Decimal
from functools import lru_cache

UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
NUMBER_WORDS = frozenset({*UNITS, *TENS, "dozen"})

_SMALL = "|".join(sorted((*UNITS, *TENS), key=len, reverse=True))
WORDS = (
    rf"(?:(?:half[ ]a[ ]|an?[ ]|two[ ])?dozen|(?:(?:{_SMALL})|an?(?=[ ](?:hundred|thousand|million)\b))"
    rf"(?:[ -](?:and[ ])?(?:{_SMALL}|hundred|thousand|million|billion)\b){{0,8}})\b"
)
"""A pattern of an English number in words, case not regarded."""

DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?(?![\d])"
"""A pattern of a number in digits, with or without thousands separators."""

HAN = r"[〇零一二两三四五六七八九十百千万亿半]{1,12}"
"""A pattern of a Chinese numeral."""

_HAN_DIGITS = {
    "〇": 0,
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_GROUPS = {"万": 10**4, "亿": 10**8}
_ABOUT = frozenset(["一二", "一两", "二三", "两三", "三四", "三五", "四五", "五六", "六七", "七八", "八九"])
_GAP = re.compile(r"[ -]+")


def plain(number: Decimal) -> str:
    """The canonical text of a number: no exponent, no trailing zeros."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text or "0"


@lru_cache(maxsize=4096)
def read_number(text: str) -> Decimal | None:
    """The value of a number in digits, in English words or as a Chinese numeral; None where it is none."""
    compact = text.replace(",", "").strip()
    if compact[:1].isdigit():
        return _decimal(compact)
    if compact[:1] in _HAN_DIGITS or compact[:1] in _HAN_SCALES or compact[:1] == "半":
        return read_han(compact)
    return read_words(compact)


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if text.isascii() and text.replace(".", "", 1).isdigit() else None


def read_words(text: str) -> Decimal | None:
    """ "twenty-one" is 21, "two hundred and five" is 205, "half a dozen" is 6."""
    words = _GAP.split(text.casefold().strip())
    if words[-1] == "dozen":
        return Decimal({"half": 6, "two": 24}.get(words[0], 12))
    total = part = 0
    for word in words:
        if word in UNITS:
            part += UNITS[word]
        elif word in TENS:
            part += TENS[word]
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in SCALES:
            total, part = total + (part or 1) * SCALES[word], 0
        elif word in ("a", "an"):
            part = 1
        elif word != "and":
            return None
    return Decimal(total + part)


def read_han(text: str) -> Decimal | None:
    """二十 is 20, 三百五十 is 350, 一万二千 is 12000, 二〇二六 is 2026, 半 is a half; 两三 is none."""
    if text == "半":
        return Decimal("0.5")
    if "半" in text:
        return None
    if text in _ABOUT:
        return None
    if len(text) > 1 and all(char in _HAN_DIGITS for char in text):
        return Decimal("".join(str(_HAN_DIGITS[char]) for char in text))
    total = group = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif char in _HAN_SCALES:
            group, digit = group + (digit or 1) * _HAN_SCALES[char], 0
        elif char in _HAN_GROUPS:
            total, group, digit = total + (group + digit or 1) * _HAN_GROUPS[char], 0, 0
        else:
            return None
    return Decimal(total + group + digit)


SCALE_FACTORS = {
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
"""What a scale after digits multiplies by, in lower case."""


def matched_number(match: re.Match[str]) -> Decimal | None:
    """The value of a match's `number`, `words` or `han`, times its `scale`."""
    groups = match.groupdict()
    text = groups.get("number") or groups.get("words") or groups.get("han") or ""
    number = read_number({"a": "1", "an": "1", "half an": "0.5"}.get(text.casefold(), text))
    scale = groups.get("scale")
    if number is not None and scale:
        number *= SCALE_FACTORS[scale.casefold()]
    return number


def han_value(words: str) -> Decimal | None:
    """The value of digits with a Chinese scale (3万) or of a Chinese numeral."""
    head = words.rstrip("百千万亿")
    if head[:1].isdecimal():
        number, scale = read_number(head), words[len(head) :]
        factor = SCALE_FACTORS.get(scale, 1 if not scale else 0)
        return None if number is None or not factor else number * factor
    return read_number(words)
