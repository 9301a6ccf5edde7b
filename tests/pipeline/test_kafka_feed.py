"""What is fed to Kafka: each line of a file with its place, and each rejected record once."""

import gzip
import json
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import Message as KafkaMessage

from operators.parse import MAX_CONTENT_BYTES, Reason, Rejected, parse
from pipeline.dataflow import parse_batch
from pipeline.ingest import message_records as file_batches
from pipeline.kafka_feed import FedAgain, feed_file, feed_rejected, message_records
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_record import Outgoing, key_of, packed, received_of, rejected_record
from pipeline.kafka_settings import Kafka, ensure_topics
from pipeline.kafka_settings import Topics as Named
from pipeline.message_file import KEPT_BYTES
from pipeline.patience import BrokerAway
from pipeline.received import Refused
from pipeline.server_forgetting import ask_to_forget
from state.model import Message, Subject
from tests.pipeline.command import lines, message
from tests.pipeline.topic import headers, read, values
from tests.servers.broker import Topics


@contextmanager
def topics_on(kafka: Topics) -> Iterator[Kafka]:
    named = Named.prefixed(f"test-{uuid.uuid4().hex}-")
    one = Kafka(kafka.bootstrap, named)
    ensure_topics(one, partitions=3)
    yield one
    kafka.delete([named.messages, named.rejected, named.changes])


@pytest.fixture
def to(kafka: Topics) -> Iterator[Kafka]:
    """An installation of this test's own."""
    with topics_on(kafka) as one:
        yield one


@pytest.fixture(scope="module")
def producer(kafka_bootstrap: str) -> Iterator[KafkaProducer]:
    one = KafkaProducer(Kafka(kafka_bootstrap))
    yield one
    one.close()


def feed(producer: KafkaProducer, to: Kafka, file: Path) -> int:
    return feed_file(producer, to.topics.messages, file_batches(str(file), lambda doing, part: None))


def by_origin(to: Kafka) -> dict[str, KafkaMessage]:
    return {headers(r)["origin"]: r for r in read(to.brokers, to.topics.messages)}


def reason(record: KafkaMessage) -> Reason | None:
    """What the worker makes of a record: why it is none, or None where it is a message."""
    (one,) = parse_batch([received_of(record)])
    return one.why.reason if isinstance(one, Refused) else None


