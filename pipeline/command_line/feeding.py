"""`stet ingest --kafka` and `stet replay-rejected --kafka`: records into the messages' topic."""

import time

from pipeline.command_line.failures import Exit, check_input, fail, warn
from pipeline.command_line.opening import brokers
from pipeline.command_line.output import print_json
from pipeline.command_line.progress import showing
from pipeline.ingest import message_records
from pipeline.kafka_feed import feed_file, feed_rejected
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import ensure_topics


def feed(file: str, kafka: str, prefix: str, as_json: bool) -> None:
    """Writes a file to Kafka; returns when the brokers have acknowledged all of it."""
    check_input(file)
    begun = time.monotonic()
    to = brokers(kafka, prefix)
    ensure_topics(to)
    producer = KafkaProducer(to)
    try:
        with showing(not as_json) as progress:
            sent = feed_file(producer, to.topics.messages, message_records(file, progress))
    finally:
        producer.close()
    if not sent:
        fail(f"{file} has no line to write", Exit.NOTHING_READ)
    _tell(sent, to.topics.messages, time.monotonic() - begun, as_json)


def feed_again(kafka: str, prefix: str, as_json: bool) -> None:
    """Writes the rejected records back to the messages' topic."""
    begun = time.monotonic()
    to = brokers(kafka, prefix)
    ensure_topics(to)
    producer = KafkaProducer(to)
    try:
        done = feed_rejected(to, producer)
    finally:
        producer.close()
    if done.forgotten:
        warn(f"{done.forgotten:,} records are of subjects that were forgotten since, and are not fed again")
    _tell(done.fed, to.topics.messages, time.monotonic() - begun, as_json)


def _tell(sent: int, topic: str, seconds: float, as_json: bool) -> None:
    if as_json:
        print_json({"sent": sent, "topic": topic, "seconds": round(seconds, 3)})
    else:
        print(f"{sent:,} records written to {topic} in {seconds:.1f} s; a worker processes them")
