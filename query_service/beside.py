"""Work that blocks, in a thread of its own beside an event loop, and what it brings, piece by piece.

The threads are daemons: one that waits for another server does not hold up the end of the process.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Ended:
    """No piece comes any more; `error` is why, where something was raised."""

    error: Exception | None


class Beside(Generic[T]):
    """The pieces that a generator yields, worked out in a thread."""

    def __init__(self, pieces: Generator[T, None, None], places: asyncio.Semaphore) -> None:
        """Takes over a place that is held, and gives it back when the generator has ended. Use `begun`."""
        self._pieces, self._places = pieces, places
        self._loop = asyncio.get_running_loop()
        self._brought: asyncio.Queue[T | _Ended] = asyncio.Queue()
        self._left = threading.Event()
        self._last: _Ended | None = None
        threading.Thread(target=self._work, name="beside", daemon=True).start()

    async def next(self) -> T | None:
        """The next piece; None at the end. Raises what the generator raised."""
        if self._last is None:
            brought = await self._brought.get()
            if not isinstance(brought, _Ended):
                return brought
            self._last = brought
        if self._last.error is not None:
            raise self._last.error
        return None

    def leave(self) -> None:
        """Nobody takes another piece: the generator is closed, at once or when its next piece has come."""
        self._left.set()

    def _work(self) -> None:
        error: Exception | None = None
        try:
            with contextlib.closing(self._pieces):
                for piece in self._pieces:
                    if self._left.is_set():
                        break
                    self._tell(self._brought.put_nowait, piece)
        except Exception as raised:  # noqa: BLE001 (it is raised where the piece is waited for)
            error = raised
        self._tell(self._brought.put_nowait, _Ended(error))
        self._tell(self._places.release)

    def _tell(self, call: Any, *given: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call, *given)


async def begun(pieces: Generator[T, None, None], places: asyncio.Semaphore) -> Beside[T]:
    """Begins the work once there is a place for it."""
    await places.acquire()
    return Beside(pieces, places)


@asynccontextmanager
async def leaving(work: Beside[Any]) -> AsyncIterator[None]:
    """Leaves the work where what is within ends early, cancelled requests included."""
    try:
        yield
    except BaseException:
        work.leave()
        raise
