"""Writing to Kafka: what returned is acknowledged, in order by key, and what was not is said so."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer

from pipeline.kafka_producer import KafkaProducer, RecordRefused
from pipeline.kafka_record import Outgoing
from pipeline.kafka_settings import Kafka
from pipeline.patience import BrokerAway
from tests.pipeline.topic import read, values
from tests.servers.broker import Broker, Topics
from tests.servers.fixtures import LinkedBroker
from tests.waiting import wait_for

LARGEST = 1_000_000
"""Bytes of a record that librdkafka takes at most, header and key included."""


class SmallQueue(Kafka):
    """Brokers for which no more than ten records may be on their way."""

    def config(self) -> dict[str, str | int | float | bool]:
        return {**super().config(), "queue.buffering.max.messages": 10}


Open = Callable[[Kafka], KafkaProducer]


@pytest.fixture
def opened() -> Iterator[Open]:
    producers: list[KafkaProducer] = []

    def open_one(kafka: Kafka) -> KafkaProducer:
        producers.append(KafkaProducer(kafka))
        return producers[-1]

    yield open_one
    for producer in producers:
        producer.close(0.1)


@pytest.fixture(scope="module")
def producer(kafka_bootstrap: str) -> Iterator[KafkaProducer]:
    one = KafkaProducer(Kafka(kafka_bootstrap))
    yield one
    one.close()


def records(topic: str, count: int, key: str = "acme/ann") -> list[Outgoing]:
    return [Outgoing(topic, key.encode(), f"{key} {n}".encode()) for n in range(count)]


class TestSend:
    def test_writes_key_value_and_headers_as_they_are(self, kafka: Topics, producer: KafkaProducer) -> None:
        topic = kafka.create()
        producer.send([Outgoing(topic, "客户/周".encode(), "地址\0".encode(), (("origin", b"\xff"),))])
        (record,) = read(kafka.bootstrap, topic)
        assert (record.key(), record.value()) == ("客户/周".encode(), "地址\0".encode())
        assert record.headers() == [("origin", b"\xff")]

    def test_of_nothing_returns_at_once(self, producer: KafkaProducer) -> None:
        producer.send([])

    def test_a_record_may_have_no_key_and_no_bytes(self, kafka: Topics, producer: KafkaProducer) -> None:
        topic = kafka.create()
        producer.send([Outgoing(topic, None, b"")])
        (record,) = read(kafka.bootstrap, topic)
        assert record.key() is None
        assert not record.value()

    def test_returns_no_sooner_than_the_broker_has_acknowledged(
        self, own_broker: Broker, opened: Open
    ) -> None:
        topic = own_broker.topics.create()
        producer = opened(Kafka(own_broker.bootstrap))
        producer.send(records(topic, 1))
        own_broker.pause()
        returned = threading.Event()

        def send() -> None:
            producer.send(records(topic, 2))
            returned.set()

        sending = threading.Thread(target=send)
        sending.start()
        assert not returned.wait(0.3)
        own_broker.resume()
        sending.join(20)
        assert returned.is_set()
        assert len(read(own_broker.bootstrap, topic)) == 3

    def test_keeps_the_order_of_a_key(self, kafka: Topics, producer: KafkaProducer) -> None:
        topic = kafka.create(partitions=4)
        keys = [f"acme/{n}" for n in range(7)]
        mixed = [
            record for row in zip(*(records(topic, 40, key) for key in keys), strict=True) for record in row
        ]
        producer.send(mixed[:100])
        producer.send(mixed[100:])
        written = values(kafka.bootstrap, topic)
        for key in keys:
            of_key = [value for value in written if value.startswith(key.encode() + b" ")]
            assert of_key == [record.value for record in records(topic, 40, key)]

    def test_of_several_threads_at_once_loses_and_doubles_nothing(
        self, kafka: Topics, producer: KafkaProducer
    ) -> None:
        topic = kafka.create(partitions=3)
        together = threading.Barrier(4)

        def send(key: str) -> None:
            together.wait()
            for record in records(topic, 30, key):
                producer.send([record])

        keys = [f"acme/{n}" for n in range(4)]
        with ThreadPoolExecutor(4) as threads:
            for sent in [threads.submit(send, key) for key in keys]:
                sent.result()
        # librdkafka counts a record for a moment after it has told of the acknowledgement.
        wait_for(lambda: producer.depth == 0)
        assert sorted(values(kafka.bootstrap, topic)) == sorted(
            record.value for key in keys for record in records(topic, 30, key)
        )

    def test_chooses_the_partition_that_a_java_producer_chooses(
        self, kafka: Topics, producer: KafkaProducer
    ) -> None:
        """A subject must not lie in two partitions, whoever writes. The hashes are those of Kafka's tests."""
        topic = kafka.create(partitions=7)
        hashes = {"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536}
        producer.send([Outgoing(topic, key.encode(), b"") for key in hashes])
        written = {record.key(): record.partition() for record in read(kafka.bootstrap, topic)}
        assert written == {key.encode(): (hashed & 0x7FFFFFFF) % 7 for key, hashed in hashes.items()}


class TestBrokerAway:
    def test_is_told_in_the_time_given_and_the_producer_works_afterwards(
        self, linked_broker: LinkedBroker, opened: Open
    ) -> None:
        broker, link = linked_broker
        topic = broker.topics.create()
        producer = opened(Kafka(broker.bootstrap))
        producer.send([Outgoing(topic, b"k", b"before")])
        link.cut()
        with pytest.raises(BrokerAway, match="1 records were not acknowledged in time"):
            producer.send([Outgoing(topic, b"k", b"meanwhile")], seconds=0.2)
        link.mend()
        producer.send([Outgoing(topic, b"k", b"after")])
        written = values(broker.address, topic)
        assert [value for value in written if value != b"meanwhile"] == [b"before", b"after"]
        assert written.count(b"meanwhile") <= 1

    def test_a_broker_that_never_was_is_told_too(self, opened: Open) -> None:
        with pytest.raises(BrokerAway):
            opened(Kafka("127.0.0.1:1")).send(records("topic", 3), seconds=0.1)

    def test_what_was_on_its_way_is_written_before_the_producer_is_closed(
        self, linked_broker: LinkedBroker, opened: Open
    ) -> None:
        broker, link = linked_broker
        topic = broker.topics.create()
        producer = opened(Kafka(broker.bootstrap))
        producer.send([Outgoing(topic, b"k", b"before")])
        link.cut()
        with pytest.raises(BrokerAway):
            producer.send([Outgoing(topic, b"k", b"meanwhile")], seconds=0.1)
        assert producer.depth == 1
        link.mend()
        producer.close()
        assert producer.depth == 0
        assert values(broker.address, topic) == [b"before", b"meanwhile"]

    def test_closing_twice_is_no_error(self, opened: Open) -> None:
        producer = opened(Kafka("127.0.0.1:1"))
        producer.close()
        producer.close()


class TestFullQueue:
    def test_is_waited_for(self, kafka: Topics, opened: Open) -> None:
        topic = kafka.create()
        opened(SmallQueue(kafka.bootstrap)).send(records(topic, 200))
        assert values(kafka.bootstrap, topic) == [record.value for record in records(topic, 200)]

    def test_of_a_broker_that_is_away_is_not_waited_for_for_ever(self, opened: Open) -> None:
        with pytest.raises(BrokerAway, match="take no records"):
            opened(SmallQueue("127.0.0.1:1")).send(records("topic", 11), seconds=0.1)


class TestRefused:
    def test_a_record_that_is_too_large_is_told_apart_from_a_broker_that_is_away(
        self, kafka: Topics, producer: KafkaProducer
    ) -> None:
        topic = kafka.create()
        with pytest.raises(RecordRefused, match="too large"):
            producer.send([Outgoing(topic, b"k", b"x" * LARGEST)])
        producer.send([Outgoing(topic, b"k", b"x" * (LARGEST - 1000))])
        assert [len(value) for value in values(kafka.bootstrap, topic)] == [LARGEST - 1000]


class Broken(Producer):
    """One that has failed for good, which the test's broker cannot bring about."""

    def produce(self, *args: Any, **named: Any) -> None:
        raise KafkaException(KafkaError(KafkaError._FATAL, "Broker: this producer was fenced"))


def test_a_producer_that_failed_for_good_is_replaced(
    kafka: Topics, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    topic = kafka.create()
    with monkeypatch.context() as broken:
        broken.setattr("pipeline.kafka_producer.Producer", Broken)
        producer = opened(Kafka(kafka.bootstrap))
    with pytest.raises(BrokerAway, match="fenced"):
        producer.send(records(topic, 1))
    producer.send(records(topic, 1))
    assert len(read(kafka.bootstrap, topic)) == 1
