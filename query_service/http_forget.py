"""The routes that take things back: one message, or all of a subject (DESIGN §7)."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from fastapi.responses import JSONResponse

from operators.deletion import deletion
from operators.parse import Rejected
from query_service.caller import Caller, Scope
from query_service.http_caller import require
from query_service.http_forget_models import DeletedOut, ForgottenOut, UnderwayOut
from query_service.http_models import A_NAME, MAX_NAME, Problem
from query_service.http_problems import ProblemError, unknown_subject
from query_service.intake import Accept, Forget, Unavailable, Underway
from state.model import Subject

NOT_HERE = (
    "A subject cannot be forgotten by this service: see deploy/README.md, Privacy. Its messages can be "
    "deleted one at a time."
)

NamedHere = Annotated[str, Path(json_schema_extra={"maxLength": MAX_NAME, "pattern": A_NAME})]
"""What a message can be named. The document says it; it is checked where those of all messages are."""


def forget_routes(
    accept: Accept,
    forget: Forget | None,
    now: Callable[[], datetime],
    caller_of: Callable[..., Caller],
) -> APIRouter:
    """The routes over what takes messages and what forgets. `caller_of` is the dependency that tells who
    calls."""
    router = APIRouter(tags=["privacy"])

    @router.delete(
        "/v1/subjects/{subject:path}/messages/{message:path}", status_code=202, response_model=DeletedOut
    )
    def delete_message(
        subject: NamedHere, message: NamedHere, caller: Annotated[Caller, Depends(caller_of)]
    ) -> DeletedOut:
        """Deletes one message for good. 202 once that is durable: what was drawn from it goes a moment later.

        An id that is not known yet is deleted too, should it come.
        """
        require(caller, Scope.INGEST)
        record = deletion(Subject(caller.tenant, subject), message, now())
        if isinstance(record, Rejected):
            raise ProblemError(422, record.detail, {"reason": record.reason})
        try:
            accept([record])
        except Unavailable as error:
            raise ProblemError(503, f"The message may not be deleted: {error}. Send it again.") from error
        return DeletedOut(tenant=caller.tenant, subject=subject, message=message, deleted_at=record.sent_at)

    @router.delete(
        "/v1/subjects/{subject:path}",
        response_model=ForgottenOut,
        responses={
            202: {"model": UnderwayOut},
            501: {"model": Problem, "content": {"application/problem+json": {}}},
        },
    )
    def forget_subject(
        subject: str, caller: Annotated[Caller, Depends(caller_of)]
    ) -> ForgottenOut | JSONResponse:
        """Removes all of a subject from every store, for good, and says what was removed.

        Takes as long as all that is stored is large; messages are processed after it. On servers a worker
        does it, in the order of the subject's messages: where it has not come so far within a few seconds
        the answer is 202, and it is done when it does. Kafka keeps what it holds until its retention ends.
        """
        require(caller, Scope.ADMIN)
        if forget is None:
            raise ProblemError(501, NOT_HERE, {"title": "Not possible here"})
        try:
            receipt = forget(Subject(caller.tenant, subject))
        except Underway as error:
            told = UnderwayOut(tenant=caller.tenant, subject=subject, detail=f"{error}.")
            return JSONResponse(told.model_dump(mode="json"), 202)
        except Unavailable as error:
            raise ProblemError(503, f"Not forgotten: {error}. Try again.") from error
        if receipt.is_empty:
            raise unknown_subject()
        return ForgottenOut.model_validate(receipt)

    return router
