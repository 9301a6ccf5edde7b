"""The facts that stand of one subject, grouped: the answer of `stet state` (DESIGN §7)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from state.graph import SubjectView
from state.identity import normalised
from state.model import Act, Edge, EdgeType, Event, UpdateMode
from state.validity import Timeline


class Status(StrEnum):
    """How a fact stands at a time."""

    STANDS = "stands"
    DOUBTED = "doubted"  # a cause of it is out: v = 1 − λ^d
    SUPERSEDED = "superseded"  # out: v = 0


@dataclass(frozen=True, slots=True)
class Replacement:
    """What put a fact out: the event that states it, from when, and whether it gave another value."""

    event: str
    description: str
    at: datetime
    mode: UpdateMode


@dataclass(frozen=True, slots=True)
class Fact:
    """One event as a fact. `until` is when it went out, where it is superseded."""

    event: str
    value: str
    description: str
    stated_at: datetime
    sources: tuple[str, ...]
    status: Status
    valid: float
    until: datetime | None = None
    replaced_by: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeFacts:
    """Facts about one attribute, in the order in which they were stated."""

    attribute: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """One thing and its attributes, sorted; an event without a facet is filed under who takes part in it."""

    entity: str
    attributes: tuple[AttributeFacts, ...]


@dataclass(frozen=True, slots=True)
class StateView:
    """What stands at `at`, by entity, sorted."""

    subject: str
    at: datetime
    entities: tuple[EntityFacts, ...]


def status_of(timeline: Timeline, at: datetime) -> Status:
    """The status that a timeline gives at `at`; an event that has not begun counts as standing."""
    value = timeline.value(at)
    if value == 0.0:
        return Status.SUPERSEDED
    return Status.DOUBTED if value < 1.0 else Status.STANDS


def out_since(timeline: Timeline, at: datetime) -> datetime | None:
    """When the stretch began over which the event is out at `at`; None where it is not out."""
    for span in timeline.out:
        if span.start <= at and (span.end is None or at < span.end):
            return span.start
    return None


def view_state(view: SubjectView, at: datetime, history: bool = False) -> StateView:
    """The facts of `view` that have begun and are not out at `at`; with `history`, also those that are out.

    What merely takes something back ("Forget the 8 kg") gives no value: it is told with what it took back.

    Linear in the subject (it is the whole state that is asked for).
    """
    events = {event.id: event for event in view.events}
    into = _updates_into(view)
    takers = {edge.source for edge in view.edges if edge.mode is UpdateMode.WITHDRAWS}
    grouped: dict[str, dict[str, list[Fact]]] = defaultdict(lambda: defaultdict(list))
    labels: dict[str, str] = {}
    for event in sorted(view.events, key=lambda e: e.place):
        timeline = view.timelines[event.id]
        status = status_of(timeline, at)
        if event.valid_from > at or (status is Status.SUPERSEDED and not history):
            continue
        if event.id in takers and event.act in (Act.WITHDRAW, Act.REMOVE):
            continue
        entity, attribute = _place(event)
        labels.setdefault(normalised(entity), entity)
        labels.setdefault(normalised(attribute), attribute)
        fact = _fact(event, status, timeline, at, into.get(event.id, []), events, view.timelines)
        grouped[normalised(entity)][normalised(attribute)].append(fact)
    entities = tuple(
        EntityFacts(
            labels[entity],
            tuple(AttributeFacts(labels[name], tuple(facts)) for name, facts in sorted(attributes.items())),
        )
        for entity, attributes in sorted(grouped.items())
    )
    return StateView(view.subject.name, at, entities)


def next_change(view: SubjectView, at: datetime) -> datetime | None:
    """The first moment after `at` at which time alone changes what stands; None where nothing is ahead."""
    ahead = (moment for timeline in view.timelines.values() for moment in _moments(timeline) if moment > at)
    return min(ahead, default=None)


def _moments(timeline: Timeline) -> Iterator[datetime]:
    yield timeline.valid_from
    for start, end in (
        *((span.start, span.end) for span in (*timeline.void, *timeline.out)),
        *((piece.start, piece.end) for piece in timeline.doubt),
    ):
        yield start
        if end is not None:
            yield end


def _updates_into(view: SubjectView) -> Mapping[str, list[Edge]]:
    into: dict[str, list[Edge]] = defaultdict(list)
    for edge in view.edges:
        if edge.type is EdgeType.UPDATES:
            into[edge.target].append(edge)
    return into


def _place(event: Event) -> tuple[str, str]:
    if event.facet is not None:
        return event.facet.entity or event.speaker, event.facet.attribute or event.type.value
    return ", ".join(event.participants) or event.speaker, event.type.value


def _fact(
    event: Event,
    status: Status,
    timeline: Timeline,
    at: datetime,
    updates: list[Edge],
    events: Mapping[str, Event],
    timelines: Mapping[str, Timeline],
) -> Fact:
    replaced: list[Replacement] = []
    if status is Status.SUPERSEDED:
        replaced = [
            Replacement(
                edge.source, events[edge.source].description, events[edge.source].valid_from, edge.mode
            )
            for edge in updates
            if edge.mode is not None and edge.source in events and acts(edge, timelines[edge.source], at)
        ]
        replaced.sort(key=lambda r: (events[r.event].place, r.event))
    return Fact(
        event=event.id,
        value=event.facet.value if event.facet is not None else event.description,
        description=event.description,
        stated_at=event.stated_at,
        sources=event.sources,
        status=status,
        valid=timeline.value(at),
        until=out_since(timeline, at) if status is Status.SUPERSEDED else None,
        replaced_by=tuple(replaced),
    )


def acts(edge: Edge, source: Timeline, at: datetime) -> bool:
    """Whether an update bears on its target at `at`: its source has begun and is not itself withdrawn."""
    withdrawn = any(span.start <= at and (span.end is None or at < span.end) for span in source.void)
    return edge.type is EdgeType.UPDATES and source.valid_from <= at and not withdrawn
