"""The dataflow that follows the log in a thread of its own, and can be made to stand still meanwhile."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from pipeline.tally import Tally
from pipeline.threads import all_ended


class StillRunning(Exception):
    """The dataflow does not stand still: it is broken or stopping, or has not ended what it had begun."""


class Runs(Protocol):
    """What follows the log (`pipeline.embedded.Embedded`)."""

    def run(self, until: Callable[[], int | None], tally: Tally) -> None:
        """Runs the dataflow until `until` answers 0."""
        ...


class Follower:
    """Runs the dataflow until it is stopped. `fault` is what broke it, if anything did."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self.tally = Tally()
        """Counts of the run that is under way."""
        self.fault: BaseException | None = None
        self._stopping = False
        self._halting = False
        self._is_still = False
        self._changed = threading.Condition()
        self._one_at_a_time = threading.Lock()
        self._thread = threading.Thread(target=self._follow, name="dataflow", daemon=True)

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    @property
    def _is_ending(self) -> bool:
        return self._stopping or self.fault is not None

    def start(self) -> None:
        self._thread.start()

    def stop(self, patience: float) -> bool:
        """Lets the dataflow finish what it has read, and what was begun while it stood still; whether both
        have ended within so many seconds."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if not self._one_at_a_time.acquire(timeout=patience):
            return False
        self._one_at_a_time.release()
        self._thread.join(patience)
        return not self._thread.is_alive()

    @contextmanager
    def standing_still(self, patience: float) -> Iterator[None]:
        """What it had read is processed and snapshotted, and nothing is written until the block ends.

        One block at a time; each waits so many seconds at most. What the block raises breaks the follower:
        what was begun is finished when the folder is next opened. Raises StillRunning before the block.
        """
        if not self._one_at_a_time.acquire(timeout=patience):
            raise StillRunning("it stands still for another request")
        try:
            self._halt(patience)
            try:
                yield
            except BaseException as error:
                self.fault = error
                raise
        finally:
            with self._changed:
                self._halting = False
                self._changed.notify_all()
            self._one_at_a_time.release()

    def _halt(self, patience: float) -> None:
        with self._changed:
            self._halting = True
            self._changed.wait_for(lambda: self._is_still or self._is_ending, patience)
            if self._is_ending:
                raise StillRunning("the dataflow is stopping or stopped")
            if not self._is_still:
                raise StillRunning(f"the dataflow did not come to rest within {patience:g} seconds")
        # Questions that a run gave up on end a moment after it, and may write until then.
        if not all_ended(patience):
            raise StillRunning(f"questions to the model did not end within {patience:g} seconds")

    def _follow(self) -> None:
        try:
            while self._goes_on():
                self.tally = Tally(self.tally.begun + self.tally.seen)
                self._runs.run(lambda: 0 if self._stopping or self._halting else None, self.tally)
        except BaseException as error:
            with self._changed:
                self.fault = error
                self._changed.notify_all()
            raise

    def _goes_on(self) -> bool:
        """Whether to run once more; waits while the dataflow is to stand still."""
        with self._changed:
            self._is_still = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._stopping or not self._halting)
            self._is_still = False
            return not self._is_ending
