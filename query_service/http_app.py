"""The HTTP service (DESIGN §7). Every request is bound to one tenant, and nothing here reads two."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from query_service.answer import Model
from query_service.ask import Asker
from query_service.caller import Scope
from query_service.http_access import (
    Access,
    Open,
    access_routes,
    caller_of_request,
    metrics_allowed,
    tenant_with,
)
from query_service.http_answer import answer_routes
from query_service.http_ask import ask_routes
from query_service.http_explorer import explorer_routes
from query_service.http_forest import forest_routes
from query_service.http_forget import forget_routes
from query_service.http_graph import graph_routes
from query_service.http_guard import GuardedApp
from query_service.http_mcp import mcp_routes
from query_service.http_measure import measured
from query_service.http_messages import MAX_BODY, MAX_MESSAGES, message_routes
from query_service.http_models import PROBLEM, Readiness
from query_service.http_openapi import describe
from query_service.http_problems import install
from query_service.http_state import state_routes
from query_service.intake import Forget, Unavailable
from query_service.memory import Memory
from query_service.next_turn import NextTurn
from state.audit import audit_fault, audit_refuses, audit_waiting
from state.graph import GraphReader
from state.model import Message
from state.notes import Encoder, NoteStore

__all__ = ["MAX_BODY", "MAX_MESSAGES", "Service", "Unavailable", "create_app"]

PROBLEMS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 401, 403, 404, 405, 408, 413, 422, 429, 503, 504), PROBLEM
)


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
    forget: Forget | None = None,
    access: Access | None = None,
) -> FastAPI:
    """The application over `service`. It adds its own request metrics to `service.registry`. Without a
    `model` all is served but `POST /v1/answer`, and without `forget` all but the ways to forget a subject;
    they say what is missing. Without `access` whoever comes is believed, as behind a gateway."""
    access = access or Access(Open.GATEWAY)
    shown = access.open_to is Open.LOOPBACK
    app = GuardedApp(
        now,
        title="Stet",
        summary="Conversation memory that knows which facts still stand.",
        version="1",
        responses=PROBLEMS,
        # These pages load scripts from elsewhere, which could read a key that the explorer keeps.
        docs_url="/docs" if shown else None,
        redoc_url="/redoc" if shown else None,
    )
    install(app)
    app.middleware("http")(measured(service.registry))
    untold = "Lines of the audit log that could not be written yet."
    Gauge("stet_audit_lines_waiting", untold, registry=service.registry).set_function(audit_waiting)
    asker = Asker(service.reader, service.notes, service.encoder, now)
    turns = NextTurn(service.reader, service.notes, service.encoder, now)
    memory = Memory(service.reader, asker, turns, service.accept, now, forget)
    only = lambda: service.tenant  # noqa: E731
    caller_of = caller_of_request(access, only)
    tenant_of = tenant_with(Scope.READ, caller_of)
    app.include_router(_probes(service, metrics_allowed(access, only)))
    app.include_router(access_routes(access, only))
    app.include_router(message_routes(service.accept, tenant_with(Scope.INGEST, caller_of)))
    app.include_router(ask_routes(asker, tenant_of))
    app.include_router(answer_routes(asker, model, tenant_of))
    app.include_router(state_routes(service.reader, now, tenant_of))
    app.include_router(forest_routes(service.reader, turns, tenant_of))
    app.include_router(forget_routes(service.accept, forget, now, caller_of))
    app.include_router(mcp_routes(memory, caller_of))
    app.include_router(explorer_routes())
    app.include_router(graph_routes(service.reader, now, tenant_of))
    describe(app)
    return app


def _probes(service: Service, metrics_allowed: Callable[..., None]) -> APIRouter:
    router = APIRouter(tags=["operation"])

    @router.get("/healthz")
    def healthz() -> dict[str, str]:
        """The process is up."""
        return {"status": "up"}

    @router.get("/readyz", response_model=Readiness, responses={503: {"model": Readiness}})
    def readyz() -> JSONResponse:
        """200 when requests can be served; 503 with the reasons when they cannot."""
        reasons = list(service.ready())
        untold = audit_fault() if audit_refuses() else None
        if untold is not None:
            reasons.append(f"the audit log cannot be written ({untold.strerror}): requests are refused")
        answer = Readiness(ready=not reasons, reasons=reasons)
        return JSONResponse(answer.model_dump(), 503 if reasons else 200)

    @router.get("/metrics", dependencies=[Depends(metrics_allowed)], response_class=PlainTextResponse)
    def metrics() -> Response:
        """Prometheus metrics. Where keys are asked for, one with the scope `admin` is needed."""
        return Response(generate_latest(service.registry), media_type=CONTENT_TYPE_LATEST)

    return router
