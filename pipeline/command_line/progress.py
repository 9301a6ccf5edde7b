"""Progress of long work, on standard error: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

EVERY = 5.0
"""Seconds between two lines where there is no terminal."""
Report = Callable[[str, float], None]


@contextmanager
def showing(wanted: bool) -> Iterator[Report]:
    """Gives a function that is told what is being done and which part of it is done, in [0, 1]."""
    if not wanted:
        yield lambda _what, _part: None
    elif sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _lines()


@contextmanager
def _bar() -> Iterator[Report]:
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def report(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=1.0)
            bar.update(tasks[what], completed=part)

        yield report


def _lines() -> Report:
    last = time.monotonic()

    def report(what: str, part: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY:
            last = now
            print(f"{what}: {part:.0%}", file=sys.stderr, flush=True)

    return report
