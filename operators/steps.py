"""Reading in steps: a generator yields the reads that it needs next, and is resumed when they are answered.

It does no I/O itself, so a driver answers the reads of many in one round trip, and a test drives it by hand.
"""

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from state.graph_reads import Read

T = TypeVar("T")
Steps = Generator[Sequence[Read[Any]], None, T]
"""Yields reads to be answered together; returns a T."""


def together(running: Sequence[Steps[T]]) -> Steps[list[T]]:
    """Runs several side by side: each step of all is one round trip. Gives their results in order."""
    waiting: dict[int, Sequence[Read[Any]]] = {}
    results: dict[int, T] = {}

    def advance(index: int) -> None:
        try:
            waiting[index] = next(running[index])
        except StopIteration as finished:
            waiting.pop(index, None)
            results[index] = finished.value

    for index in range(len(running)):
        advance(index)
    while waiting:
        yield [read for reads in waiting.values() for read in reads]
        for index in list(waiting):
            advance(index)
    return [results[index] for index in range(len(running))]
