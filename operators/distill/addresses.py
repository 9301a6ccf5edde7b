"""Street addresses: "12 High Street, Leeds", "Hauptstraße 5", 中山路12号3栋501室."""

import re

from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_I = re.IGNORECASE | re.ASCII
_STREET = (
    r"(?:street|str|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|square|sq"
    r"|terrace|crescent|way|row|view"
    r"|close|place|pl|parkway|pkwy|highway|hwy|quay|alley|walk|mews|gardens|grove|hill)"
)
_PLACE_WORD = r"(?:[A-Z][a-z]{0,2}\.(?= )|[A-Z][A-Za-z'-]{1,20})"
_PLACE = rf"(?:,? {_PLACE_WORD}(?: {_PLACE_WORD}){{0,2}})"
_TAIL = re.compile(
    rf"(?:,? (?:apt|apartment|flat|suite|unit|floor|room|#) ?[\w-]{{1,6}}\b)?(?:,{_PLACE}"
    rf"(?:,{_PLACE})?)?(?:,? [A-Z]{{2}})?(?:,? \d{{5}}(?:-\d{{4}})?(?!\d))?",
    re.ASCII,
)
_ENGLISH = re.compile(
    rf"\d{{1,5}}[A-Z]?(?:-\d{{1,4}})?,? (?P<words>[A-Za-z0-9.'’-]{{1,20}}"
    rf"(?: [A-Za-z0-9.'’-]{{2,20}}){{0,3}}?) (?P<street>{_STREET})\b(?:\.(?=,))?",
    _I,
)
_SUFFIX = re.compile(
    r"[A-ZÄÖÜ][\wäöüß-]{2,30}(?:straße|strasse|str\.|gasse|platz|allee|damm|laan|straat|gade"
    r"|vej) ?\d{1,4} ?[a-z]?(?!\w)"
)
_NOT_STREET = frozenset(
    [
        "people",
        "person",
        "on",
        "in",
        "of",
        "to",
        "the",
        "a",
        "an",
        "at",
        "for",
        "and",
        "or",
        "is",
        "was",
        "are",
        "were",
        "from",
        "by",
        "with",
        "this",
        "that",
        "my",
        "your",
        "our",
        "we",
        "i",
        "you",
        "it",
        "days",
        "hours",
        "minutes",
        "miles",
        "am",
        "pm",
        "per",
        "more",
        "times",
        "weeks",
        "months",
        "years",
        "nights",
        "percent",
        "along",
        "down",
        "up",
    ]
)
_LOWER_OK = frozenset(["street", "avenue", "road", "boulevard", "lane", "drive"])
_HAN_STREET = re.compile(
    r"(?:[\u4e00-\u9fff]{1,10}(?:路|街|大道|巷|弄|胡同)(?:[东西南北中]?段?)?\d{1,5}(?:号|弄)(?:院|楼)?"
    r"|[\u4e00-\u9fff]{2,10}(?:小区|花园|公寓|大厦|新村|家园|广场)(?=[\dA-Z]))"
)
_HAN_REST = re.compile(
    r"(?:[ ,，]?[\u4e00-\u9fff]{2,8}(?:小区|花园|公寓|大厦|新村|家园|广场))?(?:[A-Z]?\d{1,5}"
    r"(?:号楼|号院|号|弄|栋|幢|座|单元|层|楼|室)|[A-Z]座){0,5}"
)
_HAN_ROOM = re.compile(r"\d{1,4}(?:号楼|栋|幢|座)(?:\d{1,3}单元)?(?:\d{1,5}(?:室|号|房)|\d{1,3}[层楼]){0,2}")
_HAN_WORD = re.compile("路|街|大道|巷|弄|胡同|小区|花园|公寓|大厦|新村|家园|广场")
_HAN_CUT = re.compile(".*(?:地址|[在是到为往从于给改成换住：:]|[来去寄送](?=[\u4e00-\u9fff]{2}))")


def address_at(text: str, pos: int) -> Finding | None:
    """The address that begins with the house number at `pos`. Words in lower case count as a street's only
    before a word that means nothing else (road, not way)."""
    match = _ENGLISH.match(text, pos)
    if match is None:
        return None
    words = match["words"].split(" ")
    if any(word.casefold() in _NOT_STREET or (len(word) == 1 and not word.isupper()) for word in words):
        return None
    if (
        not all(word[0].isupper() or word[0].isdigit() for word in words)
        and match["street"].casefold() not in _LOWER_OK
    ):
        return None
    if match["street"].casefold() not in _LOWER_OK and not match["street"][0].isupper():
        return None
    tail = _TAIL.match(text, match.end())
    end = match.end() if tail is None else max(match.end(), tail.end())
    return _found(text, pos, end)


def suffixed_address_at(text: str, pos: int) -> Finding | None:
    """ "Hauptstraße 5": the street's kind ends its name and the number follows."""
    match = _SUFFIX.match(text, pos)
    return None if match is None else _found(text, pos, match.end())


def han_addresses_in(text: str) -> list[Finding]:
    """All Chinese street addresses of the text, each from after the last 在, 是, 到 … before it."""
    found: list[Finding] = []
    if _HAN_WORD.search(text) is None:
        return found
    for match in _HAN_STREET.finditer(text):
        cut = _HAN_CUT.match(text, match.start(), match.end() - 2)
        start = match.start() if cut is None or cut.end() >= match.end() - 2 else cut.end()
        rest = _HAN_REST.match(text, match.end())
        end = match.end() if rest is None else rest.end()
        if end - start >= 4 and (not found or found[-1].end <= start):
            found.append(_found(text, start, end))
    return found


def han_room_at(text: str, pos: int) -> Finding | None:
    """3栋501室, without a street."""
    match = _HAN_ROOM.match(text, pos)
    return None if match is None or len(match.group()) < 4 else _found(text, pos, match.end())


def _found(text: str, start: int, end: int) -> Finding:
    canonical = " ".join(text[start:end].casefold().rstrip(".").replace(",", " ").split())
    return Finding(ValueKind.ADDRESS, start, end, canonical)
