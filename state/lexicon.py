"""The terms of a text, for BM25 and for lexical comparison, in English, Chinese and numbers.

A text is read in NFKC and case-folded. English words are stemmed (Snowball), a contraction ending in "n't"
counts as "not", CJK runs become overlapping bigrams (a run of one stays a character), and whatever holds a
digit is kept whole: `4471-88`, `3:00`, `ord-7`. Thousands separators go (`9,000` is `9000`); a currency sign
is a term of its own beside its number.
"""

import math
import re
import threading
import unicodedata
import zlib
from collections import Counter
from functools import lru_cache
from itertools import chain

import snowballstemmer

K1 = 1.2
B = 0.75
MEAN_LENGTH = 20.0
"""BM25's saturation, its length share, and the length (in terms) of an average message.

A stored weight cannot follow a moving average, so the average is a constant of the format: near the mean of
chat messages. It only tells how fast longer texts are discounted, and is the same for all."""

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_SIGNS = "€$£¥₹₩₽"
_LETTER = rf"[^\W_{_CJK}]"
_TOKEN = re.compile(
    rf"[{_CJK}]+"
    rf"|\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!{_LETTER})"
    rf"|{_LETTER}+(?:['.:/_\-]{_LETTER}+)*"
    rf"|[{_SIGNS}]"
)
_HAS_DIGIT = re.compile(r"\d")
_PIECE = re.compile(r"[.:/_\-]")
_IS_CJK = re.compile(rf"[{_CJK}]")


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP = _listed(
    """
    a an the this that these those and or but if so than then as of at by for from in into on onto to with
    about over under up down out off i me my mine we us our ours you your yours he him his she her hers it its
    they them their theirs who whom whose which what be am is are was were been being do does did done doing
    have has had having will would shall should can could might must there here just also too very
    """
)
_STOP_CJK = _listed(
    """
    的 了 着 吗 呢 吧 啊 呀 嘛 哦 地 得 和 与 也 就 都 在 是 我 你 他 她 它 这 那
    我们 你们 他们 她们 它们 这个 那个 这些 那些 什么 怎么 一个 就是 还是 也是 都是
    """
)
_PARTICLES = frozenset("吗呢啊呀嘛哦")
"""Characters that are nothing but particles: a bigram with one carries no content."""

_stemmer = snowballstemmer.stemmer("english")
_stemming = threading.Lock()  # a stemmer keeps the word it is at in itself


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The Snowball stem of one folded word; other alphabets come back as they are."""
    if not word.isascii():
        return word
    with _stemming:
        return str(_stemmer.stemWord(word))


def _word(word: str) -> str | None:
    """The term of a folded word, or None for a function word. Negation is content and stays."""
    if "'" in word:
        if word.endswith("n't"):
            return "not"
        word = word.partition("'")[0]
    if word == "cannot":
        return "not"
    return None if word in _STOP else stem(word)


def _bigrams(run: str) -> tuple[str, ...]:
    if len(run) == 1:
        return () if run in _STOP_CJK else (run,)
    pairs = (run[i : i + 2] for i in range(len(run) - 1))
    kept = tuple(pair for pair in pairs if not _is_empty(pair))
    return kept or tuple(c for c in run if c not in _STOP_CJK)


def _is_empty(pair: str) -> bool:
    """Whether a bigram carries no content. 的 ends a word or stands alone: what starts with it is an
    accident of where the window lies."""
    return (
        pair in _STOP_CJK
        or pair[0] == "的"
        or not _PARTICLES.isdisjoint(pair)
        or all(c in _STOP_CJK for c in pair)
    )


@lru_cache(maxsize=65_536)
def _terms_of(token: str) -> tuple[str, ...]:
    """The terms of one token of `_TOKEN`."""
    if _IS_CJK.match(token):
        return _bigrams(token)
    if _HAS_DIGIT.search(token):
        return (token.replace(",", ""),)
    return tuple(term for piece in _PIECE.split(token) if (term := _word(piece)) is not None)


def terms(text: str) -> tuple[str, ...]:
    """The terms of `text` in order, repeats kept. O(length); about 1 µs a word once words are cached."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(chain.from_iterable(map(_terms_of, _TOKEN.findall(folded))))


def term_hash(term: str, salt: int = 0) -> int:
    """A term as a 32-bit number, the same in every process (CRC-32 of its UTF-8, begun at `salt`)."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"), salt)


def salted(owner: str) -> int:
    """What an owner's terms are hashed with, so that each owner has terms of its own.

    An engine keeps one list a term of all points that have it. Shared by all owners, the list of a common
    word grows with the whole store, and every search walks it; an owner's own is as long as its history.
    """
    return zlib.crc32(owner.encode("utf-8", "surrogatepass"))


def sparse(text: str, salt: int = 0) -> tuple[list[int], list[float]]:
    """A stored text's BM25 weights without the idf: (term hashes ascending, values); empty where no term is.

    A term that occurs f times in a text of n terms weighs f·(K1 + 1) / (f + K1·(1 − B + B·n / MEAN_LENGTH)).
    The dot product with a query whose values are the terms' idf is the text's BM25 score.
    """
    counts = Counter(term_hash(term, salt) for term in terms(text))
    floor = K1 * (1 - B + B * counts.total() / MEAN_LENGTH)
    pairs = sorted(counts.items())
    return [term for term, _ in pairs], [f * (K1 + 1) / (f + floor) for _, f in pairs]


def sparse_query(text: str, salt: int = 0) -> tuple[list[int], list[float]]:
    """A question's terms, each once with the value 1: (term hashes ascending, values)."""
    found = sorted({term_hash(term, salt) for term in terms(text)})
    return found, [1.0] * len(found)


def idf(notes: int, holding: int) -> float:
    """ln(1 + (N − n + ½) / (n + ½)): how much a term is worth that n of N notes hold; never negative."""
    return math.log(1 + (notes - holding + 0.5) / (holding + 0.5))
