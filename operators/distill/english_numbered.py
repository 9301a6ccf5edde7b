"""Things that are told apart by a number behind their noun: "project 1", "room 12"."""

from collections.abc import Sequence
from dataclasses import replace

from operators.distill import english_words as words
from operators.distill.english_clauses import Token
from operators.distill.spans import ValueKind

_JOINS = words.BE | words.HAVE | words.MODALS | words.BECOME_VERBS


def numbered(row: Sequence[Token]) -> list[Token]:
    """`row` with each such noun and its number as one name, where the clause goes on to say something of it:
    the number of "project 1 is late" is no value, that of "the price is 1" is one."""
    found = list(row)
    if not any(t.value is not None and t.value.kind is ValueKind.NUMBER for t in row):
        return found
    for at in range(len(row) - 2, 0, -1):
        number, noun = row[at].value, row[at - 1]
        if number is None or number.kind is not ValueKind.NUMBER or not row[at].text.isdecimal():
            continue
        if row[at + 1].low not in _JOINS or not _names_a_kind(row, at - 1):
            continue
        name = f"{noun.text} {row[at].text}"
        value = replace(
            number, kind=ValueKind.IDENTIFIER, start=noun.start, text=name, canonical=name.casefold()
        )
        found[at - 1 : at + 1] = [Token(name, name.casefold(), noun.start, row[at].end, value)]
    return found


def _names_a_kind(row: Sequence[Token], at: int) -> bool:
    """Whether the token is a common noun that begins its phrase, and none that names an attribute."""
    noun = row[at]
    if noun.value is not None or not noun.low.isalpha() or noun.low in words.KIND_NOUNS - {"room", "seat"}:
        return False
    closed = words.PREPOSITIONS | words.PRONOUNS | words.CONJUNCTIONS | words.ADVERBS | words.DETERMINERS
    if noun.low in closed | words.NUMBER_WORDS | words.POSSESSIVES | _JOINS:
        return False
    return at == 0 or row[at - 1].low in words.PREPOSITIONS | words.DETERMINERS | words.POSSESSIVES | {
        ",",
        "and",
    }
