"""How long a question takes besides encoding it, as the store around its subject grows."""

import tempfile
import time
from pathlib import Path
from statistics import median

from evaluation.bench.dialogues import dialogues, lines
from evaluation.bench.measure import Measure
from pipeline.embedded import Embedded
from pipeline.ingest import append_all, process
from pipeline.running import utc_now
from query_service.ask import Asker
from state.message_log import LogRecord
from state.model import Subject

SUBJECT_EVENTS = 2_000
STORE_EVENTS = 100_000
SMALL_EVENTS = 1_000
"""Events of the small store."""
WITHIN_MS = 25.0
GROWTH = 1.5
_QUESTIONS = (
    "What is the delivery address?",
    "When is the delivery?",
    "How many desks did the customer order?",
    "Which order number does the lamp have?",
    "Why is the customer taking a day off?",
    "What was the delivery address before?",
    "How has the price changed?",
    "电话号码是多少？",
)
_REPEATS = 5


def run() -> list[Measure]:
    """The figures of this part; several minutes on two cores, nearly all of it filling the store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Embedded.open(Path(folder) / "stet", encoder="hashing", create=True) as stet,
    ):
        _fill(stet, "small", SMALL_EVENTS, SMALL_EVENTS)
        small = _milliseconds(stet, "small-0")
        _fill(stet, "asked", SUBJECT_EVENTS, SUBJECT_EVENTS)
        alone = _milliseconds(stet, "asked-0")
        held = _fill(stet, "other", STORE_EVENTS - SUBJECT_EVENTS - SMALL_EVENTS, SUBJECT_EVENTS)
        large = _milliseconds(stet, "asked-0")
        small_again = _milliseconds(stet, "small-0")
    return [
        Measure("ask, 1,000 events in the store", small, "ms p50", "besides encoding"),
        Measure("ask, a subject of 2,000 events", alone, "ms p50", "besides encoding; 3,000 in the store"),
        Measure(
            f"the same with {held:,} events in the store",
            large,
            "ms p50",
            f"{large / small:.2f} times that with 1,000 events in the store; p50 of the 1,000-event subject "
            f"is now {small_again:.1f}",
            f"at most {WITHIN_MS:g} ms, and {GROWTH} times",
            large <= WITHIN_MS and large <= GROWTH * small,
        ),
    ]


def _fill(stet: Embedded, prefix: str, events: int, each: int) -> int:
    """Adds subjects of `each` events until `events` more are there; how many the store has then."""
    wanted = _events(stet) + events
    number = 0
    while _events(stet) < wanted:
        batch = dialogues(1, each, prefix=f"{prefix}-{number}" if number else prefix)
        records = [LogRecord(raw) for raw in lines(batch)]
        process(stet, append_all(stet, [records]), lambda _what, _part: None, time.monotonic())
        number += 1
    return _events(stet)


def _events(stet: Embedded) -> int:
    return stet.graph.counts(stet.graph.subjects("bench")).get("events", 0)


def _milliseconds(stet: Embedded, subject: str) -> float:
    asker = Asker(stet.graph, stet.notes, stet.encoder, utc_now)
    times = []
    for _ in range(_REPEATS):
        for question in _QUESTIONS:
            answer = asker.ask(Subject("bench", subject), question)
            times.append(sum(ms for step, ms in answer.timings_ms.items() if step != "encode"))
    return median(times)
