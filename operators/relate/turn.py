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

    A link goes to both its ends, and the earlier end is a candidate of the later one. Where two events give
    one edge, the most confident stays, then the one whose owner was stated first, so that the answer does not
    depend on the order of `events`.
    """
    best: dict[str, Edge] = {}
    for event in sorted(events, key=lambda e: e.place):
        own = [Link(x.type, x.source, x.target, x.confidence, x.reason) for x in _links_at(event, links)]
        for edge in relater.relate(event, compared(event, events, links, candidates[event.id]), own):
            held = best.get(edge.id)
            if held is None or edge.confidence > held.confidence:
                best[edge.id] = edge
    return Drawn(tuple(events), tuple(links), tuple(best[i] for i in sorted(best)))


def compared(
    event: Event, events: Sequence[Event], links: Sequence[TurnLink], candidates: Sequence[Event]
) -> tuple[Event, ...]:
    """What one event of a turn is related to, latest first: its candidates, and the earlier ends of its links
    among the turn's `events`."""
    ends = {end for link in _links_at(event, links) for end in (link.source, link.target)}
    mates = [mate for mate in events if mate.id in ends and mate.place < event.place]
    return gate.latest_first([*candidates, *mates])


def _links_at(event: Event, links: Sequence[TurnLink]) -> list[TurnLink]:
    return [link for link in links if event.id in (link.source, link.target)]
