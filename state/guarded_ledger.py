"""A ledger beside which subjects are forgotten while questions about them may be under way."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from state.ledger import Ledger, Remembered
from state.model import Subject

SHUT = 3600.0
"""Seconds for which nothing is remembered about a subject that was forgotten. No call to a model takes as
long: what was asked before the subject was forgotten is answered, or given up, by then."""


class GuardedLedger(Ledger):
    """Remembers no answer about a subject from the moment it begins to be forgotten, for SHUT seconds.

    An answer that a model gives in that time is used, and asked for again by whoever asks the same.
    """

    def __init__(self, client: Any, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(client)
        self._clock = clock
        self._writing = threading.Lock()
        self._until: dict[Subject, float] = {}

    def shut(self, subject: Subject) -> None:
        """From its return on nothing more is written about this subject."""
        with self._writing:
            now = self._clock()
            self._until = {one: until for one, until in self._until.items() if until > now}
            self._until[subject] = now + SHUT

    def remember_since(
        self, subject: Subject, answers: Mapping[str, Remembered], *given: Any, **named: Any
    ) -> dict[str, Remembered]:
        """See `Ledger.remember_since`."""
        with self._writing:
            if self._until.get(subject, float("-inf")) <= self._clock():
                return super().remember_since(subject, answers, *given, **named)
        return {}
