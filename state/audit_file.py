"""The file of the audit log: whole lines at its end, from any number of processes, also while it is rotated.

A line that cannot be written (a full disk) waits, and is written before the next. Nothing is left of one that
had room for its beginning only.
"""

import errno
import fcntl
import logging
import os
from collections import deque
from pathlib import Path

WAITING = 10_000
"""The most lines that wait; of more the oldest are lost."""


class AuditFile(logging.Handler):
    """Writes records to the end of a file that its user alone can read.

    `refuses`: what was not written is raised (OSError), and the line waits all the same. Else only
    `waiting` tells. Raises OSError where the file cannot be opened.
    """

    def __init__(self, path: Path, refuses: bool = True) -> None:
        super().__init__()
        self._path, self.refuses = path, refuses
        self._waiting: deque[bytes] = deque(maxlen=WAITING)
        self._file: int | None = _open(path)

    @property
    def waiting(self) -> int:
        """How many lines are not written yet."""
        return len(self._waiting)

    def emit(self, record: logging.LogRecord) -> None:
        """Writes what waits and this record. Raises OSError as the class says."""
        self._waiting.append(self.format(record).encode("utf-8", "backslashreplace") + b"\n")
        try:
            self._write()
        except OSError:
            if self.refuses:
                raise

    def retry(self) -> None:
        """Writes what waits. Raises OSError where it cannot be."""
        if not self._waiting:
            return
        self.acquire()
        try:
            self._write()
        finally:
            self.release()

    def close(self) -> None:
        """Closes the file; the next record opens it again. Whoever configures logging closes all handlers
        there are, and theirs stay in use."""
        self.acquire()
        try:
            if self._file is not None:
                os.close(self._file)
            self._file = None
        finally:
            self.release()
        super().close()

    def _write(self) -> None:
        file = self._followed()
        while self._waiting:
            _append(file, self._waiting[0])
            self._waiting.popleft()

    def _followed(self) -> int:
        """The file, opened anew where it was moved away or removed: that is how a log is rotated."""
        if self._file is not None and _is_at(self._path, self._file):
            return self._file
        anew = _open(self._path)
        if self._file is not None:
            os.close(self._file)
        self._file = anew
        return anew


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False


def _open(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _append(file: int, line: bytes) -> None:
    """All of the line or nothing. The lock keeps others from writing meanwhile: theirs is not cut off."""
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        size = os.fstat(file).st_size
        if os.write(file, line) == len(line):
            return
        os.ftruncate(file, size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
