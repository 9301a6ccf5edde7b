"""What the next turn is told of a conversation, under a budget of tokens. Pure (DESIGN §6, `context`).

Where all fits, the path is told whole and the rest in brief. Where it does not, clauses are chosen, as
telegrams (`operators.terse`) without what is said already (`operators.elided`), by what they add: those that
direct before those that only tell or ask, the path before other topics, and words that nothing chosen has yet
before words that it has. What room is left then gives the clauses their words back, and makes the path whole
again, from the nearest turn on.

Where no budget is given, each thing is told once, and what adds too little for its length is left out; values
that stand and that no clause tells are listed.
"""

import heapq
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from operators.terse import telegram_terms, tells
from query_service.context import BUDGET, Book, Context, Count
from query_service.fact_lines import StandingFact, one_line, standing_facts
from query_service.told_lines import Told
from query_service.turn_units import Candidate, Where, units
from state.lexicon import terms

REST_SHARE = 0.2
"""What facts and other topics may take of the usual budget where not all fits; of a smaller one less, in
proportion, since each needs room before it says anything."""
CALLED_SHARE, CALLED_ALONE = 0.3, 0.6
"""What turns that the next one calls back may take of a budget before anything else is told, and where the
next one opens a topic, so that it has no path."""
CALLED = 300
"""The same in tokens, where no budget is given."""
MISFITS = 4
"""After so many turns that do not fit whole no other is tried."""
SMALL = 160
"""Tokens up to which all is told where no budget is given: there is nothing to save in so few."""
LEAST = 0.074
"""What a token must add where no budget is given: a clause that directs one new word in some fourteen tokens,
one that asks a word in two."""
NUMBER = 0.5
"""How much more a number adds than another word does: nobody can guess it."""
LENGTH_POWER = 0.5
"""How far a longer text must say more to be chosen: by this power of its tokens."""

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Material:
    """What there is to tell: the turns; the labels of other topics, most wanted first; the turn to attach
    to; the facts that the turns state, with how they stand; the terms of the next turn; and the turns that it
    calls back, best first."""

    turns: Sequence[Candidate]
    labels: Mapping[str, str]
    parent: str | None
    book: Book
    wanted: frozenset[str] = frozenset()
    recalled: Sequence[str] = ()


def select(material: Material, budget: int | None, count: Count) -> Context:
    """The context in at most `budget` tokens, as `count` counts its lines with one for each break; empty
    where nothing fits. `notes` are the turns told, in their order."""
    most, whole = (BUDGET, SMALL) if budget is None else (budget, budget)
    told = Told(units(material.turns, list(material.labels), material.book, material.wanted), whole, count)
    if _all_of_it(material, told):
        told.left += most - whole
    else:
        told.clear(most)
        share = CALLED_ALONE if material.parent is None else CALLED_SHARE
        _called_back(material, told, CALLED if budget is None else int(budget * share))
        if budget is None:
            _by_what_they_add(told, LEAST)
            _values(material, told)
            _labels(material, told)
        else:
            _what_fits(material, told)
    notes = tuple(unit.turn.message.id for unit in told.units if unit.chosen)
    return Context("\n".join(told.lines()), most - told.left, notes)


def _called_back(material: Material, told: Told, allowance: int) -> None:
    """Quotes the turns that the next one calls back, the best first, as far as they fit into `allowance`."""
    called = {unit.turn.message.id: unit for unit in told.units if unit.turn.where is Where.RECALLED}
    kept = told.left - min(allowance, told.left)
    told.left -= kept
    misfits = 0
    for unit in [called[turn] for turn in material.recalled if turn in called]:
        if misfits == MISFITS:
            break
        misfits += not told.take(unit, unit.brief())
    told.left += kept


def _what_fits(material: Material, told: Told) -> None:
    """Takes as much as the budget has room for."""
    rest = int(told.left * REST_SHARE * min(1.0, told.left / BUDGET))
    told.left -= rest
    _by_what_they_add(told)
    told.left += rest
    _facts(
        material,
        told,
        min(rest, told.left),
        lambda fact: not fact.replaces and told.said.issuperset(terms(fact.line)),
    )
    _labels(material, told)
    _by_what_they_add(told)
    _in_full(told)
    _whole_again(material, told)


def _all_of_it(material: Material, told: Told) -> bool:
    """Takes everything, the path whole and the rest in brief; whether that fits."""
    fits = all(
        told.take(unit, unit.whole() if unit.turn.where is Where.PATH else unit.brief())
        for unit in told.units
    )
    return fits and _facts(material, told, told.left) and _labels(material, told)


