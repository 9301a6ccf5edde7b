"""What a relater is: an event and its gated candidates become typed edges."""

from collections.abc import Sequence
from typing import Protocol

from operators.distill.interface import Link
from state.model import Edge, Event


class Relater(Protocol):
    """A pure function: the same event, candidates and links give the same edges, in any process."""

    name: str
    """Names the implementation and its version; stored beside the graph."""

    def relate(
        self, event: Event, candidates: Sequence[Event], links: Sequence[Link]
    ) -> tuple[Edge, ...]:
        """All edges owned by `event`: each has it as source or target, or both ends in its turn.

        `candidates`: the events that `operators.gate` admits, all stated before `event`, latest first.
        `links`: what the distiller stated about `event`'s turn with `event` as target (both ends are
        earlier than or equal to `event` in ω, or `event` is the later end). Edge ids are unique in the answer.
        Updates point from the later statement to the earlier (ω(source) > ω(target)).
        """
        ...
