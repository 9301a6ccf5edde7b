"""Figures with bootstrap intervals: the middle 95 % over resampled units, the same ones for every system.

Units (questions, conversations, episodes) are drawn with replacement by a seeded generator, so a run gives
the same intervals again, and two systems that are measured on the same units are resampled alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_000
FEWEST = 10
"""With fewer units an interval would say more about the units than about the system."""

Sums = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """A value over `units` units, and its interval where there are at least `FEWEST`."""

    value: float
    units: int
    low: float | None = None
    high: float | None = None


def pooled(
    units: Sequence[Sequence[float]] | Sequence[Sums], statistic: Callable[[Sums], float], seed: int = 0
) -> Figure | None:
    """A statistic of the units' sums, such as F1 of counts; None where there are no units."""
    if not len(units):
        return None
    rows = np.asarray(units, np.float64)
    value = statistic(rows.sum(axis=0))
    if len(rows) < FEWEST:
        return Figure(value, len(rows))
    drawn = sorted(statistic(sums) for sums in _draws(len(rows), seed) @ rows)
    return Figure(value, len(rows), *_middle(drawn))


def mean(values: Sequence[float], seed: int = 0) -> Figure | None:
    """The mean over units."""
    return pooled([(value, 1.0) for value in values], lambda sums: float(sums[0] / sums[1]), seed)


def median(values: Sequence[float], seed: int = 0) -> Figure | None:
    """The median over units."""
    if not len(values):
        return None
    ordered = np.sort(np.asarray(values, np.float64))
    value = float(np.median(ordered))
    if len(ordered) < FEWEST:
        return Figure(value, len(ordered))
    places = np.cumsum(_draws(len(ordered), seed), axis=1)
    at = (places >= (len(ordered) + 1) / 2).argmax(axis=1)
    return Figure(value, len(ordered), *_middle(sorted(ordered[at].tolist())))


def _middle(drawn: Sequence[float]) -> tuple[float, float]:
    return drawn[int(0.025 * RESAMPLES)], drawn[int(0.975 * RESAMPLES) - 1]


@lru_cache(maxsize=8)
def _draws(units: int, seed: int) -> Sums:
    """How often each resample has each unit."""
    generator = np.random.default_rng(seed)
    return np.stack(
        [
            np.bincount(generator.integers(0, units, units), minlength=units).astype(np.float64)
            for _ in range(RESAMPLES)
        ]
    )
