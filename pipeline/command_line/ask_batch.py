"""The rows of `stet ask --batch`."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from operators.moments import parse_moment
from pipeline.command_line.answers import answer_json
from pipeline.command_line.batch import Answered
from query_service.ask import Asker
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


def asking(asker: Asker, whose: Callable[[QuestionRow], Subject]) -> Answered:
    """What answers one row with `asker`. `whose` says whom a row is about."""

    def answered(line: bytes) -> dict[str, Any]:
        row = QuestionRow.model_validate_json(line)
        answer = asker.ask(
            whose(row),
            row.question,
            as_of=None if row.as_of is None else parse_moment(row.as_of),
            known_at=None if row.known_at is None else parse_moment(row.known_at),
            budget=row.budget,
        )
        return {**answer_json(answer), "qid": row.qid}

    return answered
