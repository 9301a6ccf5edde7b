"""The embedded message log as a Bytewax source: one partition that resumes at an offset."""

from collections.abc import Callable
from datetime import UTC, datetime

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from pipeline.log_progress import LogProgress
from pipeline.received import Received
from state.message_log import LogError, MessageLog

BATCH = 512
"""Records a read: enough for the encoder's batches and for round trips shared by many subjects."""
IDLE = 0.05
"""Seconds an idle reader waits for a new record at a time; a stop and a snapshot wait no longer for it."""
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)


class _LogPartition(StatefulSourcePartition[Received, int]):
    def __init__(
        self, log: MessageLog, start: int, until: Callable[[], int | None], progress: LogProgress | None
    ) -> None:
        self._log, self._next, self._until, self._progress = log, start, until, progress
        self._is_idle = False

    def next_batch(self) -> list[Received]:
        until = self._until()
        if until is not None and self._next >= until:
            raise StopIteration
        # The first look that finds nothing does not wait: what was read before it may still be on its way.
        if self._is_idle:
            self._log.wait(self._next, IDLE)
        limit = BATCH if until is None else min(BATCH, until - self._next)
        found = self._log.read(self._next, limit)
        self._is_idle = not found
        self._next += len(found)
        if self._progress is not None:
            self._progress.read(logged.offset for logged in found)
        return [Received(at, r.raw, r.origin, r.fault, r.attempt) for at, r in found]

    def next_awake(self) -> datetime | None:
        """A time that is past whatever the wall clock does: Bytewax compares with it, and a clock set back
        would stop the reader for as long. The waiting is done above, on a clock that only goes forward."""
        return _AT_ONCE

    def snapshot(self) -> int:
        return self._next


class LogSource(FixedPartitionedSource[Received, int]):
    """Reads the log from where it was processed to, up to `until()`; None means: go on for ever.

    `until` is asked before every batch, so a flow that tails the log is stopped by letting it answer an
    offset (0 stops at once); what was read is processed and snapshotted first.
    """

    def __init__(
        self,
        log: MessageLog,
        until: Callable[[], int | None],
        begun: Callable[[int], None] = lambda offset: None,
        progress: LogProgress | None = None,
    ) -> None:
        """`begun` is told where reading begins: the recovery store's offset, or `progress`'s if less."""
        self._log, self._until, self._begun, self._progress = log, until, begun, progress

    def list_parts(self) -> list[str]:
        return ["log"]

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _LogPartition:
        """Raises LogError where the log ends before the offset: it is older than what was made of it."""
        start = resume_state or 0
        if self._progress is not None:
            start = self._progress.begin(start)
        if start > self._log.end:
            raise LogError(
                f"the message log ends at {self._log.end}, but what lies up to {start} was processed: it is "
                "older than the rest of the data folder; restore the whole folder from one backup"
            )
        self._begun(start)
        return _LogPartition(self._log, start, self._until, self._progress)
