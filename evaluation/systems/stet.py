"""Stet itself over graphs in memory, and without one of its parts."""

from collections.abc import Sequence
from datetime import UTC, datetime

from evaluation.questions import Asked
from evaluation.systems.interface import Found, Ground
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.gate import keys as gate_keys
from operators.relate.rules import RULES as RELATER
from query_service.ask import Asker
from query_service.recipe import WHOLE, Recipe
from state.memory_reader import MemoryReader
from state.model import Event
from state.names import name_keys

LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""A clock before all messages, so that a subject's newest one tells the time."""


def graph(ground: Ground) -> MemoryReader:
    """The graphs of all subjects, for all of Stet's rows."""
    views = [derive(group, DISTILLER, RELATER) for group in ground.said.values()]
    return MemoryReader(views, _keys)


def _keys(event: Event) -> tuple[str, ...]:
    return (*gate_keys(event), *name_keys(event))


class Stet:
    """`ask` over a graph, with what `recipe` lets take part."""

    def __init__(self, ground: Ground, reader: MemoryReader, name: str, recipe: Recipe = WHOLE) -> None:
        self.name = name
        # Asked when the last message was sent: what holds must not depend on the day of the run.
        self._asker = Asker(reader, ground.notes, ground.encoder, lambda: LONG_AGO, recipe)

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        first, *others = budgets
        gathered = self._asker.gather(asked.subject, asked.question, asked.as_of, budget=first)
        contexts = {budget: self._asker.context_within(gathered, budget) for budget in others}
        return Found(gathered.answer.evidence, {first: gathered.answer.context, **contexts})
