"""`stet ask --batch`: one JSON answer a row, in order, whatever is wrong with a row."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from operators.moments import parse_moment
from pipeline.command_line.answers import answer_json
from pipeline.command_line.failures import CommandError, Exit, fail
from pipeline.command_line.output import print_json
from query_service.ask import Asker, UnknownSubject
from state.model import Subject

_BOM = b"\xef\xbb\xbf"


class QuestionRow(BaseModel):
    """One row of the batch file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    subject: str
    question: Annotated[str, Field(min_length=1)]
    as_of: str | None = None
    known_at: str | None = None
    budget: Annotated[int, Field(ge=1)] | None = None
    qid: str | int | None = None
    tenant: str | None = None


def answer_file(asker: Asker, file: str, tenant_of: Callable[[str | None], str]) -> None:
    """Prints one JSON answer a row of `file` ("-": standard input). Fails where no row could be answered."""
    answered = 0
    for row in answer_rows(asker, _lines(file), tenant_of):
        print_json(row)
        answered += "error" not in row
    if not answered:
        fail(f"{file} has no question that could be answered", Exit.NOTHING_READ)


def _lines(file: str) -> Iterator[bytes]:
    if file == "-":
        yield from sys.stdin.buffer
        return
    with open(file, "rb") as lines:
        yield from lines


def answer_rows(
    asker: Asker, lines: Iterable[bytes], tenant_of: Callable[[str | None], str]
) -> Iterator[dict[str, Any]]:
    """Answers each line that is not blank; a line that cannot be answered gives `{line, qid, error}`."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        line = line.removeprefix(_BOM)
        try:
            yield _answered(asker, QuestionRow.model_validate_json(line), tenant_of)
        except (ValueError, UnknownSubject, CommandError) as error:
            yield {"line": number, "qid": _qid_of(line), "error": _told(error)}


def _answered(asker: Asker, row: QuestionRow, tenant_of: Callable[[str | None], str]) -> dict[str, Any]:
    answer = asker.ask(
        Subject(tenant_of(row.tenant), row.subject),
        row.question,
        as_of=None if row.as_of is None else parse_moment(row.as_of),
        known_at=None if row.known_at is None else parse_moment(row.known_at),
        budget=row.budget,
    )
    return {**answer_json(answer), "qid": row.qid}


def _told(error: Exception) -> str:
    if isinstance(error, ValidationError):
        faults = error.errors(include_url=False, include_input=False)
        return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'row'}: {e['msg']}" for e in faults)
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
