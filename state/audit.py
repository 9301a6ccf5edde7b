"""The audit log: who read, wrote, deleted or changed keys, as JSON lines on the logger `stet.audit`.

It holds no text of a message or a question. A subject stands in it as `subject_mark`, so that the name of one
that was forgotten is nowhere; whoever knows the name can still find its lines.
"""

import json
import logging
import sys
from datetime import datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import TextIO

from state.identity import digest

STANDARD_OUTPUT = Path("-")
_log = logging.getLogger("stet.audit")
_log.propagate = False


def audit(at: datetime, action: str, tenant: str | None, **told: object) -> None:
    """Writes one line: when, what was done, whose data, and what `told` says besides."""
    row = {"at": at.isoformat(), "action": action, "tenant": tenant, **told}
    _log.info("%s", json.dumps(row, ensure_ascii=False))


def subject_mark(tenant: str, subject: str) -> str:
    """What stands for a subject: a hash of its tenant and its name."""
    return digest(tenant, subject)


def audit_to(path: Path | None, output: TextIO | None = None) -> None:
    """From now on the lines go to the end of this file, which is made anew where it was moved away.

    For `-` they go to `output` (standard output, where none is given), and for None to the logger's own
    handlers alone. Raises OSError where the file cannot be written.
    """
    _log.setLevel(logging.INFO)
    for held in [one for one in _log.handlers if isinstance(one, _Lines | _Output)]:
        _log.removeHandler(held)
        held.close()
    if path is None:
        return
    _log.addHandler(
        _Output(output or sys.stdout) if path == STANDARD_OUTPUT else _Lines(path, encoding="utf-8")
    )


class _Lines(WatchedFileHandler):
    """A file of lines, readable by this user alone."""

    def _open(self):  # type: ignore[no-untyped-def]
        Path(self.baseFilename).touch(mode=0o600)
        return super()._open()


class _Output(logging.StreamHandler):  # type: ignore[type-arg]
    """A stream that was open already."""