class TestFile:
    def test_each_line_is_a_record_as_it_stands_and_a_bad_one_holds_up_none(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path
    ) -> None:
        good, chinese = lines([message(1)]), lines([message(2, "地址改成梧桐路5号。", subject="周晓雯")])
        file = tmp_path / "calls.jsonl"
        file.write_bytes(good + b"not json\n\n\xff\xfe\n" + chinese + b'{"tenant": "acme"}')
        assert feed(producer, to, file) == 5
        found = by_origin(to)
        assert {origin: (r.key(), r.value()) for origin, r in found.items()} == {
            "calls.jsonl:1": (b"acme/ann", good.strip()),
            "calls.jsonl:2": (None, b"not json"),
            "calls.jsonl:4": (None, b"\xff\xfe"),
            "calls.jsonl:5": ("acme/周晓雯".encode(), chinese.strip()),
            "calls.jsonl:6": (None, b'{"tenant": "acme"}'),
        }
        assert {origin: reason(r) for origin, r in found.items()} == {
            "calls.jsonl:1": None,
            "calls.jsonl:2": Reason.MALFORMED_JSON,
            "calls.jsonl:4": Reason.INVALID_UTF8,
            "calls.jsonl:5": None,
            "calls.jsonl:6": Reason.MISSING_FIELD,
        }

    def test_the_messages_of_a_subject_keep_their_order(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path
    ) -> None:
        file = tmp_path / "calls.jsonl"
        rows = [message(n, subject=f"ann{n % 5}") for n in range(700)]
        file.write_bytes(lines(rows))
        assert feed(producer, to, file) == 700
        written: dict[str, list[str]] = {}
        for value in values(to.brokers, to.topics.messages):
            told = parse(value)
            assert isinstance(told, Message)
            written.setdefault(told.subject.name, []).append(told.id)
        assert written == {
            f"ann{k}": [row["id"] for row in rows if row["subject"] == f"ann{k}"] for k in range(5)
        }

    def test_a_gzipped_file_is_read_like_a_plain_one(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path
    ) -> None:
        file = tmp_path / "calls.jsonl.gz"
        file.write_bytes(gzip.compress(lines([message(1), message(2)])))
        assert feed(producer, to, file) == 2
        assert set(by_origin(to)) == {"calls.jsonl.gz:1", "calls.jsonl.gz:2"}

    def test_of_a_gzip_that_broke_off_the_whole_lines_are_kept_and_the_break_is_told(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path
    ) -> None:
        file = tmp_path / "calls.gz"
        whole = gzip.compress(lines([message(n, content=f"{n} {uuid.uuid4()}") for n in range(50)]))
        file.write_bytes(whole[:-20])
        feed(producer, to, file)
        reasons = [reason(record) for record in by_origin(to).values()]
        assert reasons.count(Reason.TRUNCATED_GZIP) == 1
        assert reasons.count(None) > 10

    @pytest.mark.parametrize("size", [999_000, 1_010_000, 1_048_576, 3_000_000])
    def test_a_line_about_a_megabyte_or_more_is_rejected_and_holds_up_no_other(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path, size: int
    ) -> None:
        """A file's reader cuts at another size than the brokers: a line between the two is cut on the way."""
        (long,) = lines([message(2, content="x" * size)]).splitlines()
        file = tmp_path / "calls.jsonl"
        file.write_bytes(lines([message(1)]) + long[:size] + b"\n" + lines([message(3)]))
        assert feed(producer, to, file) == 3
        found = by_origin(to)
        assert reason(found["calls.jsonl:1"]) is reason(found["calls.jsonl:3"]) is None
        kept = found["calls.jsonl:2"].value() or b""
        if len(kept) < size:
            assert kept == long[:KEPT_BYTES]
            assert reason(found["calls.jsonl:2"]) is Reason.LINE_TOO_LONG
        else:
            assert reason(found["calls.jsonl:2"]) is Reason.MALFORMED_JSON

    def test_a_file_whose_name_is_no_text_is_read_too(
        self, to: Kafka, producer: KafkaProducer, tmp_path: Path
    ) -> None:
        file = tmp_path / "caf\udce9.jsonl"
        file.write_bytes(lines([message(1)]))
        assert feed(producer, to, file) == 1
        assert set(by_origin(to)) == {r"caf\udce9.jsonl:1"}

    def test_an_empty_file_gives_nothing(self, to: Kafka, producer: KafkaProducer, tmp_path: Path) -> None:
        (tmp_path / "empty").touch()
        assert feed(producer, to, tmp_path / "empty") == 0


class TestMessages:
    def test_are_keyed_by_their_subject_and_read_as_they_were(
        self, to: Kafka, producer: KafkaProducer
    ) -> None:
        sound = [parse(line) for line in lines([message(1), message(2, tenant="客户公司")]).splitlines()]
        messages = [one for one in sound if isinstance(one, Message)]
        producer.send(message_records(messages, to.topics.messages))
        found = read(to.brokers, to.topics.messages)
        assert {record.key() for record in found} == {b"acme/ann", key_of(Subject("客户公司", "ann"))}
        assert {headers(record)["origin"] for record in found} == {"http"}
        read_again = [parse(record.value() or b"") for record in found]
        assert sorted(read_again, key=repr) == sorted(messages, key=repr)

    def test_the_longest_message_there_can_be_is_taken(self, to: Kafka, producer: KafkaProducer) -> None:
        row = message(1, content="\0" * MAX_CONTENT_BYTES, metadata={"k": "\1" * 5000})
        (line,) = lines([row]).splitlines()
        longest = parse(line)
        assert isinstance(longest, Message), longest
        producer.send(message_records([longest], to.topics.messages))
        assert len(read(to.brokers, to.topics.messages)) == 1


def reject(producer: KafkaProducer, to: Kafka, records: Sequence[Outgoing], written: int = 0) -> None:
    """Has records rejected as the worker rejects what it reads; `written` is when they were said (0: now)."""
    out = []
    for number, one in enumerate(records):
        read_one = KafkaMessage(one.topic, 0, number, one.key, one.value, list(one.headers))
        received = replace(received_of(read_one), written=written)
        refused = Refused(received, Rejected(Reason.PROCESSING_FAILED, "a fault of ours"))
        out.append(rejected_record(refused, to.topics.messages, to.topics.rejected))
    producer.send(out)


