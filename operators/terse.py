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
_NOT_PLAIN = re.compile(r"[\"“”()\[\]]|(?<!\w)'|'(?!\w)|(?<!\d),|,(?!\d)")
_POSSESSIVE = re.compile(r"(?<=[a-zA-Z])'s\b")
_JOINED = re.compile(r"(?<=[a-z]{3})-(?=[a-z]{3})")
_SAYS = re.compile(r"[\w%$€£¥₹]")
_NAMES = re.compile(r"[\W_]*[\dA-Z$€£¥₹]")
_PARTICLES = re.compile(r"(?:一下|[了吧呢啊呀嘛哦])+(?=[，。！？,.!?；;、]|$)")


def terse(text: str, words: int = WORDS, characters: int = CHARACTERS) -> str:
    """`text` without courtesies and its lightest words, cut to so many words or CJK characters."""
    kept = " ".join(found for found in map(_bare, sentences(text)) if WORD.search(found))
    return shortened(kept or text, words, characters)


def named(text: str) -> str:
    """The few words that a text is recognised by."""
    return terse(text, TOPIC_WORDS, TOPIC_CHARACTERS)


def telegram(sentence: str) -> str:
    """A sentence as its telling words alone, in the style of a telegram; empty where none is left."""
    if CJK.search(sentence):
        told = _PARTICLES.sub("", _bare(sentence)).rstrip("。.；;，, ")
        return shortened(told, TELEGRAM_WORDS, TELEGRAM_CHARACTERS)
    plain = sentence.replace("’", "'")
    opened = _OPENING.match(plain.casefold())
    if opened and len(plain.casefold()) == len(plain):
        plain = plain[opened.end() :] or plain
    words = _NOT_PLAIN.sub("", _JOINED.sub(" ", _POSSESSIVE.sub("", plain))).split()
    kept = [
        word
        for at, word in enumerate(words)
        if _SAYS.search(word) and not _is_grammar(word, words[at + 1] if at + 1 < len(words) else "")
    ]
    return shortened(" ".join(kept).rstrip(".,:;!?"), TELEGRAM_WORDS, TELEGRAM_CHARACTERS)


def _is_grammar(word: str, following: str) -> bool:
    """Whether a telegram leaves a word out; "to" before a value or a name is where something goes."""
    bare = word.casefold().strip(".,:;!?")
    return bare in _GRAMMAR and not (bare == "to" and _NAMES.match(following))


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


def asked_about(telegram: str, said: Collection[str]) -> str:
    """What a question's telegram asks about: its words that say what nothing in `said` (terms) does, with a
    question mark; empty where there are none."""
    if CJK.search(telegram):
        named_in = shortened(telegram.rstrip("？? "), TOPIC_WORDS, TOPIC_CHARACTERS)
        return f"{named_in}？" if telegram_terms(telegram).difference(said) else ""
    asked = ((word, word_terms(word) - _ASKED_WITH) for word in telegram.split())
    kept = " ".join(word for word, matter in asked if matter.difference(said))
    return f"{kept.rstrip('.,:;!?')}?" if kept else ""


def _bare(sentence: str) -> str:
    if CJK.search(sentence):
        return sentence[_COURTESY_CHINESE.match(sentence).end() :].lstrip("，, ")  # type: ignore[union-attr]
    lowered = sentence.replace("’", "'")
    opened = _COURTESY.match(lowered.casefold())
    rest = lowered[opened.end() :] if opened and len(lowered.casefold()) == len(lowered) else lowered
    kept = [word for word in rest.split() if word.casefold() not in _LIGHT]
    return " ".join(kept)
