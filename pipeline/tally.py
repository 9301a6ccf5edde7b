"""What a run of the dataflow did, counted at its two ends."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from bytewax.outputs import DynamicSink, StatelessSinkPartition

from pipeline.applied import Applied
from pipeline.log_progress import LogProgress
from pipeline.metrics import Metrics
from pipeline.received import Refused
from pipeline.rejected import RejectedStream
from state.model import Subject


@dataclass(slots=True)
class Tally:
    """Counts of one run. `unchanged` are messages that were stored already, or that an edit had overtaken.

    `begun` is the log offset that the run began at: what lies before it was done by earlier runs.
    """

    begun: int = 0
    accepted: int = 0
    changed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    subjects: dict[Subject, None] = field(default_factory=dict)
    by_rules: Counter[str] = field(default_factory=Counter)
    """Turns that the rules read in a model's place, by the reason why it gave no answer."""

    @property
    def unchanged(self) -> int:
        return self.accepted - self.changed

    @property
    def seen(self) -> int:
        """Records that are done with."""
        return self.accepted + sum(self.refused.values())

    def begin(self, offset: int) -> None:
        """The run begins at this offset of the log."""
        self.begun = offset


class AppliedSink(DynamicSink[Applied]):
    """Counts what was applied, tells `progress` that it is done, then calls `batched`."""

    def __init__(
        self,
        tally: Tally,
        metrics: Metrics,
        clock: Callable[[], datetime],
        batched: Callable[[], None],
        progress: LogProgress | None = None,
    ) -> None:
        self._counter = _AppliedPartition(tally, metrics, clock, batched, progress)

    def build(self, step_id: str, worker_index: int, worker_count: int) -> "_AppliedPartition":
        return self._counter


class _AppliedPartition(StatelessSinkPartition[Applied]):
    def __init__(
        self,
        tally: Tally,
        metrics: Metrics,
        clock: Callable[[], datetime],
        batched: Callable[[], None],
        progress: LogProgress | None,
    ) -> None:
        self._tally, self._metrics, self._clock, self._batched = tally, metrics, clock, batched
        self._progress = progress

    def write_batch(self, items: list[Applied]) -> None:
        now = self._clock()
        for applied in items:
            self._tally.accepted += applied.received - len(applied.failed)
            for change in applied.changes:
                self._tally.changed += len(change.messages)
                self._tally.subjects[change.subject] = None
            self._metrics.count_applied(applied, now)
            if self._progress is not None:
                self._progress.done(applied.offsets)
        self._batched()


class RejectedSink(DynamicSink[Refused]):
    """Writes rejected records to the embedded rejected stream, durably, counts them, and tells `progress`."""

    def __init__(
        self, stream: RejectedStream, tally: Tally, metrics: Metrics, progress: LogProgress | None = None
    ) -> None:
        self._writer = _RejectedPartition(stream, tally, metrics, progress)

    def build(self, step_id: str, worker_index: int, worker_count: int) -> "_RejectedPartition":
        return self._writer


class _RejectedPartition(StatelessSinkPartition[Refused]):
    def __init__(
        self, stream: RejectedStream, tally: Tally, metrics: Metrics, progress: LogProgress | None
    ) -> None:
        self._stream, self._tally, self._metrics, self._progress = stream, tally, metrics, progress

    def write_batch(self, items: list[Refused]) -> None:
        self._stream.write(items)
        for refused in items:
            self._tally.refused[refused.why.reason.value] += 1
            self._metrics.count_refused(refused)
        if self._progress is not None:
            self._progress.done(refused.received.offset for refused in items)
