"""The dataflow's outputs on Kafka: done once acknowledged, and one record that fails stops no other."""

import json
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from prometheus_client import CollectorRegistry
from redis import Redis

from operators.parse import Reason, Rejected
from pipeline.applied import Applied
from pipeline.change_records import change_lines
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_record import Outgoing, position, received_of
from pipeline.kafka_settings import Kafka
from pipeline.kafka_settings import Topics as Named
from pipeline.kafka_sinks import ChangesSink, Out, RejectedTopicSink
from pipeline.metrics import Metrics
from pipeline.patience import Patience, StoppedWaiting
from pipeline.received import Received, Refused
from state.graph_change import GraphWriter, SubjectChange
from state.model import Subject
from state.outbox import waiting
from tests.pipeline.topic import headers, read, values
from tests.servers.broker import Topics
from tests.servers.fixtures import LinkedBroker
from tests.state.test_graph_store import said, written

ANN, BOB = Subject("acme", "ann"), Subject("acme", "周晓雯")
NOW = datetime(2026, 3, 2, tzinfo=UTC)
LARGEST = 1_000_000


class Impatient(KafkaProducer):
    """Tells that the brokers are away after a moment."""

    def send(self, records: Sequence[Outgoing], seconds: float = 0.2) -> None:
        super().send(records, seconds)


class Bench:
    """What the sinks write with, and what they tell."""

    def __init__(self, topics: Topics, producer: KafkaProducer) -> None:
        self.bootstrap = topics.bootstrap
        self.named = Named(topics.create(), topics.create(partitions=2), topics.create(partitions=2))
        self.told: list[str] = []
        self.said = threading.Event()
        self.stopping = threading.Event()
        self.metrics = Metrics(CollectorRegistry())
        self.producer = producer
        patience = Patience(self.stopping, self._tell)
        self.out = Out(self.producer, self.named, patience, self.metrics, self._tell)

    def _tell(self, line: str) -> None:
        self.told.append(line)
        self.said.set()

    def publish(self, client: Redis, *batch: Applied) -> None:
        ChangesSink(client, self.out, lambda: NOW).build("changes", 0, 1).write_batch(list(batch))

    def reject(self, *refused: Refused) -> None:
        RejectedTopicSink(self.out).build("rejected", 0, 1).write_batch(list(refused))

    def counted(self, name: str, **labels: str) -> float:
        return self.metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.fixture(scope="module")
def producer(kafka_bootstrap: str) -> Iterator[KafkaProducer]:
    one = KafkaProducer(Kafka(kafka_bootstrap))
    yield one
    one.close()


@pytest.fixture
def bench(kafka: Topics, producer: KafkaProducer) -> Bench:
    return Bench(kafka, producer)


@pytest.fixture
def cut_off(linked_broker: LinkedBroker) -> Iterator[tuple[Bench, LinkedBroker]]:
    """A bench whose broker cannot be reached until its link is mended."""
    one = Bench(linked_broker.broker.topics, Impatient(Kafka(linked_broker.broker.bootstrap)))
    one.producer.send([Outgoing(one.named.messages, None, b"")], 20)
    linked_broker.link.cut()
    yield one, linked_broker
    one.producer.close(0.1)


def wrote(client: Redis, *texts: str, subject: Subject = ANN) -> Applied:
    """Writes with the given texts in the outbox, and what a batch that speaks of the subject is then."""
    left = list(texts)
    writer = GraphWriter(client, 1, lambda change: left.pop(0))
    for version in range(len(texts)):
        writer.write([SubjectChange(subject, version, {}, {}, {}, {}, {}, {}, {}, {})])
    return spoken_of(subject)


def spoken_of(subject: Subject, *changes: SubjectChange) -> Applied:
    return Applied(1, changes, (), (), (subject,))


