"""`causes`, `enables` and `prevents`: what the text states, carried over to earlier statements."""

from collections.abc import Sequence
from dataclasses import replace

from operators.distill.interface import TOLD_IN, UNSTATED, Link
from operators.relate.same_thing import Match, same_attribute, same_entity, same_value
from operators.relate.spoken import spoken
from operators.relate.typed import typed
from operators.relate.words import within, words
from state.identity import edge_id
from state.model import Act, Edge, EdgeType, Event, UpdateMode

CARRIED = 0.8
"""What is left of a link's confidence when its reason is an earlier statement of the same fact."""
_ALIKE = (3, 4)
"""At least this share of the reason's words, as a fraction, must be in an earlier text that it restates."""


def causal_edges(event: Event, earlier: Sequence[Event], links: Sequence[Link]) -> list[Edge]:
    """Edges for the links that have `event` at an end.

    The link itself is an edge of its later end. Where `event` is the reason and restates earlier events
    ("because Line 4 is closed, …" after "Line 4 is closed"), each of them gets the same edge to the result:
    the result rests on the fact, however often that was said.
    """
    links = [_resolved(link, earlier) for link in links if link.type is not EdgeType.UPDATES]
    if not links:
        return []  # mostly
    known = {other.id for other in earlier} | {event.id}
    place = {other.id: other.place for other in earlier}
    edges: list[Edge] = []
    for link in links:
        if event.id not in (link.source, link.target):
            continue
        other = link.target if link.source == event.id else link.source
        if other in known and place.get(other, "") < event.place and other != event.id:
            edges.append(_edge(link, link.source, link.confidence, link.reason, event))
        if link.source == event.id and link.confidence > UNSTATED:
            edges.extend(
                _edge(link, told.id, link.confidence * CARRIED, f"{link.reason}; stated earlier", event)
                for told in earlier
                if told.id != link.target and told.sources[-1] != event.sources[-1] and restates(event, told)
            )
    return edges


def _resolved(link: Link, earlier: Sequence[Event]) -> Link:
    """The link with the event for an end that is named by its message: the last one stated there; of what is
    explained, the last question that takes something as so, where there is one."""
    told = _told_in(link.source, earlier)
    if told:
        return replace(link, source=told[-1].id, confidence=link.confidence * CARRIED)
    told = _told_in(link.target, earlier)
    if told:
        asked = [other for other in told if other.description.endswith(("?", "？"))]
        return replace(link, target=(asked or told)[-1].id)
    return link


def _told_in(end: str, earlier: Sequence[Event]) -> list[Event]:
    if not end.startswith(TOLD_IN):
        return []
    message = end.removeprefix(TOLD_IN)
    return [other for other in earlier if other.sources[-1] == message]


def obstacles(
    event: Event, updates: Sequence[Edge], earlier: Sequence[Event], links: Sequence[Link]
) -> list[Edge]:
    """Where a stated reason makes `event` replace a value that names what the reason is about, the reason
    prevents that value: "The gym is closed, so we move" prevents the match at the gym."""
    if not links or not updates:
        return []
    told = {other.id: other for other in earlier}
    edges: list[Edge] = []
    for link in links:
        reason = told.get(link.source)
        if (
            link.target != event.id
            or link.type is not EdgeType.CAUSES
            or link.confidence <= UNSTATED
            or reason is None
            or reason.facet is None
        ):
            continue
        about = words(reason.facet.entity)
        for update in updates:
            old = told[update.target].facet if update.type is EdgeType.UPDATES else None
            if old is None or typed(old.value, told[update.target].stated_at) is not None:
                continue  # "2,600 points" is no obstacle to "12,400 points": an amount names nothing
            if update.mode is UpdateMode.REPLACES and within(about, words(old.value)):
                stated = replace(link, type=EdgeType.PREVENTS, target=update.target)
                edges.append(_edge(stated, link.source, link.confidence * CARRIED, "made it give way", event))
    return edges


def _edge(link: Link, source: str, confidence: float, reason: str, owner: Event) -> Edge:
    return Edge(
        id=edge_id(link.type, source, link.target),
        type=link.type,
        mode=None,
        source=source,
        target=link.target,
        confidence=confidence,
        reason=reason,
        owner=owner.id,
    )


def restates(event: Event, told: Event) -> bool:
    """Whether `event` says again what `told` said: one value of one attribute of one thing; or, where the
    names differ, a text most of whose words are the other's."""
    if Act.WITHDRAW in (event.act, told.act) or Act.REMOVE in (event.act, told.act):
        return False
    if event.facet is not None and told.facet is not None:
        thing = same_entity(event.facet.entity, told.facet.entity)
        attribute = same_attribute(event.facet.attribute, told.facet.attribute)
        if thing is not Match.NO and attribute is not Match.NO and event.facet.value:
            return same_value(event, told)
    ours, theirs = words(spoken(event)), words(spoken(told))
    if told.facet is not None and ours.denies == theirs.denies:
        value = words(told.facet.value)
        if ours.terms and ours.kinds == value.kinds:
            return True  # "since you're Gold", after "you are Gold now"
    if ours.denies != theirs.denies or ours.numbers - theirs.numbers:
        return False
    if ours.cjk and theirs.cjk:
        return _share(_pairs(ours.cjk), _pairs(theirs.cjk))
    return _share(ours.kinds, theirs.kinds)


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[i : i + 2] for i in range(len(text) - 1)) or frozenset({text})


def _share(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    numerator, denominator = _ALIKE
    return len(ours) >= 2 and denominator * len(ours & theirs) >= numerator * len(ours)
