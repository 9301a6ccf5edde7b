"""`POST /v1/answer`: an answer in words, whole or as server-sent events while a model writes it (DESIGN §7).

The events are `token` (`{"text": …}`), any number of them; then one `answer` (the JSON that is answered
without events), whose text is checked and is the one that counts, or one `problem`, where the model fails
meanwhile. What fails before the first token is answered with its status, without any event.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Generator
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.types import Receive, Scope, Send

from operators.llm.failure import CallFailed, Failure
from query_service.answer import Answerer, Inquiry, Model, WrittenAnswer
from query_service.ask import Asker
from query_service.beside import Beside, begun, leaving
from query_service.http_answer_models import QuestionToAnswer, WrittenAnswerOut
from query_service.http_models import PROBLEM
from query_service.http_problems import STORES_AWAY, ProblemError, unknown_subject
from query_service.http_request import body_schema, read_body
from query_service.unknown_subject import UnknownSubject
from state.model import Subject

EVENTS = "text/event-stream"
AT_ONCE = 64
"""Questions that may wait for the model at once. They have threads of their own: a slow model does not keep
other requests waiting."""
NO_MODEL = (
    "No model is named, so questions are not answered in words: start the service with "
    "STET_LLM=https://host/v1#model-name. POST /v1/ask gives the evidence without one."
)
_LATER = 10
"""Seconds after which a model that failed may be asked again, where it does not say so itself."""
_STATUS = {Failure.DEADLINE: 504, Failure.BUDGET: 429}

Piece = str | WrittenAnswer


def answer_routes(asker: Asker, model: Model | None, tenant_of: Callable[..., str]) -> APIRouter:
    """The route over what asks and the model. `tenant_of` is the dependency that names a request's tenant."""
    router = APIRouter(tags=["questions"])
    answerer = Answerer(asker, model) if model is not None else None
    places = asyncio.Semaphore(AT_ONCE)

    @router.post(
        "/v1/answer",
        response_model=WrittenAnswerOut,
        openapi_extra=body_schema(QuestionToAnswer),
        responses={200: {"content": {EVENTS: {}}}, 501: PROBLEM, 502: PROBLEM},
    )
    async def answer(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> Response:
        """An answer in words that cites messages; with `Accept: text/event-stream`, as it is written."""
        asked = await read_body(request, QuestionToAnswer)
        if answerer is None:
            raise ProblemError(501, NO_MODEL)
        inquiry = Inquiry(
            Subject(tenant, asked.subject),
            asked.question,
            as_of=asked.as_of,
            known_at=asked.known_at,
            budget=asked.budget,
            qid=asked.qid,
        )
        streamed = EVENTS in request.headers.get("accept", "")
        work = await begun(answerer.stream(inquiry) if streamed else _whole(answerer, inquiry), places)
        async with leaving(work):
            try:
                first = await work.next()
            except UnknownSubject as error:
                raise unknown_subject() from error
            except CallFailed as error:
                raise _failed(error) from error
        assert first is not None
        if isinstance(first, WrittenAnswer):
            return JSONResponse(_told(first, asked.context))
        return _EventStream(first, work, asked.context)

    return router


def _whole(answerer: Answerer, inquiry: Inquiry) -> Generator[Piece, None, None]:
    yield answerer.answer(inquiry)


def _told(written: WrittenAnswer, with_context: bool) -> dict[str, Any]:
    return WrittenAnswerOut.of(written, with_context).model_dump(mode="json")


def _failed(error: CallFailed) -> ProblemError:
    """The problem of a model that gave no answer. It says no more than the kind: the rest is for whoever runs
    the service, and is in its metrics."""
    extra: dict[str, object] = {"reason": error.reason.value}
    status = _STATUS.get(error.reason, 502 if error.lasting else 503)
    wait = ceil(error.retry_after) if error.retry_after is not None else None
    if error.reason is Failure.BUDGET:
        until = datetime.now(UTC) + timedelta(seconds=(error.retry_after or 0.0) + 0.5)
        extra["until"] = until.isoformat(timespec="seconds").replace("+00:00", "Z")
        told = "This tenant's tokens of the day are spent: ask again after `until`."
    elif error.lasting:
        told = f"The model gave no answer that can be used ({error.reason.value})."
    else:
        wait = _LATER if wait is None else wait
        told = f"The model does not answer now ({error.reason.value}): try again."
    return ProblemError(status, f"{told} POST /v1/ask gives the evidence without it.", extra, wait)


def _event(piece: Piece, with_context: bool) -> bytes:
    if isinstance(piece, str):
        return _sent("token", {"text": piece})
    return _sent("answer", _told(piece, with_context))


def _sent(name: str, told: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n".encode()


class _EventStream(StreamingResponse):
    """Sends an answer's pieces as events. A reader that goes away ends the call, at its next piece."""

    def __init__(self, first: Piece, work: Beside[Piece], with_context: bool) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(self._events(first), media_type=EVENTS, headers=headers)
        self._work, self._with_context = work, with_context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._work.leave()

    async def _events(self, first: Piece) -> AsyncIterator[bytes]:
        piece: Piece | None = first
        try:
            while piece is not None:
                yield _event(piece, self._with_context)
                piece = await self._work.next()
        except CallFailed as error:
            yield _sent("problem", _failed(error).body())
        except STORES_AWAY as error:
            away = f"A store is away ({type(error).__name__}): try again, and see /readyz."
            yield _sent("problem", ProblemError(503, away).body())
