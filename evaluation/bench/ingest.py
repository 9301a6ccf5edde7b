"""How fast messages go in: beside the bare encoder on the same texts, and without an encoder's cost."""

import tempfile
import time
from pathlib import Path

from evaluation.bench.dialogues import dialogues, lines
from evaluation.bench.measure import Measure
from pipeline.embedded import Embedded
from pipeline.ingest import append_all, process
from state.message_log import LogRecord
from state.model import Message
from state.notes import note_text

ENCODED = 2_048
"""Messages of the run with the real encoder: some seconds of it."""
HASHED = 8_192
OF_ENCODER = 0.7
A_SECOND = 1_000


def run() -> list[Measure]:
    """The figures of this part; a minute on two cores."""
    few = list(dialogues(ENCODED // 32, 32))
    many = list(dialogues(HASHED // 32, 32))
    bare, whole = _beside_encoder(few)
    rate = _rate(many, "hashing")
    ratio = whole / bare
    return [
        Measure("bare encoder", bare, "texts/s", "the same texts in batches of 512"),
        Measure(
            "ingest with that encoder",
            whole,
            "messages/s",
            f"{ratio:.2f} of the bare encoder",
            f"at least {OF_ENCODER} of it",
            ratio >= OF_ENCODER,
        ),
        Measure(
            "ingest with the hashing encoder",
            rate,
            "messages/s",
            "one process, log, stores and recovery included",
            f"at least {A_SECOND:,}",
            rate >= A_SECOND,
        ),
    ]


def _beside_encoder(messages: list[Message]) -> tuple[float, float]:
    """(bare encoder, whole ingest) on the same texts, with the encoder loaded and warm in both."""
    with tempfile.TemporaryDirectory() as folder, Embedded.open(Path(folder) / "stet", create=True) as stet:
        texts = [note_text(message) for message in messages]
        stet.encoder.encode(texts[:64])
        begun = time.perf_counter()
        for at in range(0, len(texts), 512):
            stet.encoder.encode(texts[at : at + 512])
        bare = len(texts) / (time.perf_counter() - begun)
        return bare, _ingest_into(stet, messages)


def _rate(messages: list[Message], encoder: str) -> float:
    with (
        tempfile.TemporaryDirectory() as folder,
        Embedded.open(Path(folder) / "stet", encoder=encoder, create=True) as stet,
    ):
        return _ingest_into(stet, messages)


def _ingest_into(stet: Embedded, messages: list[Message]) -> float:
    """Messages a second from the first append to the last write."""
    records = [LogRecord(raw) for raw in lines(iter(messages))]
    batches = [records[at : at + 500] for at in range(0, len(records), 500)]
    _ = stet.encoder, stet.notes, stet.log, stet.rejected
    begun = time.perf_counter()
    appended = append_all(stet, batches)
    summary = process(stet, appended, lambda _what, _part: None, time.monotonic())
    seconds = time.perf_counter() - begun
    if summary.messages != len(messages) or summary.rejected:
        raise RuntimeError(f"ingested {summary.messages} of {len(messages)}, {summary.rejected} rejected")
    return len(messages) / seconds
