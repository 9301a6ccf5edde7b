"""Feeds messages to Kafka: of a file, of an HTTP request, and rejected ones again."""

import time
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka import Message as KafkaMessage

from operators.parse import Reason, Rejected, parse, serialise
from pipeline.forgotten_rejected import ForgottenSubjects
from pipeline.kafka_producer import KafkaProducer, RecordRefused
from pipeline.kafka_record import Outgoing, fed_again, key_of, packed, received_of, said_at
from pipeline.kafka_settings import Kafka, KafkaUnusable
from pipeline.message_file import KEPT_BYTES
from pipeline.patience import BrokerAway
from state.message_log import LogRecord
from state.model import Message

_BATCH = 500
_SECONDS = 10.0
_WAIT = 0.3
_GROUP = "stet-replay-rejected"


def message_records(messages: Iterable[Message], topic: str) -> list[Outgoing]:
    """Records for messages that are sound."""
    origin = packed({"origin": "http"})
    return [Outgoing(topic, key_of(m.subject), serialise(m), origin) for m in messages]


def file_records(records: Iterable[LogRecord], topic: str) -> list[Outgoing]:
    """Records for lines of a file. One that is no message has no key: the worker rejects it."""
    return [Outgoing(topic, _key(r), r.raw, packed({"origin": r.origin, "fault": r.fault})) for r in records]


def _key(record: LogRecord) -> bytes | None:
    if record.fault:
        return None
    message = parse(record.raw)
    return None if isinstance(message, Rejected) else key_of(message.subject)


def feed_file(producer: KafkaProducer, topic: str, batches: Iterable[Sequence[LogRecord]]) -> int:
    """Writes a file's records, and says how many the brokers have acknowledged. Raises BrokerAway."""
    sent = 0
    for batch in batches:
        _send(producer, file_records(batch, topic))
        sent += len(batch)
    return sent


def _send(producer: KafkaProducer, records: Sequence[Outgoing]) -> None:
    """Writes records; of one that no broker takes, its beginning, as a file's reader cuts a line."""
    try:
        producer.send(records)
    except RecordRefused:
        if len(records) > 1:
            for record in records:
                _send(producer, [record])
            return
        (record,) = records
        fault = ("fault", Reason.LINE_TOO_LONG.value.encode())
        headers = (*(h for h in record.headers if h[0] != "fault"), fault)
        producer.send([replace(record, value=(record.value or b"")[:KEPT_BYTES], headers=headers)])


@dataclass(frozen=True, slots=True)
class FedAgain:
    """How many rejected records were fed, and how many were not since their subject was forgotten."""

    fed: int
    forgotten: int


def feed_rejected(kafka: Kafka, producer: KafkaProducer) -> FedAgain:
    """Writes what was rejected, and not fed again yet, back to the messages' topic.

    Reads the rejected topic from its beginning first, for the subjects that were forgotten. What is done is
    kept as a consumer group's offsets; a stop in between may feed some twice. Raises BrokerAway,
    KafkaUnusable.
    """
    consumer = Consumer(
        {
            **kafka.config(),
            "group.id": f"{_GROUP}-{kafka.topics.rejected}",
            "enable.auto.commit": "false",
            "auto.offset.reset": "earliest",
            "enable.partition.eof": "true",
        }
    )
    try:
        return _fed(consumer, producer, kafka)
    except KafkaException as error:
        raise KafkaUnusable(
            f"the topic {kafka.topics.rejected} cannot be read ({error.args[0].str()})"
        ) from error
    finally:
        consumer.close()


def _forgotten(consumer: Consumer, topic: str) -> ForgottenSubjects:
    """Those that the topic tells of, as far as it reaches now."""
    unread: set[int | None] = set(_partitions(consumer, topic))
    consumer.assign([TopicPartition(topic, p, OFFSET_BEGINNING) for p in unread if p is not None])
    found = ForgottenSubjects()
    for records in _given(consumer, topic, unread):
        for record in records:
            if record.error() is None:
                found.take(record)
        unread -= {r.partition() for r in records if _ends(r)}
    return found


def _given(consumer: Consumer, topic: str, unread: Set[int | None]) -> Iterator[list[KafkaMessage]]:
    """What comes, batch by batch, as long as any partition is `unread`: whoever reads takes them out of it.
    Raises BrokerAway where nothing comes for too long."""
    until = time.monotonic() + _SECONDS
    while unread:
        records = consumer.consume(_BATCH, _WAIT)
        if records:
            until = time.monotonic() + _SECONDS
        elif time.monotonic() > until:
            raise BrokerAway(f"{topic} gives nothing and does not end")
        yield records


def _fed(consumer: Consumer, producer: KafkaProducer, kafka: Kafka) -> FedAgain:
    begun = time.time() * 1_000
    forgotten = _forgotten(consumer, kafka.topics.rejected)
    unread = _resumed(consumer, kafka.topics.rejected)
    fed = left = 0
    for found in _given(consumer, kafka.topics.rejected, unread):
        # What a worker rejects meanwhile, of these or of others, is for the next call.
        later = {r.partition() for r in found if r.error() is None and r.timestamp()[1] >= begun}
        unread -= later
        records = [r for r in found if r.error() is None and r.timestamp()[1] < begun]
        asked = [r for r in records if not received_of(r).control]
        wanted = [r for r in asked if not forgotten.has(r, said_at(r))]
        producer.send([fed_again(record, kafka.topics.messages) for record in wanted])
        fed += len(wanted)
        left += len(asked) - len(wanted)
        reached = {r.partition(): (r.offset() or 0) + 1 for r in records}
        if reached:
            done = [
                TopicPartition(kafka.topics.rejected, p, at) for p, at in reached.items() if p is not None
            ]
            consumer.commit(offsets=done, asynchronous=False)
        unread -= {r.partition() for r in found if _ends(r)}
    return FedAgain(fed, left)


def _resumed(consumer: Consumer, topic: str) -> set[int | None]:
    """Goes on in every partition where the last call ended; the partitions."""
    found = _partitions(consumer, topic)
    spots = consumer.committed([TopicPartition(topic, number) for number in found], timeout=_SECONDS)
    consumer.assign(
        [TopicPartition(topic, s.partition, s.offset if s.offset >= 0 else OFFSET_BEGINNING) for s in spots]
    )
    return set(found)


def _partitions(consumer: Consumer, topic: str) -> Sequence[int]:
    return tuple(consumer.list_topics(topic, timeout=_SECONDS).topics[topic].partitions)


def _ends(record: KafkaMessage) -> bool:
    """Whether it says that a partition is read to its end. Another error is one of brokers that come back."""
    error = record.error()
    return error is not None and error.code() == KafkaError._PARTITION_EOF
