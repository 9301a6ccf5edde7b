"""Feeds messages to Kafka: of a file, of an HTTP request, and rejected ones again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from confluent_kafka import Consumer, KafkaException, TopicPartition

from operators.parse import Reason, Rejected, parse, serialise
from pipeline.kafka_producer import KafkaProducer, RecordRefused
from pipeline.kafka_record import Outgoing, fed_again, key_of, packed
from pipeline.kafka_settings import Kafka, KafkaUnusable
from pipeline.message_file import KEPT_BYTES
from state.message_log import LogRecord
from state.model import Message

_BATCH = 500
_SECONDS = 10.0
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
        producer.send([replace(record, value=record.value[:KEPT_BYTES], headers=headers)])


def feed_rejected(kafka: Kafka, producer: KafkaProducer) -> int:
    """Writes what was rejected, and not fed again yet, back to the messages' topic; how many records.

    What is done is kept as a consumer group's offsets; a stop in between may feed some twice. Raises
    BrokerAway, KafkaUnusable.
    """
    consumer = Consumer(
        {
            **kafka.config(),
            "group.id": f"{_GROUP}-{kafka.topics.rejected}",
            "enable.auto.commit": "false",
            "auto.offset.reset": "earliest",
        }
    )
    try:
        return sum(_fed(consumer, producer, kafka, partition) for partition in _partitions(consumer, kafka))
    except KafkaException as error:
        raise KafkaUnusable(
            f"the topic {kafka.topics.rejected} cannot be read ({error.args[0].str()})"
        ) from error
    finally:
        consumer.close()


def _partitions(consumer: Consumer, kafka: Kafka) -> Iterator[TopicPartition]:
    topic = kafka.topics.rejected
    found = consumer.list_topics(topic, timeout=_SECONDS).topics[topic].partitions
    yield from consumer.committed([TopicPartition(topic, number) for number in found], timeout=_SECONDS)


def _fed(consumer: Consumer, producer: KafkaProducer, kafka: Kafka, spot: TopicPartition) -> int:
    low, high = consumer.get_watermark_offsets(spot, timeout=_SECONDS)
    at = max(spot.offset, low)
    consumer.assign([TopicPartition(spot.topic, spot.partition, at)])
    fed = 0
    while at < high:
        found = consumer.consume(_BATCH, 1.0)
        records = [r for r in found if r.error() is None and (r.offset() or 0) < high]
        producer.send([fed_again(record, kafka.topics.messages) for record in records])
        fed += len(records)
        at = max([at, *((r.offset() or 0) + 1 for r in records)])
        reached = consumer.position([spot])[0].offset
        if not found and reached > at:
            at = reached  # what a transaction left in the log is no record
        consumer.commit(offsets=[TopicPartition(spot.topic, spot.partition, at)], asynchronous=False)
    return fed
