"""Extractive summaries: a few of the text's own words, the same words every time."""

import re
from collections.abc import Sequence

WORDS = 30
"""The most words of a gist."""
CHARACTERS = 60
"""The most CJK characters of a gist: they carry about half a word each."""
LABEL_WORDS = 8
LABEL_CHARACTERS = 16
WIDTH = 20
"""The most characters a word may take on average: a word may be as long as a message (pasted data, say)."""
LOOKED_AT = 4_000
"""How much of a text is searched for its gist."""

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_UNIT = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?=\d)[^.!?。！？\n]*)*[.!?。！？]*\s*")
_IDEOGRAPH = re.compile(rf"[{_CJK}]")
_CONTENT = re.compile(rf"[{_CJK}]|\w{{4,}}|\d+")


def shortened(text: str, words: int, characters: int) -> str:
    """The start of `text` that costs at most one budget: a word costs 1/words, a CJK character 1/characters.

    White space is collapsed; what is cut off is marked by "…". At most `WIDTH` characters a word.
    """
    flat = " ".join(text.split())
    room = words * WIDTH
    spent = 0
    end = 0
    for unit in _UNIT.finditer(flat):
        spent += words if _IDEOGRAPH.match(unit[0]) else characters
        if spent > words * characters:
            break
        end = unit.end()
    else:
        if len(flat) <= room:
            return flat
        end = room
    return flat[: min(end, room)].rstrip(" ,;:，；：、") + "…"


def gist(text: str) -> str:
    """What `text` says, in at most `WORDS` words or `CHARACTERS` CJK characters of its own.

    A text that fits is its own gist; otherwise the first sentence with content, for a turn mostly leads
    with its point, filled up with what follows.
    """
    flat = " ".join(text.split())
    sentences = list(_SENTENCE.finditer(flat[:LOOKED_AT]))
    telling = (sentence.start() for sentence in sentences if len(_CONTENT.findall(sentence[0])) >= 2)
    last = sentences[-1].start() if sentences else 0
    begin = next(telling, last)
    return shortened(flat[begin : begin + LOOKED_AT], WORDS, CHARACTERS)


def in_short(summary: str, text: str) -> str:
    """A turn in few words: the `summary` that a model wrote of it, or else the gist of its `text`."""
    return summary or gist(text)


def label(texts: Sequence[str]) -> str:
    """A short name for a run of messages: the start of the first one that says enough, else of the first."""
    for text in texts:
        if len(_CONTENT.findall(text)) >= 3:
            return shortened(gist(text), LABEL_WORDS, LABEL_CHARACTERS)
    return shortened(texts[0], LABEL_WORDS, LABEL_CHARACTERS) if texts else ""


def digest_of(texts: Sequence[str]) -> str:
    """A session's summary: the gist of the message with the most content, the earliest among equals.

    Only its own messages are read, so a session's summary changes only when its messages do.
    """
    best = max(texts, key=lambda text: len(set(_CONTENT.findall(text.casefold()))), default="")
    return gist(best)
