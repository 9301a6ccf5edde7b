"""A telegram beside what its reader has been told: what was said goes, as speakers leave out what is given.

What a change, a denial or a number is about stays beside it, said or not: "remove" alone removes nothing, and
a number that was said of one thing is news of another.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from operators.distill.numbers import NUMBER_WORDS
from operators.telling import CJK
from operators.terse import is_name, matter, word_terms
from state.lexicon import terms

ABOUT = 2
"""Words after one that sets something aside which tell what is set aside."""

_SETS_ASIDE = frozenset(
    terms(
        "not no never none nor neither without except unless only instead rather "
        "remove drop cancel delete skip exclude avoid forget stop replace change switch swap keep"
    )
)
_COUNTS = NUMBER_WORDS - {"one"}
_DIGIT = re.compile(r"\d")
_PART = re.compile(r"[^，,、；;]+[，,、；;]*")
_STAYS_CHINESE = re.compile(r"[不没别无非改换删停替只仍\d二三四五六七八九十百千万两]|取消|保留|回到")
"""一 is left out: it is more often in a word (一起, 一样) than a number."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word of a telegram, or a part of a Chinese one, with what parts it from the next. One that `stays` is
    told wherever anything of the telegram is; another without terms ("or", "from") with
    the next."""

    text: str
    terms: frozenset[str]
    stays: bool


def pieces(telegram: str, kept: Set[str]) -> tuple[Piece, ...]:
    """The pieces of `telegram`; those with a term of `kept`, as of a value that may not be broken, stay."""
    if CJK.search(telegram):
        parts = _PART.findall(telegram)
        told = [frozenset(terms(part)) for part in parts]
        stay = {at for at, part in enumerate(parts) if _STAYS_CHINESE.search(part)}
    else:
        parts = telegram.split()
        told = [word_terms(part) for part in parts]
        stay = _staying(parts, told)
        parts = [f"{part} " for part in parts]
    return tuple(
        Piece(part, words, at in stay or not words.isdisjoint(kept))
        for at, (part, words) in enumerate(zip(parts, told, strict=True))
    )


def elided(told: Sequence[Piece], said: Set[str]) -> str:
    """What is left of a telegram beside what is `said` (terms); empty where nothing of it is news."""
    left: list[str] = []
    news = next_told = False
    for piece in reversed(told):
        new = not piece.terms <= said
        news = news or new
        next_told = (new or piece.stays) if piece.terms or piece.stays else next_told
        if next_told:
            left.append(piece.text)
    return "".join(reversed(left)).rstrip(" ，,、；;") if news else ""


def asked(told: Sequence[Piece], said: Set[str]) -> str:
    """What a question's telegram asks about beside what is `said` (terms), with a question mark; empty where
    nothing of it is news. What stays in a telegram stays here too."""
    new = [bool(matter(piece.terms).difference(said)) for piece in told]
    if not any(new):
        return ""
    whole = CJK.search("".join(piece.text for piece in told))
    left = [piece.text for piece, is_new in zip(told, new, strict=True) if whole or is_new or piece.stays]
    return "".join(left).strip() if whole else f"{''.join(left).rstrip(' .,:;!?')}?"


def _staying(words: Sequence[str], told: Sequence[frozenset[str]]) -> set[int]:
    """The places of the words that stay whatever was said."""
    stay: set[int] = set()
    for at, word in enumerate(words):
        if _DIGIT.search(word) or word.casefold().strip(".,:;") in _COUNTS:
            stay.update((at - 1, at, at + 1))
        elif not told[at] and is_name(word):
            stay.add(at)
        elif not _SETS_ASIDE.isdisjoint(told[at]):
            stay.update(range(at, at + ABOUT + 1))
    return stay
