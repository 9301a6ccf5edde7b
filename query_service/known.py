"""The graph as it was known at an earlier time T: the second of the two clocks (DESIGN §3, `known_at`)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from state.graph import GraphReader, StoredEvent
from state.model import Subject
from state.validity import HOPS, evaluate

ROUNDS = 2 * HOPS
"""How many hops out events are gathered to work validity out again. Doubt takes up to HOPS of them; the rest
is for chains of updates, of which a longer one counts from its ROUNDS-th member on."""
GATHERED = 600
"""At most so many events are gathered at one read, so that the work does not grow with the history."""


class EventReader(Protocol):
    """The part of a `GraphReader` that says what is known of events."""

    def events(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, StoredEvent]:
        """Events by id; unknown ones are left out."""
        ...


class KnownReader:
    """Reads events through to `reader`, leaving out what was recorded after `known_at`.

    An edge counts as recorded when both its ends are. Validity is worked out again over what remains around
    the events that are read: at most `ROUNDS` further reads, once each event.
    """

    def __init__(self, reader: GraphReader, known_at: datetime) -> None:
        self._reader = reader
        self._known_at = known_at
        self._seen: dict[str, StoredEvent] = {}

    def events(self, subject: Subject, ids: Iterable[str]) -> Mapping[str, StoredEvent]:
        """Events by id as they were known then (at most 1 + `ROUNDS` reads)."""
        wanted = tuple(dict.fromkeys(ids))
        around = self._gather(subject, wanted)
        known = {name: stored for name, stored in around.items() if stored.recorded_at <= self._known_at}
        edges = {
            edge.id: edge
            for stored in known.values()
            for edge in stored.edges
            if edge.source in known and edge.target in known
        }
        timelines = evaluate([stored.event for stored in known.values()], edges.values())
        return {
            name: StoredEvent(
                known[name].event,
                tuple(edge for edge in known[name].edges if edge.id in edges),
                timelines[name],
                known[name].recorded_at,
            )
            for name in wanted
            if name in known
        }

    def _gather(self, subject: Subject, wanted: Sequence[str]) -> dict[str, StoredEvent]:
        """`wanted` and what lies around them, nearest first."""
        found: dict[str, StoredEvent] = {}
        level: Sequence[str] = wanted
        for _ in range(1 + ROUNDS):
            missing = [name for name in level if name not in self._seen]
            if missing:
                self._seen.update(self._reader.events(subject, missing))
            found.update((name, self._seen[name]) for name in level if name in self._seen)
            ends = dict.fromkeys(
                end
                for name in level
                if name in found
                for edge in found[name].edges
                for end in (edge.source, edge.target)
            )
            level = [end for end in ends if end not in found][: max(0, GATHERED - len(found))]
            if not level:
                break
        return found
