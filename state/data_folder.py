"""The data folder of the embedded mode: its layout, its marker, and its one owner (DESIGN §5).

stet.json   what the folder is: format version, encoder
stet.lock   locked by the process that has the folder open; names it
log/  redis/  notes/  recovery/  rejected/
"""

import fcntl
import json
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel, ConfigDict, PositiveInt, ValidationError

from state.durable import sync_directory

FORMAT = 2
"""The layout that this code writes and reads."""

_MARKER = "stet.json"
_LOCK = "stet.lock"
_MARKER_DRAFT = "stet.json.new"
_PARTS = ("log", "redis", "notes", "recovery", "rejected")
_SUBCOMMAND = re.compile(r"[a-z][a-z-]{0,30}")


class DataFolderError(Exception):
    """A data folder cannot be opened; the message is one line that says what to do."""


class FolderMissing(DataFolderError):
    """There is no data folder at the path, and none was to be made."""


class FolderLocked(DataFolderError):
    """Another process has the folder open. `pid` and `command` name it; None where it could not be read."""

    def __init__(self, path: Path, pid: int | None, command: str | None) -> None:
        holder = f"process {pid} ({command})" if pid is not None else "another process"
        super().__init__(f"{path} is open in {holder}; wait until it ends, or stop it, and try again")
        self.pid = pid
        self.command = command


class ForeignFolder(DataFolderError):
    """The path holds something that is not a Stet data folder."""


class FolderUnusable(DataFolderError):
    """The path cannot be created, read or written."""


class MarkerDamaged(DataFolderError):
    """The marker cannot be read, so what the folder holds is not known."""


class NewerFormat(DataFolderError):
    """The folder was made by a later version."""


class OlderFormat(DataFolderError):
    """The folder was made by an earlier version, which stored things otherwise."""


class EncoderMismatch(DataFolderError):
    """The folder's vectors come from another encoder than the one asked for."""


@dataclass(frozen=True, slots=True)
class EncoderMark:
    """Which encoder a folder's vectors come from."""

    name: str
    dimension: int


