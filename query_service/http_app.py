"""The HTTP service (DESIGN §7). Every request is bound to one tenant, and nothing here reads two."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from starlette.concurrency import run_in_threadpool

from operators.parse import Rejected, parse
from query_service.answer import Model
from query_service.ask import Asker
from query_service.http_answer import answer_routes
from query_service.http_ask import ask_routes
from query_service.http_explorer import explorer_routes
from query_service.http_forest import forest_routes
from query_service.http_graph import graph_routes
from query_service.http_measure import measured
from query_service.http_models import Problem, Readiness, Receipt, Receipts
from query_service.http_problems import ProblemError, install
from query_service.http_request import body_of, tenant_of_request
from query_service.http_state import state_routes
from query_service.next_turn import NextTurn
from state.graph import GraphReader
from state.model import Message
from state.notes import Encoder, NoteStore

MAX_MESSAGES = 1_000
MAX_BODY = 8 * 1024 * 1024
"""Bytes of one request. A thousand messages of ordinary length are well below a megabyte."""
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


def create_app(
    service: Service,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    model: Model | None = None,
) -> FastAPI:
    """The application over `service`. It adds its own request metrics to `service.registry`. Without a
    `model` all is served but `POST /v1/answer`, which says what is missing."""
    app = FastAPI(
        title="Stet",
        summary="Conversation memory that knows which facts still stand.",
        version="1",
        responses=PROBLEMS,
    )
    install(app)
    app.middleware("http")(measured(service.registry))
    asker = Asker(service.reader, service.notes, service.encoder, now)
    turns = NextTurn(service.reader, service.encoder, now)
    tenant_of = tenant_of_request(lambda: service.tenant)
    app.include_router(_probes(service))
    app.include_router(_writing(service, tenant_of))
    app.include_router(ask_routes(asker, tenant_of))
    app.include_router(answer_routes(asker, model, tenant_of))
    app.include_router(state_routes(service.reader, now, tenant_of))
    app.include_router(forest_routes(service.reader, turns, tenant_of))
    app.include_router(explorer_routes())
    app.include_router(graph_routes(service.reader, now, tenant_of))
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


def _writing(service: Service, tenant_of: Callable[..., str]) -> APIRouter:
    router = APIRouter(tags=["messages"])

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
