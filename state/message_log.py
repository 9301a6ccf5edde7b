"""The embedded mode's message log: records in a fixed order, read as one Kafka partition is (DESIGN §5).

The log is a row of segments (`state.log_segment`), `<base offset, 20 digits>.log`. A full segment is sealed:
it is wholly durable before the next one begins, so damage in it is an error, never a torn tail. Each segment
has a sparse index of byte positions, kept in memory for the newest and in `<base>.index` for the sealed ones,
where it is rebuilt from the segment if it is missing or wrong.
"""

import bisect
import os
import threading
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from state.durable import sync_directory, write_all
from state.log_segment import (
    DRAFT,
    ERASED,
    HEAD_BYTES,
    MAX_RECORD_BYTES,
    STRIDE,
    LogDamaged,
    LogError,
    LogRecord,
    Segment,
    create_segment,
    damaged,
    decode,
    encode,
    erase,
    load_index,
    save_index,
    scan,
    segment_path,
)
from state.log_tail import follows, records_in

__all__ = [
    "ERASED",
    "MAX_RECORD_BYTES",
    "LogDamaged",
    "LogError",
    "LogRecord",
    "Logged",
    "MessageLog",
    "logged_in",
]

SEGMENT_BYTES = 16 * 1024 * 1024
"""A segment that has grown to this is sealed."""
READ_BYTES = 8 * 1024 * 1024
"""A read stops after about this many bytes, whatever its limit."""


class Logged(NamedTuple):
    """A record with its offset."""

    offset: int
    record: LogRecord


