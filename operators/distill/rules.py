"""The rules distiller: no model, no network, the same answer in any process (DESIGN §4)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from operator import attrgetter

from operators.distill.anchored import TIMES, timed
from operators.distill.arguments import given, names_in
from operators.distill.chinese import CHINESE
from operators.distill.clause import Clause, Connective, Language, Mood, Reading, Why
from operators.distill.dialogue import Dialogue
from operators.distill.earlier_claims import families
from operators.distill.effective import effective_from
from operators.distill.english import ENGLISH
from operators.distill.errand import noted
from operators.distill.interface import CONTEXT_TURNS, TOLD_IN, UNSTATED, Distilled, Link
from operators.distill.said import SERVICE, Said, as_meant
from operators.distill.spans import TypedValue
from operators.distill.standing_alone import Alone, UnheardError
from operators.distill.values import find_values
from operators.distill.why import answers
from state.identity import event_id
from state.model import Event, EventType, Facet, Message, Occurs, Precision, Role
from state.ordering import event_place, message_place

MAX_EVENTS = 24
"""Events of one message at most."""
MAX_DESCRIPTION = 240
LONG_ANSWER = 600
"""An assistant's text beyond this length is an essay: only what it says of the other party is kept."""
READ_OF_ANSWER = 2_000
ESSAY_EVENTS = 4
_CONFIDENCE = 0.9
_VALUE_LENGTH = 120


class RulesDistiller:
    """A `Distiller` by rules. Time linear in the turn's and its context's text; readings are remembered."""

    name = "rules/1"

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        text = _readable(turn)
        read = _told(text, turn.role)
        dialogue, said = _heard(turn, read, context[-CONTEXT_TURNS:])
        served = _served(turn, context)
        told = _told(_readable(context[-1]), context[-1].role) if served and context else Reading(())
        if served:
            said = _with_arguments(turn, text, read, said, context, told)
        if turn.role in (Role.ASSISTANT, Role.AGENT) and len(turn.content) > LONG_ANSWER:
            said = [s for s in said if s.claim is not None and s.clause.mood is Mood.STATEMENT][:ESSAY_EVENTS]
        if not said:
            return Distilled()
        values = find_values(text, turn.sent_at) if timed(text) else ()
        people = tuple(dict.fromkeys([turn.speaker, *reversed(dialogue.speakers)]))
        events: dict[str, Event] = {}
        clauses: dict[str, Clause] = {}
        by_clause: dict[int, str] = {}
        crowded = _crowded(said)
        where = message_place(turn.sent_at, turn.id)
        for one in said:
            event = _event(turn, one, people, values, one.index in crowded, where)
            if event.id not in events and len(events) < MAX_EVENTS:
                events[event.id], clauses[event.id] = event, one.clause
            if event.id in events:
                by_clause.setdefault(one.index, event.id)
        before = f"{TOLD_IN}{context[-1].id}" if context else ""
        links = _links(read.connectives, by_clause, before)
        links += answers(turn, read, by_clause, context, _why(context))
        if served and context:
            links += noted(turn, context, told, {i: (event, clauses[i]) for i, event in events.items()})
        return Distilled(tuple(events.values()), links)


def _served(turn: Message, context: Sequence[Message]) -> bool:
    """Whether a customer speaks to a service and to nobody else, as far as the context shows."""
    others = {earlier.role in SERVICE for earlier in context if earlier.speaker != turn.speaker}
    return turn.role is Role.USER and (others == {True} or not context)


def _with_arguments(
    turn: Message,
    text: str,
    read: Reading,
    said: Sequence[Said],
    context: Sequence[Message],
    told: Reading,
) -> list[Said]:
    """`said`, and what a customer names besides; the arguments of a clause that gave nothing stand for it."""
    known = frozenset[str]().union(*(names_in(_readable(earlier)) for earlier in context))
    more = list(given(text, read, said, known, told, turn))
    by_argument = {one.index for one in more}
    kept = [one for one in said if one.claim is not None or one.index not in by_argument]
    return sorted([*kept, *more], key=lambda one: one.index)


def _heard(turn: Message, read: Reading, before: Sequence[Message]) -> tuple[Dialogue, list[Said]]:
    """What `turn` says, and the dialogue that it was heard in: alone, where it refers to nothing `before`."""
    dialogue: Dialogue = Alone((earlier.speaker for earlier in before), _unmet(before))
    try:
        return dialogue, dialogue.hear(turn, read)
    except UnheardError:
        dialogue = Dialogue()
        for earlier in before:
            dialogue.hear(earlier, _told(_readable(earlier), earlier.role))
        return dialogue, dialogue.hear(turn, read)


def _unmet(before: Sequence[Message]) -> bool:
    """Whether the last message before a turn is a service's that cannot do what it was asked."""
    last = before[-1] if before else None
    return last is not None and last.role in SERVICE and _told(_readable(last), last.role).unmet


def _why(before: Sequence[Message]) -> Why:
    """How the last message before a turn asks for a reason."""
    return _told(_readable(before[-1]), before[-1].role).why if before else Why.NO


def _crowded(said: Sequence[Said]) -> frozenset[int]:
    """Clauses that give more than one claim, whose events must tell them apart."""
    seen: set[int] = set()
    return frozenset(s.index for s in said if s.index in seen or seen.add(s.index))  # type: ignore[func-returns-value]


