"""The embedded rejected stream: each record that was refused, why and where from, and its replay (DESIGN I5).

    pending.jsonl          refused and not replayed; appended to
    replaying-<n>.jsonl    being fed again; goes back to be fed first if that was cut short
    replayed-<n>.jsonl     fed again, kept as the history

One JSON object a line. A record is known by its offset in the message log, and is kept once.
"""

import os
import threading
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from operators.parse import Reason
from pipeline.received import Refused
from pipeline.rejected_record import RejectedDamaged, RejectedRecord, line_of, read_records
from state.durable import sync_directory, write_all
from state.message_log import LogRecord

__all__ = ["REPLAY_BATCH", "RejectedDamaged", "RejectedRecord", "RejectedStream"]

REPLAY_BATCH = 500
"""How many records a replay hands out together."""

_PENDING = "pending.jsonl"
_REPLAYING = "replaying-"
_REPLAYED = "replayed-"
_DRAFT = ".draft"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RejectedStream:
    """The open stream of one data folder; one process has it open, and its methods are thread-safe."""

    def __init__(self, folder: Path, clock: Callable[[], datetime] = _utc_now) -> None:
        """Opens the stream in `folder`, which exists, and reads it once.

        An unfinished last line, which a crash left, is cut off the pending file, and kept beside it as
        `pending.torn-<position>`: it was not acknowledged, so it comes again. Raises RejectedDamaged for any
        other line that is no record; the line stays where it is.
        """
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._replaying = threading.Lock()
        self._offsets = array("Q")  # of every record ever kept, sorted
        self._pending = 0
        for left_over in folder.glob(f"*{_DRAFT}"):
            left_over.unlink()
        self._descriptor = _open_pending(folder)
        try:
            self._size = _cut_torn_line(folder, self._descriptor)
            self._offsets.extend(sorted(r.offset for path in self._files() for r in read_records(path)))
            self._pending = self._count_pending()
        except BaseException:
            os.close(self._descriptor)
            raise

    def write(self, refused: Iterable[Refused]) -> int:
        """Keeps each record whose offset is not kept yet, durably (one fsync), and says how many those are.

        What was erased from the log is not kept, since nothing is left to feed again.

        O(log n) a record while offsets rise. Raises OSError; nothing is kept then.
        """
        with self._lock:
            fresh = {
                item.received.offset: item
                for item in refused
                if item.why.reason is not Reason.ERASED and not self._knows(item.received.offset)
            }
            if not fresh:
                return 0
            now = self._clock()
            data = b"".join(line_of(_refused(item, now)) for item in fresh.values())
            try:
                write_all(self._descriptor, data)
                os.fsync(self._descriptor)
            except BaseException:
                os.ftruncate(self._descriptor, self._size)
                raise
            self._size += len(data)
            self._pending += len(fresh)
            for offset in fresh:
                insort(self._offsets, offset)
            return len(fresh)

    @property
    def pending(self) -> int:
        """How many records were refused and not replayed."""
        with self._lock:
            return self._pending

    def records(self, with_replayed: bool = False) -> Iterator[RejectedRecord]:
        """The records that are pending now, oldest first; with the replayed ones before them if wanted."""
        with self._lock:
            paths, size = self._files(), self._size
        for path in paths:
            if with_replayed or not path.name.startswith(_REPLAYED):
                yield from _living(path, size if path.name == _PENDING else None)

    def replay(self, append: Callable[[list[LogRecord]], object]) -> int:
        """Feeds all pending records, their attempt raised, in batches to `append`; returns how many.

        `append` makes a batch durable in the message log.

        They count as replayed once every batch was taken. Until then they stay pending: after a crash or an
        error the next replay feeds all of them again, some perhaps for the second time. That changes nothing
        in the graph, since a message is known by its id. What is refused meanwhile, these ones again
        included, waits for the next replay. One replay runs at a time.
        """
        with self._replaying:
            taken = self._take()
            fed = 0
            records = (_again(record) for path in taken for record in _living(path))
            while batch := list(islice(records, REPLAY_BATCH)):
                append(batch)
                fed += len(batch)
            self._settle(taken, fed)
            return fed

    def erase(self, matches: Callable[[RejectedRecord], bool]) -> int:
        """Erases the bytes and the origin of every record that matches, replayed or not; how many did.

        Only the offset, the reason and the time stay; the record is neither listed nor replayed any more.
        What was cut off as torn is removed too. Reads the whole stream. Safe to repeat after a crash.
        Raises RejectedDamaged and OSError.
        """
        with self._replaying, self._lock:
            for torn in self._folder.glob("pending.torn-*"):
                torn.unlink()
            erased = sum(_erase_in(path, matches) for path in self._files())
            os.close(self._descriptor)
            self._descriptor = _open_pending(self._folder)
            self._size = os.fstat(self._descriptor).st_size
            self._pending = self._count_pending()
            return erased

    def close(self) -> None:
        """Gives the stream up; what was written is durable already. Closing twice is no error."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _knows(self, offset: int) -> bool:
        at = bisect_left(self._offsets, offset)
        return at < len(self._offsets) and self._offsets[at] == offset

    def _files(self) -> list[Path]:
        """All files of the stream, oldest records first."""
        moved = [
            path
            for kind in (_REPLAYED, _REPLAYING)
            for path in sorted(self._folder.glob(f"{kind}*.jsonl"), key=_number_of)
        ]
        return [*moved, self._folder / _PENDING]

    def _count_pending(self) -> int:
        paths = [path for path in self._files() if not path.name.startswith(_REPLAYED)]
        return sum(1 for path in paths for _ in _living(path))

    def _take(self) -> list[Path]:
        """Moves the pending file out of the way in one step; the files that are to be replayed."""
        with self._lock:
            if self._size:
                number = max((_number_of(path) for path in self._files()), default=0) + 1
                (self._folder / _PENDING).rename(self._folder / f"{_REPLAYING}{number}.jsonl")
                os.close(self._descriptor)
                self._descriptor = _open_pending(self._folder)
                self._size = 0
            return [path for path in self._files() if path.name.startswith(_REPLAYING)]

    def _settle(self, taken: Sequence[Path], count: int) -> None:
        """Marks the `count` records of the files `taken` as replayed."""
        with self._lock:
            for path in taken:
                path.rename(path.with_name(f"{_REPLAYED}{_number_of(path)}.jsonl"))
            sync_directory(self._folder)
            self._pending -= count


def _open_pending(folder: Path) -> int:
    descriptor = os.open(folder / _PENDING, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    sync_directory(folder)
    return descriptor


def _number_of(path: Path) -> int:
    """The number in a file's name; 0 for the pending file, which has none."""
    number = path.stem.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _cut_torn_line(folder: Path, descriptor: int) -> int:
    """Cuts what follows the last line break of the pending file; its size then."""
    path = folder / _PENDING
    good, torn = 0, b""
    with path.open("rb") as file:
        for line in file:
            torn = b"" if line.endswith(b"\n") else line
            good += len(line) - len(torn)
    if torn:
        path.with_name(f"pending.torn-{good}").write_bytes(torn)
        os.ftruncate(descriptor, good)
    os.fsync(descriptor)
    return good


