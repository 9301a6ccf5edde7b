"""Facts, events and their validity as they go out over HTTP."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from query_service.http_models import Moment, Outgoing, Span
from state.model import Edge, Event, Precision
from state.validity import Timeline


class StateQuery(BaseModel):
    """The query of a state. A flag comes as a word (`true`), so this one is not strict."""

    model_config = ConfigDict(extra="forbid")

    as_of: Moment | None = None
    history: bool = False


class FacetOut(Outgoing):
    entity: str
    attribute: str
    value: str


class OccursOut(Outgoing):
    words: str
    precision: Precision
    start: datetime | None
    end: datetime | None


class EdgeOut(Outgoing):
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


class EventOut(Outgoing):
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


class ReplacementOut(Outgoing):
    event: str
    description: str
    at: datetime
    mode: str


class FactOut(Outgoing):
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


class AttributeOut(Outgoing):
    attribute: str
    facts: list[FactOut]


class EntityOut(Outgoing):
    entity: str
    attributes: list[AttributeOut]


class StateOut(Outgoing):
    """The facts that stand as of `at`, by entity and attribute; with history also what they replaced."""

    subject: str
    at: datetime
    entities: list[EntityOut]


class WhyStepOut(Outgoing):
    event: str
    effect: str
    other: str
    edge: str
    since: datetime | None
    text: str


class WhyDependentOut(Outgoing):
    event: str
    hops: int
    valid: float
    text: str


class WhyOut(Outgoing):
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
