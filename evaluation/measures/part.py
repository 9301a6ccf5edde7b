"""One part of a run: what was measured on a set, for all the systems that it can be measured of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from evaluation.bootstrap import Figure

Advance = Callable[[int], None]
"""Told of how much is done: questions, messages or conversations."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: the figure's name, what stands above it, and how it is written."""

    figure: str
    heading: str
    places: int = 3


@dataclass(frozen=True, slots=True)
class Table:
    """Some figures of a part, side by side."""

    title: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """`figures`: by system, then by name. `confusion`: by system and gold class, how often each class was
    told. `curve`: the names of the figures that are points of recall against tokens, by budget."""

    name: str
    figures: Mapping[str, Mapping[str, Figure]]
    tables: tuple[Table, ...]
    confusion: Mapping[str, Mapping[str, Mapping[str, int]]] = field(default_factory=dict)
    curve: Mapping[int, str] = field(default_factory=dict)


def present(figures: Mapping[str, Figure | None]) -> dict[str, Figure]:
    """The figures that there are."""
    return {name: figure for name, figure in figures.items() if figure is not None}
