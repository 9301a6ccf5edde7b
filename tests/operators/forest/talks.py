"""Short talks for the tests of the forest: lines "U: …" by a user and "A: …" by an assistant."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from operators.forest.grow import Placement, grow
from operators.forest.rules import RulesDecider
from state.model import Message, Role, Subject

START = datetime(2026, 3, 2, tzinfo=UTC)
ROLES = {"U": Role.USER, "A": Role.ASSISTANT, "P": Role.PEER, "Q": Role.PEER, "T": Role.TOOL}


def messages(*lines: str) -> list[Message]:
    """One message a line, a minute apart, with the ids m0, m1, …"""
    return [
        Message(
            subject=Subject("t", "s"),
            conversation="c",
            id=f"m{i}",
            role=ROLES[line[0]],
            speaker=line[0],
            content=line[3:],
            sent_at=START + timedelta(minutes=i),
        )
        for i, line in enumerate(lines)
    ]


def placed(*lines: str) -> Sequence[Placement]:
    """The places of the lines by the rules."""
    return grow(messages(*lines), RulesDecider())[1]


def last(*lines: str) -> Placement:
    """The place of the last line by the rules."""
    return placed(*lines)[-1]
