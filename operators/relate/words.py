"""The content words of a short text, English or Chinese, for comparing things, attributes and values.

Everything here is exact: sets of words and containment of strings, never a float, so that the graph is the
same bytes whatever the order.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

from state.identity import normalised

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,:/]\d+)*)|(?P<cjk>[{_CJK}]+)|(?P<word>[^\W\d_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)?)"
    r"|(?P<sign>[$€£¥￥%])"
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_POSSESSIVE = re.compile(r"['’]s$|['’]$")

# Closed classes: words that name nothing by themselves.
_FUNCTION_WORDS = """
    a an the this that these those some any my your our his her its their of for in on at to from by with
    and or as is are was were be been am do does did has have had will would can could please just now
    still also so too then there here it i you we they he she me us them
    because since so if when while although i'm you're we're they're he's she's it's that's there's
"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_CJK_FUNCTION = re.compile("[的了呢吧啊呀哦吗嘛是在我你您他她它们这那个]")
_COUNT_WORDS = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNT_WORDS.split())}
_CJK_DIGIT = {digit: str(number) for number, digit in enumerate("零一二三四五六七八九")} | {"两": "2"}
_CJK_COUNT = re.compile("[一二两三四五六七八九](?=[个位只件份斤人天晚张间本杯次点年月])")
_SIGNS = {"¥": "元", "￥": "元", "$": "dollar", "€": "euro", "£": "pound", "%": "percent"}

_DENIALS = "not no never none nothing without cannot isn't aren't won't doesn't don't didn't"
_NEGATORS = frozenset(_DENIALS.split())
_CJK_NEGATOR = re.compile("[不没无未别莫]")

_stem = lru_cache(maxsize=65536)(snowballstemmer.stemmer("english").stemWord)


@dataclass(frozen=True, slots=True)
class Words:
    """A text's content: `terms` in order (English stems, numbers, runs of CJK), and whether it denies.

    `kinds` are the terms as a set. `cjk` is all CJK characters and numbers of the text joined, for
    containment where words have no spaces.
    """

    terms: tuple[str, ...]
    kinds: frozenset[str]
    cjk: str
    denies: bool

    @property
    def numbers(self) -> frozenset[str]:
        """The terms that are numbers."""
        return frozenset(term for term in self.terms if term[0].isdigit())


def _prepared(text: str) -> str:
    flat = _THOUSANDS.sub("", _ORDINAL.sub("", normalised(text)))
    return _CJK_COUNT.sub(lambda digit: _CJK_DIGIT[digit[0]], flat)


@lru_cache(maxsize=65536)
def words(text: str) -> Words:
    """The content words of `text`; function words are left out unless nothing else is there. O(n)."""
    terms: list[str] = []
    spare: list[str] = []
    flat = _prepared(text)
    denies = _CJK_NEGATOR.search(flat) is not None
    for token in _TOKEN.finditer(flat):
        term = token[0]
        if token["cjk"]:
            term = _CJK_FUNCTION.sub("", term)
            if term:
                terms.append(term)
        elif token["word"]:
            denies = denies or term in _NEGATORS or term.endswith(("n't", "n’t"))
            term = _POSSESSIVE.sub("", term)
            labels = len(term) == 1 and token.end() == len(flat)  # "parcel A": no article ends a name
            if term in _FUNCTION and not labels:
                spare.append(term)
            else:
                terms.append(_NUMBER_WORDS.get(term) or _stem(term))
        else:
            terms.append(_SIGNS.get(term, term))
    chosen = tuple(terms or spare)
    ideographs = not flat.isascii() and any(_is_cjk(term) for term in chosen)
    return Words(chosen, frozenset(chosen), "".join(chosen) if ideographs else "", denies)


def _is_cjk(term: str) -> bool:
    return "\u3400" <= term[0] <= "\u9fff" or "\uf900" <= term[0] <= "\ufaff"


_BEHIND = re.compile(r"\s(?:of|for|in|on|at|to|from|with|by)\s")


@lru_cache(maxsize=65536)
def head(text: str) -> str:
    """The word that names what kind of thing `text` is: English has it last (before "of", "for" and the
    like), Chinese ends in it, and two characters tell it. Empty for an empty text."""
    before = _BEHIND.split(normalised(text), maxsplit=1)[0]
    terms = words(before).terms or words(text).terms
    if not terms:
        return ""
    last = terms[-1]
    return last[-2:] if _is_cjk(last) else last


def within(small: Words, large: Words) -> bool:
    """Whether all that `small` says is in `large`: a subset of its words, or a stretch of its CJK text."""
    if not small.terms:
        return False
    if small.kinds <= large.kinds:
        return True
    return bool(small.cjk) and bool(large.cjk) and small.cjk in large.cjk
