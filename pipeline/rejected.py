"""The embedded rejected stream: each record that was refused, why and where from, and its replay (DESIGN I5).

    pending.jsonl          refused and not replayed; appended to
    replaying-<n>.jsonl    being fed again; goes back to be fed first if that was cut short
    replayed-<n>.jsonl     fed again, kept as the history

One JSON object a line. A record is known by its offset in the message log, and is kept once.
"""

import os
import re
import threading
from array import array
from base64 import b64decode, b64encode
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, NonNegativeInt, PositiveInt

from operators.parse import Reason
from pipeline.received import Refused
from state.durable import sync_directory, write_all
from state.message_log import LogRecord

REPLAY_BATCH = 500
"""How many records a replay hands out together."""

_PENDING = "pending.jsonl"
_REPLAYING = "replaying-"
_REPLAYED = "replayed-"
_LINE_NUMBER = re.compile(r"(?P<file>.*):(?P<line>\d{1,18})", re.DOTALL)


class RejectedDamaged(Exception):
    """A file of the stream has a line that is none of its records; the message says what to do."""


@dataclass(frozen=True, slots=True)
class RejectedRecord:
    """A refused record. `offset` is its place in the message log, `origin` where it came from ("" unknown).

    `reason` is a code of `operators.parse.Reason`; `attempt` counts from 1 how often it was fed.
    """

    offset: int
    attempt: int
    reason: str
    detail: str
    origin: str
    raw: bytes
    rejected_at: datetime

    @property
    def file(self) -> str:
        """The file that `origin` names, or all of `origin` where it names no line."""
        found = _LINE_NUMBER.fullmatch(self.origin)
        return found["file"] if found else self.origin

    @property
    def line(self) -> int | None:
        """The line that `origin` names."""
        found = _LINE_NUMBER.fullmatch(self.origin)
        return int(found["line"]) if found else None


class _Row(BaseModel):
    """A record as JSON: its bytes as text where they are UTF-8, else in base64."""

    model_config = ConfigDict(strict=True, extra="forbid")

    offset: NonNegativeInt
    attempt: PositiveInt
    reason: str
    detail: str
    origin: str
    rejected_at: AwareDatetime
    text: str | None = None
    base64: str | None = None


def _utc_now() -> datetime:
    return datetime.now(UTC)


class RejectedStream:
    """The open stream of one data folder; one process has it open, and its methods are thread-safe."""

    def __init__(self, folder: Path, clock: Callable[[], datetime] = _utc_now) -> None:
        """Opens the stream in `folder`, which exists, and reads it once.

        What a crash left of an unfinished write is cut off the pending file, from the first line that is no
        record on, and kept beside it as `pending.torn-<position>`: it was not acknowledged, so it comes
        again. Raises RejectedDamaged for a bad line in any other file.
        """
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._replaying = threading.Lock()
        self._offsets = array("Q")  # of every record ever kept, sorted
        self._pending = 0
        self._descriptor = _open_pending(folder)
        try:
            self._size = _cut_torn_lines(folder, self._descriptor)
            for path in self._files():
                for record in _records(path):
                    self._offsets.append(record.offset)
                    self._pending += not path.name.startswith(_REPLAYED)
            self._offsets = array("Q", sorted(self._offsets))
        except BaseException:
            os.close(self._descriptor)
            raise

    def write(self, refused: Iterable[Refused]) -> int:
        """Keeps each record whose offset is not kept yet, durably (one fsync), and says how many those are.

        O(log n) a record while offsets rise. Raises OSError; nothing is kept then.
        """
        with self._lock:
            fresh = {item.received.offset: item for item in refused if not self._knows(item.received.offset)}
            if not fresh:
                return 0
            now = self._clock()
            data = b"".join(_line_of(item, now) for item in fresh.values())
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
                yield from _records(path, size if path.name == _PENDING else None)

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
            records = (_again(record) for path in taken for record in _records(path))
            while batch := list(islice(records, REPLAY_BATCH)):
                append(batch)
                fed += len(batch)
            self._settle(taken, fed)
            return fed

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


def _cut_torn_lines(folder: Path, descriptor: int) -> int:
    """Cuts the pending file at its first line that is no record; its size then."""
    path = folder / _PENDING
    good = 0
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n") or _read_line(line) is None:
                break
            good += len(line)
        file.seek(good)
        torn = file.read()
    if torn:
        path.with_name(f"pending.torn-{good}").write_bytes(torn)
        os.ftruncate(descriptor, good)
    os.fsync(descriptor)
    return good


def _records(path: Path, size: int | None = None) -> Iterator[RejectedRecord]:
    """The records in `path`, up to byte `size`."""
    with path.open("rb") as file:
        at = 0
        for number, line in enumerate(file, 1):
            at += len(line)
            if size is not None and at > size:
                return
            record = _read_line(line)
            if record is None:
                raise RejectedDamaged(
                    f"{path} line {number} is no rejected record; take the line out of the file"
                )
            yield record


def _read_line(line: bytes) -> RejectedRecord | None:
    try:
        row = _Row.model_validate_json(line)
        raw = b64decode(row.base64, validate=True) if row.base64 is not None else (row.text or "").encode()
    except ValueError:
        return None
    return RejectedRecord(
        offset=row.offset,
        attempt=row.attempt,
        reason=row.reason,
        detail=row.detail,
        origin=row.origin,
        raw=raw,
        rejected_at=row.rejected_at,
    )


def _line_of(item: Refused, now: datetime) -> bytes:
    text, encoded = None, None
    try:
        text = item.received.raw.decode()
    except UnicodeDecodeError:
        encoded = b64encode(item.received.raw).decode()
    row = _Row(
        offset=item.received.offset,
        attempt=item.received.attempt,
        reason=item.why.reason.value,
        detail=item.why.detail,
        origin=item.received.origin,
        rejected_at=now,
        text=text,
        base64=encoded,
    )
    return row.model_dump_json(exclude_none=True).encode() + b"\n"


def _again(record: RejectedRecord) -> LogRecord:
    """The record as it is fed again. A line that was cut stays what it is; anything else is parsed anew."""
    fault = record.reason if record.reason == Reason.LINE_TOO_LONG else ""
    return LogRecord(record.raw, record.origin, fault, record.attempt + 1)
