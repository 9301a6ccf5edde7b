"""One turn's edges: what its events have to do with their candidates and with each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operators import gate
from operators.distill.interface import Link
from operators.relate.interface import Relater
from state.model import Edge, Event
from state.records import TurnLink


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn from one turn, with the edges that it owns: those whose later end it states."""

    events: tuple[Event, ...]
    links: tuple[TurnLink, ...]
    edges: tuple[Edge, ...]


def relate_turn(
    events: Sequence[Event],
    links: Sequence[TurnLink],
    candidates: Mapping[str, Sequence[Event]],
    relater: Relater,
) -> Drawn:
    """Relates every event of a turn to its candidates (by event id, as the gate's keys gave them).

    A link goes to its later end by ω. Where two events give one edge, the most confident stays, then the one
    whose owner was stated first, so that the answer does not depend on the order of `events`.
    """
    places = {event.id: event.place for event in events}
    best: dict[str, Edge] = {}
    for event in sorted(events, key=lambda e: e.place):
        own = [
            Link(x.type, x.source, x.target, x.confidence, x.reason)
            for x in links
            if max(x.source, x.target, key=lambda end: places.get(end, "")) == event.id
        ]
        for edge in relater.relate(event, gate.latest_first(candidates[event.id]), own):
            held = best.get(edge.id)
            if held is None or edge.confidence > held.confidence:
                best[edge.id] = edge
    return Drawn(tuple(events), tuple(links), tuple(best[i] for i in sorted(best)))
