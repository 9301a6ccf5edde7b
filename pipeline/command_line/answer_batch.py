"""The rows of `stet answer --batch`."""

from collections.abc import Callable
from typing import Any

from operators.llm.failure import CallFailed
from operators.moments import parse_moment
from pipeline.command_line.ask_batch import QuestionRow
from pipeline.command_line.batch import Answered
from pipeline.command_line.failures import CommandError, code_of, line_of
from pipeline.command_line.written_answer import written_json
from query_service.answer import Answerer, Inquiry
from state.model import Subject


def answering(answerer: Answerer, whose: Callable[[QuestionRow], Subject], with_context: bool) -> Answered:
    """What answers one row with `answerer`; `whose` says whom it is about.

    A row that the model gives no answer to has the reason in its place; the same file again asks only for
    those.
    """

    def answered(line: bytes) -> dict[str, Any]:
        row = QuestionRow.model_validate_json(line)
        inquiry = Inquiry(
            whose(row),
            row.question,
            as_of=None if row.as_of is None else parse_moment(row.as_of),
            known_at=None if row.known_at is None else parse_moment(row.known_at),
            budget=row.budget,
        )
        try:
            written = answerer.answer(inquiry)
        except CallFailed as error:
            raise CommandError(line_of(error), code_of(error)) from error
        return {**written_json(written, with_context), "qid": row.qid}

    return answered
