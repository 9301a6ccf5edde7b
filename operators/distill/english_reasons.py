"""Prepositions of a reason that are several words: "owing to", "on account of", "as a result of"."""

from collections.abc import Sequence
from dataclasses import replace

from operators.distill.english_clauses import Token
from operators.distill.english_words import DETERMINERS, PRONOUNS

_REASONS = (
    ("owing", "to"),
    ("due", "to"),
    ("thanks", "to"),
    ("because", "of"),
    ("on", "account", "of"),
    ("on", "grounds", "of"),
    ("on", "the", "grounds", "of"),
    ("in", "view", "of"),
    ("in", "light", "of"),
    ("in", "the", "light", "of"),
    ("by", "reason", "of"),
    ("as", "a", "result", "of"),
    ("as", "a", "consequence", "of"),
)
PREPOSITIONS = "|".join(" ".join(words) for words in _REASONS)
"""They as the alternatives of a pattern."""
_FIRST = frozenset(words[0] for words in _REASONS)


def as_because(row: Sequence[Token]) -> list[Token]:
    """`row` with each such preposition read as "because of": two tokens, which keep its text. What is said to
    a party ("thanks to you all") gives no reason."""
    found: list[Token] = []
    at = 0
    while at < len(row):
        size = _size(row, at) if row[at].low in _FIRST else 0
        if not size:
            found.append(row[at])
            at += 1
            continue
        first, last = row[at], row[at + size - 1]
        text = " ".join(token.text for token in row[at : at + size - 1])
        found.append(replace(first, text=text, low="because", end=row[at + size - 2].end))
        found.append(replace(last, low="of"))
        at += size
    return found


def reason_at(row: Sequence[Token], at: int) -> bool:
    """Whether the token at `at`, of a row read `as_because`, is the reason ("because of the | 9 days")."""
    if at + 1 < len(row) and row[at + 1].value is None and row[at + 1].low[-1:].isalpha():
        return False
    before = at - 1
    while before > 0 and row[before].low in DETERMINERS:
        before -= 1
    return before > 0 and (row[before - 1].low, row[before].low) == ("because", "of")


def _size(row: Sequence[Token], at: int) -> int:
    for words in _REASONS:
        end = at + len(words)
        if (
            end < len(row)
            and row[end].low not in PRONOUNS
            and all(token.low == word for token, word in zip(row[at:end], words, strict=True))
        ):
            return len(words)
    return 0
