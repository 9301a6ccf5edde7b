"""Finds the typed values of a text: money, quantities, times, identifiers, addresses, names, quotations.

One scan goes over the text's words, runs of digits and signs. Each that can begin a value is given to the few
recognisers that its first character and its word admit; all of them look only a bounded way ahead, so the
whole takes time linear in the text. Of the values that begin at a place the longest wins, and the scan goes
on after it.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias

from operators.distill.addresses import address_at, han_addresses_in, han_room_at, suffixed_address_at
from operators.distill.amounts import amount_at, han_amount_at, han_number_at, number_at
from operators.distill.finding import Finding
from operators.distill.identifiers import (
    CUES,
    HAN_CUES,
    code_at,
    cued_code_at,
    emails_in,
    han_cued_code_at,
    phone_at,
    urls_in,
)
from operators.distill.money import money_by_code_at, money_by_symbol_at
from operators.distill.names import may_begin_name, name_at
from operators.distill.names_chinese import han_name_before, han_self_name_at
from operators.distill.numbers import NUMBER_WORDS
from operators.distill.quotations import QUOTE_CHARS, quoted_at
from operators.distill.spans import TypedValue
from operators.distill.times_chinese import TIME_CHARS, chinese_time_at
from operators.distill.times_english import GATES, TIME_WORDS, english_time_at
from operators.distill.word_pattern import any_of

_HAN_NUMERALS = frozenset("〇零一二两三四五六七八九十百千万半")
_HAN_TITLES = frozenset("先女小太师老医经教主阿叔律护总")
_HAN_STARTS = (
    frozenset(char for char in TIME_CHARS if char > "\x7f")
    | _HAN_NUMERALS
    | _HAN_TITLES
    | HAN_CUES
    | {"我", "名", "姓", "叫", "每"}
)
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff05\uff0e\uff03\uff0b\uff04\uffe5\u3000\uff21-\uff3a]")
_TO_ASCII = {
    code: code - 0xFEE0
    for code in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), 0xFF05, 0xFF0E, 0xFF03, 0xFF0B, 0xFF04)
}
_TO_ASCII |= {0xFFE5: 0xA5, 0x3000: 0x20}
_DIGITS = frozenset("0123456789")
_GLUED = re.compile(r"\w|(?<=\d)[.,](?=\d)", re.ASCII)
_ALONE = re.compile(r"(?:[.,!?;:]?(?:\s|$)(?! ?[A-Za-z0-9(%€£°])|[，。！？；：、）])")
_ADDRESS_AFTER = frozenset(" ,-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_PHONE_AFTER = re.compile(r"[- .][0-9]")
_DIGIT_CODE_AFTER = re.compile(r"[A-Z]|[-.][0-9]")
_LISTED = re.compile(r"[.)] {1,8}\S")  # "1. First": the number of a list's item
_CODE_AFTER = re.compile(
    r"\d|-[A-Z0-9]|(?<=[A-Z]{2}) \d|(?<=aße|sse|atz|lee|amm|aan|aat|ade|vej) ?\d|(?<=str)\. ?\d"
)
Candidates: TypeAlias = tuple[Finding | None, ...]
_REMEMBERED = 2000
"""Texts up to this many characters are remembered, so that the memory they hold is bounded."""


ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
"""For the values of a text of which `tells_time` is not so, and for the places and kinds of any."""


def find_values(text: str, sent_at: datetime) -> tuple[TypedValue, ...]:
    """The values of `text` in order, not overlapping; times are resolved against `sent_at`.

    O(len(text)); never raises. `text[value.start:value.end] == value.text` for each.
    """
    return tuple([_resolved(finding, text, sent_at) for finding in _found(text)])


def tells_time(text: str) -> bool:
    """Whether a value of `text` may be another on another day."""
    return any(finding.when is not None for finding in _found(text))


def _found(text: str) -> tuple[Finding, ...]:
    return _remembered(text) if len(text) <= _REMEMBERED else _findings(text)


def _resolved(finding: Finding, text: str, sent_at: datetime) -> TypedValue:
    words = text[finding.start : finding.end]
    if finding.when is None:
        return TypedValue(finding.kind, finding.start, finding.end, words, finding.canonical)
    canonical, occurs = finding.when.resolve(words, sent_at)
    return TypedValue(finding.kind, finding.start, finding.end, words, canonical, occurs)


@lru_cache(maxsize=4096)
def _remembered(text: str) -> tuple[Finding, ...]:
    return _findings(text)


def _findings(text: str) -> tuple[Finding, ...]:
    if not text.isascii() and _FULL_WIDTH.search(text):
        text = text.translate(_TO_ASCII)
    whole = _whole_text_findings(text)
    found: list[Finding] = []
    end = index = 0
    for match in _SCAN.finditer(text):
        token = match[0]
        reader = _READERS.get(token)
        if reader is None:
            reader = _from_digit if token[0] in _DIGITS else _from_capital
        pos = match.start()
        if pos < end:
            continue
        if whole:
            while index < len(whole) and whole[index].end <= pos:
                index += 1
            if index < len(whole) and whole[index].start <= pos:
                continue
        best = None
        for candidate in reader(text, pos, token):
            if candidate is not None and (best is None or candidate.end > best.end):
                best = candidate
        if best is None or best.start < end or (index < len(whole) and whole[index].start < best.end):
            continue
        found.append(best)
        end = best.end
    return tuple(sorted((*found, *whole), key=lambda finding: finding.start) if whole else found)


def _whole_text_findings(text: str) -> list[Finding]:
    """The kinds that a rare sign gives away, in order and not overlapping."""
    whole: list[Finding] = []
    if "://" in text or "www." in text:
        whole += urls_in(text)
    if "@" in text:
        whole += emails_in(text)
    if not text.isascii():
        whole += han_addresses_in(text)
    if len(whole) < 2:
        return whole
    whole.sort(key=lambda finding: (finding.start, -finding.end))
    kept = whole[:1]
    for finding in whole[1:]:
        if finding.start >= kept[-1].end:
            kept.append(finding)
    return kept


def _from_digit(text: str, pos: int, token: str) -> Candidates:
    if pos and (_GLUED.match(text, pos - 1) or text[pos - 1] == "第"):
        return ()
    ascii_text = text.isascii()
    if _LISTED.match(text, pos + len(token)) and text[max(0, pos - 9) : pos].rstrip(" ")[-1:] in ("", "\n"):
        return ()
    if len(token) < 7 and _ALONE.match(text, pos + len(token)):
        number = number_at(text, pos)
        return (number,) if ascii_text else (number, _chinese_time(text, pos))
    after = text[pos + len(token) : pos + len(token) + 2]
    english = (
        _english_time(text, pos, token),
        None if after[:1] == ":" else amount_at(text, pos),
        address_at(text, pos) if after[:1] in _ADDRESS_AFTER else None,
        phone_at(text, pos) if len(token) > 6 or _PHONE_AFTER.match(after) else None,
        code_at(text, pos) if _DIGIT_CODE_AFTER.match(after) else None,
        number_at(text, pos),
    )
    if ascii_text:
        return english
    chinese = (
        _chinese_time(text, pos),
        han_amount_at(text, pos),
        han_room_at(text, pos),
        han_number_at(text, pos),
    )
    return (*english[:1], *chinese[:3], *english[1:], *chinese[3:])


def _from_sign(text: str, pos: int, token: str) -> Candidates:
    if token in QUOTE_CHARS:
        return (quoted_at(text, pos),)
    if token == "#":
        return (code_at(text, pos),)
    return (phone_at(text, pos) if token in "+(" else money_by_symbol_at(text, pos),)


def _from_word(text: str, pos: int, word: str) -> Candidates:
    """A word in lower case that can begin a value."""
    if word in GATES and not GATES[word].match(text, pos + len(word)):
        return ()
    time = _english_time(text, pos, word) if word in TIME_WORDS else None
    if word in _AMOUNT_WORDS:
        return time, amount_at(text, pos), number_at(text, pos) if word in NUMBER_WORDS else None
    if word in CUES:
        return time, cued_code_at(text, pos + len(word))
    return (time,)


def _from_capital(text: str, pos: int, token: str) -> Candidates:
    word = token.casefold()
    plain = word.removesuffix("'s").removesuffix("’s")
    found = _from_word(text, pos, plain) if plain in _LOWER_WORDS else ()
    end = pos + len(token)
    if _CODE_AFTER.match(text, end) or token == "CHF":
        found = (*found, money_by_code_at(text, pos), code_at(text, pos), suffixed_address_at(text, pos))
    return (*found, name_at(text, pos)) if may_begin_name(text, pos, token, word) else found


def _from_han(text: str, pos: int, char: str) -> Candidates:
    if pos and (text[pos - 1] == "第" or (char in _HAN_NUMERALS and text[pos - 1] in _HAN_NUMERALS)):
        return ()  # an ordinal (第二天), or the rest of a numeral that was none (两三天)
    time = _chinese_time(text, pos) if char in TIME_CHARS else None
    if char in _HAN_NUMERALS or char == "每":
        return time, han_amount_at(text, pos), han_number_at(text, pos)
    if char in HAN_CUES:
        time = time or han_cued_code_at(text, pos)
    if char in _HAN_TITLES:
        time = time or han_name_before(text, pos)
    if char in "我名姓叫":
        return time, han_self_name_at(text, pos)
    return (time,)


def _english_time(text: str, pos: int, word: str) -> Finding | None:
    found = english_time_at(text, pos, word)
    return None if found is None else Finding(found[1].kind(), pos, found[0], "", found[1])


def _chinese_time(text: str, pos: int) -> Finding | None:
    found = chinese_time_at(text, pos)
    return None if found is None else Finding(found[1].kind(), pos, found[0], "", found[1])


_AMOUNT_WORDS = frozenset({*NUMBER_WORDS, "a", "an", "half"})
_LOWER_WORDS = frozenset({*TIME_WORDS, *_AMOUNT_WORDS, *CUES})
_SCAN = re.compile(
    rf"(?<![A-Za-z\u00c0-\u024f]){any_of(sorted(_LOWER_WORDS))}(?![A-Za-z\u00c0-\u024f])"
    r"|[A-Z\u00c0-\u00de][A-Za-z\u00c0-\u024f]*(?:['’][A-Za-z]+)?|[0-9]+"
    rf"|[€$£¥₹₩₽#+(\"“「『《【'‘{''.join(sorted(_HAN_STARTS))}]"
)
_READERS: dict[str, Callable[[str, int, str], Candidates]] = {
    **dict.fromkeys(_LOWER_WORDS, _from_word),
    **dict.fromkeys("€$£¥₹₩₽#+(\"“「『《【'‘", _from_sign),
    **dict.fromkeys(_HAN_STARTS, _from_han),
}
