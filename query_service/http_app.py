"""The HTTP service (DESIGN §7). Every request is bound to one tenant, and nothing here reads two."""

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from operators.parse import Rejected, parse
from query_service.ask import Answer, Asker, UnknownSubject
from query_service.http_forest import forest_routes, unknown_subject
from query_service.http_models import (
    AnswerOut,
    AsOf,
    EventOut,
    Problem,
    Question,
    Readiness,
    Receipt,
    Receipts,
    StateOut,
    StateQuery,
    WhyOut,
)
from query_service.http_problems import ProblemError, faults, install
from query_service.http_request import body_of, tenant_of_request
from query_service.next_turn import NextTurn
from query_service.state_view import view_state
from query_service.why import explain_event
from state.graph import GraphReader
from state.model import Message, Subject
from state.notes import Encoder, NoteStore

MAX_MESSAGES = 1_000
MAX_BODY = 8 * 1024 * 1024
"""Bytes of one request. A thousand messages of ordinary length are well below a megabyte."""
MAX_QUESTION_BODY = 64 * 1024
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}}
    for code in (400, 404, 413, 422, 503)
}


class Unavailable(Exception):
    """Raised by a service that cannot take messages or answer just now; the caller may try again."""


class Service(Protocol):
    """What the runtime gives to the HTTP service. All members may be used from several threads at once."""

    @property
    def reader(self) -> GraphReader: ...

    @property
    def notes(self) -> NoteStore: ...

    @property
    def encoder(self) -> Encoder: ...

    @property
    def registry(self) -> CollectorRegistry: ...

    @property
    def tenant(self) -> str | None:
        """The tenant of a request without the header, where the service has exactly one; else None."""
        ...

    def accept(self, messages: Sequence[Message]) -> None:
        """Returns once all messages are durable. Raises `Unavailable` otherwise: some may be kept then, and
        sending all again changes nothing of these."""
        ...

    def ready(self) -> Sequence[str]:
        """Why the service cannot serve now, one line a reason; empty when it can."""
        ...


