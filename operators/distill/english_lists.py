"""The items of an English list of things: "two mugs, a teapot and a tray"."""

from collections.abc import Sequence

from operators.distill import english_words as words
from operators.distill.english_clauses import Token
from operators.distill.english_frames import Frame
from operators.distill.english_phrases import phrase, spelled
from operators.distill.english_verbs import lemma
from operators.distill.spans import ValueKind

_JOINS = frozenset((",", "and", "&", "plus"))
_COUNTS = (ValueKind.NUMBER, ValueKind.QUANTITY)


def listed_items(row: Sequence[Token], parts: Frame) -> tuple[str, ...]:
    """The things that the clause's verb is about, each in its words without an article; empty where the
    first is none. A bare noun counts as one more only if it is no verb ("a lamp and send it"), a code not at
    all: it tells which one the thing is ("a lamp, LP-20"). Linear in the row."""
    at = parts.object.start if parts.object is not None else parts.rest
    items: list[str] = []
    while at < len(row):
        item, at = _item(row, at, bool(items))
        if not item:
            break
        items.append(item)
        if at >= len(row) or row[at].low not in _JOINS:
            break
        while at < len(row) and row[at].low in _JOINS:
            at += 1
    return tuple(items)


def _item(row: Sequence[Token], at: int, further: bool) -> tuple[str, int]:
    """The thing that starts at `at` and where it ends; an empty text if none does."""
    value = row[at].value
    counted = value is not None and value.kind in _COUNTS
    if counted and " " in row[at].text:  # "two mugs" is one token, "2 litres of milk" goes on
        if at + 2 >= len(row) or row[at + 1].low != "of":
            return row[at].text, at + 1
        of = phrase(row, at + 2)
        return (spelled(row[at : of.end]), of.end) if of is not None else ("", at)
    item = phrase(row, at + 1 if counted else at)
    if item is None or item.head in words.PRONOUNS or item.owner:
        return "", at
    if further and (code := row[item.start].value) is not None and code.kind is ValueKind.IDENTIFIER:
        return "", at
    if further and not item.determined and not counted and lemma(row[item.start].low):
        return "", at
    return spelled(row[at if counted else item.start : item.end]), item.end
