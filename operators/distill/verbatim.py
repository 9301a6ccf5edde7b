"""Whether a text says what a model quotes of it."""

import re
from functools import lru_cache

from operators.distill.values import find_values
from operators.relate.words import within, words
from state.identity import normalised
from state.model import Message

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")
_GAP = re.compile(r"…|\.{3}")
_DENIED = re.compile(r"(?:(?:not|no|never)\b ?|不再|不|没有|没)", re.IGNORECASE)


_REMEMBERED = 2_000
"""Texts up to this many characters are remembered, so that the memory they hold is bounded."""


def _flat(text: str) -> str:
    """The text's words and ideographs without what lies between them, each between spaces."""
    return _remembered(text) if len(text) <= _REMEMBERED else _flattened(text)


@lru_cache(maxsize=2_048)
def _remembered(text: str) -> str:
    return _flattened(text)


def _flattened(text: str) -> str:
    return f" {' '.join(_TOKEN.findall(normalised(text)))} "


def says(text: str, quote: str) -> bool:
    """Whether `quote` is what `text` says: the same words in a row, whatever the marks and the case. A gap
    ("…") may leave words out. Nothing is said by a quote without words. O(length)."""
    parts = [part for part in map(_flat, _GAP.split(quote)) if part.strip()]
    heard, at = _flat(text), 0
    for part in parts:
        at = heard.find(part, at)
        if at < 0:
            return False
        at += len(part) - 1
    return bool(parts)


def says_value(message: Message, value: str) -> bool:
    """Whether `message` gives `value`: in its words, in another order of them, or written otherwise ("8 kg",
    "eight kilos"; "Friday at 3", "Friday, 15:00"). A value that is denied ("not allowed") is given by a text
    that denies it in its own way ("they aren't allowed")."""
    text = message.content
    denied = _DENIED.match(value)
    if denied is not None and denied.end() < len(value) and words(text).denies:
        value = value[denied.end() :]
    if says(text, value) or (words(value).kinds and within(words(value), words(text))):
        return True
    meant = find_values(value, message.sent_at)
    if len(meant) != 1 or not says(meant[0].text, value):
        return False
    return any(
        found.kind is meant[0].kind and found.canonical == meant[0].canonical
        for found in find_values(text, message.sent_at)
    )
