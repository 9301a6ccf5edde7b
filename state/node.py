"""One event's node in a subject's graph, and how pure code reads nodes that live in a store.

A computation that needs nodes is a generator: it yields the set of event ids it needs next and is sent the
nodes that are known among them. It does no I/O itself, so whoever drives it may hold the nodes in memory or
fetch each set in one round trip, for many subjects at a time. No id is asked for twice in a run, and no
empty set is ever yielded.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from state.model import Edge
from state.validity import Stated, Timeline

T = TypeVar("T")
Reading = Generator[frozenset[str], Mapping[str, "Node"], T]
"""Yields ids of nodes, is sent those that are known, returns a `T`."""


@dataclass(frozen=True, slots=True)
class Node:
    """An event as the calculus sees it, with all its evidence edges, sorted by edge id, and its timeline.

    `place`, `stated_at`, `valid_from` and `timeline` are there together or not at all: a node without them
    stands for an event that has not been stated, or no longer is, while edges wait for it.
    """

    id: str
    place: str | None = None
    stated_at: datetime | None = None
    valid_from: datetime | None = None
    incoming: tuple[Edge, ...] = ()
    outgoing: tuple[Edge, ...] = ()
    timeline: Timeline | None = None

    def stated(self) -> Stated | None:
        """The event's statement, or None where only edges wait for it."""
        if self.place is None or self.stated_at is None or self.valid_from is None:
            return None
        return Stated(self.id, self.place, self.stated_at, self.valid_from)

    def empty(self) -> bool:
        """Whether there is nothing left to keep: no event and no edge."""
        return self.place is None and not self.incoming and not self.outgoing


class Neighbourhood:
    """The nodes read so far in one run. An id that the graph does not know has an empty node.

    `before` are the nodes as they were read, `now` the same with what the run has made of them.
    """

    def __init__(self) -> None:
        self.before: dict[str, Node] = {}
        self.now: dict[str, Node] = {}

    def read(self, ids: Iterable[str]) -> Reading[None]:
        """Reads those of `ids` that were not read yet, all at once; asks for nothing where there is none."""
        missing = frozenset(ids).difference(self.now)
        if not missing:
            return
        found = yield missing
        for identifier in missing:
            node = found.get(identifier) or Node(identifier)
            self.before[identifier] = self.now[identifier] = node


def drive(reading: Reading[T], fetch: Callable[[frozenset[str]], Mapping[str, Node]]) -> T:
    """Runs a reading to its end with nodes from `fetch`, which leaves out what it does not know."""
    try:
        wanted = next(reading)
        while True:
            wanted = reading.send(fetch(wanted))
    except StopIteration as finished:
        result: T = finished.value
        return result
