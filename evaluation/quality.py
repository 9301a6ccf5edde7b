"""How good the distilled graph is on labelled sets: `python -m evaluation.quality [--data DIR] [SET …]`.

Everything runs in memory through `operators.derive`; no store, no network.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.corpus import DATA
from evaluation.episodes import EpisodeScore, score_episodes
from evaluation.gold_distiller import GoldDistiller
from evaluation.score import Counts
from evaluation.updates import CUE_WORDS_F1, UpdateScore, score_updates
from operators.distill.interface import Distiller
from operators.relate.rules import RULES as RELATER

SETS = ("episodes", "sgd", "star")


@dataclass(frozen=True, slots=True)
class Report:
    """One set's figures, ready to print, and its errors."""

    name: str
    figures: dict[str, Any]
    errors: Sequence[str]
    seconds: float


def measure(name: str, data: Path, distiller: Distiller | None) -> Report:
    """Scores one set; `distiller` None takes the facts of the episodes' gold, to judge the relater alone."""
    begun = time.perf_counter()
    if name == "episodes":
        path = data / name / "gold.jsonl"
        scores = score_episodes(path, distiller or GoldDistiller.read(path), RELATER)
        figures: dict[str, Any] = {part: _episode_figures(score) for part, score in scores.items()}
        errors: Sequence[str] = scores["all"].errors
    else:
        if distiller is None:
            raise SystemExit("--gold-facts is for the episodes only: the other sets label no facts")
        found = score_updates(data / name, distiller, RELATER)
        figures = {"all": _update_figures(name, found)}
        errors = [f"{m.kind} {m.turn[0]}/{m.turn[1]}: {m.text}\n      {m.detail}" for m in found.errors]
    return Report(name, figures, errors, time.perf_counter() - begun)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _counts(counts: Counts) -> dict[str, float | int | None]:
    return {
        "precision": _round(counts.precision),
        "recall": _round(counts.recall),
        "f1": _round(counts.f1),
        "predicted": counts.predicted,
        "gold": counts.gold,
    }


def _episode_figures(score: EpisodeScore) -> dict[str, Any]:
    return {
        "facts": len(score.gold),
        "events": score.events,
        "found": _round(score.found),
        "status_accuracy": _round(score.accuracy),
        "status_accuracy_of_found": _round(score.accuracy_of_found),
        "status_macro_f1": _round(score.macro),
        "updates": _counts(score.updates),
        "must_not_update_made": f"{score.forbidden_made} of {score.forbidden}",
        "causes": _counts(score.causes),
        "contradicts": _counts(score.contradicts),
    }


def _update_figures(name: str, score: UpdateScore) -> dict[str, Any]:
    return {
        "updates": _counts(score.counts),
        "cue_words_f1": CUE_WORDS_F1.get(name),
        "messages": score.messages,
        "events": score.events,
        "edges": dict(sorted(score.edges.items())),
    }


def _print(report: Report) -> None:
    print(f"== {report.name}  ({report.seconds:.1f} s)")
    for part, figures in report.figures.items():
        print(f"  {part}")
        for key, value in figures.items():
            shown = "  ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            print(f"    {key:26} {shown}")


def _distiller(name: str) -> Distiller:
    """The distiller to judge. Imported late, so that judging the relater alone needs none."""
    if name != "rules":
        raise SystemExit(f"unknown distiller {name!r}: use rules")
    from operators.distill.rules import RULES

    return RULES


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures of each set, or one JSON object with `--json`."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.quality", description=__doc__)
    parser.add_argument("sets", nargs="*", default=list(SETS), help=f"of {', '.join(SETS)}")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds the sets")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.add_argument(
        "--errors", type=int, default=0, metavar="N", help="also list the first N errors a set"
    )
    parser.add_argument("--match", default="", help="list only the errors that contain this text")
    parser.add_argument(
        "--gold-facts", action="store_true", help="take the gold's facts: judges the relater alone"
    )
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.sets) - set(SETS))
    if unknown:
        parser.error(f"unknown set {', '.join(unknown)}: choose from {', '.join(SETS)}")
    distiller = None if given.gold_facts else _distiller("rules")
    reports = [measure(name, given.data, distiller) for name in given.sets]
    if given.json:
        print(json.dumps({r.name: r.figures | {"seconds": round(r.seconds, 1)} for r in reports}, indent=1))
        return 0
    for report in reports:
        _print(report)
        for error in [e for e in report.errors if given.match in e][: given.errors]:
            print("   -", error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
