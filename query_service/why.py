"""`stet why`: an event's validity told step by step, with the words of the messages that settled it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from query_service.quoting import label, quoted
from state.explanation import Effect, Explanation, Step, Verdict, explain
from state.graph import GraphReader, StoredEvent
from state.model import Edge, EdgeType, Subject
from state.node import Node, drive

RESTS = (Effect.RESTS_ON, Effect.CAUSE_WENT_OUT)


@dataclass(frozen=True, slots=True)
class WhyStep:
    """One line of the explanation: what bears on `event`, through which edge, in words."""

    event: str
    effect: str
    other: str
    edge: str
    since: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class WhyDependent:
    """An event that rests on the explained one, `hops` causes away, and its own validity."""

    event: str
    hops: int
    valid: float
    text: str


@dataclass(frozen=True, slots=True)
class Why:
    """`text` says the verdict; `steps` why, nearest first; `replaces` what the event itself replaced or
    withdrew, as texts; `dependents` what rests on the event."""

    event: str
    subject: str
    at: datetime
    valid: float
    verdict: str
    text: str
    steps: tuple[WhyStep, ...]
    dependents: tuple[WhyDependent, ...]
    replaces: tuple[str, ...] = ()


def explain_event(reader: GraphReader, subject: Subject, event: str, at: datetime) -> Why | None:
    """The explanation of `event` at `at`, or None where the subject has no such event.

    One read for each level that the explanation goes back (`state.explanation.explain`).
    """
    known: dict[str, StoredEvent] = {}

    def fetch(wanted: frozenset[str]) -> Mapping[str, Node]:
        found = reader.events(subject, sorted(wanted))
        known.update(found)
        return {name: node_of(stored) for name, stored in found.items()}

    told = drive(explain(event, at), fetch)
    if told is None:
        return None
    named = {end for step in told.steps for end in (step.event, step.other)}
    named.update(edge.target for edge in _acts(known, event))
    missing = sorted({*named, *(d.event for d in told.dependents)}.difference(known))
    if missing:
        known.update(reader.events(subject, missing))
    return _told(told, subject, known)


def _acts(known: Mapping[str, StoredEvent], event: str) -> list[Edge]:
    """The updates that the event makes, sorted by what they act on."""
    made = (e for e in known[event].edges if e.type is EdgeType.UPDATES and e.source == event)
    return sorted(made, key=lambda e: e.target)


def node_of(stored: StoredEvent) -> Node:
    """A stored event as the calculus reads it."""
    event = stored.event
    edges = sorted(stored.edges, key=lambda edge: edge.id)
    return Node(
        id=event.id,
        place=event.place,
        stated_at=event.stated_at,
        valid_from=event.valid_from,
        incoming=tuple(edge for edge in edges if edge.target == event.id),
        outgoing=tuple(edge for edge in edges if edge.source == event.id),
        timeline=stored.timeline,
    )


def _told(told: Explanation, subject: Subject, known: Mapping[str, StoredEvent]) -> Why:
    return Why(
        event=told.event,
        subject=subject.name,
        at=told.at,
        valid=told.value,
        verdict=told.verdict.value,
        text=f"{_words(told.event, known)}: {_verdict(told)} at {_stamp(told.at)}",
        steps=tuple(_step(step, known) for step in told.steps),
        dependents=tuple(
            WhyDependent(d.event, d.hops, d.value, f"{_words(d.event, known)} (v = {d.value:g})")
            for d in told.dependents
        ),
        replaces=tuple(
            f"{edge.mode.value if edge.mode else 'replaces'} {_words(edge.target, known)}"
            for edge in _acts(known, told.event)
        ),
    )


def _verdict(told: Explanation) -> str:
    if told.verdict is Verdict.DOUBTED:
        return f"{told.verdict.value} (v = {told.value:g})"
    return told.verdict.value


def _step(step: Step, known: Mapping[str, StoredEvent]) -> WhyStep:
    since = f", {'out since' if step.effect in RESTS else 'from'} {_stamp(step.since)}" if step.since else ""
    text = (
        f"{_words(step.event, known)} {step.effect.value} {_words(step.other, known)}"
        f" ({step.edge.type.value}: {quoted(step.edge.reason)}){since}"
    )
    return WhyStep(step.event, step.effect.value, step.other, step.edge.id, step.since, text)


def _words(name: str, known: Mapping[str, StoredEvent]) -> str:
    stored = known.get(name)
    if stored is None:
        return label(name)
    return f"{quoted(stored.event.description)} [{label(stored.event.sources[-1])}]"


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M")
