"""One segment of the message log: how records lie in a file, and where to find one of them.

Records lie back to back; a record is

    length of body u32 · CRC-32 of (offset u64, body) u32 · body
    body = length of origin u16 · length of fault u8 · attempt u8 · origin · fault · raw

with little-endian numbers. The offset in the checksum tells a record that lies in the wrong place.
"""

import os
import shutil
import struct
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from state.durable import sync_directory

STRIDE = 64
"""The sparse index has the position of every so many-th record."""
MAX_RECORD_BYTES = 4 * 1024 * 1024
"""The longest body of a record."""
ERASED = "erased"
"""The fault of a record that was erased: its offset is all that is left of it."""

RECORD_HEAD = struct.Struct("<II")
HEAD_BYTES = RECORD_HEAD.size
"""What a record takes beside its body."""
BODY_HEAD = struct.Struct("<HBB")
_OFFSET = struct.Struct("<Q")
DRAFT = ".draft"
"""The suffix of a segment that is being written anew; one that is left over is of no use."""
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


@dataclass(slots=True)
class Segment:
    """`positions[i]` is where record `base + i * STRIDE` starts; `size` and `count` are what is durable."""

    base: int
    path: Path
    positions: "array[int]"
    size: int = 0
    count: int = 0


def segment_path(folder: Path, base: int) -> Path:
    """The file of the segment whose first record has offset `base`."""
    return folder / f"{base:020d}.log"


def create_segment(folder: Path, base: int) -> Segment:
    """A new, empty segment, durable as a file."""
    path = segment_path(folder, base)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    sync_directory(folder)
    return Segment(base, path, array("Q"))


def encode(records: Sequence[LogRecord], first: int, segment: Segment) -> tuple[bytes, list[int]]:
    """The bytes of `records` from offset `first` on, and the positions that join the segment's index.

    Raises ValueError for a record that is too long.
    """
    parts: list[bytes] = []
    marks: list[int] = []
    at = segment.size
    for offset, record in enumerate(records, first):
        # A file's name need not be text: what UTF-8 cannot say of it becomes a question mark.
        origin, fault = record.origin.encode(errors="replace"), record.fault.encode()
        if len(origin) > 0xFFFF or len(fault) > 0xFF:
            raise ValueError("a record's origin is at most 65,535 bytes of UTF-8 and its fault 255")
        attempt = min(record.attempt, 0xFF)
        body = b"".join((BODY_HEAD.pack(len(origin), len(fault), attempt), origin, fault, record.raw))
        if len(body) > MAX_RECORD_BYTES:
            raise ValueError(f"a record is at most {MAX_RECORD_BYTES} bytes, not {len(body)}")
        if (offset - segment.base) % STRIDE == 0:
            marks.append(at)
        parts += (RECORD_HEAD.pack(len(body), checksum_of(offset, body)), body)
        at += HEAD_BYTES + len(body)
    return b"".join(parts), marks


def checksum_of(offset: int, body: bytes) -> int:
    """A record's checksum, which tells one that lies in another one's place."""
    return zlib.crc32(body, zlib.crc32(_OFFSET.pack(offset)))


def scan(
    segment: Segment, at: int, size: int, offset: int, wanted: int | None
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
                raise damaged(segment, at)

    try:
        while at < size and (wanted is None or wanted > 0):
            hold(HEAD_BYTES)
            length, checksum = RECORD_HEAD.unpack_from(held, start)
            if not BODY_HEAD.size <= length <= MAX_RECORD_BYTES:
                raise damaged(segment, at)
            hold(HEAD_BYTES + length)
            body = held[start + HEAD_BYTES : start + HEAD_BYTES + length]
            if checksum_of(offset, body) != checksum:
                raise damaged(segment, at)
            yield at, offset, body
            at, start, offset = at + HEAD_BYTES + length, start + HEAD_BYTES + length, offset + 1
            wanted = None if wanted is None else wanted - 1
    finally:
        os.close(descriptor)


def decode(body: bytes) -> LogRecord:
    """The record that `scan` gave the body of."""
    origin, fault, attempt = BODY_HEAD.unpack_from(body)
    middle, raw = BODY_HEAD.size + origin, BODY_HEAD.size + origin + fault
    if body[middle:raw] == ERASED.encode():
        return LogRecord(b"", "", ERASED, attempt)  # the rest of the body is padding
    return LogRecord(body[raw:], body[BODY_HEAD.size : middle].decode(), body[middle:raw].decode(), attempt)


def damaged(segment: Segment, at: int) -> LogDamaged:
    """The error that names the byte from which on the segment does not hold."""
    return LogDamaged(f"{segment.path} is damaged at byte {at}; restore the data folder from a backup")


def erase(segment: Segment, matches: Callable[[LogRecord], bool]) -> int:
    """Erases the records that match, and returns how many did; a crash leaves the old file or the new one.

    An erased record keeps its length, so that positions stay true, also for a read that is under way.
    """
    found = [
        (at, offset, len(body))
        for at, offset, body in scan(segment, 0, segment.size, segment.base, None)
        if matches(decode(body))
    ]
    if not found:
        return 0
    draft = segment.path.with_suffix(DRAFT)
    shutil.copyfile(segment.path, draft)
    with draft.open("r+b") as file:
        for at, offset, length in found:
            body = _erased_body(length)
            file.seek(at)
            file.write(RECORD_HEAD.pack(length, checksum_of(offset, body)) + body)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(segment.path)
    sync_directory(segment.path.parent)
    return len(found)


def _erased_body(length: int) -> bytes:
    # A body too short for the fault had too few bytes to be a message.
    fault = ERASED.encode() if length >= BODY_HEAD.size + len(ERASED) else b""
    return (BODY_HEAD.pack(0, len(fault), 1) + fault).ljust(length, b"\x00")


def _index_path(segment: Segment) -> Path:
    return segment.path.with_suffix(".index")


def save_index(segment: Segment) -> None:
    """Keeps a sealed segment's index. A lost or torn one is rebuilt, so it need not be durable."""
    body = struct.pack(f"<{len(segment.positions)}Q", *segment.positions)
    _index_path(segment).write_bytes(_OFFSET.pack(zlib.crc32(body)) + body)


def load_index(segment: Segment) -> "array[int]":
    """The index of a sealed segment, rebuilt if need be. Raises LogDamaged if the segment is not whole."""
    expected = -(-segment.count // STRIDE)
    path = _index_path(segment)
    if path.exists():
        stored = path.read_bytes()
        body = stored[_OFFSET.size :]
        if len(body) == 8 * expected and stored[: _OFFSET.size] == _OFFSET.pack(zlib.crc32(body)):
            return array("Q", struct.unpack(f"<{expected}Q", body))
    positions, count = array("Q"), 0
    for at, offset, _ in scan(segment, 0, segment.size, segment.base, None):
        if (offset - segment.base) % STRIDE == 0:
            positions.append(at)
        count += 1
    if count != segment.count:
        raise damaged(segment, segment.size)
    segment.positions = positions
    save_index(segment)
    return positions
