"""`make bench`: every figure with what it was measured beside; exit code 1 if one misses its target.

python -m evaluation.bench [PART ...] [--json]

Parts: validity notes ingest model forest ask; all without one.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict

from evaluation.bench import ask, forest, ingest, model, notes, validity
from evaluation.bench.measure import Measure

PARTS: Mapping[str, Callable[[], list[Measure]]] = {
    "validity": validity.run,
    "notes": notes.run,
    "ingest": ingest.run,
    "model": model.run,
    "forest": forest.run,
    "ask": ask.run,
}


def main() -> int:
    arguments = argparse.ArgumentParser(prog="python -m evaluation.bench", description=__doc__)
    arguments.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    arguments.add_argument("--json", action="store_true", help="one JSON object a figure")
    chosen = arguments.parse_args()
    missed = 0
    for part in chosen.parts or PARTS:
        print(f"{part} ...", file=sys.stderr, flush=True)
        for measure in PARTS[part]():
            missed += measure.met is False
            print(json.dumps(asdict(measure)) if chosen.json else _line(measure), flush=True)
    return 1 if missed else 0


def _line(measure: Measure) -> str:
    verdict = "" if measure.met is None else "  met" if measure.met else "  MISSED"
    text = f"{measure.name}: {measure.figure:,.2f} {measure.unit}"
    if measure.reference:
        text += f"\n    {measure.reference}"
    if measure.target:
        text += f"\n    target: {measure.target}{verdict}"
    return text


if __name__ == "__main__":
    sys.exit(main())
