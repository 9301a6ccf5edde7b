"""The rows of `stet context --batch`."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from pipeline.command_line.answers import plain
from pipeline.command_line.batch import Answered
from query_service.next_turn import NextTurn
from state.model import Subject


class MessageRow(BaseModel):
    """One row of the batch file."""

    model_config = ConfigDict(strict=True, extra="forbid")

    subject: str
    message: Annotated[str, Field(min_length=1, pattern=r"\S")]
    conversation: str | None = None
    budget: Annotated[int, Field(ge=1)] | None = None
    qid: str | int | None = None
    tenant: str | None = None


def selecting(turns: NextTurn, whose: Callable[[MessageRow], Subject]) -> Answered:
    """What answers one row with `turns`. `whose` says whom a row is about."""

    def answered(line: bytes) -> dict[str, Any]:
        row = MessageRow.model_validate_json(line)
        found = turns.context(whose(row), row.message, row.budget, row.conversation)
        return {**plain(found), "qid": row.qid}

    return answered