class MessageLog:
    """An open log. One writer and any number of readers, all in this process; every method is thread-safe.

    The folder belongs to this object while it is open (`state.data_folder` sees to that).
    """

    def __init__(self, folder: Path, segment_bytes: int = SEGMENT_BYTES, processed: int = 0) -> None:
        """Opens the log in `folder`, which exists; the first `processed` records were there.

        A torn tail is cut off, and kept beside the log as `<base>.torn-<position>`; `cut_bytes` says how
        much. A bad record is a torn tail only if nothing that holds lies behind it and it was not processed.
        Reads the newest segment, and no other. Raises LogDamaged if segments are missing or a record that was
        durable is bad, and LogError if the log ends before `processed`; nothing is changed then.
        """
        self.cut_bytes = 0
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._changed = threading.Condition()
        self._broken = False
        self._closed = False
        for left_over in folder.glob(f"*{DRAFT}"):
            left_over.unlink()
        bases = sorted(int(path.stem) for path in folder.glob("[0-9]*.log"))
        if not bases:
            if processed:
                raise _older(folder, 0, processed)
            self._segments = [create_segment(folder, 0)]
        else:
            self._segments = [Segment(base, segment_path(folder, base), array("Q")) for base in bases]
            for sealed, following in zip(self._segments, self._segments[1:], strict=False):
                sealed.count = following.base - sealed.base
                sealed.size = sealed.path.stat().st_size
        if self._segments[0].base != 0:
            raise LogDamaged(f"{folder} lacks its first segment; restore the folder from a backup")
        newest = self._segments[-1]
        self._descriptor = _open_for_append(newest)
        try:
            self._recover(newest, processed)
        except BaseException:
            os.close(self._descriptor)
            raise

    @property
    def end(self) -> int:
        """The offset that the next record gets: as many records as were ever made durable."""
        with self._changed:
            return self._end()

    def append(self, records: Sequence[LogRecord]) -> range:
        """Appends `records` in order and returns their offsets, once all of them are on the disk (one fsync).

        After a crash during the call some first part of them may be there. Raises OSError when the disk
        refuses (nothing is appended then, and if even that cannot be made sure of, every later append raises
        LogError), and ValueError for a record that is too long; both before anything is visible to readers.
        """
        with self._changed:
            self._check_writable()
            first = self._end()
            if not records:
                return range(first, first)
            if self._segments[-1].size >= self._segment_bytes:
                self._roll()
            segment = self._segments[-1]
            data, marks = encode(records, first, segment)
            self._write(segment, data)
            segment.positions.extend(marks)
            segment.size += len(data)
            segment.count += len(records)
            self._changed.notify_all()
            return range(first, first + len(records))

    def read(self, start: int, limit: int) -> list[Logged]:
        """Up to `limit` records from offset `start` on; fewer at the end or past READ_BYTES, none only at it.

        O(log(segments) + STRIDE + records read), however long the log is. Raises ValueError for a negative
        offset and LogDamaged where a record is not what was written.
        """
        if start < 0:
            raise ValueError(f"an offset is at least 0, not {start}")
        found: list[Logged] = []
        room = READ_BYTES
        while len(found) < limit and room > 0:
            with self._changed:
                offset = start + len(found)
                if offset >= self._end():
                    break
                place = bisect.bisect_right(self._segments, offset, key=lambda segment: segment.base) - 1
                segment = self._segments[place]
                if not segment.positions:
                    segment.positions = load_index(segment)
                slot = (offset - segment.base) // STRIDE
                begin, count, size = segment.positions[slot], segment.count, segment.size
            skip = offset - segment.base - slot * STRIDE
            wanted = min(skip + limit - len(found), count - slot * STRIDE)
            for _, there, body in scan(segment, begin, size, segment.base + slot * STRIDE, wanted):
                if there >= offset:
                    found.append(Logged(there, decode(body)))
                    room -= len(body)
                if room <= 0:
                    break
        return found

    def erase(self, matches: Callable[[LogRecord], bool]) -> int:
        """Erases the bytes and the origin of every record that matches, durably, and returns how many did.

        The offsets stay; what is read there is an empty record with the fault ERASED. What was cut off as a
        torn tail is removed too. Reads the whole log, and holds up appends and new reads meanwhile. Safe to
        repeat after a crash. Raises LogDamaged and OSError.
        """
        with self._changed:
            self._check_writable()
            for torn in self._folder.glob("*.torn-*"):
                torn.unlink()

            def is_due(record: LogRecord) -> bool:
                return record.fault != ERASED and matches(record)

            erased = sum(erase(segment, is_due) for segment in self._segments)
            descriptor = _open_for_append(self._segments[-1])
            os.close(self._descriptor)
            self._descriptor = descriptor
            return erased

    def wait(self, offset: int, timeout: float) -> bool:
        """Blocks until a record at `offset` can be read, the log is closed or `timeout` seconds pass; whether
        it can be read."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._end() > offset, timeout)
            return self._end() > offset

    def close(self) -> None:
        """Gives the log up; what was appended is durable already. Closing twice is no error."""
        with self._changed:
            if not self._closed:
                self._closed = True
                os.close(self._descriptor)
                self._changed.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _end(self) -> int:
        return self._segments[-1].base + self._segments[-1].count

    def _check_writable(self) -> None:
        if self._closed:
            raise LogError(f"the message log in {self._folder} is closed; open it again")
        if self._broken:
            raise LogError(
                f"an earlier write to {self._folder} failed; see to the disk, then open the folder again"
            )

    def _write(self, segment: Segment, data: bytes) -> None:
        try:
            write_all(self._descriptor, data)
            os.fsync(self._descriptor)
        except BaseException:
            # After a failed fsync the system may have dropped what it could not write: what the file holds is
            # known again only once it was cut and synced, or read anew.
            self._broken = True
            os.ftruncate(self._descriptor, segment.size)
            os.fsync(self._descriptor)
            self._broken = False
            raise

    def _roll(self) -> None:
        """Seals the newest segment, durable as it is, and begins the next."""
        sealed = self._segments[-1]
        save_index(sealed)
        following = create_segment(self._folder, sealed.base + sealed.count)
        descriptor = _open_for_append(following)
        os.close(self._descriptor)
        self._descriptor = descriptor
        self._segments.append(following)

    def _recover(self, newest: Segment, processed: int) -> None:
        """Finds where the good records of the newest segment end, and cuts what follows if it is torn."""
        actual = os.fstat(self._descriptor).st_size
        good = 0
        try:
            for at, offset, body in scan(newest, 0, actual, newest.base, None):
                if (offset - newest.base) % STRIDE == 0:
                    newest.positions.append(at)
                good = at + HEAD_BYTES + len(body)
                newest.count += 1
        except LogDamaged:
            end = newest.base + newest.count
            if end < processed or follows(newest, good, end) is not None:
                raise damaged(newest, good) from None
            self.cut_bytes = actual - good
            torn = newest.path.with_name(f"{newest.path.stem}.torn-{good}")
            torn.write_bytes(os.pread(self._descriptor, self.cut_bytes, good))
            os.ftruncate(self._descriptor, good)
        newest.size = good
        if self._end() < processed:
            raise _older(self._folder, self._end(), processed)
        # A killed writer may have left records that are read here and not yet on the disk.
        os.fsync(self._descriptor)
        sync_directory(self._folder)


def logged_in(folder: Path) -> int:
    """About how many records the log in `folder` has, without opening it: for telling, not for reading.

    Reads the newest segment and trusts its lengths; 0 where there is no log. Changes nothing.
    """
    bases = [int(path.stem) for path in folder.glob("[0-9]*.log")]
    if not bases:
        return 0
    newest = max(bases)
    return newest + records_in(Segment(newest, segment_path(folder, newest), array("Q")))


def _older(folder: Path, end: int, processed: int) -> LogError:
    return LogError(
        f"the message log in {folder} ends at {end}, but what lies up to {processed} was processed: it is "
        "damaged, or older than the rest of the data folder; restore the whole folder from one backup"
    )


def _open_for_append(segment: Segment) -> int:
    return os.open(segment.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
