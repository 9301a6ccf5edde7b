"""Which attribute an English question asks for."""

# ruff: noqa: SIM905  (a word class reads best as a text)

from collections.abc import Sequence

from operators.distill import english_words as words
from operators.distill.clause import YOURS
from operators.distill.english_clauses import Token
from operators.distill.english_frames import Frame
from operators.distill.english_phrases import Phrase, phrase

_SKIPPED = words.BE | words.DO | words.MODALS | frozenset(("'s", "exactly", "about"))
_TELLING = frozenset("give provide tell have get know share specify state confirm need".split())


def asks(row: Sequence[Token], parts: Frame, text: str, question: bool) -> str:
    """The attribute that the question wants, lower case, or the empty text if it asks for none.

    "What's your full name?" → "full name"; "For how many people?" → "number of people"; "When …" → "date".
    """
    found = _asked(row, parts, text, question)
    if found in _ENDS and any(t.low in words.END_CUES for t in row):
        return "end"
    return found


_ENDS = frozenset(
    "return date,end date,return time,end time,checkout date,check-out date,date,time,day".split(",")
)


def _asked(row: Sequence[Token], parts: Frame, text: str, question: bool) -> str:
    for at, token in enumerate(row[:12]):
        if token.low not in words.WH_WORDS or token.value is not None:
            continue
        return _by_word(row, at, token.low)
    telling = not parts.verb or parts.verb in _TELLING
    owned = next((k for k, t in enumerate(row[:-1]) if t.low == "your"), None) if telling else None
    if owned is not None and text.casefold().find("you ") < 0:
        wanted = phrase(row, owned, 4)
        if wanted is not None:
            return _of_answerer(wanted)
    if parts.verb in _TELLING and parts.object is not None and parts.object.head not in words.PRONOUNS:
        return _named(parts.object.modifiers, parts.object.head)
    if question and not parts.verb and parts.subject is not None and _common(row, parts.subject):
        return _named(parts.subject.modifiers, parts.subject.head)
    return ""


def _common(row: Sequence[Token], about: Phrase) -> bool:
    """Whether a noun phrase asks for something ("Return date?") rather than names it ("The Porch?")."""
    body = row[about.start : about.end]
    return about.head not in words.PRONOUNS and len(body) <= 3 and not any(t.value for t in body)


def _by_word(row: Sequence[Token], at: int, word: str) -> str:
    after = at + 1
    if word == "when":
        return "date"
    if word == "where":
        if any(t.low == "from" for t in row):
            return "origin"
        return "destination" if any(t.low in ("to", "going", "go") for t in row[after:]) else "place"
    if word in ("who", "whom"):
        return "name"
    if word == "how" and after < len(row):
        return _by_degree(row, after)
    if word not in ("what", "which"):
        return ""
    while after < len(row) and row[after].low in _SKIPPED:
        after += 1
    wanted = phrase(row, after, 5)
    if wanted is None or wanted.head in words.PRONOUNS:
        return ""
    head = wanted.head
    if wanted.owner and head in ("kind", "type", "sort"):
        return wanted.owner.casefold()
    if (
        wanted.owner
        and wanted.owner not in words.POSSESSIVES
        and head in ("name", "kind", "type", "date", "time")
    ):
        return head if head in ("date", "time") else f"{wanted.owner.casefold()} {head}"
    if wanted.text.casefold().startswith(("kind of", "type of", "sort of")):
        return wanted.text.casefold().split(" of ", 1)[1]
    if head == "day":
        return "date"
    return _of_answerer(wanted)


def _of_answerer(wanted: Phrase) -> str:
    """What is asked for; "your name" is the answerer's, and not that of the thing talked about."""
    named = _named(wanted.modifiers, wanted.head)
    return f"{YOURS}{named}" if wanted.owner == "your" and named == "name" else named


def _by_degree(row: Sequence[Token], at: int) -> str:
    low = row[at].low
    if low == "much":
        return "price"
    if low == "long":
        return "duration"
    if low == "many":
        counted = phrase(row, at + 1, 4)
        if counted is None:
            return "number"
        return (
            "number of people"
            if counted.head in words.PEOPLE_NOUNS
            else f"quantity of {counted.text.casefold()}"
        )
    return ""


def _named(modifiers: str, head: str) -> str:
    return f"{modifiers} {head}".strip().casefold()
