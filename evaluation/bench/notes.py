"""The note store and the encoder: writes, filtered searches as the store grows, float32 beside bfloat16."""

import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median

from evaluation.bench.measure import Measure
from state.encoder import MiniLmEncoder, native_bfloat16
from state.hashing_encoder import HashingEncoder
from state.model import Subject
from state.notes import Note
from state.notes_edge import EdgeNoteStore

SMALL = 1_000
LARGE = 100_000
SUBJECT_NOTES = 1_000
GROWTH_BOUND = 1.5
_BATCH = 512
_QUERIES = 60
_TEXTS = 128
_START = datetime(2026, 1, 1, tzinfo=UTC)
_WORDS = [
    *("order", "booking", "friday", "refund", "chair", "lamp", "budget", "meeting", "invoice", "delivery"),
    *("address", "hotel", "window", "ticket", "doctor", "garden", "holiday", "recipe", "coffee", "violin"),
    *("train", "museum", "laptop", "battery", "contract", "deadline", "manager", "sister", "周五", "预订"),
    *("退款", "地址", "会议", "公园"),
]


def run() -> list[Measure]:
    """The figures of this part; two minutes on two cores."""
    encoder = HashingEncoder()
    subject = Subject("bench", "asked")
    with tempfile.TemporaryDirectory() as folder, EdgeNoteStore(Path(folder), encoder.dimension) as store:
        store.upsert(_notes(encoder, subject, 0, SUBJECT_NOTES))
        small = _search_times(store, encoder, subject)
        seconds = _grow(store, encoder, LARGE - SUBJECT_NOTES)
        large = _search_times(store, encoder, subject)
    measures = [Measure("note upserts", (LARGE - SUBJECT_NOTES) / seconds, "notes/s", "batches of 512, Edge")]
    for name, before, after in zip(("dense", "lexical"), small, large, strict=True):
        measures.append(Measure(f"{name} search, {SMALL:,} notes in all", before * 1e3, "ms p50"))
        measures.append(
            Measure(
                f"{name} search, {LARGE:,} notes in all",
                after * 1e3,
                "ms p50",
                f"{after / before:.2f} times that at {SMALL:,}; the subject has {SUBJECT_NOTES:,} in both",
                f"at most {GROWTH_BOUND} times",
                after <= GROWTH_BOUND * before,
            )
        )
    return measures + _encoding()


def text_of(number: int) -> str:
    """A message of some fifteen words, a function of its number."""
    chosen = [_WORDS[(number * 7 + i * i * (number % 11 + 3)) % len(_WORDS)] for i in range(14)]
    return f"{' '.join(chosen)} {number}"


def _notes(encoder: HashingEncoder, subject: Subject, first: int, count: int) -> Sequence[Note]:
    texts = [text_of(number) for number in range(first, first + count)]
    return [
        Note(subject, f"m{first + i}", "c1", "someone", _START + timedelta(seconds=first + i), text, vector)
        for i, (text, vector) in enumerate(zip(texts, encoder.encode(texts), strict=True))
    ]


def _grow(store: EdgeNoteStore, encoder: HashingEncoder, count: int) -> float:
    """Writes notes of other subjects; the seconds spent in the store."""
    seconds = 0.0
    for number, first in enumerate(range(0, count, _BATCH)):
        notes = _notes(encoder, Subject("bench", f"other {number}"), first, min(_BATCH, count - first))
        seconds += _timed(partial(store.upsert, notes))
    return seconds


def _search_times(store: EdgeNoteStore, encoder: HashingEncoder, subject: Subject) -> tuple[float, float]:
    """Median seconds of a dense and of a lexical search for 20 notes."""
    texts = [text_of(number * 17) for number in range(_QUERIES)]
    vectors = encoder.encode(texts)
    dense = [_timed(partial(store.dense, subject, vector, 20)) for vector in vectors]
    lexical = [_timed(partial(store.lexical, subject, text, 20)) for text in texts]
    return median(dense), median(lexical)


def _encoding() -> list[Measure]:
    """Texts a second in each precision. Without the CPU's help bfloat16 is shown on a few texts only."""
    chosen = "bfloat16" if native_bfloat16() else "float32"
    measures = []
    for precision in ("float32", "bfloat16"):
        count = _TEXTS if precision == chosen else _TEXTS // 4
        texts = [text_of(number) for number in range(count)]
        encoder = MiniLmEncoder(precision)
        encoder.encode(texts[:2])
        seconds = _timed(partial(encoder.encode, texts))
        note = f"{count} texts of 15 words" + ("; the default here" if precision == chosen else "")
        measures.append(Measure(f"MiniLM {precision}", count / seconds, "texts/s", note))
    hashing = HashingEncoder()
    texts = [text_of(number) for number in range(2_000)]
    seconds = _timed(partial(hashing.encode, texts))
    measures.append(Measure("hashing encoder", len(texts) / seconds, "texts/s", "no model; tests only"))
    return measures


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
