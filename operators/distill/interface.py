"""What a distiller is: one turn and the few turns before it become events and the edges among them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from state.model import EdgeType, Event, Message

CONTEXT_TURNS = 6
"""How many earlier messages of the conversation a distiller may look at.

A message that arrives late, is edited or is deleted makes this many later turns be distilled again, so the
number bounds that work. Six reach from an acceptance back over a proposal to the request that led to it.
"""


TOLD_IN = "told-in:"
"""In front of a message's id, as one end of a link: the last event that the message states, if it states one.
"So we'd like a cot" follows from what was said just before, and "Because I'm ill" is why what was asked about
is so; their events the distiller of a later turn does not see, and the relater finds the one meant among the
candidates."""


UNSTATED = 0.6
"""The confidence of a link that no word of the text states: it joins its two ends, and no others."""


@dataclass(frozen=True, slots=True)
class Link:
    """An edge that the text itself tells between two events of one turn, or to one the turn restates; or with
    an end in an earlier message (`TOLD_IN`)."""

    type: EdgeType
    source: str
    target: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Distilled:
    """What one turn says. `links` have both ends among `events`, or one end `TOLD_IN` an earlier message."""

    events: tuple[Event, ...] = ()
    links: tuple[Link, ...] = ()


class Distiller(Protocol):
    """A pure function of a turn and its context: the same input gives the same output, in any process."""

    @property
    def name(self) -> str:
        """Names the implementation and its version."""
        ...

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        """Events of `turn`, whose last source is always `turn.id`.

        `context`: at most `CONTEXT_TURNS` messages of the same conversation before `turn`, oldest first.
        Must not raise on any text.
        """
        ...
