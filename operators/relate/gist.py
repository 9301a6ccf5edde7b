"""What a statement comes down to: the words that tell one statement from another, and whether it denies.

Statements without a facet ("Sam gives the talk", "I don't eat fish any more") can only be compared by their
words. Everything here is sets of words, English stems or single Chinese characters, so that the graph is the
same bytes whatever the order.
"""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from dataclasses import dataclass
from functools import lru_cache

from operators.cue import Cue
from operators.distill.english_verbs import lemma
from operators.relate.spoken import said_in
from operators.relate.words import words
from state.identity import normalised
from state.model import Event

_CJK = re.compile("[\u3400-\u9fff]")

_PHRASES = re.compile(
    r"\b(?:after all|any ?more|any longer|no longer|on second thoughts?|change of plans?|changed (?:my|our) "
    r"mind|going to|from now on|these days|at the moment|for now|in fact|as well|of course|let[’']s|"
    r"up on|i mean(?:t)?|it turns out|turns out|at all|instead of me)\b"
)
"""Turns of phrase that name nothing that is so."""
_FILLERS = frozenset(
    "actually instead rather again sorry really just now still also too already better anyway maybe perhaps "
    "yet only even ever never not no none don't doesn't didn't isn't aren't wasn't weren't won't wouldn't "
    "can't cannot couldn't shouldn't haven't hasn't hadn't i've we've i'll we'll i'd we'd it'll you'll "
    "they'll you've they've he'll she'll there'll get got getting have having manage managed able "
    "decide decided plan planned "
    "planning think thinking thought want wanted need needed would could should might must may "
    "going gonna please ok okay oh well yes yeah mine one ones thing things way that's it's what whatever "
    "who which same other another more most very much many lot bit soon later currently originally new "
    "correction wait hmm longer anymore off up out over down back through let lets make made do done does "
    "did take taken took start started begin began keep kept stay stayed".split()
)
"""Words that say how a thing is meant, planned or done, and not what it is."""
_COMING = dict.fromkeys("come visit arrive travel fly attend join".split(), "go")
"""Ways of being at a place, which one text or another puts it in."""
_ENDS = re.compile(
    r"\b(?:cancell?ed|cancel|call(?:ed|ing)? off|g(?:i|a)ven? up|giving up|gone off|went off|quit(?:ting)?|"
    r"drop(?:ped|ping)?|turn(?:ed|ing)? down|declined|sold|stopp(?:ed|ing)|stop|no longer|any ?more|"
    r"any longer|scrapp(?:ed|ing)|abandon(?:ed)?|resigned|backed out|pulled out|fell through|"
    r"(?:is|are|'s|’s) off|decided against|g(?:i|a)ven? away|got rid of|expired|i left|we left|"
    r"(?:has|have|'s|’s) left)\b"
)
"""Verbs and phrases by which something is over."""
_CJK_ENDS = re.compile(r"取消|不算|作废|放弃|退[了掉订]|[卖丢]了|辞职|辞了|过期|不了|没有了|撤[销回]|不成了")
_CJK_FILLERS = frozenset(
    "的了呢吧啊呀哦吗嘛是在我你您他她它们这那个要想会已经就还都也又再很太决定打算现今不没无未别莫把被给"
    "用得着需刚才说算掉退消取废作弃放辞卖有"
)
NEGATIVE = Cue(
    "t not no none never nothing without cannot cancelled canceled cancel off up quit quitting drop dropped "
    "dropping down declined sold stopped stopping stop more anymore longer scrapped scrapping abandon "
    "abandoned resigned out through against away rid expired left",
    rf"n[’']t\b|\b(?:not|no|none|never|nothing|without|cannot)\b|[不没无未别莫]|{_ENDS.pattern}|{_CJK_ENDS.pattern}",
)
_NOT_DENIED = re.compile(
    r"\byet\b|\b(?:don[’']t|do not|never) (?:forget|worry|mind|hesitate)\b|\bcan[’']t wait\b|\bnot only\b|"
    r"\bno (?:problem|worries|rush|hurry)\b|\bnot sure\b|\bwhy not\b|\b(?:don[’']t|do not) (?:know|think)\b|"
    r"还没|尚未|不客气|没问题|没关系|不好意思|不错|不用谢|不知道"
)
_FIRST = frozenset(("i", "we", "my", "our", "me", "us", "i'm", "we're", "i've", "we've", "i'll", "we'll"))


