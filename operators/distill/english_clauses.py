"""A text as sentences and clauses, and a clause as words with its typed values in one piece each."""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.distill.english_verbs import IRREGULAR, lemma
from operators.distill.english_words import BE, HAVE, MODALS, PRONOUNS
from operators.distill.spans import TypedValue, ValueKind

MAX_TEXT = 6_000
"""Characters of one message that are read; what follows in a longer text is left to its note."""

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms st prof no vs etc inc ltd jr sr e.g i.e approx apt ave rd blvd mt ft dept "
    "fig a.m p.m".split()
)
# (?<!\s) before \s: a long run of spaces (a code block that was blanked) is tried once, not from each space.
# Such a run ends a sentence and lies in none, so that no later pattern has to walk it.
_STOP = re.compile(r"[.!?;。！？；]+[\"'”’)\]]*(?=\s|$)|\n+|(?<!\s)\s{6,}|(?<!\s)\s+[-–—]+\s+|…+|\.{2,}")
_WORD = re.compile(
    r"[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|[^\W\d_]+\d\w*|[^\W\d_]+(?:[-.&][^\W\d_]+)*|\d[\d.,:/-]*\w*|['’](?:s|"
    r"re|m|ll|d|ve)\b|\S",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[^\W\d_]+\d\w*|[^\W\d_]+(?:[-.&][^\W\d_]+)*|\d[\d.,:/-]*\w*|\S")
"""What `_WORD` finds in a stretch without an apostrophe, in half the time."""
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|m|ll|d|ve))$", re.IGNORECASE)

_JOINT = re.compile(
    r"(?=[,:\s])(?:"  # the same without: it passes over letters at once
    r"(?P<splice>[,:])\s+(?=(?:i|we|he|she|it|they|you|that|there|my|our|the|please|take|make|cancel|let|"
    r"instead (?:i|we|it|he|she|they|the|there))\b)|"
    r"(?P<noun>,)\s+(?!(?:so|and|but|or|then|which|who|that|because|since|as|if|when|while|unless|both|all|"
    r"although|though|before|after|until) )(?=(?:[\w-]+ ){1,2}(?:is|are|was|were|has|does|will|isn['’]t|"
    r"aren['’]t|doesn['’]t|won['’]t)\b)|"
    r"(?P<comma>,)?(?<!\s)\s+(?P<word>because(?! of\b)|so that|in order to|so|but|since|as|and|unless|"
    r"otherwise|therefore|while|although|though|then|which|in case|if|before|when|meaning)\s+)",
    re.IGNORECASE,
)
_ALWAYS = frozenset(
    ("because", "so that", "in order to", "unless", "in case", "although", "though", "therefore")
)
_SUBJECT = re.compile(
    r"(?:i|you|he|she|it|we|they|there|that|this|my|your|our|his|her|its|their|the|please|let's|let’s)\b",
    re.IGNORECASE,
)
_FINITE = BE | HAVE | MODALS


@dataclass(slots=True)
class Token:
    """A word, a mark or a whole typed value at [start, end) of the text. `low` is its lower-case form.

    Never changed once made; not frozen, because that would make each of the many take three times as long.
    """

    text: str
    low: str
    start: int
    end: int
    value: TypedValue | None = None


def blanked(text: str) -> str:
    """`text` cut to what is read, with code blocks blanked out in place, so that offsets stay."""
    text = text[:MAX_TEXT]
    return _FENCE.sub(lambda block: " " * len(block[0]), text) if "```" in text else text


def sentences(text: str, values: Sequence[TypedValue]) -> list[tuple[int, int]]:
    """Spans of the sentences of `text`; no cut lies within a typed value."""
    inside = [(v.start, v.end) for v in values]
    found, start, at = [], 0, 0
    for stop in _STOP.finditer(text):
        while at < len(inside) and inside[at][1] <= stop.start():
            at += 1
        if at < len(inside) and inside[at][0] < stop.start() < inside[at][1] - 1:
            continue
        if stop[0] == "." and _abbreviated(text, stop.start()):
            continue
        end = stop.start() if stop[0].isspace() else stop.end()
        if text[start:end].strip():
            found.append((start, end))
        start = stop.end()
    if text[start:].strip():
        found.append((start, len(text)))
    return found


def _abbreviated(text: str, dot: int) -> bool:
    begin = max(0, dot - 8)
    words = text[begin:dot].split()
    last = words[-1].casefold().lstrip("(") if words else ""
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i")


