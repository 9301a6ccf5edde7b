"""The embedded mode's message log: records in a fixed order, read as one Kafka partition is (DESIGN §5).

Segments `<base offset, 20 digits>.log` hold records back to back; a record is

    length of body u32 · CRC-32 of (offset u64, body) u32 · body
    body = length of origin u16 · length of fault u8 · attempt u8 · origin · fault · raw

with little-endian numbers.

A full segment is sealed: it is wholly durable before the next one begins, so damage in it is an error, never
a torn tail. Each segment has a sparse index of byte positions, kept in memory for the newest and in
`<base>.index` for the sealed ones, where it is rebuilt from the segment if it is missing or wrong.
"""

import bisect
import os
import struct
import threading
import zlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from state.durable import sync_directory, write_all

SEGMENT_BYTES = 16 * 1024 * 1024
"""A segment that has grown to this is sealed."""
STRIDE = 64
"""The sparse index has the position of every so many-th record."""
MAX_RECORD_BYTES = 4 * 1024 * 1024
"""The longest body of a record."""
READ_BYTES = 8 * 1024 * 1024
"""A read stops after about this many bytes, whatever its limit."""

_HEAD = struct.Struct("<II")
_BODY = struct.Struct("<HBB")
_OFFSET = struct.Struct("<Q")
_FIRST_CHUNK = 16 * 1024  # about STRIDE records of chat
_CHUNK = 256 * 1024


class LogError(Exception):
    """The log cannot be used; the message is one line that says what to do."""


class LogDamaged(LogError):
    """A record that was durable cannot be read back."""


class LogRecord(NamedTuple):
    """What is appended: the bytes as received, and where from ("file.jsonl:12", "" if not known).

    `fault` is the reason code of a reader that could not read the record whole. `attempt` counts how often
    the record was fed, from 1: a replay of a rejected record raises it.
    """

    raw: bytes
    origin: str = ""
    fault: str = ""
    attempt: int = 1


class Logged(NamedTuple):
    """A record with its offset."""

    offset: int
    record: LogRecord


@dataclass(slots=True)
class _Segment:
    """`positions[i]` is where record `base + i * STRIDE` starts; `size` and `count` are what is durable."""

    base: int
    path: Path
    positions: "array[int]"
    size: int = 0
    count: int = 0


