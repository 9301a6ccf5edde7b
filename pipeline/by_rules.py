"""Counts the turns that rules read where a model gave no answer (STET_LLM_ON_FAILURE=rules), and says so."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping

EVERY = 60.0
"""Seconds between two lines: an endpoint that is down fails for all subjects, one after the other."""


class ByRules:
    """Adds to `counts` by reason, and tells `counted` how many. `told` is given a line at once, then one now
    and then of all that came since. Any number of threads may share it."""

    def __init__(
        self,
        counts: Counter[str],
        counted: Callable[[int], None],
        told: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._counts, self._counted, self._told, self._clock = counts, counted, told, clock
        self._since: Counter[str] = Counter()
        self._told_at = float("-inf")
        self._lock = threading.Lock()

    def add(self, turns: Mapping[str, int]) -> None:
        """So many turns more, by the reason why the model gave no answer."""
        with self._lock:
            self._counts.update(turns)
            self._since.update(turns)
            self._counted(sum(turns.values()))
            if self._clock() >= self._told_at + EVERY:
                self._tell()

    def rest(self) -> None:
        """Says what was not said yet."""
        with self._lock:
            if self._since:
                self._tell()

    def _tell(self) -> None:
        self._told_at = self._clock()
        turns, reasons = in_words(self._since)
        self._told(
            f"the rules read {turns} in the model's place ({reasons}): stet redistill has it asked again"
        )
        self._since.clear()


def in_words(turns: Mapping[str, int]) -> tuple[str, str]:
    """How many turns, and the reasons."""
    total = sum(turns.values())
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(turns.items()))
    return f"{total:,} turn{'s' * (total != 1)}", reasons
