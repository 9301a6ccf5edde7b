"""Topics and the context of the next turn as they go in and out over HTTP."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from query_service.http_models import MAX_NAME, MAX_QUESTION, Budget, Cursor, Incoming, Outgoing


class NextMessage(Incoming):
    """A message that is about to be said. It is not stored."""

    subject: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    message: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION, pattern=r"\S")]
    conversation: Annotated[str, Field(min_length=1, max_length=MAX_NAME)] | None = None
    budget: Budget | None = None
    qid: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class PlaceOut(Outgoing):
    """Where the turn would hang; `parent` and `topic` are null for a new topic."""

    kind: str
    reason: str
    parent: str | None
    topic: str | None


class TurnContextOut(Outgoing):
    """The answer of `POST /v1/context`; `path` is turn ids, from the root to the branch's head."""

    qid: str | None
    decision: PlaceOut
    path: list[str]
    context: str
    tokens: int
    timings_ms: dict[str, float]


class ForestQuery(BaseModel):
    """The query of a forest: how many topics, latest first, and how many of the last turns of each. `cursor`
    is the `next` of the page before."""

    model_config = ConfigDict(extra="forbid")

    topics: Annotated[int, Field(ge=1, le=200)] = 20
    turns: Annotated[int, Field(ge=1, le=500)] = 60
    cursor: Cursor | None = None


class TurnViewOut(Outgoing):
    id: str
    parent: str | None
    branch: str
    move: str
    speaker: str
    sent_at: datetime
    gist: str
    refers_to: list[str]


class TopicViewOut(Outgoing):
    id: str
    label: str
    conversation: str
    size: int
    turns: list[TurnViewOut]


class ForestOut(Outgoing):
    """The topics spoken of last, latest first. `more` is whether there are older ones, and `next` the cursor
    of the page that they are on, null at the end. A topic that is taken up again moves to the first page."""

    subject: str
    topics: list[TopicViewOut]
    more: bool
    next: str | None
    labels: dict[str, str]
