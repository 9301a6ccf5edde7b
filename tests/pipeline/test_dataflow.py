"""The dataflow over real stores: what is sound is applied, and one poison message stops nothing (ENGINE)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bytewax._bytewax import cluster_main
from bytewax.errors import BytewaxRuntimeError
from prometheus_client import CollectorRegistry
from redis import Redis

from operators.distill.interface import Distilled, Distiller
from operators.parse import Reason
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules
from pipeline.applied import Applied, Arrived
from pipeline.apply import Applier, Stores, stored_as_is
from pipeline.dataflow import Parts, conversation_flow, shard_of
from pipeline.log_source import LogSource
from pipeline.metrics import Metrics
from pipeline.received import Received
from pipeline.rejected import RejectedStream
from pipeline.rejected_record import RejectedRecord
from pipeline.tally import AppliedSink, RejectedSink, Tally
from state.graph_change import GraphWriter
from state.graph_store import RedisGraph
from state.hashing_encoder import HashingEncoder
from state.message_log import LogRecord, MessageLog
from state.model import EdgeType, Message, Role, Subject
from state.notes_edge import EdgeNoteStore
from tests.operators.toy_rules import RULES, ToyDistiller
from tests.pipeline.command import lines, message

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ANN, BOB = Subject("acme", "ann"), Subject("acme", "bob")


class Fragile:
    """Fails on a turn that says "poison"."""

    name = "fragile/1"

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        if "poison" in turn.content:
            raise ValueError(turn.content)
        return ToyDistiller().distill(turn, context)


@dataclass
class Ran:
    tally: Tally
    graph: RedisGraph
    notes: EdgeNoteStore
    metrics: Metrics
    rejected: list[RejectedRecord]


class Bench:
    """The stores of a folder, and runs of the dataflow over what is given to it."""

    def __init__(self, folder: Path, redis: Redis) -> None:
        for part in ("log", "notes", "rejected"):
            (folder / part).mkdir()
        self.redis, self.encoder = redis, HashingEncoder(32)
        self.log = MessageLog(folder / "log")
        self.notes = EdgeNoteStore(folder / "notes", 32)
        self.stream = RejectedStream(folder / "rejected", clock=lambda: NOW)
        self.stores = Stores(redis, GraphWriter(redis, 1), self.notes, self.encoder)

    def run(self, raws: Sequence[bytes], distiller: Distiller) -> Ran:
        start = self.log.end
        self.log.append([LogRecord(raw, f"calls.jsonl:{n}") for n, raw in enumerate(raws, 1)])
        tally, metrics = Tally(), Metrics(CollectorRegistry())
        rules = Rules(distiller, RELATER)
        parts = Parts(
            source=_From(self.log, start),
            applier=lambda: Applier(self.stores, rules, lambda: NOW),
            rejected=RejectedSink(self.stream, tally, metrics),
            applied=AppliedSink(tally, metrics, lambda: NOW, lambda: None),
        )
        cluster_main(conversation_flow(parts), [], 0)
        return Ran(tally, RedisGraph(self.redis), self.notes, metrics, list(self.stream.records()))


class _From(LogSource):
    def __init__(self, log: MessageLog, start: int) -> None:
        super().__init__(log, lambda: log.end)
        self._start = start

    def build_part(self, step_id: str, for_part: str, resume_state: int | None):  # type: ignore[no-untyped-def]
        return super().build_part(step_id, for_part, self._start)


@pytest.fixture
def bench(redis: Redis, tmp_path: Path) -> Bench:
    return Bench(tmp_path, redis)


def rows(*texts: str, subject: str = "ann", first: int = 1) -> list[bytes]:
    said = (message(n, content=text, subject=subject) for n, text in enumerate(texts, first))
    return lines(said).splitlines()


def contents(graph: RedisGraph, subject: Subject) -> list[str]:
    view = graph.everything(subject)
    return [m.content for m in view.messages] if view else []


def test_what_is_sound_becomes_notes_and_events(bench: Bench) -> None:
    ran = bench.run([*rows("a.x=1", "a.x=2"), *rows("a.x=3", subject="bob")], ToyDistiller())
    view = ran.graph.everything(ANN)
    assert view is not None
    assert (len(view.messages), len(view.events)) == (2, 2)
    assert [edge.type for edge in view.edges].count(EdgeType.UPDATES) == 1
    assert (ran.notes.count(ANN), ran.notes.count(BOB)) == (2, 1)
    assert (ran.tally.accepted, ran.tally.changed, set(ran.tally.subjects)) == (3, 3, {ANN, BOB})
    assert not ran.rejected


def test_a_poison_message_is_put_aside_and_everything_else_is_processed(bench: Bench) -> None:
    raws = [*rows("a.x=1", "a poison; a.x=7", "a.x=2", "b.y=1"), *rows("a.x=3", subject="bob")]
    ran = bench.run(raws, Fragile())
    (record,) = ran.rejected
    assert (record.reason, record.line, record.raw) == (Reason.PROCESSING_FAILED, 2, raws[1])
    assert "poison" not in record.detail
    assert contents(ran.graph, ANN) == ["a.x=1", "a.x=2", "b.y=1"]
    assert contents(ran.graph, BOB) == ["a.x=3"]
    assert (ran.notes.count(ANN), ran.notes.count(BOB)) == (3, 1)


def test_what_was_applied_beside_a_poison_message_is_counted(bench: Bench) -> None:
    ran = bench.run(rows("a.x=1", "poison", "a.x=2"), Fragile())
    assert (ran.tally.accepted, ran.tally.changed, ran.tally.unchanged) == (2, 2, 0)
    assert list(ran.tally.subjects) == [ANN]
    assert ran.tally.refused == {"processing_failed": 1}
    assert ran.tally.seen == 3
    sample = ran.metrics.registry.get_sample_value
    assert sample("stet_messages_applied_total") == 2
    assert sample("stet_messages_rejected_total", {"reason": "processing_failed"}) == 1
    assert sample("stet_events_stated_total") == 2


def test_the_flow_goes_on_after_a_poison_message_and_takes_it_once_it_is_cured(bench: Bench) -> None:
    bench.run(rows("a.x=1", "poison a.x=9"), Fragile())
    ran = bench.run(rows("a.x=2", first=3), Fragile())
    assert contents(ran.graph, ANN) == ["a.x=1", "a.x=2"]
    fed: list[LogRecord] = []
    bench.stream.replay(fed.extend)
    cured = bench.run([record.raw for record in fed], ToyDistiller())
    assert contents(cured.graph, ANN) == ["a.x=1", "poison a.x=9", "a.x=2"]


def test_an_edit_that_is_poison_leaves_what_was_there(bench: Bench) -> None:
    bench.run(rows("a.x=1"), Fragile())
    ran = bench.run(rows("poison"), Fragile())
    assert contents(ran.graph, ANN) == ["a.x=1"]
    assert [record.reason for record in ran.rejected] == [Reason.PROCESSING_FAILED]


def test_a_text_that_the_encoder_cannot_take_is_put_aside_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = bench.encoder.encode

    def encode(texts: Sequence[str]):  # type: ignore[no-untyped-def]
        if any("poison" in text for text in texts):
            raise ValueError("no vector for this")
        return plain(texts)

    monkeypatch.setattr(bench.encoder, "encode", encode)
    ran = bench.run(rows("a.x=1", "poison", "a.x=2"), ToyDistiller())
    assert [(record.reason, record.line) for record in ran.rejected] == [(Reason.PROCESSING_FAILED, 2)]
    assert contents(ran.graph, ANN) == ["a.x=1", "a.x=2"]
    assert ran.notes.count(ANN) == 2


def test_an_encoder_that_takes_no_text_stops_the_flow_and_refuses_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(texts: Sequence[str]) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(bench.encoder, "encode", encode)
    with pytest.raises(BytewaxRuntimeError):
        bench.run(rows("a.x=1", "a.x=2"), ToyDistiller())
    assert bench.stream.pending == 0


def test_a_batch_that_a_crash_cut_off_after_its_notes_is_completed_by_the_same_messages(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(bench.stores.writer, "write", _away)
        with pytest.raises(BytewaxRuntimeError):
            bench.run(rows("a.x=1"), ToyDistiller())
    assert bench.notes.count(ANN) == 1
    ran = bench.run(rows("a.x=1"), ToyDistiller())
    assert contents(ran.graph, ANN) == ["a.x=1"]
    assert ran.notes.count(ANN) == 1


def _away(changes: object) -> None:
    raise ConnectionError("the store went away")


def test_nothing_is_encoded_or_written_for_what_is_stored(bench: Bench) -> None:
    arrived = [
        Arrived(Message(ANN, "c", "m", Role.USER, "Ann", "a.x=1", NOW), Received(offset, b""))
        for offset in (0, 1)
    ]
    applier = Applier(bench.stores, RULES, lambda: NOW)
    assert len(applier.apply(arrived[:1]).changes) == 1
    assert stored_as_is(bench.redis, arrived) == {0, 1}
    assert applier.apply(arrived[1:]) == Applied(1, (), (), (arrived[1].received.offset,), (ANN,))


def test_every_subject_has_one_shard_in_every_process() -> None:
    subjects = [Subject("acme", f"客户 {n}") for n in range(200)]
    assert {shard_of(subject, 16) for subject in subjects} == {str(n) for n in range(16)}
    assert [shard_of(subject, 16) for subject in subjects[:4]] == ["11", "13", "7", "1"]
