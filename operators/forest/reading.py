"""What one message shows of itself: the matter it names and the discourse acts that its words signal."""

import re
import unicodedata
from functools import cached_property, lru_cache

from operators.forest.cues import Cues, Pattern
from operators.forest.cues_chinese import CHINESE
from operators.forest.cues_english import ENGLISH
from state.lexicon import term_hash, terms

TERMS = 24
"""The most terms that are read of a message: a turn leads with its point."""
CHARACTERS = 2_000
"""How much of a text is looked at for cues and terms. What opens, asks or goes back does it early."""
CLOSE = 200
"""How much of a text's end is looked at for a question."""

ANTECEDENT = 1
"""How many content terms before a pronoun may be what it stands for."""
CLAUSE = 4
"""From how many words a text may be a clause rather than a fragment; two Chinese characters are a word."""
LEAD = 2
"""In how many sentences a turn that dismisses a matter says so."""
FOCUS = 2
"""How many terms after the words of a request name what it is for."""

_LANGUAGES: tuple[Cues, ...] = (ENGLISH, CHINESE)
_LIGHT = frozenset().union(*(cues.light for cues in _LANGUAGES))
_SENTENCE = re.compile(r"[^.!?;。！？；]+[.!?;。！？；]*")
_SMALL_NUMBER = re.compile(r"[\d:.,/%]{1,5}(?:am|pm|th|st|nd|rd)?")
_QUESTION_MARK = re.compile(r"[?？]\W*$")
_CONTENT = re.compile(r"\w")
_UNIT = re.compile(r"[a-z0-9'.$-]+|[^\W\da-z_]{1,2}")
_GAP = re.compile(r"_{2,}|…\s*$")
_LABEL = re.compile(
    r"^(?:\(([^()]{1,30})\)|\[([^\[\]]{1,30})\]|([^\s:：][^:：.!?。！？]{0,29})[:：](?=\s|[^\d\s/]))"
)
_STOP = re.compile(r"[.!?。！？]\s*")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
_OPENERS = re.compile(r"^\W*(?:(?:and|so|but|well|now|ok|okay|oh)\b\W*)+")