class _Gains:
    """What clauses add to what is told, each text weighed once."""

    def __init__(self, told: Told, least: float) -> None:
        """A clause that adds no more than `least` a token adds nothing."""
        self._told, self._least = told, least
        self._weights: dict[tuple[int, str], tuple[frozenset[str], int]] = {}
        self._numbers: set[str] = set()

    def weight(self, n: int, form: str) -> tuple[frozenset[str], int]:
        """The terms of a form of a clause of the nth turn, and its tokens."""
        found = self._weights.get((n, form))
        if found is None:
            words = telegram_terms(form)
            self._numbers.update(filter(_DIGIT.search, words))
            found = words, self._told.clause_cost(self._told.units[n], form)
            self._weights[n, form] = found
        return found

    def gain(self, n: int, at: int, form: str) -> float:
        """What the clause adds in this form, for its length."""
        words, cost = self.weight(n, form)
        unit = self._told.units[n]
        cost += self._told.lead_cost(unit)
        new = words - self._told.said
        worth = unit.clauses[at].worth * (len(new) + NUMBER * len(new & self._numbers))
        return worth / cost**LENGTH_POWER if worth > self._least * cost else 0.0


def _by_what_they_add(told: Told, least: float = 0.0) -> None:
    """Takes clauses while any fits that adds a word, and more than `least` a token: the one first that adds
    most for its length, of equal ones the last.

    What a clause adds hardly ever grows as others are taken, so the best of an ordered queue is the best of
    all once its own worth has been brought up to date.
    """
    gains = _Gains(told, least)
    queue = []
    for n, unit in enumerate(told.units):
        for at, clause in enumerate(unit.clauses):
            if not unit.full and at not in unit.taken:
                queue.append((-gains.gain(n, at, clause.form(told.said)), -n, -at))
    heapq.heapify(queue)
    while queue:
        before, n, at = heapq.heappop(queue)
        n, at = -n, -at
        unit = told.units[n]
        form = unit.clauses[at].form(told.said)
        now = -gains.gain(n, at, form)
        if now > before:
            heapq.heappush(queue, (now, -n, -at))
        elif now < 0.0 and gains.weight(n, form)[1] <= told.left:
            told.take_clause(unit, at, form)


def _in_full(told: Told) -> None:
    """Gives clauses the words back that were left out of them while room is left, first where it costs
    least."""
    short = [
        (told.clause_cost(unit, clause.text) - told.clause_cost(unit, unit.taken[at]), n, at)
        for n, unit in enumerate(told.units)
        for at, clause in enumerate(unit.clauses)
        if not clause.asks and unit.taken.get(at, clause.text) != clause.text
    ]
    for _, n, at in sorted(short):
        told.take_clause(told.units[n], at, told.units[n].clauses[at].text)


def _whole_again(material: Material, told: Told) -> None:
    """Tells the path whole where room is left, from the turn that the next one attaches to outwards."""
    path = [unit for unit in told.units if unit.turn.where is Where.PATH]
    at = next((i for i, unit in enumerate(path) if unit.turn.message.id == material.parent), 0)
    misfits = 0
    for here in sorted(range(len(path)), key=lambda here: abs(here - at)):
        if misfits == MISFITS:
            break
        misfits += not told.take(path[here], path[here].whole())


def _facts(
    material: Material, told: Told, allowance: int, is_known: Callable[[StandingFact], bool] = lambda _: False
) -> bool:
    """Lists what stands, but for what `is_known`; whether all fits."""
    allowed = told.left - allowance
    return all(
        told.add_fact(fact.line, allowed)
        for fact in standing_facts((turn.message.id for turn in material.turns), material.book)
        if not is_known(fact)
    )


def _values(material: Material, told: Told) -> None:
    """Lists what stands of which no turn told has the whole value."""
    turns = [(unit.chosen, telegram_terms(unit.chosen)) for unit in told.units if unit.chosen]

    def is_told(fact: StandingFact) -> bool:
        value = telegram_terms(fact.value)
        return not fact.value or any(value <= words and tells(turn, fact.value) for turn, words in turns)

    _facts(material, told, told.left, is_told)


def _labels(material: Material, told: Told) -> bool:
    """Names the topics of which no turn is told; whether all of them fit."""
    shown = {unit.turn.topic for unit in told.units if unit.chosen}
    return all(
        told.add_topic(f"~ {one_line(name)}") for topic, name in material.labels.items() if topic not in shown
    )
