"""How fast messages go in where a model reads them, that takes 50 ms a call; and in how many calls."""

import os
import tempfile
from pathlib import Path
from urllib.request import urlopen

from evaluation.bench.dialogues import dialogues
from evaluation.bench.ingest import ingest_into
from evaluation.bench.measure import Measure
from evaluation.bench.slow_model import LATENCY, slow_model
from pipeline.embedded import Embedded
from state.notes import note_text

SUBJECTS, EACH = 100, 40
A_SECOND = 400
CALLS = 3.0
"""Calls a session of 20 messages at most."""


def run() -> list[Measure]:
    """The figures of this part; half a minute on two cores."""
    messages = list(dialogues(SUBJECTS, EACH))
    with slow_model() as address, tempfile.TemporaryDirectory() as folder:
        os.environ["STET_LLM"] = f"{address}/v1#slow"
        try:
            with Embedded.open(Path(folder) / "stet", encoder="hashing", create=True) as stet:
                stet.encoder.encode([note_text(message) for message in messages[:500]])
                import operators.llm.asking  # noqa: F401 - its client takes a second to import

                rate = ingest_into(stet, messages)
        finally:
            del os.environ["STET_LLM"]
        with urlopen(f"{address}/") as told:
            calls = int(told.read()) / (len(messages) / 20)
    return [
        Measure(
            "ingest with a model",
            rate,
            "turns/s",
            f"{LATENCY * 1000:.0f} ms a call, 32 in flight, hashing encoder, all written and settled",
            f"at least {A_SECOND}",
            rate >= A_SECOND,
        ),
        Measure(
            "calls to the model",
            calls,
            "a 20 messages",
            "distilling, summaries and discourse in one; relating in another",
            f"at most {CALLS:.0f}",
            calls <= CALLS,
        ),
    ]
