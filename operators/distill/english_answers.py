"""What an English clause that says nothing of its own does: it takes, declines, greets, closes, corrects."""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from collections.abc import Sequence

from operators.distill import english_words as words
from operators.distill.english_clauses import Token
from operators.distill.spans import ValueKind

_ACCEPT_WORDS = frozenset(
    "yes yeah yep yup sure absolutely definitely certainly indeed exactly correct right "
    "perfect great ok okay "
    "fine good alright please oh that it this which sound sounds look looks is 's works work all would will "
    "be do go ahead lovely wonderful excellent i have fantastic awesome nice cool for me too us very really "
    "so confirm confirmed thanks thank you of course then just the one and book take like love seem seems "
    "agreed deal am did with happy totally pretty as well got enough let put down in count sign up give want "
    "'ll 'm to my your interesting amazing super reserve make reservation".split()
)
_ACCEPT_HEAD = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|absolutely|definitely|certainly|exactly|correct|right|perfect|works?|"
    r"sounds? (?:good|great|fine|perfect|right|nice|lovely)|go ahead|fine|good|agreed|deal|"
    r"of course|take (?:it|that|this)|"
    r"book (?:it|that)|do (?:it|that|so)|put (?:me|us) down|count me in|sign me up|that one|"
    r"this one|great|ok|okay|alright|"
    r"confirm(?:ed)?|please do|i do|i would|nice|excellent|like it|love it|cool|fantastic|"
    r"awesome|wonderful|lovely)\b",
    re.IGNORECASE,
)
_WHAT = r"(?:it|them|those|(?:that|this)(?: (?:one|option|offer|slot|time|date))?)"
_WHOM = r"(?:(?:me|us)(?: both| all)?|(?:both|all) of us)"
_SUITS = (
    rf"{_WHAT} (?:(?:would|will|'ll|should|does) )?(?:(?:suit|fit)s? {_WHOM}|(?:work|do)s?(?: for {_WHOM})?)"
    r"(?: (?:just|very|really|perfectly))?(?: (?:fine|well|nicely|perfectly|great|best))?"
)
_ENTERS = (
    rf"(?:put|book|sign|pencil|write|mark|count|enter) (?:{_WHOM}|(?:my|our) names?) "
    rf"(?:(?:down|in|up)(?: (?:for|on|to) {_WHAT})?|(?:on|for|to) {_WHAT})"
)
_TAKES = (
    rf"(?:take|book|reserve|accept|choose|pick|arrange|do|go (?:with|for)|settle (?:on|for)|opt for) {_WHAT}"
)
_WILL = (
    r"(?:(?:i|we) (?:will|'ll|would|'d|shall)|(?:i|we) (?:want|(?:would|'d) (?:like|love)) to|"
    r"let (?:'s|us|me)|go ahead and)"
)
_TAKING = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|great|perfect|sure|right|fine|good|lovely|alright|well|then|so|and|please|"
    r"just) )*"
    rf"(?:{_SUITS}|(?:{_WILL} )?(?:(?:please|just|gladly|happily|go ahead and) )*(?:{_ENTERS}|{_TAKES})|"
    rf"(?:i|we) (?:will|'ll) have {_WHAT})"
    rf"(?: (?:please|then|thanks|thank you|now|for {_WHOM}|(?:in|under) (?:my|our) names?))*"
)
"""An offer is taken by what it does for a party (it suits), by what is done with it, for which a pronoun
stands (take, book it), or by whom one has entered for it (put us down). What names a value is a request."""
_TAKEN_BY = frozenset(("me", "us", "my", "our", "it", "them", "those", "that", "this"))
_REFUSE_HEADS = frozenset(("no", "nope", "nah", "neither", "not"))
_REFUSE_WORDS = _REFUSE_HEADS | frozenset(
    "oh sorry actually wait yet really that this now quite right thanks thank you need way "
    "'s it i do n't one "
    "for correct at time the want is just".split()
)
_CLOSING = re.compile(
    r"^(?:no,? |ok,? |great,? |so,? |and )*(?:that|this|it)(?:[’']ll| will|[’']s|"
    r" is)? (?:be )?(?:all|it|everything)\b",
    re.IGNORECASE,
)
CORRECTS = frozenset("sorry oops whoops correction".split())
"""Words with which a speaker corrects what was said just before."""


def social(row: Sequence[Token]) -> bool:
    """Whether the clause greets, thanks, says goodbye or fills a pause, and no more."""
    if not row or len(row) > 14:
        return not row
    if len(row) <= 3 and row[0].low.startswith("dear "):
        return True
    if row[0].low == "it" and _renames(row):
        return False
    polite = False
    for token in row:
        if token.low in words.SOCIAL_WORDS:
            polite = True
        elif token.value is None and token.low[-1:].isalnum() and not token.low.startswith("'"):
            return False
        if token.value is not None and token.value.kind is not ValueKind.NAME:
            return False
    return polite


def _renames(row: Sequence[Token]) -> bool:
    """ "It's Elm Park now", "it is now Elm Park": no pleasantry, though each word may stand in one."""
    now = any(token.low == "now" for token in row)
    return now and any(token.value is not None for token in row)


def refusal(said: Sequence[str]) -> bool:
    """Whether a clause of these words (`spoken`) declines what was offered."""
    return 0 < len(said) <= 7 and not _REFUSE_HEADS.isdisjoint(said[:3]) and _REFUSE_WORDS.issuperset(said)


def acceptance(text: str, said: Sequence[str]) -> bool:
    """Whether the clause `text`, of these words (`spoken`), takes what was offered. A bare "ok" counts: it
    matters only after an offer."""
    if not 0 < len(said) <= 14:
        return False
    if _ACCEPT_WORDS.issuperset(said):
        return _ACCEPT_HEAD.search(text) is not None or _TAKING.fullmatch(" ".join(said)) is not None
    return not _TAKEN_BY.isdisjoint(said) and _TAKING.fullmatch(" ".join(said)) is not None


def spoken(row: Sequence[Token]) -> list[str]:
    """The words of a clause without its marks."""
    return [t.low for t in row if t.low[-1:].isalnum()]


def closing(text: str) -> bool:
    """ "That's all for today": ends the talk and says nothing else."""
    return len(text) < 60 and _CLOSING.match(text) is not None


def correcting(text: str) -> bool:
    """Whether a stretch is but a word with which what follows puts something right ("Sorry, …")."""
    return text.casefold().strip(" ,.!") in CORRECTS
