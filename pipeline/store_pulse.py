"""Whether the stores of a process answer now, asked in the background, so that nobody waits for it."""

import threading
from collections.abc import Callable, Mapping

from pipeline.metrics import Store

Check = Callable[[], object]
"""Asks a store something small; raises where it does not answer."""

_SECONDS = 2.0


class StorePulse:
    """Asks each store every two seconds, in a thread of its own each: one that hangs delays no other.

    `seen` is told the store's name and whether it answered.
    """

    def __init__(self, checks: Mapping[Store, Check], seen: Callable[[Store, bool], None]) -> None:
        self._seen = seen
        self._faults: dict[Store, str] = {}
        self._ended = threading.Event()
        for store, check in checks.items():
            threading.Thread(
                target=self._ask, args=(store, check), name=f"pulse-{store}", daemon=True
            ).start()

    def faults(self) -> dict[Store, str]:
        """The stores that did not answer when they were last asked, each with the kind of error."""
        return dict(self._faults)

    def close(self) -> None:
        self._ended.set()

    def _ask(self, store: Store, check: Check) -> None:
        while True:
            try:
                check()
            except Exception as error:  # noqa: BLE001 - whatever it is, the store does not answer
                self._faults[store] = type(error).__name__
            else:
                self._faults.pop(store, None)
            self._seen(store, store not in self._faults)
            if self._ended.wait(_SECONDS):
                return
