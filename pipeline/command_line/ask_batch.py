"""`stet ask --batch`: one JSON answer a row, in order, whatever is wrong with a row."""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipeline.command_line.answers import answer_json
from pipeline.command_line.moments import parse_moment
from query_service.ask import Asker, UnknownSubject
from state.model import Subject


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


def answer_rows(
    asker: Asker, lines: Iterable[str], tenant_of: Callable[[str | None], str]
) -> Iterator[dict[str, Any]]:
    """Answers each line that is not blank; a line that cannot be answered gives `{line, qid, error}`."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        qid: Any = None
        try:
            row = QuestionRow.model_validate_json(line.lstrip("\ufeff"))
            qid = row.qid
            answer = asker.ask(
                Subject(tenant_of(row.tenant), row.subject),
                row.question,
                as_of=None if row.as_of is None else parse_moment(row.as_of),
                known_at=None if row.known_at is None else parse_moment(row.known_at),
                budget=row.budget,
            )
            yield {**answer_json(answer), "qid": qid}
        except ValidationError as error:
            faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'row'}: {e['msg']}" for e in error.errors())
            yield {"line": number, "qid": qid, "error": faults}
        except UnknownSubject:
            yield {"line": number, "qid": qid, "error": "nothing was ever said by or about this subject"}
        except ValueError as error:
            yield {"line": number, "qid": qid, "error": str(error)}
