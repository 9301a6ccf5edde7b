"""What goes in and out over HTTP, as strict pydantic models (DESIGN §7)."""

from datetime import date, datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PlainValidator

from operators.moments import parse_moment
from operators.parse import Reason
from state.model import Edge, Event, Precision
from state.validity import Timeline

MAX_NAME = 256
MAX_QUESTION = 8_000
MAX_BUDGET = 100_000


def _moment(value: object) -> datetime:
    """A time or a date, from its text: no number passes for one."""
    if not isinstance(value, str):
        raise ValueError("give a time such as 2026-01-31T09:00:00Z, or a date")
    return parse_moment(value)


Moment = Annotated[datetime, PlainValidator(_moment, json_schema_input_type=AwareDatetime | date)]


class _In(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Out(BaseModel):
    model_config = ConfigDict(extra="forbid", from_attributes=True, frozen=True)


class AsOf(_In):
    """The query of a read as of a time. Any other parameter is an error: it may be a misspelt one."""

    as_of: Moment | None = None


class StateQuery(BaseModel):
    """The query of a state. A flag comes as a word (`true`), so this one is not strict."""

    model_config = ConfigDict(extra="forbid")

    as_of: Moment | None = None
    history: bool = False


class Question(_In):
    """A question about one subject. Times are RFC 3339 with an offset; both default to now."""

    subject: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION, pattern=r"\S")]
    as_of: Moment | None = None
    known_at: Moment | None = None
    budget: Annotated[int, Field(ge=1, le=MAX_BUDGET)] | None = None
    qid: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class Receipt(_Out):
    """What became of one message, by its place in the request, and why where it was rejected."""

    index: int
    id: str | None
    accepted: bool
    reason: Reason | None = None
    detail: str | None = None


class Receipts(_Out):
    """The answer of `POST /v1/messages`: one receipt a message, in the order of the request."""

    accepted: int
    rejected: int
    results: list[Receipt]


class Span(_Out):
    """[start, end); `end` is null where there is none."""

    start: datetime
    end: datetime | None


class PlanOut(_Out):
    """How the question was read. `at` is the time as of which facts hold."""

    shape: str
    at: datetime
    known_at: datetime | None
    hints: list[Span]
    validity_counts: bool
    paths_first: bool


class NoteOut(_Out):
    message: str
    score: float


class StepOut(_Out):
    """How two neighbouring events of a path are linked: an edge, or a shared branch, session or topic."""

    via: str
    through: str
    type: str | None
    mode: str | None
    source: str | None
    target: str | None
    confidence: float
    reason: str | None


class PartsOut(_Out):
    similarity: float
    confidence: float
    temporal: float
    validity: float


class PathOut(_Out):
    events: list[str]
    edges: list[StepOut]
    score: float
    parts: PartsOut
    sources: list[str]
    valid: float


class AnswerOut(_Out):
    """The answer of `POST /v1/ask`; `evidence` is message ids, best first."""

    qid: str | None
    plan: PlanOut
    notes: list[NoteOut]
    paths: list[PathOut]
    evidence: list[str]
    context: str
    tokens: int
    timings_ms: dict[str, float]


class FacetOut(_Out):
    entity: str
    attribute: str
    value: str


class OccursOut(_Out):
    words: str
    precision: Precision
    start: datetime | None
    end: datetime | None


class EdgeOut(_Out):
    id: str
    type: str
    mode: str | None
    source: str
    target: str
    confidence: float
    reason: str

    @classmethod
    def of(cls, edge: Edge) -> "EdgeOut":
        return cls.model_validate(edge)


class EventOut(_Out):
    """One event with its validity; `holds` are the stretches of time over which it stands."""

    id: str
    subject: str
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
    edges: list[EdgeOut]

    @classmethod
    def of(
        cls, subject: str, event: Event, timeline: Timeline, edges: tuple[Edge, ...], at: datetime
    ) -> "EventOut":
        return cls(
            id=event.id,
            subject=subject,
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
            edges=[EdgeOut.of(edge) for edge in edges],
        )


class ReplacementOut(_Out):
    event: str
    description: str
    at: datetime
    mode: str


class FactOut(_Out):
    """A fact of the state view. `status`: stands, doubted or superseded; `replaced_by` where superseded."""

    event: str
    value: str
    description: str
    stated_at: datetime
    sources: list[str]
    status: str
    valid: float
    until: datetime | None
    replaced_by: list[ReplacementOut]


class AttributeOut(_Out):
    attribute: str
    facts: list[FactOut]


class EntityOut(_Out):
    entity: str
    attributes: list[AttributeOut]


class StateOut(_Out):
    """The facts that stand as of `at`, by entity and attribute; with history also what they replaced."""

    subject: str
    at: datetime
    entities: list[EntityOut]


class WhyStepOut(_Out):
    event: str
    effect: str
    other: str
    edge: str
    since: datetime | None
    text: str


class WhyDependentOut(_Out):
    event: str
    hops: int
    valid: float
    text: str


class WhyOut(_Out):
    """The validity of one event explained step by step, nearest first, and the events that rest on it."""

    event: str
    subject: str
    at: datetime
    valid: float
    verdict: str
    text: str
    steps: list[WhyStepOut]
    dependents: list[WhyDependentOut]
    replaces: list[str]


class Problem(_Out):
    """RFC 9457 problem details."""

    type: str
    title: str
    status: int
    detail: str


class Readiness(_Out):
    ready: bool
    reasons: list[str]


class NextMessage(_In):
    """A message that is about to be said. It is not stored."""

    subject: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    message: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION, pattern=r"\S")]
    conversation: Annotated[str, Field(min_length=1, max_length=MAX_NAME)] | None = None
    budget: Annotated[int, Field(ge=1, le=MAX_BUDGET)] | None = None
    qid: Annotated[str, Field(max_length=MAX_NAME)] | None = None


class PlaceOut(_Out):
    """Where the turn would hang; `parent` and `topic` are null for a new topic."""

    kind: str
    reason: str
    parent: str | None
    topic: str | None


class TurnContextOut(_Out):
    """The answer of `POST /v1/context`; `path` is turn ids, from the root to the branch's head."""

    qid: str | None
    decision: PlaceOut
    path: list[str]
    context: str
    tokens: int
    timings_ms: dict[str, float]


class ForestQuery(BaseModel):
    """The query of a forest: how many topics, latest first, and how many of the last turns of each."""

    model_config = ConfigDict(extra="forbid")

    topics: Annotated[int, Field(ge=1, le=200)] = 20
    turns: Annotated[int, Field(ge=1, le=500)] = 60


class TurnViewOut(_Out):
    id: str
    parent: str | None
    branch: str
    move: str
    speaker: str
    sent_at: datetime
    gist: str
    refers_to: list[str]


class TopicViewOut(_Out):
    id: str
    label: str
    conversation: str
    size: int
    turns: list[TurnViewOut]


class ForestOut(_Out):
    """The topics spoken of last, latest first; `more` is whether there are others."""

    subject: str
    topics: list[TopicViewOut]
    more: bool
    labels: dict[str, str]
