"""S(π) = α·NS + β·PC + γ·TC + δ·UV (DESIGN §6.4). Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from query_service.paths import Path, Step, Via, denied, happens
from query_service.plan import Plan
from state.graph import StoredEvent
from state.model import EdgeType, Event
from state.validity import Span

ENABLES_FACTOR = 0.5
CONTRADICTS_FACTOR = 0.5
DIRECT_EVENTS = 3
DIRECT_SIMILARITY = 0.45
"""Events at least this near to the question join as paths of their own where no path reaches them."""
UNDATED = 0.5
"""Temporal consistency of a step about whose dates nothing is known."""
ORDERED = (EdgeType.TEMPORAL_BEFORE, EdgeType.CAUSES, EdgeType.ENABLES, EdgeType.PREVENTS)


@dataclass(frozen=True, slots=True)
class Parts:
    """NS, PC, TC and UV, each in [0, 1]."""

    similarity: float
    confidence: float
    temporal: float
    validity: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A path with its score, and the lowest v(e) on it at τ (`valid`, whatever the plan makes of it)."""

    path: Path
    score: float
    parts: Parts
    valid: float


def similarities(events: Mapping[str, StoredEvent], near: Mapping[str, float]) -> dict[str, float]:
    """By event, the cosine of the question and its nearest source (`near`, by message), not below 0; 0 where
    none is stored."""
    return {
        name: max(0.0, max((near.get(source, 0.0) for source in stored.event.sources), default=0.0))
        for name, stored in events.items()
    }


def score_paths(
    paths: Sequence[Path],
    events: Mapping[str, StoredEvent],
    similarity: Mapping[str, float],
    plan: Plan,
) -> tuple[Scored, ...]:
    """The paths with their scores, best first; ties by the events' ids."""
    valid = {name: stored.timeline.value(plan.at) for name, stored in events.items()}
    scored = [score(path, events, similarity, valid, plan) for path in paths]
    return tuple(sorted(scored, key=lambda s: (-s.score, s.path.events)))


def score(
    path: Path,
    events: Mapping[str, StoredEvent],
    similarity: Mapping[str, float],
    validity: Mapping[str, float],
    plan: Plan,
) -> Scored:
    """S of one path; `validity` is v(e) at τ by event. Linear in the path's length."""
    valid = min(validity[name] for name in path.events)
    parts = Parts(
        similarity=sum(similarity.get(name, 0.0) for name in path.events) / len(path.events),
        confidence=confidence(path),
        temporal=temporal_consistency(path, events, plan.hints),
        validity=valid if plan.validity_counts else 1.0,
    )
    weights = plan.weights
    total = (
        weights.similarity * parts.similarity
        + weights.confidence * parts.confidence
        + weights.temporal * parts.temporal
        + weights.validity * parts.validity
    )
    return Scored(path, total, parts, valid)


def confidence(path: Path) -> float:
    """PC: the product of the steps' confidences; an `enables` or a contradiction halves it."""
    product = 1.0
    for step in path.steps:
        product *= step.confidence
        kind = step.edge.type if step.edge is not None else None
        if kind is EdgeType.ENABLES:
            product *= ENABLES_FACTOR
        elif kind is EdgeType.CONTRADICTS:
            product *= CONTRADICTS_FACTOR
    return product


def temporal_consistency(path: Path, events: Mapping[str, StoredEvent], hints: Sequence[Span]) -> float:
    """TC: how far the dates agree with the steps' order and, where the question names a time, with that.

    The mean over the steps, averaged with the share of events that touch a named time.
    """
    steps = [
        _agreement(step, events[path.events[i]].event, events[path.events[i + 1]].event)
        for i, step in enumerate(path.steps)
    ]
    order = sum(steps) / len(steps) if steps else 1.0
    if not hints:
        return order
    touching = sum(touches(events[name].event, hints) for name in path.events) / len(path.events)
    return (order + touching) / 2


def _agreement(step: Step, here: Event, there: Event) -> float:
    if step.via is not Via.EDGE or step.edge is None:
        return UNDATED
    source, target = (here, there) if step.forward else (there, here)
    if step.edge.type is EdgeType.UPDATES:
        return 1.0 if source.place > target.place else 0.0
    if step.edge.type not in ORDERED:
        return 1.0
    if happens(source) is None or happens(target) is None:
        return UNDATED
    return 0.0 if denied(source, target) else 1.0


def touches(event: Event, spans: Sequence[Span]) -> bool:
    """Whether the event happens, or where its text gives no time was stated, within one of the spans."""
    start, end = happens(event) or (event.stated_at, event.stated_at)
    return any(end >= span.start and (span.end is None or start < span.end) for span in spans)


def direct(similarity: Mapping[str, float], covered: frozenset[str] | set[str]) -> tuple[Path, ...]:
    """Direct evidence: the nearest events that no path reaches, as paths without a step."""
    near = [(value, name) for name, value in similarity.items() if value >= DIRECT_SIMILARITY]
    fresh = sorted(((-value, name) for value, name in near if name not in covered))
    return tuple(Path((name,)) for _, name in fresh[:DIRECT_EVENTS])
