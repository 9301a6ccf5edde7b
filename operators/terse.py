"""A turn in fewer of its own words, for a context that has no room for the whole of it.

Nothing is put in other words, and what is left keeps its order. A terse text leaves out courtesies and the
lightest words. A telegram leaves out the small words of grammar and the punctuation too; negations,
conditions, choices, numbers, and what sets a thing aside or in another's place stay in both.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from operators.summary import shortened
from operators.telling import CJK, LEAD, WORD, sentences
from state.lexicon import terms

WORDS = 30
"""The most words of a terse text."""
CHARACTERS = 60
"""The most CJK characters of it."""
TELEGRAM_WORDS = 48
TELEGRAM_CHARACTERS = 96
"""The most of a telegram, whose words all tell: a list of settings in one sentence is not cut."""
TOPIC_WORDS = 5
TOPIC_CHARACTERS = 12
"""The most of a text that is only named."""

LONGEST_VALUE = 80
"""Characters of a value that a cut text is made longer for."""
REMEMBERED = 65_536
"""Words whose terms are kept, as many as the lexicon keeps stems."""

_COURTESY = re.compile(
    rf"^\W*{LEAD}"
    r"(?:(?:please|kindly|just|also|still|now)\s+)*"
    r"(?:(?:i|we)(?:'ve|'d|'m|'re| have| would| am| are)?(?: also| still| now| just)*"
    r"(?: (?:decided|like|want|need|hope|wish|prefer|going|forgot to mention)"
    r"(?: (?:that )?(?:i|we|you)(?: also)?(?: need| want)?)?(?: to)?)\s+"
    r"|(?:can|could|would|will) you(?: please| also)*\s+|(?:let's|let us)\s+|help me(?: to)?\s+)?"
    r"(?:(?:please|also|just)\s+)*"
)
_COURTESY_CHINESE = re.compile(
    r"^(?:好的|好吧|好(?=[，,、\s])|嗯|那么|那(?=[，,、\s我你请就])|另外|还有|对了|然后|谢谢)?[，,、\s]*"
    r"(?:请问|请(?![假客教柬帖求])|麻烦你?|劳驾)?"
    r"(?:我们?(?:还)?(?:想要?|要(?!求)|希望|需要|决定))?(?:请?你?帮(?:我们?|忙)|给我们?)?(?:一下)?"
)
"""Of what names begin with (好时光, 那不勒斯) nothing goes."""
_LIGHT = frozenset(
    """
    a an the i we you he she they it me us him her them my our your his their its myself please just also
    really very quite simply actually basically am is are was were be been being do does did have has had will
    would could that which there here so then now okay well some any
    """.split()  # noqa: SIM905
)
_GRAMMAR = _LIGHT | frozenset(
    """
    these those this as of at by for in into on onto with about and but what who whose when where why how to
    let's you're suppose assume imagine i'm i've i'd i'll it's that's want like need should can shall ok
    """.split()  # noqa: SIM905
)
_ASKED_WITH = frozenset(
    terms(
        "best good better difference main common recommend suggest consider way practice effective advantage "
        "disadvantage benefit explain elaborate typical ideal important most between optimal technique "
        "strategy method pros cons improve help know tell show example thought key factor speaking compare "
        "choose affect"
    )
)
"""Words that ask about anything: they do not tell what is asked about."""
_OPENING = re.compile(
    r"^(?:(?:new|another|different) (?:topic|question)(?: shift)?\s*[:,\-]\s*"
    r"|(?:i|we) (?:also )?forgot to mention(?: that)?[,:]?\s+"
    r"|(?:i|we)(?:'ve| have)? (?:now |also )?(?:decided|chosen|opted)(?: that)?(?: to)?\s+"
    r"|i (?:think|see|understand)[,.]?\s+|let(?:'s| us)\s+"
    r"|(?:by the way|also|besides|now|then|ultimately|finally|okay|ok|and|but|so)[,:]?\s+)+"
)
_ADDS = re.compile(
    r"(?:add|implement|include|create|integrate|incorporate|provide|develop)\b\s*|添加|增加|加入|新增"
)
_QUOTED = re.compile(r"(?<!\w)([\"'])([^\"']*)\1(?!\w)")
_NOT_PLAIN = re.compile(r"[“”()\[\]]|(?<!\d)\"|(?<![\w])'|(?<!\d)'(?!\w)|(?<!\d),|,(?!\d)")
"""A mark after a number is its unit: feet or inches, minutes or seconds."""
_POSSESSIVE = re.compile(r"(?<=[a-zA-Z])'s\b")
_JOINED = re.compile(r"(?<=[a-z]{3})-(?=[a-z]{3})")
_SAYS = re.compile(r"[\w%$€£¥₹]")
_SIGN = re.compile(r"[-+<>=≤≥≠±×÷*/&~–−@#]{1,2}")
_NAMES = re.compile(r"[\W_]*[\dA-Z$€£¥₹]")
_NUMBER = re.compile(r"[\W_]*\d")
_PARTICLES = re.compile(r"(?:一下|[了吧呢啊呀嘛哦])+(?=[，。！？,.!?；;、]|$)")


def terse(text: str, words: int = WORDS, characters: int = CHARACTERS, values: Collection[str] = ()) -> str:
    """`text` without courtesies and its lightest words, cut to so many words or CJK characters, though in
    none of `values`."""
    kept = " ".join(found for found in map(_bare, sentences(text)) if WORD.search(found))
    return _cut(kept or text, words, characters, values)


def named(text: str, values: Collection[str] = ()) -> str:
    """The few words that a text is recognised by, with the whole of a value that they begin."""
    return terse(text, TOPIC_WORDS, TOPIC_CHARACTERS, values)


def telegram(sentence: str, values: Collection[str] = ()) -> str:
    """A sentence as its telling words alone, in the style of a telegram; empty where none is left. It ends
    in none of `values`."""
    if CJK.search(sentence):
        told = _PARTICLES.sub("", _bare(sentence)).rstrip("。.；;，, ")
        return _cut(told, TELEGRAM_WORDS, TELEGRAM_CHARACTERS, values)
    plain = sentence.replace("’", "'")
    opened = _OPENING.match(plain.casefold())
    if opened and len(plain.casefold()) == len(plain):
        plain = plain[opened.end() :] or plain
    words = ["", *_plain_words(plain), ""]
    around = zip(words, words[1:], words[2:], strict=False)
    kept = [word for before, word, after in around if not _goes(before, word, after)]
    return _cut(" ".join(kept).rstrip(".,:;!?"), TELEGRAM_WORDS, TELEGRAM_CHARACTERS, values)


def tells(telegram: str, value: str) -> bool:
    """Whether a telegram, or another text, has all words of a value that tell, one after the other."""
    if CJK.search(value):
        return "".join(value.split()) in "".join(telegram.split())
    told, wanted = (
        " ".join(
            bare.casefold()
            for word in _plain_words(text.replace("’", "'"))
            if (bare := word.strip(".,:;!?")) and (bare.casefold() not in _GRAMMAR or is_name(bare))
        )
        for text in (telegram, value)
    )
    return f" {wanted} " in f" {told} "


def _plain_words(text: str) -> list[str]:
    unquoted = _QUOTED.sub(r"\2", _JOINED.sub(" ", _POSSESSIVE.sub("", text)))
    return _NOT_PLAIN.sub("", unquoted).split()


def _goes(before: str, word: str, after: str) -> bool:
    """Whether a telegram leaves a word out. What stands between numbers or is a sign of one stays (2 of 3,
    > 5), as do names (US, Plan A), and "to" before a value or a name: where something goes."""
    if not _SAYS.search(word):
        return not (_SIGN.fullmatch(word) and (_NUMBER.match(before) or _NUMBER.match(after)))
    bare = word.casefold().strip(".,:;!?")
    if bare not in _GRAMMAR or (_NUMBER.match(before) and _NUMBER.match(after)):
        return False
    return not (_NAMES.match(after) if bare == "to" else before and is_name(word))


def is_name(word: str) -> bool:
    """Whether a word within a sentence is spelt as a name, though it may be a word of grammar in small
    letters: US, Will, Plan A."""
    bare = word.strip(".,:;!?")
    return bare == "Will" or (bare.isupper() and bare != "I")


def listed(telegram: str) -> str:
    """A telegram without the verb that adds it to a list, for one that is not the first of the list."""
    verb = _ADDS.match(telegram.casefold())
    rest = telegram[verb.end() :] if verb and len(telegram.casefold()) == len(telegram) else telegram
    return rest if len(terms(rest)) > 1 else telegram


@lru_cache(maxsize=REMEMBERED)
def word_terms(word: str) -> frozenset[str]:
    """The terms of one word of a telegram, which is looked at again and again."""
    return frozenset(terms(word))


def telegram_terms(telegram: str) -> frozenset[str]:
    """The terms of a telegram, or of another text whose words are looked at again and again."""
    return frozenset().union(*map(word_terms, telegram.split()))


def matter(words: frozenset[str]) -> frozenset[str]:
    """Those of a question's terms that tell what is asked about."""
    return words - _ASKED_WITH