def bad(to: Kafka, number: int) -> Outgoing:
    headers = packed({"origin": f"calls.jsonl:{number}", "fault": "line_too_long" if number % 2 else ""})
    key = f"acme/{number}".encode() if number % 3 else None
    return Outgoing(to.topics.messages, key, f"bad {number}".encode(), headers)


class TestRejected:
    def test_each_is_fed_once_and_then_none(self, to: Kafka, producer: KafkaProducer) -> None:
        reject(producer, to, [bad(to, n) for n in range(1200)])
        assert feed_rejected(to, producer).fed == 1200
        fed = values(to.brokers, to.topics.messages)
        assert sorted(fed) == sorted(b"bad %d" % n for n in range(1200))
        assert feed_rejected(to, producer).fed == 0
        assert len(values(to.brokers, to.topics.messages)) == 1200

    def test_what_is_rejected_later_is_fed_the_next_time(self, to: Kafka, producer: KafkaProducer) -> None:
        assert feed_rejected(to, producer).fed == 0
        reject(producer, to, [bad(to, 1)])
        assert feed_rejected(to, producer).fed == 1
        reject(producer, to, [bad(to, 2), bad(to, 3)])
        assert feed_rejected(to, producer).fed == 2
        assert sorted(values(to.brokers, to.topics.messages)) == [b"bad 1", b"bad 2", b"bad 3"]

    def test_key_origin_and_fault_are_kept_and_the_attempt_counts(
        self, to: Kafka, producer: KafkaProducer
    ) -> None:
        reject(producer, to, [bad(to, n) for n in range(6)])
        feed_rejected(to, producer)
        for record in read(to.brokers, to.topics.messages):
            number = int((record.value() or b"").split()[1])
            assert record.key() == bad(to, number).key
            told = {name: raw.decode() for name, raw in bad(to, number).headers}
            assert headers(record) == {**told, "attempt": "2"}

    def test_another_installation_on_the_same_brokers_has_its_own_place(
        self, kafka: Topics, to: Kafka, producer: KafkaProducer
    ) -> None:
        reject(producer, to, [bad(to, 1)])
        with topics_on(kafka) as other:
            assert feed_rejected(other, producer).fed == 0
        assert feed_rejected(to, producer).fed == 1

    def test_what_was_rejected_of_a_subject_that_is_forgotten_is_not_fed_again(
        self, to: Kafka, producer: KafkaProducer
    ) -> None:
        ann, other = (
            json.dumps(message(1, role="boss", subject=name), ensure_ascii=False).encode()
            for name in ("周晓雯", "bob")
        )
        of_ann = Outgoing(to.topics.messages, key_of(Subject("acme", "周晓雯")), ann)
        unkeyed = [Outgoing(to.topics.messages, None, raw) for raw in (ann[:-5], other)]
        reject(producer, to, [of_ann, *unkeyed])
        ask_to_forget(producer, to.topics, Subject("acme", "周晓雯"), 30)
        assert feed_rejected(to, producer) == FedAgain(fed=1, forgotten=2)
        fed = [r.value() for r in read(to.brokers, to.topics.messages) if "stet-control" not in headers(r)]
        assert fed == [other]
        # What a worker that is behind rejects only now was said before it; what is said from now on was not.
        time.sleep(0.002)
        reject(producer, to, [of_ann], written=1)
        reject(producer, to, [of_ann])
        assert feed_rejected(to, producer) == FedAgain(fed=1, forgotten=1)

    def test_a_subject_of_the_same_name_of_another_tenant_is_fed(
        self, to: Kafka, producer: KafkaProducer
    ) -> None:
        raw = json.dumps(message(1, role="boss", tenant="globex")).encode()
        reject(producer, to, [Outgoing(to.topics.messages, None, raw)])
        ask_to_forget(producer, to.topics, Subject("acme", "ann"), 30)
        assert feed_rejected(to, producer) == FedAgain(fed=1, forgotten=0)

    def test_what_could_not_be_written_is_fed_the_next_time(self, to: Kafka, producer: KafkaProducer) -> None:
        reject(producer, to, [bad(to, 1), bad(to, 2)])
        nowhere = Unreachable(Kafka("127.0.0.1:1"))
        with pytest.raises(BrokerAway):
            feed_rejected(to, nowhere)
        nowhere.close(0)
        assert feed_rejected(to, producer).fed == 2


class Unreachable(KafkaProducer):
    """One whose brokers are away, and which says so after a moment."""

    def send(self, records: Sequence[Outgoing], seconds: float = 0.1) -> None:
        super().send(records, seconds)
