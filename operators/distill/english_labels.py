"""The label of an English value: the noun phrase that it is said of ("the fence deposit is 150", "PIN: 5380")
and what that phrase names, an attribute or a thing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from operators.distill import english_words as words
from operators.distill.english_clauses import Token
from operators.distill.english_frames import Frame
from operators.distill.english_phrases import AUXILIARIES, Phrase, phrase
from operators.distill.english_things import SPLIT_MARKS, names, nominal, opens
from operators.distill.spans import ValueKind

TIMES = (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a value is a value of. Either may be empty: the context then tells."""

    entity: str
    attribute: str


def label(about: Phrase, direct: bool, kind: ValueKind) -> Slot | None:
    """A label before a value, as entity and attribute; None if the phrase is an entity as a whole."""
    if about.head in words.PRONOUNS:
        return None
    owner, modifiers = about.owner, renewed(about.modifiers)
    if owner and about.head in words.KIND_NOUNS and owner not in words.POSSESSIVES:
        return Slot(owner, f"{modifiers} {about.head}".strip().casefold())
    if kind is ValueKind.PHONE and about.head in _CALLED and _CALLED.issuperset(modifiers.casefold().split()):
        return Slot(owner, "phone number")
    if kind is ValueKind.MONEY and about.head in words.PAYMENTS:
        return Slot(owner, f"{modifiers} {about.head}".strip().casefold())
    if about.head in words.KIND_NOUNS:
        if about.head not in words.ROLE_NOUNS and modifiers:
            return Slot(modifiers, about.head)
        return Slot(owner, f"{modifiers} {about.head}".strip().casefold())
    last = about.text.rpartition(" ")[2]
    if len(last) == 1 or (last[-1:].isdigit() and about.modifiers):
        return None  # "sample B", "tram KT 906"
    proper = about.text[:1].isupper() and (
        len(about.text.split()) > 1 or about.text.isupper() or about.start > 0
    )
    if not direct or proper or (kind in (ValueKind.QUANTITY, *TIMES) and not about.modifiers):
        return None
    if about.modifiers:
        return Slot(about.modifiers, about.head)
    return Slot(owner, about.head)


_CALLED = frozenset(("phone", "mobile", "cell", "telephone", "contact", "number"))
"""Words for the number that a party is called at."""


def renewed(modifiers: str) -> str:
    """Modifiers without what tells that the value is new ("new delivery")."""
    first, _, rest = modifiers.partition(" ")
    return rest if first.casefold() in words.NEWNESS else modifiers


def labelled(row: Sequence[Token], lead: int, floor: int, parts: Frame, before: str) -> Phrase | None:
    """The noun phrase that the value at `lead` + 1 is said of: by a copula, a verb of becoming or contact.

    `before` is the word at `lead`, and nothing in front of `floor` is looked at.
    """
    listed = before == "," and not parts.verb and floor == 0
    end = lead if before in words.PREPOSITIONS or before in (":", "=") or listed else lead + 1
    step = _behind_verb(row, end, floor)
    joined = step < end - 1
    if step < floor or (row[step].value is not None and not names(row[step])):
        return None
    touching = opens(row[step]) or names(row[step])
    if (
        not joined
        and not touching
        and before in words.PREPOSITIONS
        and parts.verb
        and parts.object is not None
    ):
        return parts.object if parts.object.end <= end and parts.object.head not in words.PRONOUNS else None
    begin, step = _stretch(row, step, floor, parts)
    if parts.verb and parts.verb != "be":
        if begin <= parts.verb_at <= step:
            begin = parts.verb_at + 1
        if step <= parts.verb_at:
            return parts.subject if joined and nominal(parts.subject) else None
    if joined and parts.subject is not None and not parts.verb and _qualified(row, begin, parts):
        return _of_what(row, parts.subject)  # "The desk in oak costs €420"
    if joined and _within_subject(begin, step, parts):
        return parts.subject  # "the budget of the kitchen is 600 euros"
    about = phrase(row[: step + 1], begin) if begin <= step else None
    subject = parts.subject is not None and about is not None and about.start == parts.subject.start
    return about if nominal(about, subject) else None


_PARTICLES = frozenset(("back", "forward", "up", "down", "over"))
_BETWEEN = words.BECOME_VERBS | words.ADVERBS | {"not", "n't", "to", "going", "set", "due"}


def _behind_verb(row: Sequence[Token], end: int, floor: int) -> int:
    """The last token in front of `end` that is no part of a verb group which joins a value to its label."""
    step = end - 1
    if step > floor and row[step].low in _PARTICLES and row[step - 1].low.endswith("ed"):
        step -= 1  # "pushed back to 8"
    while step >= floor and (
        row[step].low in AUXILIARIES
        or (row[step].value is None and len(row[step].low) > 4 and row[step].low.endswith("ed"))
        or row[step].low in _BETWEEN
    ):
        step -= 1
    return step


def _stretch(row: Sequence[Token], step: int, floor: int, parts: Frame) -> tuple[int, int]:
    """The first and last token of the words of a thing that end at `step`."""
    begin = step
    while (
        begin > floor
        and row[begin - 1].low not in words.BECOME_VERBS
        and (opens(row[begin - 1]) or row[begin - 1].low in ("of", "'s", "&") or names(row[begin - 1]))
        and not (parts.verb and parts.verb_at < begin == parts.verb_at + 1 <= step)
    ):
        begin -= 1
    if begin - 2 >= floor and row[begin - 1].low in ("in", "at", "near") and names(row[begin - 2]):
        begin = step = begin - 2  # "Villa Rosa in Siena, 2 nights"
    if begin > floor and (row[begin - 1].low in words.DETERMINERS or row[begin - 1].low in words.POSSESSIVES):
        begin -= 1
    return begin, step


def _of_what(row: Sequence[Token], subject: Phrase) -> Phrase:
    """The subject, with what it is for as its owner: "the budget for the kitchen" is the kitchen's."""
    if row[subject.end].low != "for" or subject.owner:
        return subject
    what = phrase(row, subject.end + 1)
    return replace(subject, owner=what.text) if what is not None and nominal(what) else subject


def _within_subject(begin: int, step: int, parts: Frame) -> bool:
    about = parts.subject
    if about is None or not about.owner or about.owner in words.POSSESSIVES or not nominal(about):
        return False
    return about.start < begin and step < about.end


def _qualified(row: Sequence[Token], begin: int, parts: Frame) -> bool:
    """Whether what begins at `begin` belongs to the subject in front of it, by a preposition."""
    subject = parts.subject
    if subject is None or not nominal(subject) or not subject.end < begin:
        return False
    between = row[subject.end : begin]
    return between[0].low in words.PREPOSITIONS and not any(t.low in SPLIT_MARKS for t in between)