def topic_asked(telegram: str, values: Collection[str]) -> str:
    """The start of a Chinese question's telegram, with the whole of a value that it begins."""
    return f"{_cut(telegram.rstrip('？? '), TOPIC_WORDS, TOPIC_CHARACTERS, values)}？"


def _cut(text: str, words: int, characters: int, values: Collection[str]) -> str:
    """`text` shortened, to the end of a value where the cut would part it, or to its start where the value is
    very long."""
    short = shortened(text, words, characters)
    if not short.endswith("…") or not values:
        return short
    flat = " ".join(text.split())
    end = len(short) - 1
    forms = (form for value in values for form in (" ".join(value.split()), telegram(value)))
    for form in filter(None, forms):
        at = flat.find(form, max(0, end - len(form) + 1), end + len(form))
        if -1 < at < end:
            end = at + len(form) if len(form) <= LONGEST_VALUE else at
    return flat[:end].rstrip(" ,;:，；：、") + "…" if WORD.search(flat, end) else flat


def _bare(sentence: str) -> str:
    if CJK.search(sentence):
        return sentence[_COURTESY_CHINESE.match(sentence).end() :].lstrip("，, ")  # type: ignore[union-attr]
    lowered = sentence.replace("’", "'")
    opened = _COURTESY.match(lowered.casefold())
    rest = lowered[opened.end() :] if opened and len(lowered.casefold()) == len(lowered) else lowered
    kept = [
        word
        for at, word in enumerate(rest.split())
        if word.casefold() not in _LIGHT or (at and is_name(word))
    ]
    return " ".join(kept)
