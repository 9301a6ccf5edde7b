"""One turn through a distiller, with what the rest of the flow relies on made sure of."""

from collections.abc import Sequence

from operators.distill.interface import TOLD_IN, Distilled, Distiller, Link
from state.model import Event, Message


def distil(distiller: Distiller, turn: Message, context: Sequence[Message]) -> Distilled:
    """What `turn` says, each event once: of two with one id, the one stated first in the turn stays.

    Links whose ends are not both among the events, or are one event, are left out; one end may be `TOLD_IN`
    an earlier message.
    """
    return sound(distiller.distill(turn, context))


def sound(made: Distilled) -> Distilled:
    """`made` with each event once, and the links whose ends are known."""
    events = {event.id: event for event in sorted(made.events, key=lambda e: e.place, reverse=True)}
    if len(events) == len(made.events) and not made.links:
        return made
    links = (x for x in made.links if _ends_known(x, events))
    return Distilled(tuple(sorted(events.values(), key=lambda e: e.place)), tuple(links))


def _ends_known(link: Link, events: dict[str, Event]) -> bool:
    ends = (link.source, link.target)
    known = [end in events for end in ends]
    if link.source == link.target or not any(known):
        return False
    return all(known) or any(end.startswith(TOLD_IN) for end in ends)
