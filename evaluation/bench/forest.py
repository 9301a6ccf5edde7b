"""What a turn costs as its subject's conversation grows: the decision, the graph and the writes of it all."""

import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from evaluation.bench.dialogues import dialogues
from evaluation.bench.measure import Measure
from operators.parse import serialise
from pipeline.applied import Arrived
from pipeline.apply import Applier, Stores
from pipeline.received import Received
from pipeline.running import RULES, utc_now
from state.embedded_redis import EmbeddedRedis
from state.graph_change import GraphWriter
from state.hashing_encoder import HashingEncoder
from state.model import Message
from state.notes_edge import EdgeNoteStore

FEW, MANY = 100, 100_000
GROWTH = 1.5
_BATCH = 512
_TIMED = 200


def run() -> list[Measure]:
    """The figures of this part; two minutes on two cores, nearly all of it filling one conversation."""
    few, many = (_milliseconds(turns) for turns in (FEW, MANY))
    return [
        Measure(
            f"a turn of a conversation of {FEW:,}", few, "ms p50", "one message a batch, stores included"
        ),
        Measure(
            f"a turn of a conversation of {MANY:,}",
            many,
            "ms p50",
            f"{many / few:.2f} times that at {FEW:,}",
            f"at most {GROWTH} times",
            many <= GROWTH * few,
        ),
    ]


def _milliseconds(turns: int) -> float:
    """The median time to apply one more message to a subject whose one conversation has so many turns."""
    messages = list(dialogues(1, turns + _TIMED))
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(_made(folder, "redis")) as redis:
        encoder = HashingEncoder()
        with EdgeNoteStore(_made(folder, "notes"), encoder.dimension) as notes:
            stores = Stores(redis.client, GraphWriter(redis.client, 1), notes, encoder)
            applier = Applier(stores, RULES, utc_now)
            for at in range(0, turns, _BATCH):
                _apply(applier, list(islice(messages, at, min(at + _BATCH, turns))), at)
            return median(_timed(applier, message, turns + n) for n, message in enumerate(messages[turns:]))


def _timed(applier: Applier, message: Message, offset: int) -> float:
    begun = time.perf_counter()
    _apply(applier, [message], offset)
    return (time.perf_counter() - begun) * 1_000


def _apply(applier: Applier, messages: Sequence[Message], first: int) -> None:
    applied = applier.apply([Arrived(m, Received(first + n, serialise(m))) for n, m in enumerate(messages)])
    if applied.failed:
        raise RuntimeError(f"{len(applied.failed)} messages failed")


def _made(folder: str, name: str) -> Path:
    path = Path(folder) / name
    path.mkdir()
    return path
