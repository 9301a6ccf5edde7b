"""`python -m evaluation SET…|all --data DIR`: Stet beside other systems, on labelled conversations."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evaluation.bootstrap import RESAMPLES
from evaluation.corpus import DATA
from evaluation.gold_file import BadSetError
from evaluation.measures.part import Advance, Part
from evaluation.measures.retrieval import BUDGETS
from evaluation.memory_notes import RememberingEncoder
from evaluation.plots import Line, confusion, curve
from evaluation.report import as_json, tables
from evaluation.run import Begin, Run
from evaluation.sets import LabelledSet, sets_in
from evaluation.systems.catalogue import NAMES
from state.encoder import EncoderError, encoder_named

app = typer.Typer(add_completion=False)


@app.command()
def main(
    sets: Annotated[list[str], typer.Argument(metavar="SET…|all", help="Folders within the data folder.")],
    data: Annotated[Path, typer.Option(help="The folder that holds the sets.")] = DATA,
    systems: Annotated[str, typer.Option(help="Names with commas between, of: " + ", ".join(NAMES))] = "all",
    as_json_to: Annotated[Path | None, typer.Option("--json", help="Write every figure here.")] = None,
    plots: Annotated[Path | None, typer.Option(help="A folder to write plots (SVG) to.")] = None,
    cache: Annotated[Path | None, typer.Option(help="A folder to keep vectors in between runs.")] = None,
    encoder: Annotated[str, typer.Option(help="minilm, hashing, or a model's folder or name.")] = "minilm",
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many questions of each set.")] = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
) -> None:
    """Measures sets, prints a table for each part of each, and writes figures and plots where told to.

    docs/evaluation.md says what a set is, what each figure means and what each system is.
    """
    wanted = NAMES if systems == "all" else tuple(name.strip() for name in systems.split(","))
    unknown = [name for name in wanted if name not in NAMES]
    if unknown:
        raise typer.BadParameter(f"no such system: {', '.join(unknown)}", param_hint="--systems")
    try:
        chosen = sets_in(data, sets, _passed_over)
        remembering = RememberingEncoder(encoder_named(encoder), cache)
    except (BadSetError, EncoderError) as error:
        raise typer.BadParameter(str(error)) from error
    run = Run(remembering, encoder, wanted, seed, cache, limit)
    about = {"encoder": encoder, "seed": seed, "resamples": RESAMPLES, "budgets": BUDGETS, "limit": limit}
    _measure(run, chosen, about, as_json_to, plots)


def _passed_over(name: str) -> None:
    typer.echo(f"{name}: passed over, for nothing that it labels is measured here", err=True)


def _measure(
    run: Run, chosen: list[LabelledSet], about: dict[str, Any], as_json_to: Path | None, plots: Path | None
) -> None:
    """Prints and writes what there is after each set, so that a run that is stopped leaves some."""
    out, err = Console(), Console(stderr=True)
    found: dict[str, list[Part]] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        begin = _telling(progress, err)
        for one in chosen:
            try:
                found[one.name] = list(run.parts(one, begin))
            except BadSetError as error:
                raise typer.BadParameter(str(error)) from error
            for part in found[one.name]:
                for title, table in tables(one.name, part):
                    out.print(title, highlight=False, markup=False)
                    out.print(table)
                if plots is not None:
                    _plot(plots, one.name, part)
            if as_json_to is not None:
                _write(as_json_to, json.dumps(as_json(found, about), ensure_ascii=False, indent=1) + "\n")


def _telling(progress: Progress, err: Console) -> Begin:
    """Shows each stretch of work as a line when it begins; on a terminal, as a bar where it has a measure,
    and on one line that changes where it has none."""
    now = progress.add_task("", total=None)

    def begin(name: str, total: int | None = None) -> Advance:
        if not err.is_terminal:
            err.print(f"{name} …", highlight=False)
            return lambda _: None
        if total is None:
            progress.reset(now, description=name)
            return lambda done: progress.advance(now, done)
        task = progress.add_task(name, total=total)
        return lambda done: progress.advance(task, done)

    return begin


def _plot(folder: Path, name: str, part: Part) -> None:
    lines = [
        Line(system, {budget: each[figure] for budget, figure in part.curve.items() if figure in each})
        for system, each in part.figures.items()
    ]
    lines = [line for line in lines if line.points]
    if lines:
        _write(folder / f"{name}-recall.svg", curve(f"{name}: evidence told within a budget", lines))
    for system, told in part.confusion.items():
        written = system.lower().replace(" ", "-")
        _write(folder / f"{name}-status-{written}.svg", confusion(f"{name}: status, {system}", told))


def _write(path: Path, text: str) -> None:
    """Puts a whole file in place at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.part")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)


if __name__ == "__main__":
    app(prog_name="python -m evaluation")
