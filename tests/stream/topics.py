"""Reads topics of a stream to their ends: every record, by partition and then by offset."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition

_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a topic; header values are text."""

    partition: int
    offset: int
    key: bytes
    value: bytes
    headers: dict[str, str]


def records(bootstrap: str, topic: str) -> list[Record]:
    """All that a topic holds. Its end is where the broker says so: a watermark may count otherwise."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "stet-tests",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "log_level": 0,
        }
    )
    try:
        found = consumer.list_topics(topic, timeout=_SECONDS).topics[topic]
        unread = set(found.partitions)
        consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in unread])
        return sorted(_until_read(consumer, unread), key=lambda record: (record.partition, record.offset))
    finally:
        consumer.close()


def _until_read(consumer: Consumer, unread: set[int]) -> Iterator[Record]:
    deadline = time.monotonic() + _SECONDS
    while unread:
        assert time.monotonic() < deadline, f"partitions {unread} do not end"
        for record in consumer.consume(1000, timeout=0.2):
            error = record.error()
            partition, offset = record.partition() or 0, record.offset() or 0
            if error is None:
                told: list[tuple[str, bytes]] = record.headers() or []  # type: ignore[assignment]
                headers = {name: value.decode() for name, value in told}
                yield Record(partition, offset, record.key() or b"", record.value() or b"", headers)
            elif error.code() == KafkaError._PARTITION_EOF:
                unread.discard(partition)
