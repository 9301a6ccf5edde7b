"""A file of questions: one JSON answer a row, in order, whatever is wrong with a row."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from pipeline.command_line.failures import CommandError, Exit, fail
from pipeline.command_line.output import print_json
from query_service.plain_faults import faults
from query_service.unknown_subject import UnknownSubject

_BOM = b"\xef\xbb\xbf"

Answered = Callable[[bytes], dict[str, Any]]
"""Answers one row. Raises ValueError, UnknownSubject or CommandError where it cannot."""


def answer_file(file: str, answered: Answered) -> None:
    """Prints one JSON answer a row of `file` ("-": standard input). Fails where no row could be answered."""
    count = 0
    for row in answer_rows(_lines(file), answered):
        print_json(row)
        count += "error" not in row
    if not count:
        fail(f"{file} has no question that could be answered", Exit.NOTHING_READ)


def _lines(file: str) -> Iterator[bytes]:
    if file == "-":
        yield from sys.stdin.buffer
        return
    with open(file, "rb") as lines:
        yield from lines


def answer_rows(lines: Iterable[bytes], answered: Answered) -> Iterator[dict[str, Any]]:
    """Answers each line that is not blank; a line that cannot be answered gives `{line, qid, error}`."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        line = line.removeprefix(_BOM)
        try:
            yield answered(line)
        except (ValueError, UnknownSubject, CommandError) as error:
            yield {"line": number, "qid": _qid_of(line), "error": _told(error)}


def _told(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return faults([dict(fault) for fault in error.errors(include_url=False, include_input=False)], "row")
    if isinstance(error, UnknownSubject):
        return "nothing was ever said by or about this subject"
    return str(error)


def _qid_of(line: bytes) -> str | int | None:
    """The row's own name, as far as the row can be read."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    qid = row.get("qid") if isinstance(row, dict) else None
    return qid if isinstance(qid, (str, int)) else None
