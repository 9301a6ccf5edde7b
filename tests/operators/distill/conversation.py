"""Short conversations for the tests: one line a message, distilled turn by turn."""

from datetime import UTC, datetime, timedelta

from operators.distill.interface import CONTEXT_TURNS, Distilled
from operators.distill.rules import RULES
from state.model import Event, Message, Role, Subject

START = datetime(2026, 1, 12, 10, 0, tzinfo=UTC)


def messages(*lines: str, subject: str = "s") -> list[Message]:
    """Messages from lines such as "Henrike: Hello" (a customer) and "*Desk: Hello" (an agent)."""
    made = []
    for number, line in enumerate(lines, start=1):
        speaker, _, content = line.partition(": ")
        role = Role.AGENT if speaker.startswith("*") else Role.USER
        made.append(
            Message(
                subject=Subject("tenant", subject),
                conversation="c",
                id=f"c/{number}",
                role=role,
                speaker=speaker.lstrip("*"),
                content=content,
                sent_at=START + timedelta(minutes=number),
            )
        )
    return made


def last_turn(*lines: str) -> Distilled:
    """What the last of `lines` says, given those before it."""
    *context, turn = messages(*lines)
    return RULES.distill(turn, context[-CONTEXT_TURNS:])


def facets(*lines: str) -> list[tuple[str, str, str]]:
    """(entity, attribute, value) of the last line's events that have a facet."""
    found = (event.facet for event in last_turn(*lines).events)
    return [(f.entity, f.attribute, f.value) for f in found if f is not None]


def only_event(*lines: str) -> Event:
    """The one event of the last line; fails if there are none or several."""
    (event,) = last_turn(*lines).events
    return event
