"""What the next turn is told of a conversation, under a budget of tokens. Pure (DESIGN §6, `context`).

Each turn has three forms: whole, terse and bare (`operators.terse`). Where all fits, the path is told whole
and the rest terse. Where it does not, turns are chosen by what they add: what tells before what only asks,
the path before other topics, and words that nothing chosen has yet before words that it has. What room is
left then makes the path whole again, from the nearest turn on.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from operators.terse import bare, directs, named, telling, terse
from query_service.context import BUDGET, Book, Context, Count
from query_service.fact_lines import one_line, standing_facts, superseded_values
from query_service.quoting import excerpt, label
from state.lexicon import terms
from state.model import EventType, Message
from state.ordering import message_place

LONGEST_TURN = 1_600
"""Characters of one turn that are told as its whole."""
LOOKED_AT = 4_000
"""Characters of one turn that are looked at for what it tells: a turn may have many times as many."""
REST_SHARE = 0.2
"""What facts and other topics may take of the usual budget where not all fits; of a smaller one less, in
proportion, since each needs room before it says anything."""
NEAREST_SHARE = 0.1
"""What the turn that the next one attaches to may take, to be told whole before anything else is chosen."""
MISFITS = 4
"""After so many turns that do not fit whole no other is tried."""
LENGTH_POWER = 0.7
"""How far a longer text must say more to be chosen: by this power of its tokens."""
HERE, ELSEWHERE, STANDS = "This topic:", "Other topics:", "What stands:"
"""Headers. Under them a turn's line begins with "-", what no longer holds in it with "!", the name of a topic
of which nothing is told with "~", and a fact with "=": no text of a conversation can begin a line."""


class Where(Enum):
    """How a turn lies to the next one, with what its words are worth beside those of the path."""

    PATH = 1.0
    MENTIONED = 0.9  # of a topic that the next turn, or the one it attaches to, refers to
    BRANCH = 0.8  # elsewhere in the same tree
    BESIDE = 0.7  # of another topic of the conversation
    AWAY = 0.2  # of a topic of another conversation


STANDING_TYPES = frozenset({EventType.STATE_CHANGE, EventType.PREFERENCE})
PLAIN, ASIDE, OUTDATED = 0.3, 0.2, 0.3
"""What a turn is worth that only tells how things are; that only asks; whose facts are all out."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn that may be told. Each message is a candidate once, with the place that is worth most."""

    message: Message
    topic: str
    where: Where


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to tell: the turns; the labels of other topics, most wanted first; the turn to attach
    to; and the facts that the turns state, with how they stand."""

    turns: Sequence[Candidate]
    labels: Mapping[str, str]
    parent: str | None
    book: Book


def select(material: Material, budget: int, count: Count) -> Context:
    """The context in at most `budget` tokens, as `count` counts its lines with one for each break; empty
    where nothing fits. `notes` are the turns told, in their order."""
    return _Selection(material, budget, count).run()


@dataclass(slots=True)
class _Unit:
    """A turn with its forms, and the one that is chosen."""

    turn: Candidate
    place: str
    lead: str
    worth: float
    told: str
    asks: bool
    gone: tuple[tuple[str, str], ...]
    """Values that it states and that are superseded, with what must be said of them."""
    chosen: str = ""
    in_run: bool = False
    """Whether it is told in one line with others of its topic, as a summary is."""

    def whole(self) -> str:
        return excerpt(" ".join(self.turn.message.content.split()), frozenset(), LONGEST_TURN)

    def terse(self) -> str:
        return named(self.told) if self.asks else terse(self.told)

    def marks(self, form: str) -> list[str]:
        """A line for each value that this form quotes and that no longer holds."""
        shown = set(terms(form))
        return list(dict.fromkeys(f"! {m}" for value, m in self.gone if shown.issuperset(terms(value))))

    @property
    def section(self) -> str:
        """The header that it is told under."""
        return HERE if self.turn.where in (Where.PATH, Where.BRANCH) else ELSEWHERE


@dataclass(slots=True)
class _Selection:
    material: Material
    left: int
    count: Count
    units: list[_Unit] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def run(self) -> Context:
        budget = self.left
        self.units = _units(self.material)
        if not self._all_of_it():
            self._nearest(int(budget * NEAREST_SHARE))
            rest = int(budget * REST_SHARE * min(1.0, budget / BUDGET))
            self.left -= rest
            self._by_what_they_add()
            self.left += rest
            self._facts(min(rest, self.left), only_new=True)
            self._labels(self.left)
            self._by_what_they_add()
            self._whole_again()
        text = "\n".join(self._lines())
        told = tuple(unit.turn.message.id for unit in self.units if unit.chosen)
        return Context(text, budget - self.left, told)

    # -- where all fits -----------------------------------------------------------------------------------

    def _all_of_it(self) -> bool:
        """Takes everything, the path whole and the rest terse, if that fits."""
        before = self.left
        for unit in self.units:
            form = unit.whole() if unit.turn.where is Where.PATH else unit.terse()
            if not self._take(unit, form, in_run=False):
                break
        else:
            if self._facts(self.left) and self._labels(self.left):
                return True
        self.left = before
        self.facts, self.topics = [], []
        self.said.clear()
        for unit in self.units:
            unit.chosen = ""
        return False

    # -- where it does not --------------------------------------------------------------------------------

    def _nearest(self, allowance: int) -> None:
        """Takes the turn that the next one attaches to, whole, if it is short."""
        for unit in self.units:
            whole = unit.whole()
            if (
                unit.turn.message.id == self.material.parent
                and self._cost(unit, whole, in_run=False) <= allowance
            ):
                self._take(unit, whole, in_run=False)

    def _by_what_they_add(self) -> None:
        """Takes turns while any fits that adds a word: the one first that adds most for its length.

        What a turn adds only shrinks as others are taken, so the best of an ordered queue is the best of all
        once its own worth has been brought up to date.
        """
        free = [unit for unit in self.units if not unit.chosen]
        forms = [unit.terse() for unit in free]
        costs = self._costs(free, forms)
        if sum(cost for unit, cost in zip(free, costs, strict=True) if not unit.asks) > self.left:
            forms = [bare(form) for form in forms]
            costs = self._costs(free, forms)
        words = [frozenset(terms(form)) for form in forms]

        def gain(at: int) -> float:
            return float(free[at].worth * len(words[at] - self.said) / costs[at] ** LENGTH_POWER)

        queue = [(-gain(at), at) for at in range(len(free))]
        heapq.heapify(queue)
        while queue:
            before, at = heapq.heappop(queue)
            now = -gain(at)
            if now > before:
                heapq.heappush(queue, (now, at))
            elif now < 0.0:
                self._take(free[at], forms[at], in_run=not free[at].lead)

    def _costs(self, units: Sequence[_Unit], forms: Sequence[str]) -> list[int]:
        return [self._cost(unit, form, in_run=not unit.lead) for unit, form in zip(units, forms, strict=True)]

    def _whole_again(self) -> None:
        """Tells the path whole where room is left, from the turn that the next one attaches to outwards."""
        path = [unit for unit in self.units if unit.turn.where is Where.PATH]
        at = next((i for i, unit in enumerate(path) if unit.turn.message.id == self.material.parent), 0)
        misfits = 0
        for here in sorted(range(len(path)), key=lambda here: abs(here - at)):
            if misfits == MISFITS:
                break
            misfits += not self._take(path[here], path[here].whole(), in_run=False)

    # -- facts and topics ---------------------------------------------------------------------------------

    def _facts(self, allowance: int, *, only_new: bool = False) -> bool:
        """Lists what stands; whether all fits. `only_new` leaves out what the turns told say already."""
        spent = 0
        for line, replaces in standing_facts(
            (turn.message.id for turn in self.material.turns), self.material.book
        ):
            if only_new and not replaces and self.said.issuperset(terms(line)):
                continue
            cost = self._line_cost(line, self.facts, STANDS)
            if spent + cost > allowance:
                return False
            self.facts.append(line)
            self.left -= cost
            spent += cost
        return True

    def _labels(self, allowance: int) -> bool:
        """Names the topics of which no turn is told; whether all of them fit."""
        told = {unit.turn.topic for unit in self.units if unit.chosen}
        elsewhere = any(unit.chosen and unit.section == ELSEWHERE for unit in self.units)
        for topic, name in self.material.labels.items():
            if topic in told:
                continue
            line = f"~ {one_line(name)}"
            cost = self.count(line) + 1
            if not self.topics and not elsewhere:
                cost += self.count(ELSEWHERE) + 1
            if cost > min(allowance, self.left):
                return False
            self.topics.append(line)
            self.left -= cost
        return True

    # -- lines --------------------------------------------------------------------------------------------

    def _take(self, unit: _Unit, form: str, *, in_run: bool) -> bool:
        """Tells the turn in this form, in place of the one that it has; whether that fits."""
        cost = self._cost(unit, form, in_run=in_run)
        if unit.chosen:
            cost -= self._body(unit, unit.chosen, in_run=unit.in_run)
        if cost > self.left:
            return False
        unit.chosen, unit.in_run = form, in_run
        self.left -= cost
        self.said.update(terms(form))
        return True

    def _cost(self, unit: _Unit, form: str, *, in_run: bool) -> int:
        """What the form costs, with its section's header and its run's line where it is the first of it."""
        cost = self._body(unit, form, in_run=in_run)
        told = [one for one in self.units if one.chosen]
        if in_run and not any(one.in_run and one.section == unit.section for one in told):
            cost += self.count("- ") + 1
        headed = any(one.section == unit.section for one in told) or (
            unit.section == ELSEWHERE and self.topics
        )
        if not headed:
            cost += self.count(unit.section) + 1
        return cost

    def _body(self, unit: _Unit, form: str, *, in_run: bool) -> int:
        line = f"{one_line(form)};" if in_run else _turn_line(unit, form)
        return sum(self.count(text) + 1 for text in unit.marks(form)) + self.count(line) + (not in_run)

    def _line_cost(self, line: str, section: Sequence[str], header: str) -> int:
        return self.count(line) + 1 + (0 if section else self.count(header) + 1)

    def _lines(self) -> list[str]:
        lines: list[str] = []
        for section, more in ((HERE, []), (ELSEWHERE, self.topics)):
            told = [unit for unit in self.units if unit.chosen and unit.section == section]
            if told or more:
                lines += [section, *_told_lines(told), *more]
        return [*lines, STANDS, *self.facts] if self.facts else lines


def _told_lines(told: Sequence[_Unit]) -> list[str]:
    """The lines of a section's turns: first those that share a line, then each of the others."""
    lines: list[str] = []
    run = [unit for unit in told if unit.in_run]
    if run:
        lines.append("- " + "; ".join(one_line(unit.chosen).rstrip(".;") for unit in run))
        lines += dict.fromkeys(mark for unit in run for mark in unit.marks(unit.chosen))
    for unit in told:
        if not unit.in_run:
            lines += [_turn_line(unit, unit.chosen), *unit.marks(unit.chosen)]
    return lines


