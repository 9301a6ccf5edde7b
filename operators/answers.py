"""How a model's remembered answers are read: under which key each lies, and what is made of it.

The graph is a function of the messages and of these answers. A revision looks them up and never asks: what it
lacks it looks up in vain, by a read that carries the question (`AskTurns`, `AskPairs`). Whoever drives the
revision may answer the read from the store alone, or ask the model first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from operators.distill.interface import Distilled, Link
from operators.forest.interface import Decider
from operators.relate.llm import Pair
from state.graph_reads import ReadAnswers
from state.model import Edge, Event, Message
from state.records import Answered


@dataclass(frozen=True, slots=True)
class TurnSaid:
    """What an answer says of one turn: events and links, and the rest as it is kept."""

    distilled: Distilled
    answered: Answered


class AnswerReader(Protocol):
    """Pure: the same texts give the same, in any process. Must not raise on any text."""

    def turn_key(self, turn: Message, context: Sequence[Message]) -> str:
        """The ledger's key of the answer about `turn` in its context."""
        ...

    def turn(self, key: str, text: str, turn: Message, context: Sequence[Message]) -> TurnSaid:
        """What the answer under `key` says."""
        ...

    def pairs(self, event: Event, candidates: Sequence[Event]) -> Mapping[str, Pair]:
        """The pairs of `event` and a candidate that answers are looked up for, by their keys."""
        ...

    def edges(
        self,
        event: Event,
        candidates: Sequence[Event],
        links: Sequence[Link],
        pairs: Mapping[str, Pair],
        texts: Mapping[str, str],
    ) -> tuple[Edge, ...]:
        """All edges that `event` owns (as `Relater.relate`), where `texts` are the answers by key about its
        `pairs` and others."""
        ...

    def decider(self, rules: Decider, answered: Callable[[str], Answered | None]) -> Decider:
        """`rules`, and where these are unsure what was answered of a turn, by message id."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """All that a model told: `texts` are the remembered answers by key, and `reader` reads them."""

    reader: AnswerReader
    texts: Mapping[str, str]


class AskTurns(ReadAnswers):
    """The answers about turns. `questions`: by key, the turn and its context."""

    def __init__(self, questions: Mapping[str, tuple[Message, Sequence[Message]]]) -> None:
        super().__init__(questions)
        self.questions = questions


class AskPairs(ReadAnswers):
    """The answers about pairs of events, by key."""

    def __init__(self, pairs: Mapping[str, Pair]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


@dataclass(frozen=True, slots=True)
class AnsweredRelater:
    """A `Relater` by remembered answers. `pairs`: by event id those of its pairs, where they are at hand."""

    told: Told
    pairs: Mapping[str, Mapping[str, Pair]] = field(default_factory=dict)
    name: str = "answers"

    def relate(self, event: Event, candidates: Sequence[Event], links: Sequence[Link]) -> tuple[Edge, ...]:
        """See `Relater.relate`. A pair without an answer has no edge."""
        pairs = self.pairs.get(event.id)
        if pairs is None:
            pairs = self.told.reader.pairs(event, candidates)
        return self.told.reader.edges(event, candidates, links, pairs, self.told.texts)
