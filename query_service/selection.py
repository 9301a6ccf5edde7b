"""What the next turn is told of a conversation, under a budget of tokens. Pure (DESIGN §6, `context`).

Where all fits, the path is told whole and the rest in brief. Where it does not, clauses are chosen, as
telegrams (`operators.terse`), by what they add: those that direct before those that only tell or ask, the
path before other topics, and words that nothing chosen has yet before words that it has. What room is left
then makes the path whole again, from the nearest turn on.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from query_service.context import BUDGET, Book, Context, Count
from query_service.fact_lines import one_line, standing_facts
from query_service.told_lines import Told
from query_service.turn_units import Candidate, Where, units
from state.lexicon import terms

REST_SHARE = 0.2
"""What facts and other topics may take of the usual budget where not all fits; of a smaller one less, in
proportion, since each needs room before it says anything."""
MISFITS = 4
"""After so many turns that do not fit whole no other is tried."""
LENGTH_POWER = 0.5
"""How far a longer text must say more to be chosen: by this power of its tokens."""


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
    told = Told(units(material.turns, list(material.labels), material.book), budget, count)
    if not _all_of_it(material, told):
        told.clear(budget)
        rest = int(budget * REST_SHARE * min(1.0, budget / BUDGET))
        told.left -= rest
        _by_what_they_add(told)
        told.left += rest
        _facts(material, told, min(rest, told.left), only_new=True)
        _labels(material, told)
        _by_what_they_add(told)
        _whole_again(material, told)
    notes = tuple(unit.turn.message.id for unit in told.units if unit.chosen)
    return Context("\n".join(told.lines()), budget - told.left, notes)


def _all_of_it(material: Material, told: Told) -> bool:
    """Takes everything, the path whole and the rest in brief; whether that fits."""
    fits = all(
        told.take(unit, unit.whole() if unit.turn.where is Where.PATH else unit.brief())
        for unit in told.units
    )
    return fits and _facts(material, told, told.left) and _labels(material, told)


def _by_what_they_add(told: Told) -> None:
    """Takes clauses while any fits that adds a word: the one first that adds most for its length, of equal
    ones the last.

    What a clause adds only shrinks as others are taken, so the best of an ordered queue is the best of all
    once its own worth has been brought up to date.
    """

    @cache
    def weighed(n: int, form: str) -> tuple[frozenset[str], int]:
        return frozenset(terms(form)), told.clause_cost(told.units[n], form)

    def gain(n: int, at: int, form: str) -> float:
        words, cost = weighed(n, form)
        new = len(words - told.said)
        return told.units[n].clauses[at].worth * new / cost**LENGTH_POWER if new else 0.0

    queue = []
    for n, unit in enumerate(told.units):
        for at, clause in enumerate(unit.clauses):
            if not unit.full and at not in unit.taken:
                queue.append((-gain(n, at, clause.form(told.said)), -n, -at))
    heapq.heapify(queue)
    while queue:
        before, n, at = heapq.heappop(queue)
        n, at = -n, -at
        unit = told.units[n]
        form = unit.clauses[at].form(told.said)
        now = -gain(n, at, form)
        if now > before:
            heapq.heappush(queue, (now, -n, -at))
        elif now < 0.0 and weighed(n, form)[1] <= told.left:
            told.take_clause(unit, at, form)


def _whole_again(material: Material, told: Told) -> None:
    """Tells the path whole where room is left, from the turn that the next one attaches to outwards."""
    path = [unit for unit in told.units if unit.turn.where is Where.PATH]
    at = next((i for i, unit in enumerate(path) if unit.turn.message.id == material.parent), 0)
    misfits = 0
    for here in sorted(range(len(path)), key=lambda here: abs(here - at)):
        if misfits == MISFITS:
            break
        misfits += not told.take(path[here], path[here].whole())


def _facts(material: Material, told: Told, allowance: int, *, only_new: bool = False) -> bool:
    """Lists what stands; whether all fits. `only_new` leaves out what the turns told say already."""
    allowed = told.left - allowance
    for line, replaces in standing_facts((turn.message.id for turn in material.turns), material.book):
        if only_new and not replaces and told.said.issuperset(terms(line)):
            continue
        if not told.add_fact(line, allowed):
            return False
    return True


def _labels(material: Material, told: Told) -> bool:
    """Names the topics of which no turn is told; whether all of them fit."""
    shown = {unit.turn.topic for unit in told.units if unit.chosen}
    return all(
        told.add_topic(f"~ {one_line(name)}") for topic, name in material.labels.items() if topic not in shown
    )
