"""One record of the rejected stream, and how it lies in a file: a JSON object a line."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import AwareDatetime, BaseModel, ConfigDict, NonNegativeInt, PositiveInt

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


def read_records(path: Path, size: int | None = None) -> Iterator[RejectedRecord]:
    """The records in `path`, up to byte `size`. Raises RejectedDamaged at a line that is none."""
    with path.open("rb") as file:
        at = 0
        for number, line in enumerate(file, 1):
            at += len(line)
            if size is not None and at > size:
                return
            record = read_line(line)
            if record is None:
                raise RejectedDamaged(
                    f"{path} line {number} is damaged: restore the file from a backup, or take the line out; "
                    "its record is not fed again then"
                )
            yield record


def read_line(line: bytes) -> RejectedRecord | None:
    """The record that `line` holds, or None where it holds none."""
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


def line_of(record: RejectedRecord) -> bytes:
    """The line that `read_line` reads back as `record`."""
    text, encoded = None, None
    try:
        text = record.raw.decode()
    except UnicodeDecodeError:
        encoded = b64encode(record.raw).decode()
    row = _Row(
        offset=record.offset,
        attempt=record.attempt,
        reason=record.reason,
        detail=record.detail,
        origin=record.origin,
        rejected_at=record.rejected_at,
        text=text,
        base64=encoded,
    )
    return row.model_dump_json(exclude_none=True).encode() + b"\n"