@dataclass(frozen=True, slots=True)
class Gist:
    """`kinds`: what the statement speaks of. `verbs`: those of them that are English verbs. `denies`: it says
    that something is not so; `ends`: that something is over. `first`: it is about who says it."""

    kinds: frozenset[str]
    verbs: frozenset[str]
    denies: bool
    ends: bool
    first: bool
    cjk: bool

    @property
    def negative(self) -> bool:
        return self.denies or self.ends


@lru_cache(maxsize=16_384)
def may_deny(description: str) -> bool:
    """Whether an event of this description can deny or end anything; a quick look, which may be mistaken."""
    return NEGATIVE.found(description)


def gist_of(event: Event) -> Gist:
    """What `event` comes down to."""
    return _of(event.description, event.speaker)


@lru_cache(maxsize=16_384)
def _of(description: str, speaker: str) -> Gist:
    return gist(said_in(description, speaker))


@lru_cache(maxsize=16_384)
def gist(text: str) -> Gist:
    """What `text`, of one clause, comes down to. O(n)."""
    flat = normalised(text)
    return _chinese(flat) if _CJK.search(flat) else _english(flat)


def _english(flat: str) -> Gist:
    flat = flat.replace("’", "'")
    plain = _NOT_DENIED.search(flat) is None
    ends = plain and _ENDS.search(flat) is not None
    kinds: set[str] = set()
    verbs: set[str] = set()
    for word in _WORD.findall(_ENDS.sub(" ", _PHRASES.sub(" ", flat)) if ends else _PHRASES.sub(" ", flat)):
        term, verb = _term(word)
        if term:
            kinds.add(term)
        if verb:
            verbs.add(term)
    heard = flat.split()
    return Gist(
        frozenset(kinds), frozenset(verbs), plain and _DENIES.search(flat, _after_no(flat)) is not None, ends,
        not _FIRST.isdisjoint(heard), False,
    )  # fmt: skip


_DENIES = re.compile(r"n't\b|\b(?:not|no|none|never|nothing|without|cannot)\b")
_OH_NO = re.compile(r"(?:oh|ah|wait|well|but)\W+no\b|no[,.!]")


def _after_no(flat: str) -> int:
    """Where a statement begins behind an "oh no" or a "no,", which answers and denies nothing of it."""
    opened = _OH_NO.match(flat)
    return opened.end() if opened is not None else 0


_WORD = re.compile(r"[^\W_]+(?:[.:,'-][^\W_]+)*")


@lru_cache(maxsize=16_384)
def _term(word: str) -> tuple[str, bool]:
    """What a word counts as, empty for none, and whether it is a verb."""
    base = lemma(word)
    if word in _FILLERS or base in _FILLERS or word in _EMPTY:
        return "", False
    term = next(iter(words(word).terms), "")
    if term in _EMPTY:
        return "", False
    term = _COMING.get(base or term, _COMING.get(term, term))
    return term, base != "" or term == "go"


_EMPTY = frozenset(
    "a an the this that these those some any my your our his her its their of for in on at to from by with "
    "and or as is are was were be been being am do does did has have had will would can could here it i you "
    "we they he she me us them there then so because since if when while i'm you're we're they're he's "
    "she's it's that's there's ' s t d m re ll ve about into".split()
)


def _chinese(flat: str) -> Gist:
    said = words(flat)
    plain = _NOT_DENIED.search(flat) is None
    kinds: set[str] = set()
    for term in said.terms:
        if _CJK.search(term):
            kinds.update(letter for letter in term if letter not in _CJK_FILLERS)
        else:
            kinds.add(term)
    ends = plain and _CJK_ENDS.search(flat) is not None
    return Gist(frozenset(kinds), frozenset(), plain and said.denies, ends, "我" in flat, True)