def _turn_line(unit: _Unit, form: str) -> str:
    return f"- {unit.lead}{one_line(form)}"


def _units(material: Material) -> list[_Unit]:
    """The turns with what they are worth: the topic's own in the order of saying, then the others, topic by
    topic as their labels come."""
    order = {topic: at for at, topic in enumerate(material.labels)}
    speakers = {(turn.message.role, turn.message.speaker) for turn in material.turns}
    units = []
    for turn in material.turns:
        message = turn.message
        seen = message.content[:LOOKED_AT]
        told = telling(seen)
        gone, outdated = superseded_values(message.id, material.book)
        worth = turn.where.value * _worth(message, told, material.book)
        units.append(
            _Unit(
                turn=turn,
                place=message_place(message.sent_at, message.id),
                lead=f"{label(message.speaker)}: " if len(speakers) > 1 else "",
                worth=worth * (OUTDATED if outdated else 1.0),
                told=told or seen,
                asks=not told,
                gone=gone,
            )
        )

    def key(unit: _Unit) -> tuple[bool, int, str]:
        here = unit.section == HERE
        return not here, 0 if here else order.get(unit.turn.topic, len(order)), unit.place

    return sorted(units, key=key)


def _worth(message: Message, told: str, book: Book) -> float:
    if not told:
        return ASIDE
    events = (book.known[name].event for name in book.stated.get(message.id, ()) if name in book.known)
    return 1.0 if directs(told) or any(event.type in STANDING_TYPES for event in events) else PLAIN
