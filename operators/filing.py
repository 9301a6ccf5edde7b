"""The gate's indexes during a revision: what is stored under each key, this flush's changes laid over it.

`operators.gate` says under which keys an event is filed and how many candidates each key gives; this says
which events those are after the change, and which other turns the change reaches.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from operators import gate
from state.graph_change import IndexChange
from state.model import Event
from state.names import name_keys
from state.ordering import event_of, message_of
from state.place_reads import ReadFiled, ReadFiledSpan

_BETWEEN = 8
"""A span of one key's changes is read as a whole if it holds fewer than so many times their number."""


@dataclass(slots=True)
class _Index:
    """One key: the places that come and go, and what is known of its stored places near them."""

    added: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    _live: list[str] | None = None

    def learn(self, places: Iterable[str]) -> None:
        self.known.update(places)
        self.known |= self.removed
        self._live = None

    def live(self) -> list[str]:
        """What is filed here after the change, as far as it is known, in order."""
        if self._live is None:
            self._live = sorted((self.known - self.removed) | self.added)
        return self._live


class Filing:
    """The overlay. Build it with `between`, answer its reads, then ask it."""

    def __init__(self, old: Sequence[Event], new: Sequence[Event]) -> None:
        before = {event.id: event for event in old}
        self.current = {event.id: event for event in new}
        """Every event of the turns distilled in this flush, by id."""
        self.gone = tuple(e for i, e in before.items() if self.current.get(i) != e)
        self.come = tuple(e for i, e in self.current.items() if before.get(i) != e)
        self.new_ids = tuple(e.id for e in self.come if e.id not in before)
        self.gone_ids = tuple(e.id for e in self.gone if e.id not in self.current)
        self._indexes: dict[str, _Index] = {}
        self._keys: dict[str, tuple[str, ...]] = {}
        self._gone_keys = [(event, gate.keys(event)) for event in self.gone]
        for event, keys in self._gone_keys:
            for key in keys:
                self._index(key).removed.add(event.place)
        for event in self.come:
            for key in self._keys_of(event):
                self._index(key).added.add(event.place)
        self._read: set[str] = set()
        self._pending: list[tuple[_Index, ReadFiled | ReadFiledSpan]] = []
        self._spans: list[tuple[str, ReadFiledSpan]] = []

    def changed(self) -> set[str]:
        """The turns whose own events come or go."""
        return {message_of(event.place) for event in (*self.gone, *self.come)}

    def reads_around_changes(self) -> list[ReadFiledSpan]:
        """Reads what stands around every event that comes or goes: all of a key's at once."""
        reads = []
        for key, index in self._indexes.items():
            places = sorted(index.added | index.removed)
            reach = gate.CANDIDATES + len(index.removed)
            between = _BETWEEN * len(places)
            read = ReadFiledSpan(key, places[0], places[-1], before=reach, after=reach, between=between)
            self._pending.append((index, read))
            self._spans.append((key, read))
            reads.append(read)
        self._read.update(event.id for event in self.come)
        return reads

    def reads_within_wide_spans(self) -> list[ReadFiled]:
        """Where much is filed between a key's first and last change, reads around each change by itself."""
        reads = []
        for key, span in self._spans:
            if span.whole:
                continue
            index = self._indexes[key]
            reach = gate.CANDIDATES + len(index.removed)
            for place in sorted(index.added | index.removed):
                read = ReadFiled(key, place, before=reach, after=reach)
                self._pending.append((index, read))
                reads.append(read)
        self._spans.clear()
        return reads

    def turns_reached(self) -> tuple[str, ...]:
        """The turns that state one of the next `CANDIDATES` events under a key that changed, sorted."""
        self._absorb()
        reached: set[str] = set()
        for index in self._indexes.values():
            old = sorted(index.known) if index.removed else []
            for places, changed in ((old, index.removed), (index.live(), index.added)):
                for place in changed:
                    at = bisect_left(places, place)
                    reached.update(places[at + 1 : at + 1 + gate.CANDIDATES])
        return tuple(sorted(set(map(message_of, reached))))

    def reads_before(self, events: Iterable[Event]) -> list[ReadFiled]:
        """Reads what stands before each of `events` under its keys, where that is not known yet."""
        reads = []
        for event in events:
            if event.id in self._read:
                continue
            self._read.add(event.id)
            for key in self._keys_of(event):
                before = gate.CANDIDATES + len(self._index(key).removed)
                read = ReadFiled(key, event.place, before=before, after=0)
                self._pending.append((self._index(key), read))
                reads.append(read)
        return reads

    def candidates_of(self, event: Event) -> tuple[str, ...]:
        """Ids of the event's candidates after the change, under all its keys, each once."""
        self._absorb()
        found: dict[str, None] = {}
        for key in self._keys_of(event):
            live = self._indexes[key].live()
            at = bisect_left(live, event.place)
            found.update(dict.fromkeys(live[max(0, at - gate.CANDIDATES) : at]))
        return tuple(dict.fromkeys(map(event_of, found)))

    def changes(self) -> dict[str, IndexChange]:
        """By gate or name key, the places to file and to unfile."""
        added = _by_key((event, self._keys_of(event)) for event in self.come)
        removed = _by_key(self._gone_keys)
        return {
            key: IndexChange(
                tuple(sorted(added.get(key, _NONE) - removed.get(key, _NONE))),
                tuple(sorted(removed.get(key, _NONE) - added.get(key, _NONE))),
            )
            for key in sorted({*added, *removed})
        }

    def _index(self, key: str) -> _Index:
        return self._indexes.setdefault(key, _Index())

    def _keys_of(self, event: Event) -> tuple[str, ...]:
        if event.id not in self._keys:
            self._keys[event.id] = gate.keys(event)
        return self._keys[event.id]

    def _absorb(self) -> None:
        for index, read in self._pending:
            index.learn(read.found)
        self._pending.clear()


_NONE: frozenset[str] = frozenset()


def _by_key(events: Iterable[tuple[Event, Iterable[str]]]) -> dict[str, set[str]]:
    """By key, the places of the events that are filed under it: under their gate keys, given, and names."""
    places: dict[str, set[str]] = {}
    for event, keys in events:
        for key in (*keys, *name_keys(event)):
            places.setdefault(key, set()).add(event.place)
    return places
