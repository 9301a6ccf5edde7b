"""What a relater is: an event and its gated candidates become typed edges."""

from collections.abc import Sequence
from typing import Protocol

from operators.distill.interface import Link
from state.model import Edge, Event


class Relater(Protocol):
    """A pure function: the same event, candidates and links give the same edges, in any process."""

    @property
    def name(self) -> str:
        """Names the implementation and its version."""
        ...

    def relate(self, event: Event, candidates: Sequence[Event], links: Sequence[Link]) -> tuple[Edge, ...]:
        """All edges owned by `event`: each has it or an event of its turn as an end.

        `candidates`: the events that `operators.gate` admits, all stated before `event`, latest first.
        `links`: those of the distiller's links for `event`'s turn that have `event` at either end. The later
        end by ω owns the edge itself; the reason's end also owns its copies from earlier statements of that
        reason. Edge ids are unique in the answer.
        Updates point from the later statement to the earlier (ω(source) > ω(target)).
        """
        ...