class Reading:
    """What one text shows, by its words alone: the same in every process. Bounded work, done when it is asked
    for: most turns are decided on by a few of these.

    `terms` are hashes of the content terms, each once, in order. The rest are the acts of `cues.Cues`, as far
    as their words occur; which of them count is the decider's to say.
    """

    def __init__(self, content: str) -> None:
        self._text = folded(content)
        self._close = self._text[-CLOSE:]
        self._cues = _spoken(self._text)

    @cached_property
    def terms(self) -> tuple[int, ...]:
        return content_terms(self._text)

    @cached_property
    def phatic(self) -> bool:
        return not _says_more(self._text, self._cues)

    @cached_property
    def acceptance(self) -> bool:
        return any(cues.acceptance.match(self._text) for cues in self._cues)

    @cached_property
    def directive(self) -> bool:
        return self._has("directive")

    @cached_property
    def desire(self) -> bool:
        return self._has("desire")

    @property
    def request(self) -> bool:
        """Whether the speaker is after something."""
        return self.directive or self.desire

    @cached_property
    def question(self) -> bool:
        return self._has("question")

    @cached_property
    def asks_last(self) -> bool:
        return _QUESTION_MARK.search(self._close) is not None or self._asks()

    @cached_property
    def invitation(self) -> bool:
        return self._has("invitation", self._close)

    @cached_property
    def shift(self) -> bool:
        return self._has("shift")

    @cached_property
    def aside(self) -> bool:
        return self._has("aside")

    @cached_property
    def back(self) -> bool:
        return self._has("back")

    @cached_property
    def about(self) -> bool:
        return self._has("about")

    @cached_property
    def mention(self) -> bool:
        return self._has("mention")

    @cached_property
    def alternative(self) -> bool:
        return self._has("alternative")

    @cached_property
    def refusal(self) -> bool:
        return self._has("refusal")

    @cached_property
    def leaning(self) -> bool:
        return self._leans(" ".join(self._telling))

    @cached_property
    def dismissal(self) -> bool:
        return any(self._has("dismissal", s) for s in self._telling[:LEAD] if "?" not in s)

    @cached_property
    def elliptic(self) -> bool:
        return len(self._telling) == 1 and self._has("elliptic", _OPENERS.sub("", self._telling[0]))

    @cached_property
    def reacts(self) -> bool:
        """Whether it starts with a reaction to what was said before."""
        return any(found.start() <= 1 for c in self._cues if (found := c.reaction.search(self._text)))

    @cached_property
    def later_request(self) -> bool:
        """Whether a sentence after the first one asks for something to be done."""
        later = self._sentences[1:]
        return any(self._has("directive", s) or self._has("desire", s) for s in later)

    @cached_property
    def presents(self) -> bool:
        return self._has("introducing", self._telling[0]) if self._telling else False

    @cached_property
    def asks_about_context(self) -> bool:
        return self._leans(_OPENERS.sub("", self._asked[1]))

    @cached_property
    def clausal(self) -> bool:
        return len(_UNIT.findall(self._text[:CLOSE])) >= CLAUSE

    @cached_property
    def introduces(self) -> bool:
        return self._has("introducing", self._asked[0])

    @cached_property
    def focus(self) -> tuple[int, ...]:
        return content_terms(self._asked[0])[:FOCUS]

    @cached_property
    def label(self) -> tuple[int, ...]:
        """The terms of a label before the text: who speaks or where from ("Waiter: …", "(on TV) …")."""
        found = _LABEL.match(self._text)
        return content_terms(next(filter(None, found.groups()))) if found else ()

    @cached_property
    def place(self) -> int | None:
        """Which matter is named by its place."""
        for cues in self._cues:
            if (found := cues.ordinal.search(self._text)) is not None:
                return cues.places[found["place"]]
        return None

    def _has(self, cue: str, text: str | None = None) -> bool:
        searched = self._text if text is None else text
        found = [getattr(cues, cue).search(searched) for cues in self._cues]
        return any(found)

    @cached_property
    def _sentences(self) -> list[str]:
        return [sentence.strip() for sentence in _SENTENCE.findall(self._text)]

    @cached_property
    def _telling(self) -> list[str]:
        """The sentences that say more than a reaction."""
        return [s for s in self._sentences if _says_more(s, self._cues)]

    def _asks(self) -> bool:
        """Whether the last sentence asks without a question mark ("your account number, please")."""
        last = _STOP.split(self._close.rstrip(" .!?。！？"))[-1]
        polite = last.endswith(("please", "请"))
        return _GAP.search(self._close) is not None or self._has("question", last) or polite

    @cached_property
    def _asked(self) -> tuple[str, str]:
        """What is asked for: what stands after the words of the first request, else of the last question, and
        the sentence that asks; both empty where the text asks for nothing."""
        found = ("", "")
        for sentence in self._sentences:
            if wanted := self._after(sentence, "directive", "desire"):
                return wanted, sentence
            if wanted := self._after(sentence, "question"):
                found = (wanted, sentence)
        return found

    def _after(self, sentence: str, *names: str) -> str:
        """What follows the first of some cues, else the whole sentence; empty without cue or content."""
        ends = [
            0 if cue == "question" and cues.asks_in_place else found.end()
            for cues in self._cues
            for cue in names
            if (found := _pattern(cues, cue).search(sentence))
        ]
        if not ends:
            return ""
        return next((part for part in (sentence[min(ends) :], sentence) if content_terms(part)), "")

    def _leans(self, text: str) -> bool:
        """Whether a word points into the context before the text has named something it may point to."""
        starts = [m.start() for cues in self._cues if (m := cues.leaning.search(text))]
        return bool(starts) and len(content_terms(text[: min(starts)])) < ANTECEDENT


@lru_cache(maxsize=64)
def read(content: str) -> Reading:
    """The reading of a text."""
    return Reading(content)


def folded(content: str) -> str:
    """The text as the cues read it: NFKC, case-folded, straight apostrophes, single spaces."""
    start = unicodedata.normalize("NFKC", content[:CHARACTERS]).casefold().replace("’", "'")
    return " ".join(start.split())


def _says_more(text: str, languages: tuple[Cues, ...]) -> bool:
    """Whether anything is left of a folded text without reactions and greetings. Read up to the first that
    is, which is soon there in a text of any length."""
    *before, last = languages
    for cues in before:
        text = cues.feedback.sub(" ", cues.greeting.sub(" ", text))
    text = last.greeting.sub(" ", text)
    left = 0
    for reaction in last.feedback.finditer(text):
        if _CONTENT.search(text, left, reaction.start()) is not None:
            return True
        left = reaction.end()
    return _CONTENT.search(text, left) is not None


def content_terms(text: str) -> tuple[int, ...]:
    """The hashes of the terms that tell what a text is about, each once, in order."""
    kept = (t for t in terms(text) if t not in _LIGHT and not _SMALL_NUMBER.fullmatch(t))
    return tuple(dict.fromkeys(map(term_hash, kept)))[:TERMS]


def _spoken(text: str) -> tuple[Cues, ...]:
    """The languages whose words a text may have, by its script."""
    return _LANGUAGES if _IDEOGRAPH.search(text) else (ENGLISH,)


def _pattern(cues: Cues, cue: str) -> Pattern:
    found = getattr(cues, cue)
    assert isinstance(found, re.Pattern)
    return found
