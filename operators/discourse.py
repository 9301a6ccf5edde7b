"""The discourse forest: where each turn hangs (DESIGN §4, *discourse*).

A turn is placed by a decision over the turns before it in its conversation. `decide` is the whole policy:
today it always continues the branch, which makes one tree of a conversation; a policy that opens branches
and trees gives other placements and changes nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from operators.summary import gist
from state.model import Message, Turn


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a turn hangs: its parent turn (None for a root), its branch's and its topic's ids."""

    parent: str | None
    branch: str
    topic: str


def decide(previous: Turn | None, message: Message) -> Placement:
    """Continues the previous turn's branch; the first message of a conversation roots a new tree."""
    if previous is None:
        return Placement(parent=None, branch=message.id, topic=message.id)
    return Placement(parent=previous.id, branch=previous.branch, topic=previous.topic)


def turn_of(message: Message, placement: Placement) -> Turn:
    """The turn that `message` alone makes at `placement`."""
    return Turn(
        id=message.id,
        messages=(message.id,),
        parent=placement.parent,
        branch=placement.branch,
        topic=placement.topic,
        summary=gist(message.content),
    )


def grow(messages: Sequence[Message]) -> tuple[Turn, ...]:
    """The turns of one conversation, from all its messages in the order of their places. O(n)."""
    turns: list[Turn] = []
    previous: Turn | None = None
    for message in messages:
        previous = turn_of(message, decide(previous, message))
        turns.append(previous)
    return tuple(turns)
