"""What goes in and out over HTTP, as strict pydantic models (DESIGN §7): messages, questions, and errors."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from operators.moments import parse_moment
from operators.parse import Reason

MAX_NAME = 256
MAX_QUESTION = 8_000
MAX_BUDGET = 100_000
MAX_CURSOR = 4_096
A_NAME = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$"
"""A name or an id as a pattern: a character at least that is no space, and no control character."""


def _moment(value: object) -> datetime:
    """A time or a date, from its text: no number passes for one."""
    if not isinstance(value, str):
        raise ValueError("give a time such as 2026-01-31T09:00:00Z, or a date")
    return parse_moment(value)


Moment = Annotated[datetime, PlainValidator(_moment, json_schema_input_type=AwareDatetime | date)]

Cursor = Annotated[str, Field(max_length=MAX_CURSOR)]


def _whole(value: object) -> object:
    """JSON has one kind of number: 400.0 is the integer 400."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Budget = Annotated[int, Field(ge=1, le=MAX_BUDGET), BeforeValidator(_whole)]


class Incoming(BaseModel):
    """What a caller sends: of the very types named, and nothing besides."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Outgoing(BaseModel):
    """What is answered."""

    model_config = ConfigDict(extra="forbid", from_attributes=True, frozen=True)


class AsOf(Incoming):
    """The query of a read as of a time. Any other parameter is an error: it may be a misspelt one."""

    as_of: Moment | None = None


class Question(Incoming):
    """A question about one subject. Times are RFC 3339 with an offset; both default to now."""

    subject: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION, pattern=r"\S")]
    as_of: Moment | None = None
    known_at: Moment | None = None
    budget: Budget | None = None
    qid: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class Receipt(Outgoing):
    """What became of one message, by its place in the request, and why where it was rejected."""

    index: int
    id: str | None
    accepted: bool
    reason: Reason | None = None
    detail: str | None = None


class Receipts(Outgoing):
    """The answer of `POST /v1/messages`: one receipt a message, in the order of the request."""

    accepted: int
    rejected: int
    results: list[Receipt]


class Span(Outgoing):
    """[start, end); `end` is null where there is none."""

    start: datetime
    end: datetime | None


class PlanOut(Outgoing):
    """How the question was read. `at` is the time as of which facts hold."""

    shape: str
    at: datetime
    known_at: datetime | None
    hints: list[Span]
    validity_counts: bool
    paths_first: bool


class NoteOut(Outgoing):
    message: str
    score: float


class StepOut(Outgoing):
    """How two neighbouring events of a path are linked: an edge, or a shared branch, session or topic."""

    via: str
    through: str
    type: str | None
    mode: str | None
    source: str | None
    target: str | None
    confidence: float
    reason: str | None


class PartsOut(Outgoing):
    similarity: float
    confidence: float
    temporal: float
    validity: float


class PathOut(Outgoing):
    events: list[str]
    edges: list[StepOut]
    score: float
    parts: PartsOut
    sources: list[str]
    valid: float


class AnswerOut(Outgoing):
    """The answer of `POST /v1/ask`; `evidence` is message ids, best first."""

    qid: str | None
    plan: PlanOut
    notes: list[NoteOut]
    paths: list[PathOut]
    evidence: list[str]
    context: str
    tokens: int
    timings_ms: dict[str, float]


class Problem(Outgoing):
    """RFC 9457 problem details. Some have further members, such as `results` and `reason`."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str
    title: str
    status: int
    detail: str


PROBLEM: dict[str, Any] = {"model": Problem, "content": {"application/problem+json": {}}}
"""How an error is told in OpenAPI."""


class Readiness(Outgoing):
    ready: bool
    reasons: list[str]
