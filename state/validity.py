"""The validity calculus (DESIGN §3), from scratch: the definition that everything else must equal."""

from dataclasses import dataclass
from datetime import datetime

HOPS = 4
"""L: how many causes/enables hops doubt travels."""
DECAY = 0.5
"""λ: what one hop leaves of the doubt."""


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open interval [start, end) of world time; `end` None is without end."""

    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Over [start, end) the event lies `hops` causes/enables hops from one that is out."""

    start: datetime
    end: datetime | None
    hops: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The validity of one event over all time, as sorted, disjoint, maximal pieces.

    `void` ⊆ `out`: when it is void (withdrawn), and when it is out (void or replaced). `doubt`: when it is
    not out and a cause is; pieces of unlike hops touch, pieces of equal hops never do.
    """

    valid_from: datetime
    void: tuple[Span, ...] = ()
    out: tuple[Span, ...] = ()
    doubt: tuple[Doubt, ...] = ()

    def value(self, at: datetime) -> float:
        """v(e) at `at`: 0 if out, 1 − λ^d if in doubt, 1 otherwise (also before `valid_from`)."""
        raise NotImplementedError

    def holds(self) -> tuple[Span, ...]:
        """The complement of `out` in [valid_from, ∞)."""
        raise NotImplementedError

    def standing(self, at: datetime) -> bool:
        """Whether the event has begun and is not out at `at`."""
        raise NotImplementedError
