"""Asks a model: what the purposes, the stream and the query service see of it."""

from collections.abc import Iterator
from typing import Any, Protocol

from operators.llm.ask import Ask, T


class Caller(Protocol):
    """Asks one model. Its methods may be called from several threads, and block until the answer is there.

    It stores no answer: whoever asks looks into the ledger first, and remembers what came.
    """

    @property
    def model(self) -> str:
        """The model's name, as the ledger's keys carry it."""

    def ask(self, tenant: str, ask: Ask[T]) -> T:
        """The answer, in the shape that was asked for. Raises CallFailed (BudgetSpent is one)."""

    def stream(self, tenant: str, ask: Ask[Any]) -> Iterator[str]:
        """The answer's text, a piece at a time as it comes, for people to read.

        The ask's shape and check are not looked at, and the model is not told of a shape: the prompt asks for
        plain text. What a model thinks aloud before it answers is left out. Raises CallFailed, also after
        some pieces; nothing is tried again once a piece was given.
        """

    def close(self) -> None:
        """Takes no more questions, and ends those that wait, with CallFailed (CLOSED).

        A request that is under way ends as it would have: its answer will be paid for.
        """