class TestChanges:
    def test_each_line_of_a_write_is_a_record_keyed_by_its_subject_in_order(
        self, redis: Redis, bench: Bench
    ) -> None:
        ann = wrote(redis, "1a\n1b", "2", "3a\n3b")
        bob = wrote(redis, "地址", subject=BOB)
        bench.publish(redis, ann, bob)
        records = read(bench.bootstrap, bench.named.changes)
        of_ann = [record.value() for record in records if record.key() == b"acme/ann"]
        assert of_ann == [b"1a", b"1b", b"2", b"3a", b"3b"]
        assert [r.value() for r in records if r.key() == "acme/周晓雯".encode()] == ["地址".encode()]
        assert len(records) == bench.counted("stet_changes_published_total") == 6

    def test_what_a_write_changed_is_what_is_published(self, redis: Redis, bench: Bench) -> None:
        change = written(redis, said(ANN))
        redis.flushall()
        GraphWriter(redis, 1, change_lines).write([change])
        bench.publish(redis, spoken_of(ANN, change))
        records = [json.loads(value) for value in values(bench.bootstrap, bench.named.changes)]
        assert {record["kind"] for record in records} == {"message", "event", "edge"}
        assert {record["version"] for record in records} == {1}
        assert "\n".join(map(bytes.decode, values(bench.bootstrap, bench.named.changes))) == change_lines(
            change
        )

    def test_the_outbox_is_empty_then_and_the_same_is_not_published_again(
        self, redis: Redis, bench: Bench
    ) -> None:
        batch = wrote(redis, "1", "2")
        bench.publish(redis, batch)
        assert waiting(redis, [ANN]) == {}
        bench.publish(redis, batch)
        assert values(bench.bootstrap, bench.named.changes) == [b"1", b"2"]

    def test_what_a_crash_left_unpublished_is_published_when_its_subject_is_spoken_of_again(
        self, redis: Redis, bench: Bench
    ) -> None:
        wrote(redis, "before the crash")
        bench.publish(redis, spoken_of(ANN))
        assert values(bench.bootstrap, bench.named.changes) == [b"before the crash"]

    def test_a_batch_that_changed_nothing_publishes_nothing(self, redis: Redis, bench: Bench) -> None:
        bench.publish(redis, spoken_of(ANN))
        bench.publish(redis)
        assert values(bench.bootstrap, bench.named.changes) == []

    def test_a_change_that_no_broker_takes_is_told_of_and_stops_no_other(
        self, redis: Redis, bench: Bench
    ) -> None:
        batch = wrote(redis, "1", "x" * LARGEST, "3")
        bench.publish(redis, batch)
        written = values(bench.bootstrap, bench.named.changes)
        assert list(dict.fromkeys(written)) == [b"1", b"3"]
        assert waiting(redis, [ANN]) == {}
        (line,) = bench.told
        assert f"a change of {LARGEST} bytes is not published" in line
        assert "max.message.bytes" in line
        assert "xxx" not in line

    def test_the_outbox_is_full_until_the_brokers_have_acknowledged(
        self, redis: Redis, cut_off: tuple[Bench, LinkedBroker]
    ) -> None:
        bench, (broker, link) = cut_off
        batch = wrote(redis, "1", "2")
        publishing = threading.Thread(target=bench.publish, args=(redis, batch))
        publishing.start()
        assert bench.said.wait(20)
        assert "kafka is away" in bench.told[0]
        assert [entry.text for entry in waiting(redis, [ANN])[ANN]] == ["1", "2"]
        link.mend()
        publishing.join(60)
        assert bench.told[1:] == ["kafka is back"]
        assert waiting(redis, [ANN]) == {}
        assert set(values(broker.address, bench.named.changes)) == {b"1", b"2"}

    def test_a_stop_meanwhile_leaves_it_for_the_next_start(
        self, redis: Redis, cut_off: tuple[Bench, LinkedBroker]
    ) -> None:
        bench, _ = cut_off
        batch = wrote(redis, "1")
        bench.stopping.set()
        with pytest.raises(StoppedWaiting):
            bench.publish(redis, batch)
        assert [entry.text for entry in waiting(redis, [ANN])[ANN]] == ["1"]
        assert bench.counted("stet_changes_published_total") == 0


def refused(raw: bytes, reason: Reason = Reason.MALFORMED_JSON, **other: str | bytes) -> Refused:
    received = Received(position(3, 7), raw, **other)  # type: ignore[arg-type]
    return Refused(received, Rejected(reason, "why"))


class TestRejected:
    def test_the_bytes_come_as_they_are_with_the_reason_and_the_place(self, bench: Bench) -> None:
        bench.reject(
            refused(b"\xff\n{", Reason.INVALID_UTF8, origin="电话.jsonl:3", key=b"acme/ann"),
            refused(b"", Reason.LINE_TOO_LONG, fault="line_too_long"),
        )
        first, second = sorted(
            read(bench.bootstrap, bench.named.rejected), key=lambda r: r.value() or b"", reverse=True
        )
        assert (first.key(), first.value()) == (b"acme/ann", b"\xff\n{")
        assert headers(first) == {
            "topic": bench.named.messages,
            "partition": "3",
            "offset": "7",
            "reason": "invalid_utf8",
            "detail": "why",
            "attempt": "1",
            "origin": "电话.jsonl:3",
        }
        assert (second.key(), second.value() or b"") == (None, b"")
        assert headers(second)["fault"] == "line_too_long"
        assert bench.counted("stet_messages_rejected_total", reason="invalid_utf8") == 1

    def test_one_too_large_with_what_is_said_of_it_is_kept_cut_and_stops_no_other(self, bench: Bench) -> None:
        large = b"x" * (LARGEST - 100)
        bench.reject(refused(b"{"), refused(large), refused(b"["))
        records = read(bench.bootstrap, bench.named.rejected)
        cut = [record for record in records if len(record.value() or b"") > 1]
        assert {record.value() for record in records} == {b"{", b"[", large[:100_000]}
        assert headers(cut[0])["cut"] == str(len(large))
        assert headers(cut[0])["offset"] == "7"
        assert len(bench.told) == 1
        assert "kept cut" in bench.told[0]
        assert bench.counted("stet_messages_rejected_total", reason="malformed_json") == 3

    def test_headers_of_another_program_leave_room_for_ours(self, kafka: Topics, bench: Bench) -> None:
        """What was written to the messages' topic can be written to the rejected topic, whatever it is."""
        foreign = (("origin", b"x" * 900_000), ("trace", b"y" * 90_000))
        bench.producer.send([Outgoing(bench.named.messages, b"k", b"{", foreign)])
        (record,) = read(bench.bootstrap, bench.named.messages)
        bench.reject(Refused(received_of(record), Rejected(Reason.MALFORMED_JSON, "why")))
        assert values(bench.bootstrap, bench.named.rejected) == [b"{"]

    def test_nothing_is_counted_before_it_is_written(self, cut_off: tuple[Bench, LinkedBroker]) -> None:
        bench, _ = cut_off
        bench.stopping.set()
        with pytest.raises(StoppedWaiting):
            bench.reject(refused(b"{"))
        assert bench.counted("stet_messages_rejected_total", reason="malformed_json") == 0
