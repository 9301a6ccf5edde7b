"""The figures of a run: tables of at most 80 columns for people, one object for machines."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table as Drawn

from evaluation.bootstrap import Figure
from evaluation.measures.part import Column, Part
from evaluation.questions import TOP

BY_CATEGORY = f": recall@{TOP}"
BESIDE = ("BM25", "dense RAG", "hybrid (RRF)", "Stet")
"""The systems of the table by category."""


Titled = tuple[str, Drawn]


def tables(name: str, part: Part) -> Iterator[Titled]:
    """A part's tables with their titles. A column without a figure for any system is left out, and so is an
    empty table."""
    for table in part.tables:
        columns = [c for c in table.columns if any(c.figure in each for each in part.figures.values())]
        if columns:
            yield f"{name}: {table.title}{_units(part, columns)}", _drawn(part, columns)
    categories = _by_category(part)
    if categories is not None:
        yield f"{name}: recall@{TOP} by category", categories
    for system, told in part.confusion.items():
        yield f"{name}: status in the gold, and as told by: {system}", _confusion(told)


def _units(part: Part, columns: Sequence[Column]) -> str:
    """Over how many units the first column is, and those that are over others."""
    found = {
        c: max(each[c.figure].units for each in part.figures.values() if c.figure in each) for c in columns
    }
    first = found[columns[0]]
    others = [f"; {column.heading}: {units:,}" for column, units in found.items() if units != first]
    return f" (n = {first:,}{''.join(others)})"


def _drawn(part: Part, columns: Sequence[Column]) -> Drawn:
    drawn = _empty()
    drawn.add_column("", no_wrap=True)
    for column in columns:
        drawn.add_column(column.heading, justify="right", no_wrap=True)
    for system, figures in part.figures.items():
        drawn.add_row(system, *(written(figures.get(c.figure), c.places) for c in columns))
    return drawn


def _by_category(part: Part) -> Drawn | None:
    """Recall by category of question, for a few systems side by side."""
    systems = [system for system in BESIDE if system in part.figures]
    kinds = sorted({f for s in systems for f in part.figures[s] if f.endswith(BY_CATEGORY)})
    if len(kinds) < 2:
        return None
    drawn = _empty()
    drawn.add_column("", no_wrap=True)
    drawn.add_column("n", justify="right")
    for system in systems:
        drawn.add_column(system, justify="right", no_wrap=True)
    for kind in kinds:
        found = [part.figures[system].get(kind) for system in systems]
        count = max(one.units for one in found if one is not None)
        values = [_number(one.value, 3) if one is not None else "" for one in found]
        drawn.add_row(kind.removesuffix(BY_CATEGORY), f"{count:,}", *values)
    return drawn


def _confusion(told: Mapping[str, Mapping[str, int]]) -> Drawn:
    drawn = _empty()
    drawn.add_column("", no_wrap=True)
    for got in next(iter(told.values())):
        drawn.add_column(got, justify="right", no_wrap=True)
    for gold, row in told.items():
        drawn.add_row(gold, *(f"{count:,}" for count in row.values()))
    return drawn


def _empty() -> Drawn:
    return Drawn(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)


def written(figure: Figure | None, places: int = 3) -> str:
    """A figure with its interval: `.718 .69–.75`."""
    if figure is None:
        return ""
    value = _number(figure.value, places)
    if figure.low is None or figure.high is None:
        return value
    short = min(places, 2)
    return f"{value} {_number(figure.low, short)}–{_number(figure.high, short)}"


def _number(value: float, places: int) -> str:
    """A share without its leading zero, and as wide when it is whole."""
    text = f"{value:,.{places}f}"
    if places < 2:
        return text
    return text.removeprefix("0") if text.startswith("0.") else text[:-1]


def as_json(parts: Mapping[str, Sequence[Part]], run: Mapping[str, Any]) -> dict[str, Any]:
    """`run` says how it was made; then by set, part and system every figure with its interval."""
    return {
        **run,
        "sets": {
            name: {
                part.name: {
                    "systems": {
                        system: {figure: _figure(one) for figure, one in figures.items()}
                        for system, figures in part.figures.items()
                    },
                    **({"confusion": part.confusion} if part.confusion else {}),
                }
                for part in each
            }
            for name, each in parts.items()
        },
    }


def _figure(figure: Figure) -> dict[str, float | int | None]:
    return {
        "value": round(figure.value, 4),
        "low": None if figure.low is None else round(figure.low, 4),
        "high": None if figure.high is None else round(figure.high, 4),
        "n": figure.units,
    }
