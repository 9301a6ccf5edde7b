"""What one message shows of itself: the matter it names and the discourse acts that its words signal."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

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
_OPENERS = re.compile(r"^\W*(?:(?:and|so|but|well|now|ok|okay|oh)\b\W*)+")


@dataclass(frozen=True, slots=True)
class Reading:
    """`terms` are hashes of the content terms, each once, in order. The rest are the acts of `cues.Cues`,
    as far as their words occur; which of them count is the decider's to say."""

    terms: tuple[int, ...]
    phatic: bool
    acceptance: bool
    directive: bool
    desire: bool
    question: bool
    asks_last: bool
    invitation: bool
    shift: bool
    aside: bool
    back: bool
    about: bool
    mention: bool
    alternative: bool
    place: int | None
    leaning: bool
    dismissal: bool
    elliptic: bool
    refusal: bool
    clausal: bool
    asks_about_context: bool
    introduces: bool
    presents: bool
    reacts: bool
    later_request: bool
    focus: tuple[int, ...]
    label: tuple[int, ...]

    @property
    def request(self) -> bool:
        """Whether the speaker is after something."""
        return self.directive or self.desire


@lru_cache(maxsize=64)
def read(content: str) -> Reading:
    """The reading of a text, by its words alone: the same in every process. Bounded work."""
    text = folded(content)
    close = text[-CLOSE:]
    rest = substance(text)
    said = _telling(text)
    asked, asking = _asked(text)
    return Reading(
        terms=content_terms(text),
        phatic=not _CONTENT.search(rest),
        acceptance=any(cues.acceptance.match(text) for cues in _LANGUAGES),
        directive=_any("directive", text),
        desire=_any("desire", text),
        question=_any("question", text),
        asks_last=_QUESTION_MARK.search(close) is not None or _asks(close),
        invitation=_any("invitation", close),
        shift=_any("shift", text),
        aside=_any("aside", text),
        back=_any("back", text),
        about=_any("about", text),
        mention=_any("mention", text),
        alternative=_any("alternative", text),
        place=_place(text),
        leaning=_leans(" ".join(said)),
        dismissal=any(_any("dismissal", sentence) for sentence in said[:LEAD] if "?" not in sentence),
        elliptic=len(said) == 1 and _any("elliptic", _OPENERS.sub("", said[0])),
        reacts=_reacts(text),
        later_request=_requests_later(text),
        presents=_any("introducing", said[0]) if said else False,
        refusal=_any("refusal", text),
        asks_about_context=_leans(_OPENERS.sub("", asking)),
        clausal=len(_UNIT.findall(text[:CLOSE])) >= CLAUSE,
        introduces=_any("introducing", asked),
        focus=content_terms(asked)[:FOCUS],
        label=_label(text),
    )


def folded(content: str) -> str:
    """The text as the cues read it: NFKC, case-folded, straight apostrophes, single spaces."""
    start = unicodedata.normalize("NFKC", content[:CHARACTERS]).casefold().replace("’", "'")
    return " ".join(start.split())


def substance(text: str) -> str:
    """What is left of a folded text without reactions and greetings."""
    for cues in _LANGUAGES:
        text = cues.feedback.sub(" ", cues.greeting.sub(" ", text))
    return text


def content_terms(text: str) -> tuple[int, ...]:
    """The hashes of the terms that tell what a text is about, each once, in order."""
    kept = (t for t in terms(text) if t not in _LIGHT and not _SMALL_NUMBER.fullmatch(t))
    return tuple(dict.fromkeys(map(term_hash, kept)))[:TERMS]


def _any(cue: str, text: str) -> bool:
    return any(_pattern(cues, cue).search(text) for cues in _LANGUAGES)


def _pattern(cues: Cues, cue: str) -> Pattern:
    found = getattr(cues, cue)
    assert isinstance(found, re.Pattern)
    return found


def _asks(close: str) -> bool:
    """Whether the last sentence asks without a question mark ("your account number, please")."""
    last = re.split(r"[.!?。！？]\s*", close.rstrip(" .!?。！？"))[-1]
    return _GAP.search(close) is not None or _any("question", last) or last.endswith(("please", "请"))


def _asked(text: str) -> tuple[str, str]:
    """What is asked for: what stands after the words of the first request, else of the last question, and
    the sentence that asks; both empty where the text asks for nothing."""
    found = ("", "")
    for sentence in _sentences(text):
        if wanted := _after(sentence, "directive", "desire"):
            return wanted, sentence
        if wanted := _after(sentence, "question"):
            found = (wanted, sentence)
    return found


def _after(sentence: str, *names: str) -> str:
    """What follows the first of some cues, else the whole sentence; empty without cue or content."""
    ends = [
        0 if cue == "question" and cues.asks_in_place else found.end()
        for cues in _LANGUAGES
        for cue in names
        if (found := _pattern(cues, cue).search(sentence))
    ]
    if not ends:
        return ""
    return next((part for part in (sentence[min(ends) :], sentence) if content_terms(part)), "")


def _leans(text: str) -> bool:
    """Whether a word points into the context before the text has named something it may point to."""
    starts = [m.start() for cues in _LANGUAGES if (m := cues.leaning.search(text))]
    return bool(starts) and len(content_terms(text[: min(starts)])) < ANTECEDENT


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE.findall(text)]


def _telling(text: str) -> list[str]:
    """The sentences that say more than a reaction."""
    return [sentence for sentence in _sentences(text) if _CONTENT.search(substance(sentence))]


def _reacts(text: str) -> bool:
    """Whether it starts with a reaction to what was said before."""
    return any(found.start() <= 1 for c in _LANGUAGES if (found := c.reaction.search(text)))


def _requests_later(text: str) -> bool:
    """Whether a sentence after the first one asks for something to be done."""
    return any(_any("directive", sentence) or _any("desire", sentence) for sentence in _sentences(text)[1:])


def _label(text: str) -> tuple[int, ...]:
    """The terms of a label before the text: who speaks or where from ("Waiter: …", "(on TV) …")."""
    found = _LABEL.match(text)
    return content_terms(next(filter(None, found.groups()))) if found else ()


def _place(text: str) -> int | None:
    for cues in _LANGUAGES:
        if (found := cues.ordinal.search(text)) is not None:
            return cues.places[found["place"]]
    return None
