"""What kinds of discourse cues there are; `cues_english` and `cues_chinese` give their patterns."""

import re
from dataclasses import dataclass

Pattern = re.Pattern[str]


def words(*phrases: str) -> Pattern:
    """Any of some phrases, each between word boundaries."""
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b")


def any_of(*patterns: str) -> Pattern:
    """Any of some patterns, anywhere."""
    return re.compile("|".join(patterns))


def at_start(*phrases: str) -> Pattern:
    """Any of some phrases before everything but punctuation."""
    return re.compile(rf"^\W*(?:{'|'.join(phrases)})")


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's patterns, over text in NFKC, case-folded, with white space collapsed."""

    greeting: Pattern
    """An opening formula, without a matter of its own."""
    feedback: Pattern
    """Reactions, thanks, farewells and acceptance: what is left when these are taken out is the substance."""
    reaction: Pattern
    """Matched at the start: takes up what was just said."""
    acceptance: Pattern
    """Matched at the start: takes what was said as settled ("understood", 收到)."""
    directive: Pattern
    """Asks the other party to do something."""
    desire: Pattern
    """Says what the speaker is after: a request, or an answer where one was asked."""
    question: Pattern
    """Asks for information."""
    asks_in_place: bool
    """Whether a question word stands where its answer would, so that the matter may come before it."""
    invitation: Pattern
    """Asks for the next matter, so that what follows is no answer ("anything else?")."""
    shift: Pattern
    """Announces another matter ("one more thing", 另外)."""
    aside: Pattern
    """Puts what is under way off for something else ("before we do that", 先)."""
    back: Pattern
    """Goes back to an earlier matter ("back to", 回到)."""
    about: Pattern
    """Names what it is about, at the start ("as for the …", 至于)."""
    mention: Pattern
    """Refers to an earlier matter without moving there ("as I said about", 就像刚才说的)."""
    alternative: Pattern
    """Departs from an earlier choice ("or rather", 要不还是)."""
    elliptic: Pattern
    """Leaves out what the context supplies ("what about Friday?", 那上海呢)."""
    introducing: Pattern
    """What stands before the name of a thing that is new to the conversation ("a", 一个)."""
    refusal: Pattern
    """Says that what was asked cannot be done, so that it stays open ("unfortunately", 抱歉)."""
    ordinal: Pattern
    """Names a matter by its place; the group `place` is the word."""
    places: dict[str, int]
    """The words of `ordinal`; -1 is the matter before the present one."""
    leaning: Pattern
    """Points into the context, so that the turn is not understood without it."""
    dismissal: Pattern
    """Ends a matter as a whole ("forget all of it", 到此为止)."""
    light: frozenset[str]
    """Terms of any request or reply, which tell nothing of the matter."""
