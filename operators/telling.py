"""What the sentences of a turn do: ask, tell how things are, or want, decide and change something.

A question that was put along the way leaves nothing standing, nor does what merely leads up to it; what a
turn wants or decides stands until it is changed.
"""

import re
from collections.abc import Collection
from enum import StrEnum

from operators.distill.chinese_moods import is_social
from operators.distill.english_words import OPENERS, SOCIAL_WORDS

_SENTENCE = re.compile(r"[^.!?;。！？；\n]+(?:[.](?=\w)[^.!?;。！？；\n]*)*[.!?;。！？；]*[\"'”’)]*\s*")
WORD = re.compile(r"\w")
_ABBREVIATED = re.compile(
    r"\b(?:(?:no|nos|nr|apt|approx|ca|max|min|tel|ext|vol|art|fig|pp?)\.\s+\d"
    r"|(?:st|dr|mr|mrs|ms|prof|mt|ft|ave|rd|blvd|vs|e\.g|i\.e)\.\s+\w)$",
    re.IGNORECASE,
)
"""A full stop that ends no sentence, with the beginning of what follows."""
CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")

LEAD = (
    r"(?:(?:and|but|so|or|also|ok|okay|alright|well|now|then|wait|oh|hmm|understood|great|thanks|besides|"
    r"by the way|in addition|another (?:topic|question)(?: shift)?|one more thing)\b[\s,.:!\-]*)*"
)
_ABOUT = (
    r"(?:(?:when it comes to|speaking of|regarding|as for|if|apart from|let's|let us)\b[^?,]*[,\-–—]\s*)?"
)
_ASKS = re.compile(
    rf"^\W*{LEAD}{_ABOUT}"
    r"(?:what|why|how|which|who|whose|when|where|whether|any|is|are|was|were|am|do|does|did|has|have|had|"
    r"should|will|would it|could it|can it|can i|can we|could i|could we|may i|shall|isn't|aren't|don't|"
    r"doesn't|do you|(?:can|could|would|will) you (?:please )?(?:also )?"
    r"(?:explain|tell|elaborate|describe|introduce|compare|clarify|remind me (?:what|who|when|where|how)))\b"
)
_MARKED = re.compile(r"[?？][\"'”’)]*\s*$")
_ASKS_CHINESE = re.compile(
    r"什么|怎么|怎样|为何|为什么|哪|多少|几[个天点时号月年]|是不是|是否|有没有|能不能|可不可以|吗|呢|如何|谁"
)
_WANTS_CHINESE = re.compile(r"帮我|帮忙|替我|给我|麻烦|请|我想|我要|改成|改为|换成|取消")

_ANSWERS = frozenset(
    "yes yeah yep yup no nope nah not sure absolutely right ok okay alright fine".split()  # noqa: SIM905
)
_COURTEOUS = (SOCIAL_WORDS | OPENERS) - _ANSWERS
_SPOKEN = re.compile(r"[\w'\-]+")
_PART = re.compile(r"[^\w]+")

_NARRATES = re.compile(
    rf"^\W*{LEAD}(?:"
    r"(?:i|we)(?:'m|'re|'ve| am| are| was| were| have| had| heard| think| feel| noticed| read| saw| know| "
    r"use| live| run| work| like| enjoy| love| hate)\b(?! (?:decided|changed|chosen|picked|settled|to)\b)"
    r"|(?:my|our|his|her|their|it|it's|there|there's|he|she|they|that|that's|this|some|someone|people)\b)"
)
_CASTS = re.compile(
    rf"^\W*{LEAD}(?:(?:please )?act as|your role is"
    r"|(?:suppose |assume |imagine )?(?:you are|you're) (?:an?|the|my|our))\b"
)
_CASTS_CHINESE = re.compile(r"^\W*(?:假设|假如|设想)?(?:你(?:现在)?是|请?你?扮演|你的角色是)[^，,]*$")


class Use(StrEnum):
    """What one sentence does."""

    DIRECTS = "directs"  # wants, decides or changes something
    DIRECTS_AND_ASKS = "directs_and_asks"  # does so, and a question about it follows
    TELLS = "tells"  # tells how things are
    LEADS_IN = "leads_in"  # tells how things are, as what the question that follows is about
    CASTS = "casts"  # tells the assistant whom it plays
    ASKS = "asks"
    GREETS = "greets"  # greets, thanks or says goodbye, and no more; "yes" and "no" are answers


def sentences(text: str, unbroken: Collection[str] = ()) -> list[str]:
    """The sentences of a text that have a word, each without white space around it. None ends with an
    abbreviation, nor within a text of `unbroken` (a value, say)."""
    found: list[str] = []
    for part in filter(WORD.search, _SENTENCE.findall(text)):
        if found and _goes_on(found[-1], part, unbroken):
            found[-1] += part
        else:
            found.append(part)
    return [sentence.strip() for sentence in found]


def _goes_on(before: str, after: str, unbroken: Collection[str]) -> bool:
    """Whether a sentence was broken where it goes on."""
    if _ABBREVIATED.search(before[-20:] + after[:1]):
        return True
    for text in filter(None, unbroken):
        end = before[-len(text) :]
        at = (end + after[: len(text)]).find(text)
        if -1 < at < len(end.rstrip()) and at + len(text) > len(end):
            return True
    return False


def asks(sentence: str) -> bool:
    """Whether a sentence only asks: it states, wants and changes nothing itself."""
    folded = " ".join(sentence.casefold().replace("’", "'").split())
    if CJK.search(folded):
        put = bool(_MARKED.search(folded)) or folded.rstrip("。 ").endswith(("吗", "呢"))
        return put and bool(_ASKS_CHINESE.search(folded)) and not _WANTS_CHINESE.search(folded)
    return bool(_ASKS.match(folded)) and (
        bool(_MARKED.search(folded)) or folded.startswith(("what ", "how "))
    )


def telling(text: str) -> str:
    """The sentences of `text` that do more than ask, joined by spaces; empty where all of it asks."""
    return " ".join(sentence for sentence in sentences(text) if not asks(sentence))


def uses(text: str, unbroken: Collection[str] = ()) -> list[tuple[str, Use]]:
    """The sentences of `text`, each with what it does; none ends within a text of `unbroken`."""
    found = sentences(text, unbroken)
    asked = [*map(asks, found), False]
    return [(sentence, _use(sentence, asked[at], asked[at + 1])) for at, sentence in enumerate(found)]


def _use(sentence: str, asked: bool, question_follows: bool) -> Use:
    if asked:
        return Use.ASKS
    if _greets(sentence):
        return Use.GREETS
    if _casts(sentence):
        return Use.CASTS
    if _narrates(sentence):
        return Use.LEADS_IN if question_follows else Use.TELLS
    return Use.DIRECTS_AND_ASKS if question_follows else Use.DIRECTS


def _greets(sentence: str) -> bool:
    if CJK.search(sentence):
        return all(map(is_social, filter(None, _PART.split(sentence))))
    return _COURTEOUS.issuperset(_SPOKEN.findall(_folded(sentence)))


def _casts(sentence: str) -> bool:
    if CJK.search(sentence):
        return bool(_CASTS_CHINESE.match(sentence))
    return bool(_CASTS.match(_folded(sentence)))


def _narrates(sentence: str) -> bool:
    if CJK.search(sentence):
        return not _WANTS_CHINESE.search(sentence)
    return bool(_NARRATES.match(_folded(sentence)))


def _folded(sentence: str) -> str:
    return " ".join(sentence.casefold().replace("’", "'").split())
