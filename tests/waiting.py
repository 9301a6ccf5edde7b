"""Waits for what another thread or process brings about, however fast or slow the machine is."""

import time
from collections.abc import Callable
from typing import TypeVar

DEADLINE = 90.0
"""Seconds that anything may take before a test gives up on it."""

Found = TypeVar("Found")


def wait_for(reached: Callable[[], Found], what: str = "it", pause: float = 0.005) -> Found:
    """What `reached` returns once that is true; it is asked every `pause` seconds."""
    deadline = time.monotonic() + DEADLINE
    while not (found := reached()):
        assert time.monotonic() < deadline, f"{what} never came"
        time.sleep(pause)
    return found
