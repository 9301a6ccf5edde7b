"""The gate: which earlier events a new one is compared with (DESIGN §4, *gate*).

An event files itself under a few keys, and its candidates are the K events filed under the same key that
were stated last before it. So the candidates are a function of the *set* of events: a late event enters the
lists of at most K later ones and displaces one there, and finding either takes O(log n + K) in an ordered
index. Validity plays no part in it, for validity depends on the candidates.
"""

from collections.abc import Iterable

from state.model import Event

CANDIDATES = 10
"""K: how many earlier events are read under each key."""


def keys(event: Event) -> tuple[str, ...]:
    """The keys under which `event` is filed, sorted, each once; at most a handful."""
    raise NotImplementedError


def latest_first(found: Iterable[Event]) -> tuple[Event, ...]:
    """The union of what the keys gave, each event once, the one stated last in front."""
    unique = {event.id: event for event in found}
    return tuple(sorted(unique.values(), key=lambda e: e.place, reverse=True))
