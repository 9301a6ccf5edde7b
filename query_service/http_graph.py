"""The routes to look at a tenant's graphs: its subjects, a stretch of one's graph, and messages' words."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from query_service.graph_view import GraphView, Page, place_of_event, view_graph
from query_service.http_cursor import opened, sealed
from query_service.http_graph_models import (
    GraphEventOut,
    GraphOut,
    GraphQuery,
    LaneOut,
    MessagesOut,
    MessagesQuery,
    MessageTextOut,
    SaidOut,
    SessionOut,
    SubjectsOut,
    SubjectsQuery,
)
from query_service.http_problems import ProblemError, unknown_subject
from query_service.http_state_models import EdgeOut
from state.graph import GraphReader
from state.model import Subject

EARLIER, LATER = "earlier", "later"


def graph_routes(
    reader: GraphReader, now: Callable[[], datetime], tenant_of: Callable[..., str]
) -> APIRouter:
    """The routes over a reader. `tenant_of` is the dependency that names the tenant of a request."""
    router = APIRouter(tags=["graph"])

    @router.get("/v1/subjects", response_model=SubjectsOut)
    def subjects(
        tenant: Annotated[str, Depends(tenant_of)], asked: Annotated[SubjectsQuery, Query()]
    ) -> SubjectsOut:
        """The tenant's subjects by name, a page at a time. A page costs what it shows, however many are."""
        return _subjects(reader, tenant, asked)

    @router.get("/v1/subjects/{subject:path}/graph", response_model=GraphOut)
    def graph(
        subject: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[GraphQuery, Query()],
    ) -> Response:
        """What was said over a time, the events that it states, and their edges: a page, the latest first."""
        whom = Subject(tenant, subject)
        view = view_graph(reader, whom, _page(reader, whom, asked))
        if view is None:
            raise unknown_subject()
        told = _told(view, asked.as_of or now())
        # Written here: a response model would be checked, and turned into plain values, a second time.
        return Response(told.model_dump_json(), media_type="application/json")

    @router.get("/v1/subjects/{subject:path}/messages", response_model=MessagesOut)
    def messages(
        subject: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[MessagesQuery, Query()],
    ) -> MessagesOut:
        """Messages of a subject in their own words, by id."""
        found = reader.messages(Subject(tenant, subject), asked.id)
        kept = [found[name] for name in dict.fromkeys(asked.id) if name in found]
        return MessagesOut(messages=[MessageTextOut.model_validate(message) for message in kept])

    return router


def _subjects(reader: GraphReader, tenant: str, asked: SubjectsQuery) -> SubjectsOut:
    (after,) = opened(asked.cursor, 1) if asked.cursor is not None else ("",)
    found = reader.subject_names(tenant, asked.limit + 1, asked.starts_with, after)
    shown = found[: asked.limit]
    return SubjectsOut(subjects=list(shown), next=sealed(shown[-1]) if len(found) > len(shown) else None)


def _page(reader: GraphReader, subject: Subject, asked: GraphQuery) -> Page:
    window = (asked.limit, asked.since, asked.until)
    if asked.cursor is not None:
        side, place = opened(asked.cursor, 2)
        return Page(*window, place, earlier=side == EARLIER)
    if asked.around is None:
        return Page(*window)
    place_of = place_of_event(reader, subject, asked.around)
    if place_of is None:
        raise ProblemError(404, "This subject has no event with this id.")
    return Page(*window, place_of, around=True)


def _told(view: GraphView, at: datetime) -> GraphOut:
    return GraphOut(
        subject=view.subject,
        at=at,
        messages=[SaidOut.model_validate(message) for message in view.messages],
        sessions=[SessionOut.model_validate(session) for session in view.sessions],
        topics=[LaneOut.model_validate(topic) for topic in view.topics],
        events=[GraphEventOut.of(event, at) for event in view.events],
        edges=[EdgeOut.of(edge) for edge in view.edges],
        earlier=sealed(EARLIER, view.before) if view.before is not None else None,
        later=sealed(LATER, view.after) if view.after is not None else None,
    )
