"""`stet ingest` and `stet replay-rejected`: records into the log, the log through the dataflow to its end."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from operators.llm.endpoint import endpoint_from
from pipeline.embedded import Embedded
from pipeline.message_file import Progress as FileProgress
from pipeline.message_file import read_batches
from pipeline.tally import Tally
from state.message_log import LogRecord
from state.model import EdgeType
from state.waiting import Counts, Waiting

Progress = Callable[[str, float], None]
"""Is told what is being done and which part of it is done, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What an ingest did, and what the subjects that it changed now have."""

    messages: int
    unchanged: int
    rejected: int
    rejected_by_reason: Mapping[str, int]
    subjects: int
    sessions: int
    events: int
    edges: Mapping[str, int]
    seconds: float
    waiting: Counts | None = None
    """Of all subjects, what waits for a model's answer; None where there is neither that nor a model."""
    by_rules: Mapping[str, int] = field(default_factory=dict)
    """Turns that the rules read in the model's place, by the reason why it gave no answer."""

    def as_json(self) -> dict[str, Any]:
        """The contract of `--json`."""
        waiting = self.waiting
        told: dict[str, Any] = {}
        if waiting:
            told = {
                "waiting": waiting.waiting,
                "parked": dict(waiting.parked),
                "by_rules": dict(self.by_rules),
            }
        return {
            **told,
            "messages": self.messages,
            "unchanged": self.unchanged,
            "rejected": self.rejected,
            "rejected_by_reason": dict(self.rejected_by_reason),
            "subjects": self.subjects,
            "sessions": self.sessions,
            "events": self.events,
            "edges": dict(self.edges),
            "seconds": round(self.seconds, 3),
        }


def message_records(file: str, progress: Progress) -> Iterator[list[LogRecord]]:
    """The records of a file, or of standard input for "-", each with its line as origin. Raises OSError."""
    source: Path | BinaryIO = sys.stdin.buffer if file == "-" else Path(file)
    name = "stdin" if file == "-" else Path(file).name

    def read(done: FileProgress) -> None:
        if done.total:
            progress("reading", done.read / done.total)

    for batch in read_batches(source, on_progress=read):
        yield [
            LogRecord(line.raw, f"{name}:{line.number}", line.fault.reason.value if line.fault else "")
            for line in batch
        ]


def append_all(stet: Embedded, batches: Iterable[list[LogRecord]]) -> int:
    """Appends all batches durably, and says how many records.

    The log is the input from then on: after a kill, the next run goes on where this one stopped.
    """
    first = stet.log.end
    for batch in batches:
        stet.append(batch)
    return stet.log.end - first


def process(
    stet: Embedded,
    appended: int,
    progress: Progress,
    begun: float,
    stopping: Callable[[], bool] = lambda: False,
) -> Summary:
    """Runs the dataflow over all that is in the log and not processed yet; `begun` is when the work began.

    Once `stopping` says so it reads no more: what was read is processed, and the next run goes on from there.
    """
    end = stet.log.end
    tally = Tally()

    def batched() -> None:
        progress("messages", min(1.0, tally.seen / max(end - tally.begun, 1)))

    most = 0

    def asking(turns: int) -> None:
        nonlocal most
        most = max(most, turns)
        progress("answers", 1 - turns / max(most, 1))

    if end:
        stet.run(lambda: 0 if stopping() else end, tally, batched, asking)
    counts = stet.graph.counts(tally.subjects)
    kinds = {kind.value: counts.get(kind.value, 0) for kind in EdgeType}
    return Summary(
        messages=tally.accepted,
        unchanged=tally.unchanged,
        rejected=sum(tally.refused.values()),
        rejected_by_reason=dict(sorted(tally.refused.items())),
        subjects=len(tally.subjects),
        sessions=counts.get("sessions", 0),
        events=counts.get("events", 0),
        edges=kinds,
        seconds=time.monotonic() - begun,
        waiting=_waiting(stet),
        by_rules=dict(sorted(tally.by_rules.items())),
    )


def _waiting(stet: Embedded) -> Counts | None:
    store = Waiting(stet.client)
    counts = store.counts(store.subjects())
    return counts if counts.waiting or endpoint_from(os.environ) else None
