"""Validity at one moment, straight from the equations of DESIGN §3, with no interval in sight.

Slow and plain on purpose: it is what the algebra of `state.validity` is held against.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from state.model import Edge, EdgeType, UpdateMode
from state.validity import HOPS, Statement


def out_at(events: dict[str, Statement], edges: Sequence[Edge], at: datetime) -> dict[str, bool]:
    """Whether each event is out at `at`, by the updates whose source has begun."""
    void: dict[str, bool] = {}
    out: dict[str, bool] = {}
    for event in sorted(events, key=lambda e: events[e].place, reverse=True):
        acting = [
            e
            for e in edges
            if e.type is EdgeType.UPDATES
            and e.target == event
            and events[e.source].valid_from <= at
            and events[e.source].place > events[event].place
            and not void[e.source]
        ]
        void[event] = any(e.mode is UpdateMode.WITHDRAWS for e in acting)
        out[event] = bool(acting)
    return out


def hops_at(
    statements: Iterable[Statement], edges: Iterable[Edge], at: datetime
) -> dict[str, tuple[bool, int | None]]:
    """(out, hops of doubt) of each event at `at`; one that has not begun is in no doubt."""
    events = {s.id: s for s in statements}
    live = [e for e in edges if e.source in events and e.target in events]
    since: dict[str, datetime] = {}
    for moment in sorted({s.valid_from for s in events.values() if s.valid_from <= at}):
        now = out_at(events, live, moment)
        since = {e: since.get(e, moment) for e, gone in now.items() if gone}
    hops: dict[str, int] = {}
    for source, went_out in since.items():
        frontier, seen = {source}, {source}
        for distance in range(1, HOPS + 1):
            frontier = {
                e.target
                for e in live
                if e.type in (EdgeType.CAUSES, EdgeType.ENABLES)
                and e.source in frontier
                and events[e.target].stated_at < went_out
                and events[e.target].valid_from <= at
            } - seen
            seen |= frontier
            for event in frontier:
                hops[event] = min(distance, hops.get(event, distance))
    return {e: (e in since, None if e in since else hops.get(e)) for e in events}
