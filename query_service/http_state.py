"""The routes about facts: a subject's state, an event, and why it stands or does not."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Response

from query_service.http_models import AsOf
from query_service.http_problems import ProblemError, unknown_subject
from query_service.http_state_models import EventOut, StateOut, StateQuery, WhyOut
from query_service.state_tag import StateTag
from query_service.state_view import next_change, view_state
from query_service.why import explain_event
from state.graph import GraphReader
from state.model import Subject

MAX_TAGS = 1_024
KEPT = {"Cache-Control": "private, no-cache", "Vary": "Authorization, X-Stet-Tenant"}
"""May be kept by the caller alone, and is to be asked about again each time."""


def state_routes(
    reader: GraphReader, now: Callable[[], datetime], tenant_of: Callable[..., str]
) -> APIRouter:
    """The routes over a reader. `tenant_of` is the dependency that names the tenant of a request."""
    router = APIRouter(tags=["state"])

    @router.get(
        "/v1/subjects/{subject:path}/state",
        response_model=StateOut,
        responses={304: {"description": "It is as it was with this ETag."}},
    )
    def state(
        subject: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[StateQuery, Query()],
        answer: Response,
        if_none_match: Annotated[str, Header(max_length=MAX_TAGS)] = "",
    ) -> StateOut | Response:
        """The facts that stand, by entity and attribute; with `history`, also what they replaced.

        The ETag changes when the subject's facts do; sent back as If-None-Match, it saves an answer that
        would say the same.
        """
        whom, at = Subject(tenant, subject), asked.as_of or now()
        # Read before the facts: a write between the two makes the tag too old, never too new.
        tag = StateTag.of(whom, reader.written(whom), asked)
        still = tag.still(if_none_match, now())
        if still is not None:
            return Response(status_code=304, headers=KEPT | {"ETag": still})
        view = reader.everything(whom)
        if view is None:
            raise unknown_subject()
        answer.headers.update(KEPT)
        answer.headers["ETag"] = tag.until(None if asked.as_of else next_change(view, at))
        return StateOut.model_validate(view_state(view, at, asked.history))

    @router.get("/v1/events/{event:path}/why", response_model=WhyOut)
    def why(
        event: str,
        tenant: Annotated[str, Depends(tenant_of)],
        asked: Annotated[AsOf, Query()],
    ) -> WhyOut:
        """Why the event is, or is not, in force: step by step, and what depends on it."""
        subject = _subject_of(reader, tenant, event)
        told = explain_event(reader, subject, event, asked.as_of or now())
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
        subject = _subject_of(reader, tenant, event)
        stored = reader.events(subject, [event]).get(event)
        if stored is None:
            raise _unknown_event()
        return EventOut.of(subject.name, stored.event, stored.timeline, stored.edges, asked.as_of or now())

    return router


def _subject_of(reader: GraphReader, tenant: str, event: str) -> Subject:
    subject = reader.subject_of_event(tenant, event)
    if subject is None:
        raise _unknown_event()
    return subject


def _unknown_event() -> ProblemError:
    return ProblemError(404, "This tenant has no event with this id.")
