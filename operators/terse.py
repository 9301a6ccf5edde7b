"""A turn in fewer of its own words, for a context that has no room for the whole of it.

What only asks is told from what tells, since a question that was put along the way leaves nothing standing;
and what tells is shortened by leaving out courtesies and the words that carry least. Nothing is put in other
words, what is left keeps its order, and negations, numbers and the small words of direction stay.
"""

import re

from operators.summary import shortened

WORDS = 30
"""The most words of a terse text."""
CHARACTERS = 60
"""The most CJK characters of it."""
TOPIC_WORDS = 5
TOPIC_CHARACTERS = 12
"""The most of a text that is only named."""

_SENTENCE = re.compile(r"[^.!?;。！？；\n]+(?:[.](?=\w)[^.!?;。！？；\n]*)*[.!?;。！？；]*[\"'”’)]*\s*")
_WORD = re.compile(r"\w")

_LEAD = (
    r"(?:(?:and|but|so|or|also|ok|okay|alright|well|now|then|wait|oh|hmm|understood|great|thanks|besides|"
    r"by the way|in addition|another (?:topic|question)(?: shift)?|one more thing)\b[\s,.:!\-]*)*"
)
_ABOUT = (
    r"(?:(?:when it comes to|speaking of|regarding|as for|if|apart from|let's|let us)\b[^?,]*[,\-–—]\s*)?"
)
_ASKS = re.compile(
    rf"^\W*{_LEAD}{_ABOUT}"
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

_COURTESY = re.compile(
    rf"^\W*{_LEAD}"
    r"(?:(?:please|kindly|just|also|still|now)\s+)*"
    r"(?:(?:i|we)(?:'ve|'d|'m|'re| have| would| am| are)?(?: also| still| now| just)*"
    r"(?: (?:decided|like|want|need|hope|wish|prefer|going|forgot to mention)"
    r"(?: (?:that )?(?:i|we|you)(?: also)?(?: need| want)?)?(?: to)?)\s+"
    r"|(?:can|could|would|will) you(?: please| also)*\s+|(?:let's|let us)\s+|help me(?: to)?\s+)?"
    r"(?:(?:please|also|just)\s+)*"
)
_COURTESY_CHINESE = re.compile(
    r"^(?:好的|好吧|好|嗯|那么|那|另外|还有|对了|然后|谢谢)?[，,、\s]*(?:请问|请|麻烦你?|劳驾)?"
    r"(?:我们?(?:还)?(?:想要?|要|希望|需要|决定))?(?:请?你?帮(?:我|忙)|给我)?(?:一下)?"
)
_LIGHT = frozenset(
    """
    a an the i we you he she they it me us him her them my our your his their its myself please just also
    really very quite simply actually basically am is are was were be been being do does did have has had will
    would could that which there here so then now okay well some any
    """.split()  # noqa: SIM905
)
_LIGHTER = _LIGHT | frozenset(
    """
    this these those as of at by for in into on onto with about and or but what who whose when where why how
    role let's you're suppose assume imagine i'm i've i'd want like need
    """.split()  # noqa: SIM905
)
_NARRATES = re.compile(
    rf"^\W*{_LEAD}(?:"
    r"(?:i|we)(?:'m|'re|'ve| am| are| was| were| have| had| heard| think| feel| noticed| read| saw| know| "
    r"use| live| run| work| like| enjoy| love| hate)\b(?! (?:decided|changed|chosen|picked|settled|to)\b)"
    r"|(?:my|our|his|her|their|it|it's|there|there's|he|she|they|that|that's|this|some|someone|people)\b)"
)
_CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]")


def sentences(text: str) -> list[str]:
    """The sentences of a text that have a word, each without white space around it."""
    return [found.strip() for found in _SENTENCE.findall(text) if _WORD.search(found)]


def asks(sentence: str) -> bool:
    """Whether a sentence only asks: it states, wants and changes nothing itself."""
    folded = " ".join(sentence.casefold().replace("’", "'").split())
    if _CJK.search(folded):
        put = bool(_MARKED.search(folded)) or folded.rstrip("。 ").endswith(("吗", "呢"))
        return put and bool(_ASKS_CHINESE.search(folded)) and not _WANTS_CHINESE.search(folded)
    return bool(_ASKS.match(folded)) and (
        bool(_MARKED.search(folded)) or folded.startswith(("what ", "how "))
    )


def telling(text: str) -> str:
    """The sentences of `text` that do more than ask, joined by spaces; empty where all of it asks."""
    return " ".join(sentence for sentence in sentences(text) if not asks(sentence))


def directs(text: str) -> bool:
    """Whether a text wants, decides or changes something, in some sentence of it, beside telling how things
    are: what it says then stands until it is changed."""
    return any(not asks(sentence) and not _narrates(sentence) for sentence in sentences(text))


def _narrates(sentence: str) -> bool:
    if _CJK.search(sentence):
        return not _WANTS_CHINESE.search(sentence)
    return bool(_NARRATES.match(" ".join(sentence.casefold().replace("’", "'").split())))


def terse(text: str, words: int = WORDS, characters: int = CHARACTERS) -> str:
    """`text` without courtesies and its lightest words, cut to so many words or CJK characters."""
    kept = " ".join(found for found in map(_bare, sentences(text)) if _WORD.search(found))
    return shortened(kept or text, words, characters)


def bare(text: str) -> str:
    """A terse text as its telling words alone, in the style of a telegram. Chinese stays as it is."""
    if _CJK.search(text):
        return text
    kept = [word for word in text.split() if word.casefold().strip(".,:;!()\"'") not in _LIGHTER]
    return " ".join(kept) or text


def named(text: str) -> str:
    """The few words that a text is recognised by."""
    return terse(text, TOPIC_WORDS, TOPIC_CHARACTERS)


def _bare(sentence: str) -> str:
    if _CJK.search(sentence):
        return sentence[_COURTESY_CHINESE.match(sentence).end() :].lstrip("，, ")  # type: ignore[union-attr]
    lowered = sentence.replace("’", "'")
    opened = _COURTESY.match(lowered.casefold())
    rest = lowered[opened.end() :] if opened and len(lowered.casefold()) == len(lowered) else lowered
    kept = [word for word in rest.split() if word.casefold() not in _LIGHT]
    return " ".join(kept)
