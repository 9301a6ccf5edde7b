"""The embedded message log as a Bytewax source: one partition that resumes at an offset."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition

from pipeline.received import Received
from state.message_log import LogError, MessageLog

BATCH = 512
"""Records a read: enough for the encoder's batches and for round trips shared by many subjects."""
IDLE = timedelta(milliseconds=5)
"""How soon an idle reader looks again: what a message waits at most before it is processed."""


class _LogPartition(StatefulSourcePartition[Received, int]):
    def __init__(self, log: MessageLog, start: int, until: Callable[[], int | None]) -> None:
        self._log, self._next, self._until = log, start, until
        self._awake: datetime | None = None

    def next_batch(self) -> list[Received]:
        until = self._until()
        if until is not None and self._next >= until:
            raise StopIteration
        limit = BATCH if until is None else min(BATCH, until - self._next)
        found = self._log.read(self._next, limit)
        self._awake = None if found else datetime.now(UTC) + IDLE
        self._next += len(found)
        return [Received(at, r.raw, r.origin, r.fault, r.attempt) for at, r in found]

    def next_awake(self) -> datetime | None:
        return self._awake

    def snapshot(self) -> int:
        return self._next


class LogSource(FixedPartitionedSource[Received, int]):
    """Reads the log from where the recovery store says, up to `until()`; None means: go on for ever.

    `until` is asked before every batch, so a flow that tails the log is stopped by letting it answer an
    offset (0 stops at once); what was read is processed and snapshotted first.
    """

    def __init__(
        self,
        log: MessageLog,
        until: Callable[[], int | None],
        begun: Callable[[int], None] = lambda offset: None,
    ) -> None:
        """`begun` is told the offset that reading begins at."""
        self._log, self._until, self._begun = log, until, begun

    def list_parts(self) -> list[str]:
        return ["log"]

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> _LogPartition:
        """Raises LogError where the log ends before the offset: it is older than what was made of it."""
        start = resume_state or 0
        if start > self._log.end:
            raise LogError(
                f"the message log ends at {self._log.end}, but what lies up to {start} was processed: it is "
                "older than the rest of the data folder; restore the whole folder from one backup"
            )
        self._begun(start)
        return _LogPartition(self._log, start, self._until)