def _readable(message: Message) -> str:
    if message.role in (Role.ASSISTANT, Role.AGENT) and len(message.content) > READ_OF_ANSWER:
        return message.content[:READ_OF_ANSWER]
    return message.content


@lru_cache(maxsize=2_048)
def reading(text: str) -> Reading:
    """What the text's language tells of it; a turn is read once, and found again as context of later ones."""
    return language(text).read(text)


@lru_cache(maxsize=2_048)
def _told(text: str, role: Role) -> Reading:
    """The reading of a text as one in `role` means it."""
    meant = as_meant(reading(text), role)
    return replace(meant, unmet=True) if role in SERVICE and language(text).unmet(text) else meant


_CJK = re.compile("[\u3400-\u9fff]")


def language(text: str) -> Language:
    """Chinese if at least a fifth of the letters are Chinese characters, else English: names and amounts in
    Latin letters are common in Chinese text, the reverse is rare."""
    ideographs = len(_CJK.findall(text))
    if not ideographs:
        return ENGLISH
    return CHINESE if 5 * ideographs >= sum(map(str.isalpha, text)) else ENGLISH


def _event(
    turn: Message,
    said: Said,
    people: tuple[str, ...],
    values: Sequence[TypedValue],
    crowded: bool,
    where: str,
) -> Event:
    clause, claim = said.clause, said.claim
    facet = None
    if claim is not None:
        facet = Facet(
            claim.entity[:_VALUE_LENGTH], claim.attribute[:_VALUE_LENGTH], claim.value[:_VALUE_LENGTH]
        )
    description = _description(turn.speaker, said, facet if crowded or len(said.sources) > 1 else None)
    identity = event_id(turn.subject, said.sources, description)
    when = _occurs(clause, values, facet)
    return Event(
        id=identity,
        type=clause.type if len(said.sources) == 1 else EventType.STATE_CHANGE,
        participants=people,
        description=description,
        facet=facet,
        occurs=when,
        stated_at=turn.sent_at,
        valid_from=_valid_from(said, values, turn.sent_at),
        sources=said.sources,
        conversation=turn.conversation,
        speaker=turn.speaker,
        place=event_place(where, said.index, identity),
        act=said.act,
        many=claim.many if claim is not None else False,
        role=turn.role,
    )


def _description(speaker: str, said: Said, facet: Facet | None) -> str:
    text = " ".join(said.text.split())
    tail = f" ({facet.entity} · {facet.attribute}: {facet.value})" if facet is not None else ""
    tail = tail[: MAX_DESCRIPTION // 2]
    return f"{speaker}: {text}"[: MAX_DESCRIPTION - len(tail)] + tail


def _occurs(clause: Clause, values: Sequence[TypedValue], facet: Facet | None) -> Occurs | None:
    """The time that the clause tells; the claim's own, if its value is one."""
    inside = [
        v
        for v in _begun_in(clause, values)
        if v.kind in TIMES and v.occurs is not None and v.end <= clause.end
    ]
    for value in inside:
        if facet is not None and value.text == facet.value:
            return value.occurs
    return inside[0].occurs if inside else None


def _begun_in(clause: Clause, values: Sequence[TypedValue]) -> Sequence[TypedValue]:
    """The values that begin in a clause: a message may have thousands of both, so not all are looked at."""
    begin = bisect_left(values, clause.start, key=_begin)
    return values[begin : bisect_right(values, clause.end, lo=begin, key=_begin)]


_begin = attrgetter("start")


def _valid_from(said: Said, values: Sequence[TypedValue], stated_at: datetime) -> datetime:
    """The explicit effective date of a value that is not itself a time, or the time of the statement
    (DESIGN §2). Where a clause gives several values, its date may be of one of them only."""
    if said.clause.effective:
        return (
            effective_from(said.clause.effective, (), stated_at)
            or _start(said.clause.effective, values)
            or stated_at
        )
    claims = [c for c in said.clause.claims if not families(c.attribute) & _TIME_FAMILIES]
    if (
        not values
        or len(claims) != 1
        or said.claim is None
        or families(said.claim.attribute) & _TIME_FAMILIES
    ):
        return stated_at
    return _told_from(said.clause.text, stated_at) or stated_at


def _start(words: str, values: Sequence[TypedValue]) -> datetime | None:
    """The start of the date that is written as `words`, if it has one that is no mere guess."""
    for value in values:
        if value.occurs is not None and value.text in words and value.occurs.precision is not Precision.VAGUE:
            return value.occurs.start
    return None


@lru_cache(maxsize=16)
def _told_from(clause: str, stated_at: datetime) -> datetime | None:
    """From when a clause says that it holds. It is asked for each of the clause's claims."""
    return effective_from(clause, (), stated_at)


_TIME_FAMILIES = frozenset(("date", "time", "end"))


_PRECEDING = -1
"""The index by which a connective points at the preceding turn."""


def _links(connectives: Sequence[Connective], by_clause: dict[int, str], before: str) -> tuple[Link, ...]:
    """The links that the connectives state; `before` stands for the preceding turn, if there is one."""
    found: list[Link] = []
    for one in connectives:
        source = before if one.reason == _PRECEDING else by_clause.get(one.reason)
        target = by_clause.get(one.result)
        if source and target is not None and source != target:
            if one.stated:
                found.append(Link(one.type, source, target, _CONFIDENCE, f"“{one.words}” says so"))
            else:
                found.append(Link(one.type, source, target, UNSTATED, one.words))
    return tuple(dict.fromkeys(found))


RULES = RulesDistiller()
