"""Who does what in an English clause: subject, verb, object and the rest, by closed word classes alone."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Sequence
from dataclasses import dataclass

from operators.distill import english_words as words
from operators.distill.english_clauses import Token
from operators.distill.english_phrases import AUXILIARIES, Phrase, phrase
from operators.distill.english_verbs import IRREGULAR, lemma
from operators.distill.spans import ValueKind

_WEDGED = words.ADVERBS | {"not", "n't"}


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
    """The frame of a clause whose verb group begins at `at`; `first` stands in front of the subject."""
    group = _Group(at, at, first if first in words.MODALS else "", "be" if first in words.BE else "")
    while group.at < len(row) and row[group.at].value is None and group.takes(row, subject):
        group.at += 1
    verb, target, rest = group.verb or group.be, None, group.at
    if verb and verb != "be":
        target, rest = _object(row, rest, verb)
    return Frame(
        subject, verb, group.verb_at, target, rest, group.negated, inverted, imperative, group.modal,
        group.desire,
    )  # fmt: skip


@dataclass(slots=True)
class _Group:
    """A verb group as far as it is read: auxiliaries, negation, "want to", then the verb. `be` is "be" once
    a form of it was met."""

    at: int
    verb_at: int
    modal: str
    be: str
    verb: str = ""
    negated: bool = False
    desire: bool = False

    def takes(self, row: Sequence[Token], subject: Phrase | None) -> bool:
        """Reads the token at `at`, and says whether the group may go on behind it."""
        at, low = self.at, row[self.at].low
        if low in ("not", "n't", "never"):
            self.negated = True
        elif low in words.MODALS:
            self.modal = low
        elif low in words.BE:
            self.be, self.verb_at = "be", at
        elif low in words.HAVE and _infinitive(row, at + 1):
            self.modal = "must"  # "I have to cancel"
        elif low in words.HAVE and not _participle(row, at + 1):
            return self._ends("have")
        elif not _passed_over(low):
            found = lemma(low)
            if _towards(row, at) or (found in words.WANT_VERBS and not self.be and _infinitive(row, at + 1)):
                self.desire = True
            elif self.be and not (low.endswith("ing") and found):
                return False
            elif found or (subject is not None and not self.be and _finite(low, subject)):
                return self._ends(found or low)
            else:
                return False
        return True

    def _ends(self, verb: str) -> bool:
        self.verb, self.verb_at = verb, self.at
        self.at += 1
        return False


def _passed_over(low: str) -> bool:
    """Whether a word of the verb group tells nothing of it: "has", "did", "to", an adverb."""
    return (
        low in words.HAVE
        or low in words.DO
        or low in ("to", "please", "rather")
        or low in words.ADVERBS
        or (low.endswith("ly") and len(low) > 4)
    )


_TOWARDS = frozenset(("going", "able", "hoping", "trying", "looking", "planning", "try", "tried", "decided"))


def _towards(row: Sequence[Token], at: int) -> bool:
    return row[at].low in _TOWARDS and at + 1 < len(row) and row[at + 1].low == "to"


def _finite(low: str, subject: Phrase) -> bool:
    """Whether a word that is no known verb is one by its place behind `subject`, or by its ending."""
    return subject.head in words.PRONOUNS or low.endswith(("ed", "s"))


_BEFORE_OBJECT = frozenset(("me", "us", "up", "out", "off", "for", "down", "just"))


def _object(row: Sequence[Token], at: int, verb: str) -> tuple[Phrase | None, int]:
    """The object of `verb` from `at` on, and where what follows it begins."""
    while at + 1 < len(row) and row[at].low in _BEFORE_OBJECT:
        if row[at].low == "for" and verb not in ("look", "search", "ask"):
            break
        at += 1
    target = phrase(row, at)
    return target, target.end if target is not None else at


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
