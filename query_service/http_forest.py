"""The routes about topics: `POST /v1/context` and `GET /v1/subjects/{subject}/forest` (DESIGN §7)."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.concurrency import run_in_threadpool

from query_service.forest_view import view_forest
from query_service.http_cursor import no_cursor, opened, sealed
from query_service.http_forest_models import ForestOut, ForestQuery, NextMessage, TurnContextOut
from query_service.http_problems import unknown_subject
from query_service.http_request import body_schema, read_body
from query_service.next_turn import NextTurn
from query_service.unknown_subject import UnknownSubject
from state.graph import GraphReader
from state.model import Subject


def forest_routes(reader: GraphReader, turns: NextTurn, tenant_of: Callable[..., str]) -> APIRouter:
    """The routes over a reader. `tenant_of` is the dependency that names the tenant of a request."""
    router = APIRouter(tags=["topics"])

    @router.post("/v1/context", response_model=TurnContextOut, openapi_extra=body_schema(NextMessage))
    async def context(request: Request, tenant: Annotated[str, Depends(tenant_of)]) -> TurnContextOut:
        """What a message needs as the next turn: its path, other topics in brief, and what stands."""
        asked = await read_body(request, NextMessage)
        return await run_in_threadpool(_context, turns, tenant, asked)

    @router.get("/v1/subjects/{subject:path}/forest", response_model=ForestOut)
    def forest(
        subject: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[ForestQuery, Query()],
    ) -> ForestOut:
        """The topics spoken of last as trees, each with its last turns, a page at a time."""
        before = _spoken_of(asked.cursor) if asked.cursor is not None else None
        view = view_forest(reader, Subject(tenant, subject), asked.topics, asked.turns, before)
        if view is None:
            raise unknown_subject()
        end = view.end
        cursor = sealed(end[0].isoformat(), end[1]) if end is not None else None
        return ForestOut.model_validate({**asdict(view), "next": cursor})

    return router


def _spoken_of(cursor: str) -> tuple[datetime, str]:
    """When the last topic of the page before was spoken of, and its id."""
    spoken, topic = opened(cursor, 2)
    try:
        moment = datetime.fromisoformat(spoken)
        return moment.astimezone(UTC), topic
    except (ValueError, OverflowError) as error:
        raise no_cursor() from error


def _context(turns: NextTurn, tenant: str, asked: NextMessage) -> TurnContextOut:
    whom = Subject(tenant, asked.subject)
    try:
        found = turns.context(whom, asked.message, asked.budget, asked.conversation, asked.qid)
    except UnknownSubject as error:
        raise unknown_subject() from error
    return TurnContextOut.model_validate(asdict(found))
