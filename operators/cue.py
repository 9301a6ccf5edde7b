"""A pattern that is looked for only where it can be.

Most texts have none of the words that a rule's pattern is about, and to look for a long pattern costs more
than anything else that the rule does. So each text's words are told once, and a pattern is tried on it only
if one of its own is among them.
"""

import re
from functools import lru_cache

_RUN = re.compile("[a-z]+")
_REMEMBERED = 2_000
"""Texts up to this many characters are remembered, so that the memory they hold is bounded."""


class Cue:
    """A pattern of which every match in an ASCII text has one of `words` as a run of letters, in any case.

    Whether it is found does not depend on `words`, if they are complete: they only save time.
    """

    __slots__ = ("_pattern", "words")

    def __init__(self, words: str, pattern: str) -> None:
        self.words = frozenset(words.split())
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def found(self, text: str) -> bool:
        """Whether the pattern is in `text`, in any case. Linear in the text."""
        if text.isascii() and len(text) <= _REMEMBERED and self.words.isdisjoint(_runs(text)):
            return False
        return self.matches(text)

    def matches(self, text: str) -> bool:
        """`found`, by the pattern alone."""
        return self._pattern.search(text) is not None


@lru_cache(maxsize=4_096)
def _runs(text: str) -> frozenset[str]:
    """The runs of letters of an ASCII text, in lower case."""
    return frozenset(_RUN.findall(text.lower()))