def clauses(text: str, start: int, end: int, values: Sequence[TypedValue]) -> list[tuple[int, int, str]]:
    """The clauses of the sentence at [start, end): (start, end, the word that joins it to the one before)."""
    inside = [(v.start, v.end) for v in values if v.end > start and v.start < end]
    found: list[tuple[int, int, str]] = []
    begin, joined = start, ""
    at = start
    while joint := _JOINT.search(text, at, end):
        word = " ".join((joint["word"] or "").casefold().split())
        at = joint.start("word") + 1 if word else joint.end()
        cut = joint.start()
        if any(a < cut < b for a, b in inside) or not text[begin:cut].strip(" ,"):
            continue
        rest = text[joint.end() : end]
        if joint["noun"]:
            if not _has_verb(text[begin:cut]) or _LED.match(text, begin, cut):
                continue
        elif not word:
            left = text[begin:cut].split()
            stands = (
                joint["splice"] == ":"
                or len(left) < 3
                or _has_verb(text[begin:cut])
                or lemma(left[0].casefold()) != ""
            )
            if not (_has_verb(rest[:60]) and stands):
                continue
        elif word not in _ALWAYS and not _clause_like(
            text[begin:cut], rest, word, joint["comma"] is not None
        ):
            continue
        found.append((begin, cut, joined))
        begin, joined = joint.end(), word
        at = max(joint.end() - 1, at)
    found.append((begin, end, joined))
    return [piece for whole in found for piece in _subordinate(text, whole, inside)]


_LED = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|well|oh|yes|no)\W+)?(?P<word>because(?! of)|since|"
    r"as(?! (?:soon|far|long|well|of|a (?:result|consequence)))|"
    r"given that|now that|if|when|although|though)\s",
    re.IGNORECASE,
)
_MAIN = re.compile(r"\s(?=(?:i|you|we|he|she|they|please)\s+[a-z'’]+\s)", re.IGNORECASE)


def _subordinate(
    text: str, whole: tuple[int, int, str], inside: Sequence[tuple[int, int]]
) -> list[tuple[int, int, str]]:
    """A stretch that starts with a subordinate clause ("As the glue dries slowly, we …"), cut behind it."""
    start, end, join = whole
    led = _LED.match(text, start, end)
    if led is None and join not in ("because", "since", "as", "if"):
        return [whole]
    begin = led.end() if led is not None else start
    for cut in _COMMA.finditer(text, begin, end):
        if not any(a < cut.start() < b for a, b in inside) and _has_verb(text[cut.end() : end]):
            return [(start, cut.start(), join), (cut.end(), end, "")]
    main = _MAIN.search(text, begin + 8, end) if led is not None else None
    if main is not None and not any(a < main.start() < b for a, b in inside):
        return [(start, main.start(), join), (main.end(), end, "")]
    return [whole]


_COMMA = re.compile(r",\s+")


def _clause_like(left: str, right: str, word: str, comma: bool) -> bool:
    """Whether both sides of a joint say something of their own."""
    if word in ("when", "before", "which", "while"):
        return comma
    if word in ("if", "then"):
        return True
    if word in ("so", "but"):
        return comma or _SUBJECT.match(right) is not None
    if _SUBJECT.match(right) and _has_verb(right):
        return comma or word != "as" or _has_verb(left)
    if word == "and" and _NOUN_IS.match(right) and _has_verb(left):
        return True
    return comma and word in ("since", "as", "and") and _has_verb(right) and _has_verb(left)


_NOUN_IS = re.compile(r"(?-i:[A-Z])[\w-]+ (?:is|are|was|were|has|does|will)\b")


def _has_verb(stretch: str) -> bool:
    words = stretch[:120].casefold().replace("’", "'").split()
    for at, word in enumerate(words[:12]):
        bare = word.strip(',.!?;:"')
        clitic = _CLITIC.search(bare)
        if (
            bare in _FINITE
            or bare in IRREGULAR
            or bare.endswith("n't")
            or (clitic is not None and bare[: clitic.start()] in PRONOUNS)
        ):
            return True
        if bare in PRONOUNS and at + 1 < len(words) and words[at + 1].strip(",.!?;:")[-1:].isalpha():
            return True
        if at and len(bare) > 4 and bare.endswith(("ed", "es")):
            return True
    return False


def tokens(text: str, start: int, end: int, values: Sequence[TypedValue]) -> list[Token]:
    """The words of [start, end); a typed value is one token and clitics are tokens of their own."""
    found: list[Token] = []
    at = start
    for value in values:
        if value.start < at or value.end > end:
            continue
        _words(text, at, value.start, found)
        found.append(Token(value.text, value.text.casefold(), value.start, value.end, value))
        at = value.end
    _words(text, at, end, found)
    return found


def _words(text: str, start: int, end: int, found: list[Token]) -> None:
    if text.find("'", start, end) < 0 and text.find("’", start, end) < 0:
        for match in _PLAIN_WORD.finditer(text, start, end):
            word = match[0]
            found.append(Token(word, word.casefold(), *match.span()))
        return
    for match in _WORD.finditer(text, start, end):
        word = match[0]
        found.append(Token(word, word.casefold().replace("’", "'"), *match.span()))


OPEN_KINDS = (ValueKind.NAME, ValueKind.QUOTED, ValueKind.IDENTIFIER)
"""Kinds that name things, so that they may stand inside a noun phrase."""
