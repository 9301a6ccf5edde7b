"""How many conversations are going on now, by the clock of whoever counts."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from state.model import Subject

GAP = 30 * 60.0
"""Seconds. A conversation that was silent for longer has no open session (DESIGN §2)."""
MOST = 250_000
"""How many conversations are remembered at most, so that the memory that a process needs has a bound."""


class OpenSessions:
    """The conversations with a message within the last GAP seconds of processing time.

    Processing time, not the messages' own: this tells how much is going on, and a log that is read again
    counts as what it is, work. Past `most` conversations the longest silent are forgotten and the count
    stays at `most`. May be used from several threads.
    """

    def __init__(self, clock: Callable[[], float], gap: float = GAP, most: int = MOST) -> None:
        """`clock` gives seconds and never goes back."""
        self._clock, self._gap, self._most = clock, gap, most
        # Hashes in place of names: a quarter of the memory, and a collision costs one in the count.
        self._seen: OrderedDict[int, float] = OrderedDict()
        self._lock = threading.Lock()

    def saw(self, subject: Subject, conversation: str) -> None:
        """A message of this conversation was read just now."""
        key = hash((subject, conversation))
        with self._lock:
            now = self._clock()
            self._seen[key] = now
            self._seen.move_to_end(key)
            self._prune(now)

    def count(self) -> int:
        """How many there are now; forgets those that have ended."""
        with self._lock:
            self._prune(self._clock())
            return len(self._seen)

    def _prune(self, now: float) -> None:
        while self._seen:
            key = next(iter(self._seen))
            if len(self._seen) <= self._most and now - self._seen[key] <= self._gap:
                return
            del self._seen[key]
