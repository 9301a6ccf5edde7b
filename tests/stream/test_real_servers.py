"""What the stand-ins cannot show, on servers that the environment names (`tests/servers/fixtures.py`).

The tests' broker keeps all in memory, and neither hides what a transaction took back nor knows where a topic
ends; no Qdrant server can be had without a download, so its engine's client stands in for it. Not shown by
any test here: that a broker keeps what it acknowledged over a crash of its host, and what compaction does.
"""

from collections.abc import Callable

import pytest
from confluent_kafka import OFFSET_END, Consumer, Producer, TopicPartition

from pipeline.kafka_record import key_of
from state.model import Subject
from tests.servers.broker import Topics
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, lines


@pytest.mark.real_kafka
def test_what_a_transaction_took_back_is_not_read(stream: Stream) -> None:
    kept, undone = (conversation(stream.tenant, 1, 12)[at : at + 6] for at in (0, 6))
    stream.feed(lines(kept))
    producer = Producer({**stream.kafka.config(), "transactional.id": stream.tenant})
    producer.init_transactions(30)
    producer.begin_transaction()
    for line, row in zip(lines(undone).splitlines(), undone, strict=True):
        key = key_of(Subject(stream.tenant, str(row["subject"])))
        producer.produce(stream.kafka.topics.messages, line, key)
    producer.flush(30)
    producer.abort_transaction(30)
    stream.finish()
    stream.assert_whole()


@pytest.mark.real_kafka
def test_a_topic_ends_where_its_last_record_is(stream: Stream) -> None:
    stream.feed(lines(conversation(stream.tenant, 4, 40)))
    consumer = Consumer({**stream.kafka.config(), "group.id": stream.tenant})
    spots = [TopicPartition(stream.kafka.topics.messages, n, OFFSET_END) for n in range(stream.partitions)]
    try:
        assert sum(consumer.get_watermark_offsets(spot, timeout=10)[1] for spot in spots) == 160
    finally:
        consumer.close()


@pytest.mark.real_kafka
@pytest.mark.real_redis
@pytest.mark.real_qdrant
def test_all_real_servers_together_give_what_the_embedded_mode_gives(
    opened: Callable[[str, str], Stream], kafka: Topics, redis_url: str, qdrant_url: str
) -> None:
    stream = opened(redis_url, qdrant_url)
    stream.feed(lines(conversation(stream.tenant, 6, 60)))
    stream.finish()
    stream.assert_whole()
