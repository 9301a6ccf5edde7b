"""How a signal ends a command: in order, with its stores closed and no server left running."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked this command to stop; `code` is its exit code, 128 + the signal's number."""

    def __init__(self, number: int) -> None:
        self.name = signal.Signals(number).name
        self.code = 128 + number
        super().__init__(f"stopped by {self.name}")


class Stop:
    """Whether a signal has asked to stop."""

    def __init__(self) -> None:
        self.signal: int | None = None

    def __call__(self) -> bool:
        return self.signal is not None

    def settle(self) -> None:
        """Raises `Stopped` if a signal came."""
        if self.signal is not None:
            raise Stopped(self.signal)


@contextmanager
def at_once() -> Iterator[None]:
    """Signals raise `Stopped` where the main thread is."""
    with _handled(_raise):
        yield


@contextmanager
def when_ready() -> Iterator[Stop]:
    """The first signal is only noted, for a loop that asks at a good moment; a second raises `Stopped`."""
    stop = Stop()

    def note(number: int, frame: FrameType | None) -> None:
        if stop():
            _raise(number, frame)
        stop.signal = number

    with _handled(note):
        yield stop


def _raise(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # What the caller had ignored stays ignored: nohup, and a shell's background jobs.
    heard = [number for number in _HEARD if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, held in before.items():
            signal.signal(number, held)
