"""Where somebody lives, works or studies: what a verb tells of a person until it is told otherwise."""

from collections.abc import Mapping, Sequence

from operators.distill import english_words as words
from operators.distill.clause import Claim
from operators.distill.english_clauses import Token
from operators.distill.english_phrases import phrase, spelled
from operators.distill.english_things import entity_of, names

_IN, _TO, _FOR = frozenset(("in", "at", "near")), frozenset(("to", "into")), frozenset(("at", "for"))
_LIVES, _MOVES, _WORKS, _STUDIES = ("home", _IN), ("home", _TO), ("employer", _FOR), ("school", _IN)
_VERBS: Mapping[str, tuple[str, frozenset[str]]] = {
    **dict.fromkeys(("live", "lives", "living", "reside", "resides"), _LIVES),
    **dict.fromkeys(("move", "moved", "relocate", "relocated"), _MOVES),
    **dict.fromkeys(("work", "works", "working"), _WORKS),
    **dict.fromkeys(("study", "studies", "studying"), _STUDIES),
}
"""By form, what it tells of a person and the prepositions that lead to it."""
SETTLED = frozenset(attribute for attribute, _ in _VERBS.values())
"""The attributes of these claims: each holds until another is told, whatever the words."""
_PEOPLE = frozenset(("i", "we", "he", "she", "they"))
_AUXILIARY = words.BE | words.HAVE | words.ADVERBS | {"do", "does", "did", "been"}
_NOT = frozenset(("not", "n't", "never"))
_BEFORE = words.ADVERBS | {"back", "over", "out"}
_REACH = 8


def settled(row: Sequence[Token]) -> tuple[Claim, ...]:
    """ "I live in Leeds", "we've moved to York", "my sister works at Acme": the name of a place or firm.

    What is only wished or done otherwise ("I want to live in York", "we moved to Slack for chat", "I work
    at home") is none of it. Reads the first few tokens only.
    """
    at = next((k for k, token in enumerate(row[:_REACH]) if token.low in _VERBS), 0)
    subject = phrase(row[:at], 0) if at else None
    if subject is None:
        return ()
    named = any(names(token) for token in row[subject.start : subject.end])
    if subject.head not in _PEOPLE and subject.owner not in words.POSSESSIVES and not named:
        return ()
    between = {token.low for token in row[subject.end : at]}
    if not between <= _AUXILIARY | _NOT:
        return ()
    attribute, led_by = _VERBS[row[at].low]
    value = _named(row, at + 1, led_by)
    if not value:
        return ()
    return (Claim(entity_of(subject), attribute, f"not {value}" if between & _NOT else value),)


def _named(row: Sequence[Token], at: int, led_by: frozenset[str]) -> str:
    while at < len(row) - 1 and row[at].low in _BEFORE:
        at += 1
    if at + 1 >= len(row) or row[at].low not in led_by:
        return ""
    where = phrase(row, at + 1)
    if where is None or not names(row[where.end - 1]):
        return ""
    used = where.end < len(row) and row[where.end].low == "for" and "to" in led_by
    return "" if used else spelled(row[where.start : where.end])
