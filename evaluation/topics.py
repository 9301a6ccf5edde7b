"""Topics against gold: B-cubed over messages and the returns found, beside three baselines in the same run.

    python -m evaluation.topics --data FOLDER [--half development|check|all] [--cache FOLDER] [--json]

P, R and F1 are B-cubed, `back` the returns in gold, and the figures beside it those of the returns found.
Only messages with a gold topic count. A baseline's threshold is the best one on the development half.
"""

import json
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from evaluation.bcubed import Agreement, agreement, returns
from evaluation.corpus import DATA
from evaluation.score import NONE, Counts
from evaluation.topic_baselines import BASELINES, Labelling
from evaluation.topic_sets import SETS, Half, Labelled, in_half, labelled
from evaluation.topic_vectors import Vectors, vectors_of
from operators.forest.grow import grow
from operators.forest.interface import Decider
from operators.forest.rules import RulesDecider

TARGETS = {"star": 0.75, "goodai": 0.70}
RESAMPLES = 1_000

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Scored:
    """One way to find topics on one set: each conversation's agreement, and all returns."""

    name: str
    conversations: tuple[Agreement, ...]
    returns: Counts

    @property
    def total(self) -> Agreement:
        """The agreement over all messages."""
        return sum(self.conversations, Agreement())

    def interval(self, seed: int = 0) -> tuple[float, float] | None:
        """The middle 95 % of F1 over resampled conversations; None for fewer than ten."""
        if len(self.conversations) < 10:
            return None
        draw = random.Random(seed)
        found = sorted(
            sum(draw.choices(self.conversations, k=len(self.conversations)), Agreement()).f1
            for _ in range(RESAMPLES)
        )
        return found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES) - 1]

    def row(self) -> dict[str, Any]:
        """The figures, for a machine."""
        total, interval = self.total, self.interval()
        return {
            "name": self.name,
            "f1": round(total.f1, 4),
            "interval": interval and [round(bound, 4) for bound in interval],
            "precision": round(total.precision, 4),
            "recall": round(total.recall, 4),
            "messages": total.messages,
            "returns": {
                "found": self.returns.predicted,
                "gold": self.returns.gold,
                "precision": self.returns.precision,
                "recall": self.returns.recall,
            },
        }


def score(name: str, conversations: Sequence[Labelled], found: Sequence[Sequence[Hashable]]) -> Scored:
    """Scores the topics found (one label a message) on the messages with gold."""
    agreements, counts = [], NONE
    for one, labels in zip(conversations, found, strict=True):
        pairs = [(f, g) for f, g in zip(labels, one.gold, strict=True) if g is not None]
        ours, theirs = [f for f, _ in pairs], [g for _, g in pairs]
        agreements.append(agreement(ours, theirs))
        counts += returns(ours, theirs)
    return Scored(name, tuple(agreements), counts)


def decided(conversation: Labelled, decider: Decider) -> list[str]:
    """The topic of each message by a decider."""
    return [placement.topic for placement in grow(conversation.messages, decider)[1]]


def baselines(
    developed: Sequence[tuple[Labelled, Vectors]], measured: Sequence[tuple[Labelled, Vectors]]
) -> Iterator[Scored]:
    """Each baseline at its best threshold on `developed`, scored on `measured`."""
    for name, labelling, thresholds in BASELINES:
        best = max(thresholds, key=lambda at: _by(name, labelling, at, developed).total.f1)
        shown = name if len(thresholds) == 1 else f"{name} ({best:.2f})"
        yield _by(shown, labelling, best, measured)


def _by(
    name: str, labelling: Labelling, threshold: float, conversations: Sequence[tuple[Labelled, Vectors]]
) -> Scored:
    found = [labelling(vectors, threshold) for _, vectors in conversations]
    return score(name, [one for one, _ in conversations], found)


def measure(
    folder: Path, half: Half, cache: Path | None, encoder: str, advance: Callable[[int], None]
) -> list[Scored]:
    """The decider and the baselines on one set. `advance` is told of messages encoded and decided."""
    conversations = labelled(folder)
    pairs = list(zip(conversations, vectors_of(conversations, cache, encoder, advance), strict=True))
    measured = [pair for at, pair in enumerate(pairs) if in_half(folder.name, at, half)]
    developed = [pair for at, pair in enumerate(pairs) if in_half(folder.name, at, Half.DEVELOPMENT)]
    found = []
    for one, _ in measured:
        found.append(decided(one, RulesDecider()))
        advance(len(one.messages))
    return [score("Stet (rules)", [one for one, _ in measured], found), *baselines(developed, measured)]


@app.command()
def main(
    data: Annotated[Path, typer.Option(help="The folder with the sets.")] = DATA,
    half: Annotated[Half, typer.Option(help="Which half of each set to measure.")] = Half.ALL,
    cache: Annotated[Path | None, typer.Option(help="A folder to keep the vectors in.")] = None,
    encoder: Annotated[str, typer.Option(help="The baselines' encoder.")] = "minilm",
    as_json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Measures the topics of every set that is there."""
    console = Console(stderr=True)
    results: dict[str, list[Scored]] = {}
    with Progress(console=console, transient=True) as progress:
        for name in SETS:
            task = progress.add_task(f"{name}: messages encoded and decided", total=None)
            results[name] = measure(
                data / name,
                half,
                cache,
                encoder,
                lambda n, task=task: progress.advance(task, n),  # type: ignore[misc]
            )
    if as_json:
        typer.echo(json.dumps({name: [s.row() for s in scored] for name, scored in results.items()}))
        return
    for name, scored in results.items():
        Console().print(_table(f"{name} ({half.value}; target {TARGETS[name]:.2f})", scored))


def _table(title: str, scored: Sequence[Scored]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, padding=(0, 0, 0, 1), pad_edge=False)
    for column in ("", "F1", "95 %", "P", "R", "back", "P ", "R "):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for one in scored:
        total, interval = one.total, one.interval()
        table.add_row(
            one.name,
            f"{total.f1:.3f}",
            f"{interval[0]:.3f}–{interval[1]:.3f}" if interval else "",
            f"{total.precision:.3f}",
            f"{total.recall:.3f}",
            str(one.returns.gold),
            _share(one.returns.precision),
            _share(one.returns.recall),
        )
    return table


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    app()
