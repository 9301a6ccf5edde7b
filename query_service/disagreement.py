"""Where two statements that both stand deny each other. Pure: read off the `contradicts` edges."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from query_service.premise import told_fact
from query_service.standing import Standings
from query_service.state_view import Status
from state.graph import StoredEvent

MOST = 5
"""Disagreements told at most, those stated last first."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of two statements that deny each other: who says what, when, and in which messages."""

    speaker: str
    fact: str
    stated_at: datetime
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two statements that deny each other and both stand; the earlier first."""

    first: Side
    second: Side


def disagreements(
    concerned: Collection[str], known: Mapping[str, StoredEvent], standing: Standings
) -> tuple[Disagreement, ...]:
    """The disagreements that one of the events in `concerned` is part of. One that an update has settled is
    none any more."""
    pairs = {
        tuple(sorted((name, other), key=lambda one: known[one].event.place))
        for name in concerned
        if name in known and _stands(name, standing)
        for other in standing[name].disputed_by
        if _stands(other, standing)
    }
    latest = sorted(pairs, key=lambda pair: [known[one].event.place for one in reversed(pair)], reverse=True)
    return tuple(Disagreement(_side(known[first]), _side(known[second])) for first, second in latest[:MOST])


def _stands(name: str, standing: Standings) -> bool:
    held = standing[name]
    return held.begun and held.status is not Status.SUPERSEDED


def _side(stored: StoredEvent) -> Side:
    event = stored.event
    return Side(event.speaker, told_fact(stored), event.stated_at, event.sources)