class MessageLog:
    """An open log. One writer and any number of readers, all in this process; every method is thread-safe.

    The folder belongs to this object while it is open (`state.data_folder` sees to that).
    """

    def __init__(self, folder: Path, segment_bytes: int = SEGMENT_BYTES) -> None:
        """Opens the log in `folder`, which exists. A torn tail is cut off, and kept beside the log as
        `<base>.torn-<position>`; `cut_bytes` says how much. Reads the newest segment, and no other.
        Raises LogDamaged if segments are missing.
        """
        self.cut_bytes = 0
        self._folder = folder
        self._segment_bytes = segment_bytes
        self._changed = threading.Condition()
        self._broken = False
        self._closed = False
        bases = sorted(int(path.stem) for path in folder.glob("[0-9]*.log"))
        if not bases:
            self._segments = [_create_segment(folder, 0)]
        else:
            self._segments = [_Segment(base, _segment_path(folder, base), array("Q")) for base in bases]
            for sealed, following in zip(self._segments, self._segments[1:], strict=False):
                sealed.count = following.base - sealed.base
                sealed.size = sealed.path.stat().st_size
        if self._segments[0].base != 0:
            raise LogDamaged(f"{folder} lacks its first segment; restore the folder from a backup")
        newest = self._segments[-1]
        self._descriptor = os.open(newest.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            self._recover(newest)
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
            data, marks = _encode(records, first, segment)
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
                    segment.positions = _load_index(segment)
                slot = (offset - segment.base) // STRIDE
                begin, count, size = segment.positions[slot], segment.count, segment.size
            skip = offset - segment.base - slot * STRIDE
            wanted = min(skip + limit - len(found), count - slot * STRIDE)
            for _, there, body in _scan(segment, begin, size, segment.base + slot * STRIDE, wanted):
                if there >= offset:
                    found.append(Logged(there, _decode(body)))
                    room -= len(body)
                if room <= 0:
                    break
        return found

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

    def _write(self, segment: _Segment, data: bytes) -> None:
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
        _save_index(sealed)
        following = _create_segment(self._folder, sealed.base + sealed.count)
        descriptor = os.open(following.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        os.close(self._descriptor)
        self._descriptor = descriptor
        self._segments.append(following)

    def _recover(self, newest: _Segment) -> None:
        """Finds where the good records of the newest segment end, and cuts what follows."""
        actual = os.fstat(self._descriptor).st_size
        good = 0
        try:
            for at, offset, body in _scan(newest, 0, actual, newest.base, None):
                if (offset - newest.base) % STRIDE == 0:
                    newest.positions.append(at)
                good = at + _HEAD.size + len(body)
                newest.count += 1
        except LogDamaged:
            self.cut_bytes = actual - good
            torn = newest.path.with_name(f"{newest.path.stem}.torn-{good}")
            torn.write_bytes(os.pread(self._descriptor, self.cut_bytes, good))
            os.ftruncate(self._descriptor, good)
        newest.size = good
        # A killed writer may have left records that are read here and not yet on the disk.
        os.fsync(self._descriptor)
        sync_directory(self._folder)


def _segment_path(folder: Path, base: int) -> Path:
    return folder / f"{base:020d}.log"


def _create_segment(folder: Path, base: int) -> _Segment:
    path = _segment_path(folder, base)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    sync_directory(folder)
    return _Segment(base, path, array("Q"))


def _encode(records: Sequence[LogRecord], first: int, segment: _Segment) -> tuple[bytes, list[int]]:
    """The bytes of `records` from offset `first` on, and the positions that join the segment's index."""
    parts: list[bytes] = []
    marks: list[int] = []
    at = segment.size
    for offset, record in enumerate(records, first):
        origin, fault = record.origin.encode(), record.fault.encode()
        if len(origin) > 0xFFFF or len(fault) > 0xFF:
            raise ValueError("a record's origin is at most 65,535 bytes of UTF-8 and its fault 255")
        attempt = min(record.attempt, 0xFF)
        body = b"".join((_BODY.pack(len(origin), len(fault), attempt), origin, fault, record.raw))
        if len(body) > MAX_RECORD_BYTES:
            raise ValueError(f"a record is at most {MAX_RECORD_BYTES} bytes, not {len(body)}")
        if (offset - segment.base) % STRIDE == 0:
            marks.append(at)
        parts += (_HEAD.pack(len(body), _checksum(offset, body)), body)
        at += _HEAD.size + len(body)
    return b"".join(parts), marks


def _checksum(offset: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(_OFFSET.pack(offset)))


def _scan(
    segment: _Segment, at: int, size: int, offset: int, wanted: int | None
) -> Iterator[tuple[int, int, bytes]]:
    """The records from byte `at`, whose offset is `offset`, to byte `size`: (position, offset, body) of each.

    `wanted` stops it after so many. Raises LogDamaged at the first that does not hold.
    """
    descriptor = os.open(segment.path, os.O_RDONLY | os.O_CLOEXEC)
    held, start, chunk = b"", 0, _FIRST_CHUNK

    def hold(needed: int) -> None:
        nonlocal held, start, chunk
        if len(held) - start < needed:
            held, start = os.pread(descriptor, min(max(chunk, needed), size - at), at), 0
            chunk = _CHUNK
            if len(held) < needed:
                raise _damaged(segment, at)

    try:
        while at < size and (wanted is None or wanted > 0):
            hold(_HEAD.size)
            length, checksum = _HEAD.unpack_from(held, start)
            if not _BODY.size <= length <= MAX_RECORD_BYTES:
                raise _damaged(segment, at)
            hold(_HEAD.size + length)
            body = held[start + _HEAD.size : start + _HEAD.size + length]
            if _checksum(offset, body) != checksum:
                raise _damaged(segment, at)
            yield at, offset, body
            at, start, offset = at + _HEAD.size + length, start + _HEAD.size + length, offset + 1
            wanted = None if wanted is None else wanted - 1
    finally:
        os.close(descriptor)


def _decode(body: bytes) -> LogRecord:
    origin, fault, attempt = _BODY.unpack_from(body)
    middle, raw = _BODY.size + origin, _BODY.size + origin + fault
    return LogRecord(body[raw:], body[_BODY.size : middle].decode(), body[middle:raw].decode(), attempt)


def _damaged(segment: _Segment, at: int) -> LogDamaged:
    return LogDamaged(f"{segment.path} is damaged at byte {at}; restore the data folder from a backup")


def _index_path(segment: _Segment) -> Path:
    return segment.path.with_suffix(".index")


def _save_index(segment: _Segment) -> None:
    """Keeps a sealed segment's index. A lost or torn one is rebuilt, so it need not be durable."""
    body = struct.pack(f"<{len(segment.positions)}Q", *segment.positions)
    _index_path(segment).write_bytes(_OFFSET.pack(zlib.crc32(body)) + body)


def _load_index(segment: _Segment) -> "array[int]":
    """The index of a sealed segment, rebuilt if need be. Raises LogDamaged if the segment is not whole."""
    expected = -(-segment.count // STRIDE)
    path = _index_path(segment)
    if path.exists():
        stored = path.read_bytes()
        body = stored[_OFFSET.size :]
        if len(body) == 8 * expected and stored[: _OFFSET.size] == _OFFSET.pack(zlib.crc32(body)):
            return array("Q", struct.unpack(f"<{expected}Q", body))
    positions, count = array("Q"), 0
    for at, offset, _ in _scan(segment, 0, segment.size, segment.base, None):
        if (offset - segment.base) % STRIDE == 0:
            positions.append(at)
        count += 1
    if count != segment.count:
        raise _damaged(segment, segment.size)
    segment.positions = positions
    _save_index(segment)
    return positions
