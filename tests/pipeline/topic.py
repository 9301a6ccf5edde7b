"""Reads a Kafka topic as it is, to the end that the broker tells."""

import time
import uuid

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition
from confluent_kafka import Message as KafkaMessage

_DEADLINE = 30.0


def read(bootstrap: str, topic: str) -> list[KafkaMessage]:
    """All records of all partitions, in order within each. Joins no group."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": f"test-{uuid.uuid4().hex}",
            "enable.auto.commit": "false",
            "enable.partition.eof": "true",
            "fetch.wait.max.ms": 10,
            "log_level": 0,
        }
    )
    try:
        partitions = set(consumer.list_topics(topic, timeout=_DEADLINE).topics[topic].partitions)
        consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions])
        found: list[KafkaMessage] = []
        deadline = time.monotonic() + _DEADLINE
        while partitions:
            assert time.monotonic() < deadline, f"{topic} does not end"
            for record in consumer.consume(500, 0.02):
                error = record.error()
                if error is None:
                    found.append(record)
                elif error.code() == KafkaError._PARTITION_EOF:
                    partitions.discard(record.partition() or 0)
        return found
    finally:
        consumer.close()


def values(bootstrap: str, topic: str) -> list[bytes]:
    return [record.value() or b"" for record in read(bootstrap, topic)]


def headers(record: KafkaMessage) -> dict[str, str]:
    found: list[tuple[str, bytes]] = record.headers() or []  # type: ignore[assignment]
    return {name: raw.decode() for name, raw in found}
