"""A turn as what may be told of it: whole, or clause by clause, with what each clause is worth."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from enum import Enum, unique
from itertools import chain

from operators.elided import Piece, asked, elided, pieces
from operators.telling import CJK, Use, telling, uses
from operators.terse import listed, named, telegram, telegram_terms, terse, topic_asked
from query_service.context import Book
from query_service.fact_lines import Stated, one_line, stated_values
from query_service.quoting import excerpt, label
from state.lexicon import terms
from state.model import Message
from state.ordering import message_place

LONGEST_TURN = 1_600
"""Characters of one turn that are told as its whole."""
LOOKED_AT = 4_000
"""Characters of one turn that are looked at for what it tells: a turn may have many times as many."""
CALLED_BACK = 300
"""Characters that are quoted of a turn that the next one calls back: the sentences that bear on it."""
CLAUSES = 12
"""Clauses of one turn that may be told: the first ones."""
_SENTENCE_END = re.compile(r"[.!?;](?=\s)|[。！？；\n]")


@unique
class Where(Enum):
    """How a turn lies to the next one, with what its words are worth beside those of the path."""

    PATH = 1.0
    MENTIONED = 0.95  # of a topic that the next turn, or the one it attaches to, refers to
    BRANCH = 0.9  # elsewhere in the same tree
    RECALLED = 0.85  # of whatever conversation, found by the next turn's words
    BESIDE = 0.8  # of another topic of the conversation
    AWAY = 0.2  # of a topic of another conversation

    @property
    def here(self) -> bool:
        """Whether it is of the topic that the next turn hangs in."""
        return self in (Where.PATH, Where.BRANCH)


WORTH = {
    Use.DIRECTS: 1.0,
    Use.DIRECTS_AND_ASKS: 0.8,
    Use.TELLS: 0.3,
    Use.LEADS_IN: 0.1,
    Use.CASTS: 0.05,
    Use.ASKS: 0.15,
}
"""What a word of a clause is worth, by what the clause does; telling a state or a preference directs."""
OPENING = 1.5
"""How much more it is worth in the turn that opens a topic, which says what the topic is about."""
OUTDATED = 0.4
"""How much of it is left where all values that the clause states are out."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be told. Each message is a candidate once, with the place that is worth most."""

    message: Message
    topic: str
    where: Where


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of a turn as a telegram, also in `pieces`; `worth` is that of each word that nothing told
    says."""

    text: str
    pieces: tuple[Piece, ...]
    worth: float
    asks: bool

    def form(self, said: Set[str]) -> str:
        """What is told of it beside what is `said` (terms); empty where nothing is left to tell."""
        return asked(self.pieces, said) if self.asks else elided(self.pieces, said)


@dataclass(slots=True)
class Unit:
    """A turn, and what is told of it: `full` in place of `taken`, the forms of clauses by their number."""

    turn: Candidate
    place: str
    lead: str
    asks: bool
    clauses: tuple[Clause, ...]
    stated: Stated
    seen: str
    wanted: frozenset[str] = frozenset()
    full: str = ""
    taken: dict[int, str] = field(default_factory=dict)

    @property
    def chosen(self) -> str:
        """What is told of it; empty where nothing is."""
        return self.full or "; ".join(self.taken[at] for at in sorted(self.taken))

    @property
    def in_run(self) -> bool:
        """Whether it is told in one line with others of its topic, as a summary is."""
        return not self.full and not self.lead

    def whole(self) -> str:
        """Its text as it was said."""
        return excerpt(" ".join(self.turn.message.content.split()), frozenset(), LONGEST_TURN)

    def brief(self) -> str:
        """What it tells, without courtesies; what it asks about, where it only asks. Of a turn that is
        called back, what bears on the next one."""
        if self.turn.where is Where.RECALLED:
            return excerpt(self.seen, self.wanted, CALLED_BACK)
        values = self.stated.values
        return named(self.seen, values) if self.asks else terse(telling(self.seen), values=values)

    def marks(self, form: str) -> list[str]:
        """A line for each value that this form quotes and that no longer holds."""
        if not self.stated.gone:
            return []
        shown = set(terms(form))
        quoted = (mark for value, mark in self.stated.gone if shown.issuperset(terms(value)))
        return list(dict.fromkeys(f"! {mark}" for mark in quoted))

    def line(self, form: str) -> str:
        """The form as a line of its own."""
        return f"- {self.lead}{one_line(form)}"


def units(
    turns: Sequence[Candidate], topics: Sequence[str], book: Book, wanted: frozenset[str]
) -> list[Unit]:
    """The turns with what they may tell: the topic's own in the order of saying, then the others, topic by
    topic in the order of `topics`. `wanted` are the terms of the next turn."""
    order = {topic: at for at, topic in enumerate(topics)}
    speakers = {(turn.message.role, turn.message.speaker) for turn in turns}
    begun: set[str] = set()
    found = []
    for turn in sorted(turns, key=lambda one: message_place(one.message.sent_at, one.message.id)):
        message = turn.message
        stated = stated_values(message.id, book)
        seen = _beginning(message.content)
        clauses = _clauses(turn, seen, stated, begun)
        found.append(
            Unit(
                turn=turn,
                place=message_place(message.sent_at, message.id),
                lead=f"{label(message.speaker)}: " if len(speakers) > 1 else "",
                asks=not telling(seen),
                clauses=clauses,
                stated=stated,
                seen=seen,
                wanted=wanted,
            )
        )

    def key(unit: Unit) -> tuple[bool, int, str]:
        here = unit.turn.where.here
        return not here, 0 if here else order.get(unit.turn.topic, len(order)), unit.place

    return sorted(found, key=key)


def _beginning(content: str) -> str:
    """What is looked at of a turn: as many whole sentences as there is room for."""
    seen = content[:LOOKED_AT]
    if len(seen) == len(content):
        return seen
    *_, last = chain([None], _SENTENCE_END.finditer(seen))
    return seen[: last.end()] if last else seen


def _clauses(turn: Candidate, seen: str, stated: Stated, begun: set[str]) -> tuple[Clause, ...]:
    """The turn's clauses; `begun` are the first words of those before it, which begin no second list."""
    clauses = []
    values = [telegram_terms(value) for value in stated.values]
    for sentence, use in uses(seen, stated.values)[:CLAUSES]:
        text = telegram(sentence, stated.values)
        shown = telegram_terms(text)
        if not shown or use is Use.GREETS:
            continue
        if use is Use.DIRECTS:
            first = text.split(maxsplit=1)[0].casefold()
            text = listed(text) if first in begun else text
            begun.add(first)
        worth = turn.where.value * _worth(use, shown, stated)
        worth *= OPENING if turn.message.id == turn.topic else 1.0
        if use is Use.ASKS and CJK.search(text):
            text = topic_asked(text, stated.values)
        parts = pieces(text, frozenset().union(*(words for words in values if words <= shown)))
        clauses.append(Clause(text, parts, worth, use is Use.ASKS))
    return tuple(clauses)


def _worth(use: Use, shown: frozenset[str], stated: Stated) -> float:
    def quotes(values: Sequence[str]) -> bool:
        return any(telegram_terms(value) <= shown for value in values)

    if quotes([value for value, _ in stated.gone]) and not quotes(stated.holding):
        return WORTH[use] * OUTDATED
    lasting = use in (Use.TELLS, Use.LEADS_IN) and quotes(stated.lasting)
    return WORTH[Use.DIRECTS if lasting else use]