def create_app(service: Service, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> FastAPI:
    """The application over `service`. It adds its own request metrics to `service.registry`."""
    app = FastAPI(
        title="Stet",
        summary="Conversation memory that knows which facts still stand.",
        version="1",
        responses=PROBLEMS,
    )
    install(app)
    app.middleware("http")(_measured(service.registry))
    asker = Asker(service.reader, service.notes, service.encoder, now)
    app.include_router(_probes(service))
    app.include_router(_writing(service))
    app.include_router(_asking(service, asker))
    app.include_router(_reading(service, now))
    turns = NextTurn(service.reader, service.encoder, now)
    tenant_of = tenant_of_request(lambda: service.tenant)
    app.include_router(forest_routes(service.reader, turns, tenant_of, MAX_QUESTION_BODY))
    return app


def _probes(service: Service) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get("/healthz")
    def healthz() -> dict[str, str]:
        """The process is up."""
        return {"status": "up"}

    @router.get("/readyz", response_model=Readiness)
    def readyz() -> JSONResponse:
        """200 when requests can be served; 503 with the reasons when they cannot."""
        reasons = list(service.ready())
        answer = Readiness(ready=not reasons, reasons=reasons)
        return JSONResponse(answer.model_dump(), 503 if reasons else 200)

    @router.get("/metrics")
    def metrics() -> Response:
        """Prometheus metrics."""
        return Response(generate_latest(service.registry), media_type=CONTENT_TYPE_LATEST)

    return router


def _writing(service: Service) -> APIRouter:
    router = APIRouter(tags=["messages"])
    tenant_of = tenant_of_request(lambda: service.tenant)

    @router.post("/v1/messages", status_code=202, response_model=Receipts)
    async def post_messages(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> JSONResponse:
        """One message, or a list of at most 1,000. 202 once every accepted one is durable.

        Each has a receipt, in the order of the request; a bad one does not hold up the others. Where none is
        accepted the answer is 422, with the same receipts. Sending a message again changes nothing.
        """
        raw = await body_of(request, MAX_BODY)
        return await run_in_threadpool(_accept, service, tenant, raw)

    return router


def _accept(service: Service, tenant: str, raw: bytes) -> JSONResponse:
    parsed = [parse(row, tenant) for row in _rows(raw)]
    accepted = [one for one in parsed if isinstance(one, Message)]
    if accepted:
        try:
            service.accept(accepted)
        except Unavailable as error:
            unsure = f"Not all messages are known to be kept: {error}. Send them again."
            raise ProblemError(503, unsure) from error
    results = [_receipt(i, one) for i, one in enumerate(parsed)]
    receipts = Receipts(accepted=len(accepted), rejected=len(parsed) - len(accepted), results=results)
    if not accepted:
        told = {"results": receipts.model_dump(mode="json")["results"]}
        raise ProblemError(422, "No message was accepted: see `results` for the reasons.", told)
    return JSONResponse(receipts.model_dump(mode="json"), 202)


def _rows(raw: bytes) -> list[bytes]:
    """The bytes of each message: of the whole body, or of each item of a list."""
    if not raw.lstrip().startswith(b"["):
        return [raw]
    try:
        items = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise ProblemError(400, "The body is not JSON in UTF-8.") from error
    if not items:
        raise ProblemError(422, "The list has no message.")
    if len(items) > MAX_MESSAGES:
        raise ProblemError(413, f"The list has more than {MAX_MESSAGES} messages: send fewer at a time.")
    return [json.dumps(item).encode() for item in items]


def _receipt(index: int, one: Message | Rejected) -> Receipt:
    if isinstance(one, Rejected):
        return Receipt(index=index, id=None, accepted=False, reason=one.reason, detail=one.detail)
    return Receipt(index=index, id=one.id, accepted=True)


def _asking(service: Service, asker: Asker) -> APIRouter:
    router = APIRouter(tags=["questions"])
    tenant_of = tenant_of_request(lambda: service.tenant)
    schema = {"requestBody": {"content": {"application/json": {"schema": Question.model_json_schema()}}}}

    @router.post("/v1/ask", response_model=AnswerOut, openapi_extra=schema)
    async def ask(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> AnswerOut:
        """The evidence for a question: ranked messages, paths, and a context under a budget of tokens."""
        raw = await body_of(request, MAX_QUESTION_BODY)
        try:
            question = Question.model_validate_json(raw)
        except ValidationError as error:
            told = error.errors(include_url=False, include_input=False, include_context=False)
            raise ProblemError(422, faults([dict(fault) for fault in told])) from error
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
    return answer_out(answer)


def answer_out(answer: Answer) -> AnswerOut:
    """The JSON contract of an answer."""
    return AnswerOut.model_validate(asdict(answer))


def _reading(service: Service, now: Callable[[], datetime]) -> APIRouter:
    router = APIRouter(tags=["state"])
    tenant_of = tenant_of_request(lambda: service.tenant)

    @router.get("/v1/subjects/{subject:path}/state", response_model=StateOut)
    def state(
        subject: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[StateQuery, Query()],
    ) -> StateOut:
        """The facts that stand, by entity and attribute; with `history`, also what they replaced."""
        view = service.reader.everything(Subject(tenant, subject))
        if view is None:
            raise unknown_subject()
        return StateOut.model_validate(view_state(view, asked.as_of or now(), asked.history))

    @router.get("/v1/events/{event:path}/why", response_model=WhyOut)
    def why(
        event: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[AsOf, Query()],
    ) -> WhyOut:
        """Why the event is, or is not, in force: step by step, and what depends on it."""
        subject = _subject_of(service, tenant, event)
        told = explain_event(service.reader, subject, event, asked.as_of or now())
        if told is None:
            raise _unknown_event()
        return WhyOut.model_validate(told)

    @router.get("/v1/events/{event:path}", response_model=EventOut)
    def event_by_id(
        event: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[AsOf, Query()],
    ) -> EventOut:
        """One event with its edges and its validity."""
        subject = _subject_of(service, tenant, event)
        stored = service.reader.events(subject, [event]).get(event)
        if stored is None:
            raise _unknown_event()
        return EventOut.of(subject.name, stored.event, stored.timeline, stored.edges, asked.as_of or now())

    return router


def _subject_of(service: Service, tenant: str, event: str) -> Subject:
    subject = service.reader.subject_of_event(tenant, event)
    if subject is None:
        raise _unknown_event()
    return subject


def _unknown_event() -> ProblemError:
    return ProblemError(404, "This tenant has no event with this id.")


def _measured(
    registry: CollectorRegistry,
) -> Callable[[Request, Callable[[Request], Awaitable[Response]]], Awaitable[Response]]:
    seconds = Histogram(
        "stet_http_request_seconds", "Time to answer an HTTP request.", ["method", "route", "status"],
        registry=registry,
    )  # fmt: skip

    async def measure(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        begun = time.perf_counter()
        status = 500
        try:
            response = await call_next(request)
            status = response.status_code
            return response
        finally:
            # The route's template, never the path: ids would make a series each, and stay in the metrics.
            route = getattr(request.scope.get("route"), "path", "none")
            seconds.labels(request.method, route, str(status)).observe(time.perf_counter() - begun)

    return measure
