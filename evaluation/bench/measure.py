"""One measured figure of `make bench`: always a ratio to, or beside, a reference of the same run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """`figure` in `unit`, against `reference` (what it was measured beside) where there is one.

    `target` is the bound that the project set itself, in words, and `met` whether this run kept it.
    """

    name: str
    figure: float
    unit: str
    reference: str = ""
    target: str = ""
    met: bool | None = None
