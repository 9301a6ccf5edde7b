"""What a change of one conversation's messages reaches: the turns to distil again, each with its context.

A turn is a function of its message and the CONTEXT_TURNS messages before it, so a message that comes, goes or
changes reaches itself and at most as many turns after it, however long the conversation is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from operators.distill.interface import CONTEXT_TURNS
from state.ordering import message_of


@dataclass(frozen=True, slots=True)
class Reached:
    """One turn to distil again: its message, and the ids of its context, oldest first."""

    message: str
    place: str
    context: tuple[str, ...]

    @property
    def previous(self) -> str | None:
        """The message just before it in the conversation."""
        return self.context[-1] if self.context else None


@dataclass(frozen=True, slots=True)
class Window:
    """The reached turns in order, and the place of the last message nearby (None: nothing is left there)."""

    reached: tuple[Reached, ...]
    last: str | None


def window(
    around: Iterable[str], added: Iterable[str], removed: Iterable[str], again: Iterable[str] = ()
) -> Window:
    """`around`: stored places, CONTEXT_TURNS on each side of every place that is added or removed, and as
    many before each of `again`: turns to distil again although nothing about them changed.

    Stored places within reach of two changes are all among `around`, so every context is complete.
    """
    added, removed = sorted(added), sorted(removed)
    live = sorted({*around, *added, *again} - (set(removed) - set(added)))
    indexes: set[int] = {bisect_left(live, place) for place in again}
    for place in added:
        at = bisect_left(live, place)
        indexes.update(range(at, min(at + CONTEXT_TURNS + 1, len(live))))
    for place in removed:
        at = bisect_right(live, place)
        indexes.update(range(at, min(at + CONTEXT_TURNS, len(live))))
    reached = tuple(
        Reached(
            message=message_of(live[i]),
            place=live[i],
            context=tuple(message_of(p) for p in live[max(0, i - CONTEXT_TURNS) : i]),
        )
        for i in sorted(indexes)
    )
    return Window(reached, live[-1] if live else None)