def _living(path: Path, size: int | None = None) -> Iterator[RejectedRecord]:
    """The records in `path` that were not erased."""
    return (record for record in read_records(path, size) if record.reason != Reason.ERASED)


def _erase_in(path: Path, matches: Callable[[RejectedRecord], bool]) -> int:
    """Erases the records in `path` that match; a crash leaves the old file or the new one."""
    lines: list[bytes] = []
    erased = 0
    for record in read_records(path):
        is_due = record.reason != Reason.ERASED and matches(record)
        erased += is_due
        lines.append(line_of(_emptied(record) if is_due else record))
    if erased:
        draft = path.with_suffix(_DRAFT)
        draft.write_bytes(b"".join(lines))
        descriptor = os.open(draft, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        draft.replace(path)
        sync_directory(path.parent)
    return erased


def _emptied(record: RejectedRecord) -> RejectedRecord:
    detail = f"erased after it was refused ({record.reason})"
    return replace(record, raw=b"", origin="", reason=Reason.ERASED.value, detail=detail)


def _refused(item: Refused, now: datetime) -> RejectedRecord:
    return RejectedRecord(
        offset=item.received.offset,
        attempt=item.received.attempt,
        reason=item.why.reason.value,
        detail=item.why.detail,
        origin=item.received.origin,
        raw=item.received.raw,
        rejected_at=now,
    )


def _again(record: RejectedRecord) -> LogRecord:
    """The record as it is fed again. A line that was cut stays what it is; anything else is parsed anew."""
    fault = record.reason if record.reason == Reason.LINE_TOO_LONG else ""
    return LogRecord(record.raw, record.origin, fault, record.attempt + 1)
