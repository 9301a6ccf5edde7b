"""The audit log: who read, wrote, deleted or changed keys, as JSON lines on the logger `stet.audit`.

It holds no text of a message or a question. A subject stands in it as `subject_mark`, so that the name of one
that was forgotten is nowhere; whoever knows the name can still find its lines.
"""

import json
import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import TextIO

from state.audit_file import AuditFile
from state.identity import digest

STANDARD_OUTPUT = Path("-")
_log = logging.getLogger("stet.audit")
_log.propagate = False


def audit(at: datetime, action: str, tenant: str | None, **told: object) -> None:
    """Writes one line: when, what was done, whose data, and what `told` says besides.

    Raises OSError where it could not be written, but for an `audit_to` that goes on then.
    """
    row = {"at": at.isoformat(), "action": action, "tenant": tenant, **told}
    _log.info("%s", json.dumps(row, ensure_ascii=False))


def subject_mark(tenant: str, subject: str) -> str:
    """What stands for a subject: a hash of its tenant and its name."""
    return digest(tenant, subject)


def audit_to(path: Path | None, output: TextIO | None = None, goes_on: bool = False) -> None:
    """From now on the lines go to the end of this file, which is made anew where it was moved away.

    For `-` they go to `output` (standard output, where none is given), and for None to the logger's own
    handlers alone. With `goes_on` a line that cannot be written stops nothing: it waits. Raises OSError
    where the file cannot be written.
    """
    _log.setLevel(logging.INFO)
    for held in _ours():
        _log.removeHandler(held)
        held.close()
    if path is None:
        return
    refuses = not goes_on
    _log.addHandler(
        _Output(output or sys.stdout, refuses) if path == STANDARD_OUTPUT else AuditFile(path, refuses)
    )


def audit_fault() -> OSError | None:
    """Why the audit log cannot be written now; None where it can be, as far as is known. Lines that waited
    are written first."""
    for held in _ours():
        try:
            held.retry()
        except OSError as error:
            return error
    return None


def audit_refuses() -> bool:
    """Whether nothing is to be done that cannot be told."""
    return any(held.refuses for held in _ours())


def audit_waiting() -> int:
    """How many lines are not in the log yet."""
    return sum(held.waiting for held in _ours())


def _ours() -> list["AuditFile | _Output"]:
    return [one for one in _log.handlers if isinstance(one, AuditFile | _Output)]


class _Output(logging.Handler):
    """A stream that was open already. What it could not write waits in its own buffer."""

    def __init__(self, stream: TextIO, refuses: bool) -> None:
        super().__init__()
        self._stream, self.refuses = stream, refuses
        self.waiting = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a line. Raises OSError where that fails and it refuses."""
        self.waiting += 1
        try:
            self._stream.write(self.format(record) + "\n")
            self._flush()
        except OSError:
            if self.refuses:
                raise

    def retry(self) -> None:
        """Writes what waits. Raises OSError where it cannot be."""
        if self.waiting:
            self._flush()

    def _flush(self) -> None:
        self._stream.flush()
        self.waiting = 0
