"""`POST /v1/ask`: the evidence for a question (DESIGN §7)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from query_service.ask import Asker
from query_service.http_models import AnswerOut, Question
from query_service.http_problems import unknown_subject
from query_service.http_request import body_schema, read_body
from query_service.unknown_subject import UnknownSubject
from state.model import Subject


def ask_routes(asker: Asker, tenant_of: Callable[..., str]) -> APIRouter:
    """The route over what asks. `tenant_of` is the dependency that names the tenant of a request."""
    router = APIRouter(tags=["questions"])

    @router.post("/v1/ask", response_model=AnswerOut, openapi_extra=body_schema(Question))
    async def ask(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> AnswerOut:
        """The evidence for a question: ranked messages, paths, and a context under a budget of tokens."""
        question = await read_body(request, Question)
        return await run_in_threadpool(_answer, asker, tenant, question)

    return router


def _answer(asker: Asker, tenant: str, question: Question) -> AnswerOut:
    try:
        answer = asker.ask(
            Subject(tenant, question.subject),
            question.question,
            as_of=question.as_of,
            known_at=question.known_at,
            budget=question.budget,
            qid=question.qid,
        )
    except UnknownSubject as error:
        raise unknown_subject() from error
    return AnswerOut.model_validate(asdict(answer))
