"""Hand-made events: a conversation written as a few lines."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from operators.distill.interface import Link
from operators.relate.rules import RULES
from state.identity import event_id
from state.model import Act, Edge, EdgeType, Event, EventType, Facet, Occurs, Role, Subject, UpdateMode
from state.ordering import event_place, message_place

SUBJECT = Subject("t", "s")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def said(
    turn: int,
    speaker: str,
    entity: str,
    attribute: str,
    value: str,
    act: Act = Act.STATE,
    *,
    clause: int = 0,
    many: bool = False,
    kind: EventType = EventType.ACTION,
    occurs: Occurs | None = None,
    valid_from: datetime | None = None,
    description: str = "",
    conversation: str = "c",
    role: Role = Role.USER,
) -> Event:
    """What `speaker` says in message number `turn`, one minute a turn."""
    message = f"m{turn}"
    described = description or f"{entity} {attribute} {value}"
    identity = event_id(SUBJECT, [message], f"{described} {act} {clause}")
    return Event(
        id=identity,
        type=kind,
        participants=(speaker,),
        description=described,
        facet=Facet(entity, attribute, value),
        occurs=occurs,
        stated_at=at(turn),
        valid_from=valid_from or at(turn),
        sources=(message,),
        conversation=conversation,
        speaker=speaker,
        place=event_place(message_place(at(turn), message), clause, identity),
        act=act,
        many=many,
        role=role,
    )


def edges(event: Event, earlier: Sequence[Event], links: Sequence[Link] = ()) -> tuple[Edge, ...]:
    return RULES.relate(event, list(reversed(earlier)), links)


def updated(event: Event, earlier: Sequence[Event]) -> list[tuple[UpdateMode | None, int]]:
    """(mode, index in `earlier`) of the updates that `event` makes, in the order of saying."""
    index = {e.id: i for i, e in enumerate(earlier)}
    made = [e for e in edges(event, earlier) if e.type is EdgeType.UPDATES]
    assert all(e.source == event.id and e.owner == event.id for e in made)
    return sorted(((e.mode, index[e.target]) for e in made), key=lambda pair: pair[1])


def disputed(event: Event, earlier: Sequence[Event]) -> list[int]:
    """Indexes in `earlier` of what `event` contradicts."""
    index = {e.id: i for i, e in enumerate(earlier)}
    ends = [{e.source, e.target} for e in edges(event, earlier) if e.type is EdgeType.CONTRADICTS]
    return sorted(index[i] for pair in ends for i in pair if i != event.id)
