"""A pattern that is looked for only where it can be.

Most texts have none of the words that a rule's pattern is about, and to look for a long pattern costs more
than anything else that the rule does. So each text's words are told once, and a pattern is tried on it only
if one of its own is among them.
"""

import re
from functools import lru_cache

_RUN = re.compile("[a-z]+")
_UNTOLD = re.compile("[\u0130\u0131\u017f\u212a\u2e80-\U0010ffff]")
"""Ideographs, which have no words between spaces, and letters of which the other case is an ASCII letter."""
_REMEMBERED = 2_000
"""Texts up to this many characters are remembered, so that the memory they hold is bounded."""


class Cue:
    """A pattern of which every match has one of `words` as a run of the letters a to z, in any case, or an
    ideograph.

    Whether it is found does not depend on `words`, if they are complete: they only save time.
    """

    __slots__ = ("_pattern", "words")

    def __init__(self, words: str, pattern: str) -> None:
        self.words = frozenset(words.split())
        self._pattern = re.compile(pattern, re.IGNORECASE)

    def found(self, text: str) -> bool:
        """Whether the pattern is in `text`, in any case. Linear in the text."""
        return self.search(text) is not None

    def search(self, text: str) -> re.Match[str] | None:
        """Where the pattern is first in `text`."""
        if len(text) <= _REMEMBERED:
            runs = _runs(text)
            if runs is not None and self.words.isdisjoint(runs):
                return None
        return self._pattern.search(text)

    def matches(self, text: str) -> bool:
        """`found`, by the pattern alone."""
        return self._pattern.search(text) is not None


@lru_cache(maxsize=4_096)
def _runs(text: str) -> frozenset[str] | None:
    """The runs of the letters a to z in a text, in lower case; None where these do not tell all of it."""
    if not text.isascii() and _UNTOLD.search(text):
        return None
    return frozenset(_RUN.findall(text.lower()))
