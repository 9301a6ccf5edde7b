"""A stretch of a subject's graph, its messages, and a tenant's subjects as they go in and out over HTTP."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from query_service.graph_view import MOST_MESSAGES, EventView
from query_service.http_models import MAX_NAME, Cursor, Moment, Outgoing, Span
from query_service.http_state_models import EdgeOut, FacetOut, OccursOut

MOST_SUBJECTS = 1_000
MOST_TEXTS = 100


class SubjectsQuery(BaseModel):
    """The query of a tenant's subjects: `cursor` is the `next` of the page before."""

    model_config = ConfigDict(extra="forbid")

    limit: Annotated[int, Field(ge=1, le=MOST_SUBJECTS)] = 100
    cursor: Cursor | None = None
    starts_with: Annotated[str, Field(max_length=MAX_NAME)] = ""


class SubjectsOut(Outgoing):
    """Subjects by name, in order; `next` is the cursor of the page after, null at the end."""

    subjects: list[str]
    next: str | None


class GraphQuery(BaseModel):
    """The query of a stretch of a graph: messages sent in [since, until), the last `limit` of them.

    With `around`, those around the one that states this event. `cursor` is an `earlier` or `later` of a page
    with the same window, and goes before `around`. `as_of` is the time that `valid` is about.
    """

    model_config = ConfigDict(extra="forbid")

    as_of: Moment | None = None
    since: Moment | None = None
    until: Moment | None = None
    around: Annotated[str, Field(max_length=MAX_NAME)] | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_MESSAGES)] = 200
    cursor: Cursor | None = None


class MessagesQuery(BaseModel):
    """Which messages are read: by their ids."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[
        list[Annotated[str, Field(max_length=MAX_NAME * 4)]], Field(min_length=1, max_length=MOST_TEXTS)
    ]


class MessageTextOut(Outgoing):
    """One message in its own words."""

    id: str
    conversation: str
    speaker: str
    role: str
    sent_at: datetime
    content: str


class MessagesOut(Outgoing):
    """The messages asked for, in that order; those that are not kept are left out."""

    messages: list[MessageTextOut]


class SaidOut(Outgoing):
    """One message in short: `gist` is at most some 30 of its words."""

    id: str
    conversation: str
    session: str
    topic: str
    speaker: str
    role: str
    sent_at: datetime
    gist: str


class SessionOut(Outgoing):
    id: str
    conversation: str
    start: datetime
    end: datetime


class LaneOut(Outgoing):
    """A topic: its name, and how many turns it has in all."""

    id: str
    label: str
    size: int


class DoubtOut(Outgoing):
    """A stretch of time over which an event is in doubt, and its validity then."""

    start: datetime
    end: datetime | None
    valid: float


class GraphEventOut(Outgoing):
    """An event with its validity at all times: 0 outside `holds`, below 1 in `doubts`, and 1 otherwise.

    `message` is the one that states it. While an event is `withdrawn`, its own updates do not act.
    """

    id: str
    message: str
    type: str
    participants: list[str]
    description: str
    facet: FacetOut | None
    occurs: OccursOut | None
    stated_at: datetime
    valid_from: datetime
    sources: list[str]
    valid: float
    holds: list[Span]
    doubts: list[DoubtOut]
    withdrawn: list[Span]

    @classmethod
    def of(cls, view: EventView, at: datetime) -> "GraphEventOut":
        event, timeline = view.stored.event, view.stored.timeline
        return cls(
            id=event.id,
            message=view.message,
            type=event.type.value,
            participants=list(event.participants),
            description=event.description,
            facet=FacetOut.model_validate(event.facet) if event.facet is not None else None,
            occurs=OccursOut.model_validate(event.occurs) if event.occurs is not None else None,
            stated_at=event.stated_at,
            valid_from=event.valid_from,
            sources=list(event.sources),
            valid=timeline.value(at),
            holds=[Span.model_validate(span) for span in timeline.holds()],
            doubts=[
                DoubtOut(start=d.start, end=d.end, valid=timeline.value(d.start)) for d in timeline.doubt
            ],
            withdrawn=[Span.model_validate(span) for span in timeline.void],
        )


class GraphOut(Outgoing):
    """A page of a subject's graph in the order of saying. `edges` have at least one end on it.

    `earlier` and `later` are the cursors of the pages beside it, null where the window ends.
    """

    subject: str
    at: datetime
    messages: list[SaidOut]
    sessions: list[SessionOut]
    topics: list[LaneOut]
    events: list[GraphEventOut]
    edges: list[EdgeOut]
    earlier: str | None
    later: str | None
