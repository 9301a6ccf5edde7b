"""How fast messages go in: beside the bare encoder on the same texts, and without an encoder's cost."""

import tempfile
import time
from pathlib import Path

from evaluation.bench.dialogues import dialogues, lines
from evaluation.bench.measure import Measure
from pipeline.embedded import Embedded
from pipeline.ingest import append_all, process
from state.encoder import MiniLmEncoder
from state.message_log import LogRecord
from state.model import Message
from state.notes import note_text

MESSAGES = 8_192
BATCH = 512
"""Texts that the bare encoder gets at once: as many as the dataflow gives it."""
OF_ENCODER = 0.7
A_SECOND = 1_000


def run() -> list[Measure]:
    """The figures of this part; a minute on two cores."""
    messages = list(dialogues(MESSAGES // 32, 32))
    bare = _bare([note_text(message) for message in messages])
    whole = _rate(messages, "minilm")
    rate = _rate(messages, "hashing")
    ratio = whole / bare
    return [
        Measure("bare encoder", bare, "texts/s", f"the same texts in batches of {BATCH}, in one process"),
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


def _bare(texts: list[str]) -> float:
    """Texts a second of the encoder alone: loaded and warm, in this process, with nothing else to do."""
    encoder = MiniLmEncoder()
    encoder.encode(texts[:BATCH])
    begun = time.perf_counter()
    for at in range(0, len(texts), BATCH):
        encoder.encode(texts[at : at + BATCH])
    return len(texts) / (time.perf_counter() - begun)


def _rate(messages: list[Message], encoder: str) -> float:
    """Messages a second of a whole ingest into an empty folder, with the encoder loaded and warm."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Embedded.open(Path(folder) / "stet", encoder=encoder, create=True) as stet,
    ):
        stet.encoder.encode([note_text(message) for message in messages[:BATCH]])
        return ingest_into(stet, messages)


def ingest_into(stet: Embedded, messages: list[Message]) -> float:
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
