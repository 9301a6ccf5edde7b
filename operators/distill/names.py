"""English proper names: runs of words with capitals, where a capital tells something."""

import re

from operators.distill.capital_words import BARE_VERBS, FUNCTION_WORDS
from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_LETTER = r"[A-Za-z\u00c0-\u024f]"
_NO_MORE = r"(?![A-Za-z0-9_\u00c0-\u024f]|-\d)"
_WORD = (
    rf"(?:[A-Z\u00c0-\u00de]{_LETTER}{{0,40}}\d{{0,4}}(?:['’-]{_LETTER}{{1,40}}){{0,3}}{_NO_MORE}"
    r"|[A-Z]\.(?= [A-Z]))"
)
_RUN = re.compile(
    rf"(?:(?:Dr|Mr|Mrs|Ms|Prof|St|Mx)\.? )?{_WORD}"
    rf"(?: (?:(?:of|de|van|von|der|la|del|di|the|&|and the) ){{0,2}}{_WORD}){{0,7}}"
)
_VERSION = re.compile(
    r" \d{1,4}(?:\.\d{1,4}){0,3}(?![\w%]|[-.:,/]\d| ?[a-z]{2,15}s\b| ?(?:am|pm|%|st|nd|rd|th)\b)",
    re.ASCII,
)
_CAPITAL_AFTER = re.compile(
    r"(?:\.? |[-'’&]| (?:of|de|van|von|der|la|del|di|the|&) (?:the |la |der )?)[A-ZÀ-Þ]"
)
_HEADING_END = re.compile(r":?\*\*|:?\n")
_TITLE = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|Mx|St)\.? (?=[A-Z])")
_SENTENCE_END = frozenset(".!?。！？\n:：*#|•>-–—(（[\"“‘'…")


def starts_sentence(text: str, pos: int) -> bool:
    """Whether only signs that open a sentence stand before `pos`."""
    index = pos - 1
    while index >= 0 and index > pos - 4 and text[index] == " ":
        index -= 1
    if index < 0 or text[index] not in _SENTENCE_END:
        return index < 0
    return not (text[index] in "-–'\"“‘([（" and pos - index == 1 and index > 0 and text[index - 1].isalnum())


def may_begin_name(text: str, pos: int, token: str, word: str) -> bool:
    """A cheap test that spares most capitals `name_at`: a function word, or a word alone at the start of a
    sentence, begins no name."""
    end = pos + len(token)
    if _CAPITAL_AFTER.match(text, end) or (len(token) == 2 and text[end : end + 2] == ". "):
        return True
    if word in FUNCTION_WORDS:
        return False
    return (
        _inner_capital(token)
        or text[end : end + 1].isdecimal()
        or not starts_sentence(text, pos)
        or (_TITLE.match(text, pos) is not None)
    )


def name_at(text: str, pos: int) -> Finding | None:
    """The name that begins with the capital at `pos`.

    A function word begins none, nor at the start of a sentence a word alone or a bare verb.
    """
    match = _RUN.match(text, pos)
    if match is None:
        return None
    start, end = pos, match.end()
    words = match.group().split(" ")
    if len(words) > 4 and match.group().isupper():
        return None
    titled = _TITLE.match(text, pos) is not None
    first = words[0].rstrip(".").casefold()
    opening = starts_sentence(text, pos)
    if not titled and (first in FUNCTION_WORDS or (opening and first in BARE_VERBS)):
        return None
    if opening and _HEADING_END.match(text, end) and text[pos - 1 : pos] in ("*", " ", "#") and pos:
        return None
    while words and words[-1].casefold() in FUNCTION_WORDS and not titled:
        end -= len(words.pop()) + 1
        while words and words[-1] in ("of", "the", "and", "de", "la", "&"):
            end -= len(words.pop()) + 1
    if not words or (opening and len(words) == 1 and not titled and not _inner_capital(words[0])):
        return None
    if text[end - 2 : end] in ("'s", "’s"):
        end -= 2
    if end - start < 2 or text[start:end].casefold() in FUNCTION_WORDS:
        return None
    version = _VERSION.match(text, end)
    end = version.end() if version is not None else end
    return Finding(ValueKind.NAME, start, end, " ".join(text[start:end].casefold().replace("’", "'").split()))


def _inner_capital(word: str) -> bool:
    return any(char.isupper() for char in word[1:]) and any(char.islower() for char in word)
