"""How well systems find the evidence of questions: recall by rank and by tokens, what is stale, and the cost.

What a question wants is a list of things, each told by one or several messages (a restated fact); recall is
the share of them that is told. Within a budget the system's own context is read (`lines.told`).
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.bootstrap import Figure, mean, median
from evaluation.measures.part import Advance, Column, Part, Table, present
from evaluation.questions import TOP, Asked, faults, outdated_of, stale_above_new, wanted_facts
from evaluation.systems.interface import Ground, System
from evaluation.systems.lines import cost, told
from query_service.context import BUDGET

DEPTHS = (5, 10, 20)
BUDGETS = (250, 500, 1_000, 2_000, BUDGET)

TIMED = 4
"""Every so many questions one is timed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question and one system. `stale`: whether an outdated message stands above the new one, where the
    set tells which; `right`: whether the question is answered, where the set tells its facts; `milliseconds`:
    where it was timed."""

    category: str
    at_depth: Mapping[int, float]
    within: Mapping[int, float]
    stale: bool | None
    right: bool | None
    tokens: int
    milliseconds: float | None


def share_told(wanted: Sequence[frozenset[str]], messages: Iterable[str]) -> float:
    """The share of the things wanted that one of `messages` tells."""
    have = frozenset(messages)
    return sum(not tellers.isdisjoint(have) for tellers in wanted) / len(wanted)


def stale(asked: Asked, ranked: Sequence[str]) -> bool | None:
    """Whether an outdated message stands above the new one; None where the set does not tell them apart."""
    if asked.gold:
        outdated = tuple(outdated_of(asked))
        return stale_above_new(ranked, outdated, tuple(asked.evidence)) if outdated else None
    told_apart = asked.new and not set(asked.old) & set(asked.new)
    return stale_above_new(ranked, asked.old, asked.new) if told_apart else None


def outcome(system: System, ground: Ground, asked: Asked, clock: Callable[[], float] | None) -> Outcome:
    """Asks with every budget, and with a clock once more with the default one alone: by then every text that
    the system encodes is remembered, so the time is that of searching and writing, whatever ran before."""
    found = system.ask(asked, tuple(reversed(BUDGETS)))
    contexts = found.contexts
    milliseconds = None if clock is None else _timed(system, asked, clock)
    wanted = wanted_facts(asked)
    messages = ground.messages[asked.subject]
    tellers = frozenset().union(*wanted)
    return Outcome(
        category=asked.category,
        at_depth={depth: share_told(wanted, found.ranked[:depth]) for depth in DEPTHS},
        within={
            budget: share_told(wanted, told(text, tellers, messages)) for budget, text in contexts.items()
        },
        stale=stale(asked, found.ranked),
        right=not faults(asked, found.ranked, contexts[BUDGET]) if asked.gold else None,
        tokens=cost(contexts[BUDGET].splitlines(), ground.count),
        milliseconds=milliseconds,
    )


def _timed(system: System, asked: Asked, clock: Callable[[], float]) -> float:
    begun = clock()
    system.ask(asked, (BUDGET,))
    return 1_000 * (clock() - begun)


def figures(outcomes: Sequence[Outcome], seed: int) -> dict[str, Figure]:
    """The figures of one system."""
    categories = sorted({one.category for one in outcomes})
    by_category = {name: [one for one in outcomes if one.category == name] for name in categories}
    return present(
        {
            **{f"recall@{d}": mean([one.at_depth[d] for one in outcomes], seed) for d in DEPTHS},
            **{f"within {b}": mean([one.within[b] for one in outcomes], seed) for b in BUDGETS},
            "stale above new": mean([float(one.stale) for one in outcomes if one.stale is not None], seed),
            "answered": mean([float(one.right) for one in outcomes if one.right is not None], seed),
            "tokens": mean([one.tokens for one in outcomes], seed),
            "ms": median([one.milliseconds for one in outcomes if one.milliseconds is not None], seed),
            **{
                f"{name}: recall@{TOP}": mean([one.at_depth[TOP] for one in group], seed)
                for name, group in by_category.items()
            },
            **{
                f"{name}: answered": mean([float(one.right) for one in group if one.right is not None], seed)
                for name, group in by_category.items()
            },
        }
    )


def measure(
    systems: Iterable[System],
    ground: Ground,
    asked: Sequence[Asked],
    seed: int,
    advance: Advance,
    clock: Callable[[], float] = time.perf_counter,
) -> Part:
    """Asks every system every question that has evidence. `advance` is told of each."""
    with_evidence = [one for one in asked if one.evidence]
    found: dict[str, dict[str, Figure]] = {}
    for system in systems:
        outcomes = []
        for at, one in enumerate(with_evidence):
            outcomes.append(outcome(system, ground, one, None if at % TIMED else clock))
            advance(1)
        found[system.name] = figures(outcomes, seed)
    return Part("evidence", found, _TABLES, curve={budget: f"within {budget}" for budget in BUDGETS})


_TABLES = (
    Table(
        "evidence among the first messages",
        (*(Column(f"recall@{d}", f"recall@{d}") for d in DEPTHS), Column("stale above new", "stale first")),
    ),
    Table(
        "evidence within a budget of tokens",
        tuple(Column(f"within {b}", f"{b:,}") for b in BUDGETS[1:]),
    ),
    Table("questions answered", (Column("answered", "answered"),)),
    Table(
        f"the cost of a context of at most {BUDGET:,} tokens",
        (Column("tokens", "tokens", 0), Column("ms", "ms p50", 1)),
    ),
)
