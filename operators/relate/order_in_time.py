"""`temporal_before`: which of two events happens first, where the text dates both (DESIGN §2)."""

from collections.abc import Sequence

from operators.relate.same_thing import Match, company, same_attribute, same_entity
from state.identity import edge_id
from state.model import Edge, EdgeType, Event

CONFIDENCE = 0.9


def temporal_edges(event: Event, earlier: Sequence[Event]) -> list[Edge]:
    """At most two edges: from the event that happens last before `event`, and to the one that happens first
    after it. The order among further ones follows along the chain. Values of one attribute are left out:
    the old and the new date of one appointment are not two happenings.
    """
    if event.occurs is None or event.occurs.start is None or event.occurs.end is None:
        return []
    before: Event | None = None
    after: Event | None = None
    for other in earlier:
        if other.occurs is None or other.occurs.start is None or other.occurs.end is None:
            continue
        if not company(event, other) or _one_attribute(event, other):
            continue
        if other.occurs.end <= event.occurs.start:
            held = before.occurs.end if before is not None and before.occurs is not None else None
            if held is None or other.occurs.end >= held:
                before = other
        elif event.occurs.end <= other.occurs.start:
            held = after.occurs.start if after is not None and after.occurs is not None else None
            if held is None or other.occurs.start <= held:
                after = other
    pairs = [(before, event)] if before is not None else []
    pairs += [(event, after)] if after is not None else []
    return [
        Edge(
            id=edge_id(EdgeType.TEMPORAL_BEFORE, first.id, second.id),
            type=EdgeType.TEMPORAL_BEFORE,
            mode=None,
            source=first.id,
            target=second.id,
            confidence=CONFIDENCE,
            reason="the dates given put the one before the other",
            owner=event.id,
        )
        for first, second in pairs
    ]


def _one_attribute(a: Event, b: Event) -> bool:
    if a.facet is None or b.facet is None:
        return False
    return (
        same_entity(a.facet.entity, b.facet.entity) is not Match.NO
        and same_attribute(a.facet.attribute, b.facet.attribute) is not Match.NO
    )
