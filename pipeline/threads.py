"""Work in threads of its own that ends with the process, whatever it waits for."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
_NAME = "settle"


class Room:
    """How many may work at a time, in all threads of a process. Nobody waits for it."""

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)

    def begin(self, work: Callable[[], T]) -> "Future[T] | None":
        """Begins `work`, or gives None where there is no room. What it raises is in the future.

        The thread is a daemon: an interpreter that ends does not wait for an endpoint's last byte.
        """
        if not self._free.acquire(blocking=False):
            return None
        future: Future[T] = Future()

        def run() -> None:
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001 - it is raised where the result is taken
                self._free.release()
                future.set_exception(error)
            else:
                self._free.release()
                future.set_result(result)

        threading.Thread(target=run, name=_NAME, daemon=True).start()
        return future


def all_ended(within: float) -> bool:
    """Waits so many seconds at most for what was begun in any room of this process; whether it has ended."""
    until = time.monotonic() + within
    for thread in threading.enumerate():
        if thread.name == _NAME:
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                return False
    return True
