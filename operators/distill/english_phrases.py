"""Who does what in an English clause: subject, verb, object and the rest, by closed word classes alone."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Sequence
from dataclasses import dataclass

from operators.distill import english_words as words
from operators.distill.english_clauses import OPEN_KINDS, Token
from operators.distill.english_verbs import IRREGULAR, lemma
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
_WEDGED = words.ADVERBS | {"not", "n't"}
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


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause taken apart; indices are into its tokens.

    `verb` is a base form where known, else the word; "be" for a copula; empty where there is no verb.
    `rest` is where what follows verb and object begins.
    """

    subject: Phrase | None
    verb: str
    verb_at: int
    object: Phrase | None
    rest: int
    negated: bool = False
    inverted: bool = False
    imperative: bool = False
    modal: str = ""
    desire: bool = False


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
    if not opens_phrase(token) or (at > first and token.low in words.BECOME_VERBS):
        return False
    return not (at > first and token.value is None and len(token.low) > 4 and token.low.endswith("ed"))


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


def frame(row: Sequence[Token]) -> Frame:
    """Subject, verb and object of the clause whose tokens (openers stripped) are `row`."""
    count = len(row)
    if not count:
        return Frame(None, "", 0, None, 0)
    if row[0].low == "let" and count > 1 and row[1].low in ("'s", "us", "me"):
        return _verbal(row, 2, None, imperative=True)
    if row[0].low in AUXILIARIES and row[0].value is None and count > 1:
        subject = phrase(row, 1)
        if subject is not None:
            return _verbal(row, subject.end, subject, inverted=True, first=row[0].low)
    if _imperative(row):
        return _verbal(row, 0, None, imperative=True)
    subject = phrase(row, 0)
    if subject is None:
        return Frame(None, "", 0, None, 0)
    return _verbal(row, subject.end, subject)


def _imperative(row: Sequence[Token]) -> bool:
    token = row[0]
    if token.value is not None or lemma(token.low) != token.low or token.low in ("let", "like", "love"):
        return False
    if len(row) == 1:
        return True
    after = row[1]
    if after.value is not None and after.value.kind is ValueKind.IDENTIFIER:
        return False  # "Order 111 is late"
    if after.value is not None and after.value.kind is ValueKind.MONEY and token.low not in _OF_AMOUNTS:
        return False  # "rent 2k": one rents things, and pays money
    return after.low not in AUXILIARIES and after.low not in (":", "'s")


_OF_AMOUNTS = (
    words.CHANGE_VERBS
    | words.ADD_VERBS
    | words.REMOVE_VERBS
    | words.WITHDRAW_VERBS
    | words.KEEP_VERBS
    | words.WANT_VERBS
    | frozenset("pay refund spend save give send bring take get do try use check find look".split())
)
"""Verbs that a sum of money may be the object of. Any other in front of one is a noun that the sum is of."""


def _verbal(
    row: Sequence[Token],
    at: int,
    subject: Phrase | None,
    inverted: bool = False,
    imperative: bool = False,
    first: str = "",
) -> Frame:
    """Reads the verb group at `at`: auxiliaries, negation, "want to", then the verb and its object."""
    count, negated, modal, desire = len(row), False, first if first in words.MODALS else "", False
    verb, verb_at, be = "", at, "be" if first in words.BE else ""
    while at < count:
        low = row[at].low
        if row[at].value is not None:
            break
        if low in ("not", "n't", "never"):
            negated = True
        elif low in words.MODALS:
            modal = low
        elif low in words.BE:
            be, verb_at = "be", at
        elif low in words.HAVE and _infinitive(row, at + 1):
            modal = "must"  # "I have to cancel"
        elif low in words.HAVE and not _participle(row, at + 1):
            verb, verb_at = "have", at
            at += 1
            break
        elif (
            low in words.HAVE
            or low in words.DO
            or low in ("to", "please", "rather")
            or low in words.ADVERBS
            or (low.endswith("ly") and len(low) > 4)
        ):
            pass
        elif (
            low in ("going", "able", "hoping", "trying", "looking", "planning", "try", "tried", "decided")
            and at + 1 < count
            and row[at + 1].low == "to"
        ) or ((found := lemma(low)) in words.WANT_VERBS and found and not be and _infinitive(row, at + 1)):
            desire = True
        elif be and not (low.endswith("ing") and lemma(low)):
            break
        elif found or (
            subject is not None and not be and (subject.head in words.PRONOUNS or low.endswith(("ed", "s")))
        ):
            verb, verb_at = found or low, at
            at += 1
            break
        else:
            break
        at += 1
    if not verb and be:
        verb = "be"
    if not verb:
        return Frame(subject, "", verb_at, None, at, negated, inverted, imperative, modal, desire)
    target = None
    if verb != "be":
        while (
            at < count
            and row[at].low in ("me", "us", "up", "out", "off", "for", "down", "just")
            and at + 1 < count
        ):
            if row[at].low == "for" and verb not in ("look", "search", "ask"):
                break
            at += 1
        target = phrase(row, at)
        at = target.end if target is not None else at
    return Frame(subject, verb, verb_at, target, at, negated, inverted, imperative, modal, desire)


_PARTICIPLES = frozenset(
    "been got had come become run put set cut let hit read cost hurt quit shut split spent "
    "lost built sent born heard "
    "held known seen shown grown worn told felt won sold spoken forgotten".split()
)


def _participle(row: Sequence[Token], at: int) -> bool:
    while at < len(row) and row[at].low in _WEDGED:
        at += 1
    if at >= len(row) or row[at].value is not None:
        return False
    low = row[at].low
    return low in _PARTICIPLES or low in IRREGULAR or (len(low) > 4 and low.endswith(("ed", "en")))


def _infinitive(row: Sequence[Token], at: int) -> bool:
    if at < len(row) and row[at].low in ("you", "us", "me"):
        at += 1
    return at + 1 < len(row) and row[at].low == "to"
