"""The relater that needs no model: typed edges from facets, acts, times and stated links (DESIGN §3, §4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from operators.distill.interface import Link
from operators.relate.causes import causal_edges, obstacles
from operators.relate.order_in_time import temporal_edges
from operators.relate.updates import update_edges
from state.model import Edge, Event


def most_confident(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """One edge an id, the most confident, then the one whose reason sorts first; sorted by id."""
    best: dict[str, Edge] = {}
    for edge in edges:
        held = best.get(edge.id)
        if held is None or (-edge.confidence, edge.reason) < (-held.confidence, held.reason):
            best[edge.id] = edge
    return tuple(best[key] for key in sorted(best))


@dataclass(frozen=True, slots=True)
class RulesRelater:
    """`operators.relate.interface.Relater` by rules; English and Chinese. O(candidates²), of at most 40."""

    name: str = "rules/1"

    def relate(self, event: Event, candidates: Sequence[Event], links: Sequence[Link]) -> tuple[Edge, ...]:
        """See `Relater.relate`. Reads nothing but its arguments; candidates may come in any order."""
        earlier = sorted([c for c in candidates if c.place < event.place], key=attrgetter("place"))
        updates = update_edges(event, earlier, links)
        return most_confident(
            [
                *updates,
                *obstacles(event, updates, earlier, links),
                *causal_edges(event, earlier, links),
                *temporal_edges(event, earlier),
            ]
        )


RULES = RulesRelater()
