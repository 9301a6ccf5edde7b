"""Noun phrases of an English clause, by closed word classes alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from operators.distill import english_words as words
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.spans import ValueKind

_END = (
    words.BE
    | words.HAVE
    | words.DO
    | words.MODALS
    | (words.PREPOSITIONS - {"of"})
    | words.WH_WORDS
    | words.CONJUNCTIONS
    | words.PRONOUNS
    | words.ADVERBS
    | frozenset(("not", "n't", "never"))
)
_BY_ITSELF = words.PRONOUNS | {"her", "his"}
AUXILIARIES = words.BE | words.HAVE | words.DO | words.MODALS


@dataclass(slots=True)
class Phrase:
    """A noun phrase: tokens [start, end) of the clause. `owner` is a possessive in it ("my", "Ravil").

    Like a `Token`, never changed and not frozen.
    """

    start: int
    end: int
    text: str
    head: str
    owner: str = ""
    modifiers: str = ""
    definite: bool = True
    determined: bool = False


def opens_phrase(token: Token) -> bool:
    if token.value is not None:
        return token.value.kind in OPEN_KINDS or token.low.endswith("ly")  # "my monthly donation"
    return token.text[:1].isalpha() and token.low not in _END


def phrase(row: Sequence[Token], at: int, limit: int = 9) -> Phrase | None:
    """The noun phrase that starts at `at`, if one does. Time linear in its length."""
    begin, owner, definite = at, "", True
    count = len(row)
    if at < count and row[at].low in words.POSSESSIVES:
        owner, at = row[at].low, at + 1
    elif at < count and row[at].low in words.DETERMINERS and row[at].value is None:
        definite = row[at].low not in ("a", "an", "another", "some", "any")
        at += 1
    first = at
    while at < count and at - begin < limit and _continues(row, at, first):
        at += 1
    if at == first:
        if begin < count and row[begin].low in _BY_ITSELF and row[begin].value is None:
            low = row[begin].low
            return Phrase(begin, begin + 1, row[begin].text, low)
        return None
    body = row[first:at]
    split = next((k for k, t in enumerate(body) if t.low == "'s"), None)
    if split is not None and split + 1 < len(body):
        owner = spelled(body[:split])
        first += split + 1
        body = body[split + 1 :]
    elif split is not None:
        at = first + split
        body = body[:split]
    if not body:
        return None
    while body and body[-1].low in ("of", "and", "&"):
        body, at = body[:-1], at - 1
    if not body:
        return None
    of = next((k for k, t in enumerate(body) if t.low == "of"), None)
    core = body if of is None or of == 0 else body[:of]
    if of is not None and 0 < of < len(body) - 1 and not owner:
        after = [t for t in body[of + 1 :] if t.low not in words.DETERMINERS]
        owner = spelled(after) if after else ""
    return Phrase(first, at, spelled(body), core[-1].low, owner, spelled(core[:-1]), definite, first > begin)


def _continues(row: Sequence[Token], at: int, first: int) -> bool:
    token = row[at]
    if token.low == "'s":
        after = row[at + 1] if at + 1 < len(row) else None
        return at > first and after is not None and opens_phrase(after) and not after.low.endswith("ing")
    if token.low == "of":
        return at > first and at + 1 < len(row)
    if (token.low in words.POSSESSIVES or token.low in words.DETERMINERS) and not _lettered(token):
        return at > first and row[at - 1].low == "of"
    if token.low == "&" or (token.low == "and" and _named_pair(row, at, first)):
        return at > first
    if at > first and _lettered(token):
        return True
    if _dated_of(row, at, first):
        return True
    if not opens_phrase(token) or (at > first and (token.low in words.BECOME_VERBS or _goes(row, at))):
        return False
    return not (at > first and token.value is None and len(token.low) > 4 and token.low.endswith("ed"))


def _goes(row: Sequence[Token], at: int) -> bool:
    """ "A bus leaving at 8", "the bus leaves": what a thing does ends its name, unless a noun follows."""
    low = row[at].low
    if low not in words.GOINGS or not low.endswith(("ing", "s")) or at + 1 >= len(row):
        return False
    return row[at + 1].value is not None or row[at + 1].low in _END


def _lettered(token: Token) -> bool:
    """ "parcel A": a capital letter on its own ends a name."""
    return len(token.text) == 1 and token.text.isupper() and token.text != "I"


def _dated_of(row: Sequence[Token], at: int, first: int) -> bool:
    """ "the minutes of 4 May" are one thing; "a closing date of 9 August" is a date and its value."""
    value = row[at].value
    if value is None or value.kind is not ValueKind.DATE or at - 2 < first or row[at - 1].low != "of":
        return False
    return row[at - 2].low not in words.KIND_NOUNS


def _named_pair(row: Sequence[Token], at: int, first: int) -> bool:
    """ "Broadway and Main": names joined as one."""
    if at == first or at + 1 >= len(row):
        return False
    left, right = row[at - 1], row[at + 1]
    return left.text[:1].isupper() and right.text[:1].isupper() and right.low not in words.PRONOUNS


def spelled(row: Sequence[Token]) -> str:
    """The tokens as the text has them, as far as spacing tells."""
    out = ""
    for n, token in enumerate(row):
        gap = n > 0 and token.start > row[n - 1].end
        out += (" " if gap else "") + token.text
    return out
