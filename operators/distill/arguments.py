"""What a customer names to a service besides what their clauses state: the arguments of an errand.

"Is there a Hilton in the West?" and "Legume" state nothing, but whoever asks a service for something says by
them what is wanted. An argument is a value whose form tells its kind: a name, a day, a clock time, a counted
number, a direction. Its attribute is what was asked for, else the role that a preposition gives it, else its
kind.
"""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from operators.distill import english_words as words
from operators.distill.anchored import anchored_values
from operators.distill.capital_words import BARE_VERBS, FUNCTION_WORDS
from operators.distill.clause import YOURS, Claim, Clause, Mood, Reading
from operators.distill.earlier_claims import families
from operators.distill.english_places import PLACE_ROLE
from operators.distill.english_verbs import lemma
from operators.distill.said import Said
from operators.distill.spans import TypedValue, ValueKind
from state.model import Act, EventType, Message

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f][\w'’-]*|(?<!\d)\d+(?:st|nd|rd|th)\b", re.ASCII | re.IGNORECASE)
_HAN_WH = re.compile("什么|怎|哪|谁|多少|几|为何|如何")
_BEFORE = re.compile(r"[A-Za-z]+|[-–]")
_NAME_WORDS = 2
"""Words of a text at most, besides those of closed classes, where a capital at its start is a name's."""
_KIND = {
    ValueKind.DATE: "date",
    ValueKind.DATETIME: "time",
    ValueKind.TIME: "time",
    ValueKind.NAME: "name",
    ValueKind.QUOTED: "name",
    ValueKind.QUANTITY: "quantity",
    ValueKind.MONEY: "price",
    ValueKind.ADDRESS: "address",
}
_INTERJECTIONS = frozenset(
    "darn darnit dang damn ugh urgh argh gosh gee geez jeez bummer shoot shucks yikes oops whoops hmm hmmm "
    "huh wow yay unsure asap lol haha anytime anywhere anything something nothing "
    "whatever".split()
)
_NO_NAME = (
    _INTERJECTIONS | FUNCTION_WORDS | BARE_VERBS | words.OPENERS | words.SOCIAL_WORDS | words.WH_WORDS
    | words.FEELINGS
)  # fmt: skip
_DIRECTIONS = words.COMPASS - {"side", "airport"}
_ANSWERS = (Mood.ACCEPTANCE, Mood.REFUSAL, Mood.SOCIAL, Mood.QUESTION)
_SKIPPED = frozenset("the a an my our your about around exactly near dr".split())
_UNTIL = frozenset("to till until through thru - –".split())


@dataclass(frozen=True, slots=True)
class Argument:
    """A value at [start, …) of a text. `attribute` is its kind's; `role` the preposition's, if that tells."""

    start: int
    text: str
    attribute: str
    role: str


@lru_cache(maxsize=2_048)
def names_in(text: str) -> frozenset[str]:
    """The words of the proper names of a text, lower case: a later text may give them without capitals."""
    found: set[str] = set()
    for value in anchored_values(text):
        if value.kind is ValueKind.NAME:
            found.update(w for w in value.text.casefold().split() if len(w) > 3 and w not in _NO_NAME)
    return frozenset(found)


def arguments(text: str, known: Collection[str]) -> list[Argument]:
    """The arguments of `text` in order, in linear time; `known` are words of names that were spoken of."""
    values = anchored_values(text)
    found = [_of_value(text, v) for v in values if v.kind in _KIND and v.text.casefold() not in _NO_NAME]
    inside = deque(sorted((v.start, v.end) for v in values))
    reach = 0
    said = list(_WORD.finditer(text))
    alone = sum(w[0].casefold() not in _NO_NAME for w in said) <= _NAME_WORDS
    for word in said:
        while inside and inside[0][0] < word.end():
            reach = max(reach, inside.popleft()[1])
        if reach <= word.start():
            kind = _kind_of_word(word[0], known, alone)
            if kind:
                found.append(Argument(word.start(), word[0], kind, _role(text, word.start(), kind)))
    return sorted(found, key=lambda a: a.start)


def _kind_of_word(word: str, known: Collection[str], alone: bool) -> str:
    low = word.casefold()
    if low[0].isdigit():
        return "date"  # an ordinal by itself is that of a day
    if low in _DIRECTIONS:
        return "place"
    if low in _NO_NAME:
        return ""
    return "name" if low in known or (alone and word[0].isupper() and not lemma(low)) else ""


def _of_value(text: str, value: TypedValue) -> Argument:
    kind = _KIND[value.kind]
    if kind == "name" and value.text.casefold().split()[-1] in words.COMPASS:
        kind = "place"
    return Argument(value.start, value.text, kind, _role(text, value.start, kind))


def _role(text: str, at: int, kind: str) -> str:
    before = [w.casefold() for w in _BEFORE.findall(text[max(0, at - 30) : at])]
    while before and before[-1] in _SKIPPED:
        before.pop()
    last = before[-1] if before else ""
    if kind in ("date", "time"):
        return "end" if last in _UNTIL or not words.END_CUES.isdisjoint(before[-3:]) else ""
    return PLACE_ROLE.get(last, "") if kind in ("name", "place") else ""


def given(
    text: str, read: Reading, said: Sequence[Said], known: Collection[str], told: Reading, turn: Message
) -> Iterator[Said]:
    """The arguments of a customer's turn that none of `said` gives; `told` is the reading of the service's
    message before it."""
    asked = [clause.asks for clause in told.clauses if clause.asks]
    found = arguments(text, known)
    clauses = _clause_of([one.start for one in found], read.clauses)
    stated: defaultdict[int, list[Said]] = defaultdict(list)
    for other in said:
        stated[other.index].append(other)
    for number, one in enumerate(found):
        at = clauses.get(number)
        if at is None or not _wants(read.clauses[at]):
            continue
        if any(_gives(s, one.text) for s in stated[at]):
            continue
        if one.text.casefold() in read.clauses[at].old_value.casefold():
            continue
        clause = _meant(read.clauses[at], told.unmet)
        act = clause.act if clause.act in (Act.CHANGE, Act.ADD, Act.RESTORE) else Act.STATE
        yield Said(clause, at, act, _claim(one, asked, turn.speaker), (turn.id,), clause.text)


def _clause_of(starts: Sequence[int], clauses: Sequence[Clause]) -> dict[int, int]:
    """By the number of each place, ascending, the number of the first clause that it lies in."""
    found: dict[int, int] = {}
    for i, clause in enumerate(clauses):
        for number in range(bisect_left(starts, clause.start), bisect_left(starts, clause.end)):
            found.setdefault(number, i)
    return found


def _wants(clause: Clause) -> bool:
    """Whether a clause may say what is wanted: a question only if it asks whether something is to be had."""
    if clause.mood is Mood.QUESTION:
        opening = clause.text.casefold().split()[:3]
        return words.WH_WORDS.isdisjoint(opening) and _HAN_WH.search(clause.text) is None
    return clause.mood is not Mood.HYPOTHETICAL


def _gives(said: Said, text: str) -> bool:
    """Whether something said gives an argument already: as its value, or as the thing of a statement."""
    if said.claim is None:
        return False
    value, own = said.claim.value.casefold(), text.casefold()
    thing = said.claim.entity.casefold()
    told_of = said.clause.mood is Mood.STATEMENT and said.claim.attribute != "state"
    if own in thing and (told_of or own != thing):
        return True
    return own in value or (value in own and (len(value) > 2 or value > "z"))


def _meant(clause: Clause, unmet: bool) -> Clause:
    """The clause as a request: after a service could not do what was asked, for something else."""
    if clause.mood in _ANSWERS:
        clause = replace(clause, mood=Mood.REQUEST, type=EventType.PLAN)
    if unmet and clause.act not in (Act.CHANGE, Act.ADD, Act.RESTORE):
        clause = replace(clause, act=Act.CHANGE, type=EventType.STATE_CHANGE)
    return clause


def _claim(one: Argument, asked: Sequence[str], speaker: str) -> Claim:
    if one.attribute == "quantity":
        noun = one.text.partition(" ")[2]
        if noun.casefold() in words.PEOPLE_NOUNS:
            return Claim("", "number of people", one.text)
        return Claim(noun, "quantity", one.text)
    if one.role:
        return Claim("", one.role, one.text)
    kinds = families(one.attribute) | ({"place"} if one.attribute == "name" else frozenset())
    attribute = next((ask for ask in asked if families(ask) & kinds), one.attribute)
    if attribute.startswith(YOURS):
        return Claim(speaker, attribute.removeprefix(YOURS), one.text)
    return Claim("", attribute, one.text)