class _EncoderRow(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    name: str
    dimension: PositiveInt


class _MarkerRow(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    format: PositiveInt
    encoder: _EncoderRow | None = None


class DataFolder:
    """An open data folder: while it is open, no other process (nor a second open here) has it.

    The lock belongs to the open file, so the system releases it however the holder ends; a child made by a
    bare fork shares it and must not outlive the holder. Use as a context manager, or call `close`.
    """

    def __init__(self, path: Path, lock: int, encoder: EncoderMark | None) -> None:
        self.path = path
        self.encoder = encoder
        self.log = path / "log"
        self.redis = path / "redis"
        self.notes = path / "notes"
        self.recovery = path / "recovery"
        self.rejected = path / "rejected"
        self._lock: int | None = lock

    @classmethod
    def open(cls, path: Path, encoder: EncoderMark | None = None, create: bool = True) -> Self:
        """Opens the folder at `path`, making it first if there is none and `create` is set.

        The first `encoder` given is written into the folder; from then on another one is refused. Without
        `encoder` nothing is checked (for commands that touch no vectors).
        Raises a `DataFolderError`; nothing is changed at `path` then, but for a folder that was half made.
        """
        path = Path(os.path.abspath(path))
        try:
            _admit(path, create)
            lock = _acquire(path)
            try:
                marked = _settle_marker(path, encoder)
                for part in _PARTS:
                    (path / part).mkdir(mode=0o700, exist_ok=True)
                sync_directory(path)
            except BaseException:
                os.close(lock)
                raise
        except OSError as error:
            raise FolderUnusable(
                f"{path} cannot be used ({error.strerror or error}); check its permissions and the free "
                "space, or choose another data folder"
            ) from error
        return cls(path, lock, marked)

    def mark(self, encoder: EncoderMark) -> None:
        """Writes the encoder into a folder that names none. Raises EncoderMismatch if it names another."""
        self.encoder = _settle_marker(self.path, encoder)

    def close(self) -> None:
        """Gives the folder up. Closing twice is no error."""
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _admit(path: Path, create: bool) -> None:
    """Raises unless `path` is a data folder, or may become one; makes the bare directory if need be."""
    if not path.exists():
        if not create:
            raise FolderMissing(
                f"there is no data folder at {path}; run `stet ingest` first, or check --data-dir"
            )
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync_directory(path.parent)
        return
    if not path.is_dir():
        raise ForeignFolder(f"{path} is not a folder; choose another data folder")
    found = {entry.name for entry in path.iterdir()}
    if _MARKER in found:
        return
    if found - {_LOCK, _MARKER_DRAFT}:
        raise ForeignFolder(
            f"{path} has other files and no {_MARKER}, so it is no Stet data folder; "
            "choose an empty folder or a new one"
        )
    if not create:
        raise FolderMissing(f"{path} is empty; run `stet ingest` first, or check --data-dir")


def _acquire(path: Path) -> int:
    """The descriptor that holds the folder's lock, with this process named in the file."""
    lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        try:
            pid, command = _holder(lock)
        finally:
            os.close(lock)
        raise FolderLocked(path, pid, command) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n{_own_command()}\n".encode(), 0)
    return lock


def _holder(lock: int) -> tuple[int | None, str | None]:
    """Who holds the lock. The holder writes its name just after it locks, so an empty file is read again."""
    for _ in range(10):
        pid, _, command = os.pread(lock, 4096, 0).decode(errors="replace").partition("\n")
        if pid.isdecimal() and command.endswith("\n"):
            return int(pid), command.strip()
        time.sleep(0.02)
    return None, None


def _own_command() -> str:
    """The program and its subcommand; no other argument, since a question is one."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    subcommand = sys.argv[1] if len(sys.argv) > 1 and _SUBCOMMAND.fullmatch(sys.argv[1]) else ""
    return f"{program} {subcommand}".strip()


def _settle_marker(path: Path, encoder: EncoderMark | None) -> EncoderMark | None:
    """The folder's encoder, after the marker was checked against `encoder`, made, or given it."""
    marker = path / _MARKER
    if not marker.exists():
        _write_marker(path, encoder)
        return encoder
    marked = _read_marker(marker)
    if encoder is None or encoder == marked:
        return marked
    if marked is None:
        _write_marker(path, encoder)
        return encoder
    raise EncoderMismatch(
        f"{path} was made with the encoder {marked.name} ({marked.dimension} dimensions), "
        f"not {encoder.name} ({encoder.dimension}); use that encoder, or ingest into another data folder"
    )


def _read_marker(marker: Path) -> EncoderMark | None:
    damaged = MarkerDamaged(f"{marker} cannot be read; restore it from a backup, or use another data folder")
    try:
        row = json.loads(marker.read_bytes())
    except (ValueError, RecursionError):
        raise damaged from None
    # The version alone is looked at first: a later format may have fields that are not known here.
    version = row.get("format") if isinstance(row, dict) else None
    if isinstance(version, int) and version > FORMAT:
        raise NewerFormat(
            f"{marker.parent} has format {version} and this Stet reads up to {FORMAT}; install a newer Stet"
        )
    if isinstance(version, int) and 0 < version < FORMAT:
        raise OlderFormat(
            f"{marker.parent} has format {version} and this Stet reads {FORMAT}: ingest its messages again "
            "into a new folder"
        )
    try:
        marked = _MarkerRow.model_validate(row).encoder
    except ValidationError:
        raise damaged from None
    return None if marked is None else EncoderMark(marked.name, marked.dimension)


def _write_marker(path: Path, encoder: EncoderMark | None) -> None:
    """Replaces the marker in one step, so that a crash leaves the old one or the new one."""
    named = None if encoder is None else _EncoderRow(name=encoder.name, dimension=encoder.dimension)
    draft = path / _MARKER_DRAFT
    with draft.open("w", encoding="utf-8") as file:
        file.write(_MarkerRow(format=FORMAT, encoder=named).model_dump_json(indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path / _MARKER)
    sync_directory(path)
