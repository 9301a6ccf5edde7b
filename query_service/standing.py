"""How the events in play stand at the asked time, and what settled it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from query_service.state_view import Status, acts, out_since, status_of
from state.graph import StoredEvent
from state.model import EdgeType

CHAIN = 16
"""How many replacements are followed to the one that stands; a longer chain ends at the sixteenth."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One event at τ. `by`: events whose updates put it out, first stated first, among those that are known.

    `begun` is whether its `valid_from` has come.
    """

    status: Status
    begun: bool
    valid: float
    since: datetime | None = None
    by: tuple[str, ...] = ()
    disputed_by: tuple[str, ...] = ()


class Standings(dict[str, Standing]):
    """Every known event's standing at `at`, each worked out when it is first looked at with `[]`.

    `in` and `get` see only those; `worked_out` gives None for an event that is not known.
    """

    def __init__(self, known: Mapping[str, StoredEvent], at: datetime) -> None:
        super().__init__()
        self._known, self._at = known, at

    def __missing__(self, name: str) -> Standing:
        found = self[name] = _standing(self._known[name], self._known, self._at)
        return found

    def worked_out(self, name: str) -> Standing | None:
        """The standing of `name`, or None where it is not known."""
        return self[name] if name in self._known else None


def _standing(stored: StoredEvent, known: Mapping[str, StoredEvent], at: datetime) -> Standing:
    event, timeline = stored.event, stored.timeline
    begun = event.valid_from <= at
    status = status_of(timeline, at)
    against: tuple[str, ...] = ()
    by: list[str] = []
    for edge in stored.edges:
        if edge.type is EdgeType.CONTRADICTS:
            other = edge.target if edge.source == event.id else edge.source
            if other in known:
                against += (other,)
        elif (
            status is Status.SUPERSEDED
            and edge.type is EdgeType.UPDATES
            and edge.target == event.id
            and edge.source in known
            and acts(edge, known[edge.source].timeline, at)
        ):
            by.append(edge.source)
    against = tuple(sorted(against))
    if status is not Status.SUPERSEDED:
        return Standing(status, begun, timeline.value(at), disputed_by=against)
    ordered = tuple(sorted(dict.fromkeys(by), key=lambda name: known[name].event.place))
    return Standing(status, begun, 0.0, out_since(timeline, at), ordered, against)


def replacements(event: str, found: Standings, known: Mapping[str, StoredEvent]) -> tuple[str, ...]:
    """What stands in the place of an event that is out, last stated first; empty where nothing known does.

    Follows the updates from `event` up to the events that are not out themselves (at most `CHAIN` levels).
    """
    level, seen, standing = [event], {event}, set()
    for _ in range(CHAIN):
        above: list[str] = []
        for name in level:
            for other in found[name].by:
                if other in seen:
                    continue
                seen.add(other)
                if found[other].status is Status.SUPERSEDED:
                    above.append(other)
                else:
                    standing.add(other)
        level = above
        if not level:
            break
    return tuple(sorted(standing, key=lambda name: known[name].event.place, reverse=True))


def missing_updaters(known: Mapping[str, StoredEvent], at: datetime) -> tuple[str, ...]:
    """Sources of updates on known events that are out, themselves not known yet: for one more read."""
    wanted = {
        edge.source: None
        for stored in known.values()
        if stored.timeline.value(at) == 0.0
        for edge in stored.edges
        if edge.type is EdgeType.UPDATES and edge.target == stored.event.id and edge.source not in known
    }
    return tuple(wanted)
