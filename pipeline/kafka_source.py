"""The messages' topic as a Bytewax source: one part a partition, its offset in the recovery store.

It is Bytewax's Kafka source with another reader of a partition, since that one takes its next offset from an
error as if it were a record, goes to the topic's end without a word where its offset is gone, and cannot be
told to stop.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime

from bytewax.connectors.kafka import KafkaSource
from bytewax.inputs import FixedPartitionedSource, StatefulSourcePartition
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka import Message as KafkaMessage

from pipeline.kafka_record import received_of
from pipeline.kafka_settings import Kafka
from pipeline.metrics import Metrics
from pipeline.received import Received

BATCH = 2048
"""Records that the parts of one process read at a time, together. A subject's work and the round trips of a
batch are done once for all of its messages in it: with 400 conversations at the same time, 512 took 840
messages a second and 2,048 takes 1,220 to 1,480. More would keep a stop in order, and a message that comes
right after, waiting for seconds."""
LEAST = 32
_IDLE = 0.05
SYNCED = 2.0
"""Seconds after which Redis, with its usual `appendfsync everysec`, has what it acknowledged on disk."""
_LAG_EVERY = 1.0
_AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
_GONE = (KafkaError._AUTO_OFFSET_RESET, KafkaError.OFFSET_OUT_OF_RANGE)
_PREFETCH_KB = "4096"
_ANSWERED = 5.0
"""Seconds that the brokers have to say what a partition holds."""


class ConversationSource(FixedPartitionedSource[Received, int | None]):
    """Reads the messages' topic from where the recovery store says, for ever or `to_end`.

    `stopping` ends it in order: what was read is processed and snapshotted. `told` is given a line about what
    a person should know. With `to_end`, a partition is read until all that it holds is read.
    """

    def __init__(
        self,
        kafka: Kafka,
        partitions: int,
        stopping: threading.Event,
        metrics: Metrics,
        told: Callable[[str], None],
        to_end: bool = False,
    ) -> None:
        self._kafka, self._stopping, self._metrics, self._told = kafka, stopping, metrics, told
        self._batch = max(LEAST, BATCH // partitions)
        self._to_end = to_end

    def list_parts(self) -> list[str]:
        texts = {name: str(value) for name, value in self._kafka.config().items()}
        return KafkaSource(
            [self._kafka.brokers], [self._kafka.topics.messages], add_config=texts
        ).list_parts()

    def build_part(self, step_id: str, for_part: str, resume_state: int | None) -> "_Partition":
        index, topic = for_part.split("-", 1)
        config = {
            **self._kafka.config(),
            "group.id": "stet",  # asked for by librdkafka; no group is joined
            "enable.auto.commit": "false",
            "auto.offset.reset": "error",
            "enable.partition.eof": str(self._to_end).lower(),
            "queued.max.messages.kbytes": _PREFETCH_KB,
        }
        spot = TopicPartition(topic, int(index), OFFSET_BEGINNING if resume_state is None else resume_state)
        return _Partition(Consumer(config), spot, self._batch, self._stopping, self._metrics, self._told)


class _Partition(StatefulSourcePartition[Received, int | None]):
    def __init__(
        self,
        consumer: Consumer,
        spot: TopicPartition,
        batch: int,
        stopping: threading.Event,
        metrics: Metrics,
        told: Callable[[str], None],
    ) -> None:
        self._consumer, self._spot, self._batch, self._stopping = consumer, spot, batch, stopping
        self._metrics, self._told = metrics, told
        self._next = None if spot.offset == OFFSET_BEGINNING else spot.offset
        self._been = deque([(float("-inf"), self._next)])
        self._is_idle = self._is_at_end = self._is_lost = False
        self._lag_at = 0.0
        consumer.assign([spot])

    def next_batch(self) -> list[Received]:
        if self._stopping.is_set() or self._is_at_end:
            raise StopIteration
        if self._is_lost:
            self._begin_anew()
        found = self._consumer.consume(self._batch, _IDLE if self._is_idle else 0.001)
        records = [record for record in found if self._is_record(record)]
        self._is_idle = not records
        if records:
            last = records[-1].offset()
            self._next = None if last is None else last + 1
            self._metrics.stream.count_read(len(records))
        self._tell_lag()
        return [received_of(record) for record in records]

    def _is_record(self, record: KafkaMessage) -> bool:
        error = record.error()
        if error is None:
            return True
        if error.code() == KafkaError._PARTITION_EOF:
            self._is_at_end = True
        elif error.code() in _GONE:
            self._is_lost = True
        elif error.fatal():
            raise RuntimeError(f"reading {self._spot.topic} failed for good: {error.str()}")
        return False  # the brokers are away, say: librdkafka goes on by itself

    def _begin_anew(self) -> None:
        """The records at the offset are gone: older than the topic keeps, or the topic was made anew."""
        try:
            low, high = self._consumer.get_watermark_offsets(self._spot, timeout=_ANSWERED)
        except KafkaException:
            return  # the brokers are away: asked again at the next batch
        self._is_lost = False
        where = f"{self._spot.topic}[{self._spot.partition}]"
        self._told(
            f"{where} has no offset {self._next}, it holds {low} to {high}: reading on from {low}; what lay "
            "between was dropped by the topic's retention, or the topic was made anew"
        )
        self._next = low
        self._consumer.assign([TopicPartition(self._spot.topic, self._spot.partition, low)])

    def _tell_lag(self) -> None:
        now = time.monotonic()
        if now < self._lag_at:
            return
        self._lag_at = now + _LAG_EVERY
        low, high = self._consumer.get_watermark_offsets(self._spot, cached=True)
        if high >= 0:
            reached = max(self._next or 0, low, 0)
            self._metrics.stream.lag(self._spot.topic, self._spot.partition, max(0, high - reached))

    def next_awake(self) -> datetime | None:
        """A time that is past whatever the wall clock does (as in `pipeline.log_source`)."""
        return _AT_ONCE

    def snapshot(self) -> int | None:
        """Where to go on after a crash: where this was SYNCED seconds ago, so that what a crash of Redis's
        host took from it is read again. After a stop in order, where it is."""
        now = time.monotonic()
        self._been.append((now, self._next))
        while len(self._been) > 1 and self._been[1][0] <= now - SYNCED:
            self._been.popleft()
        return self._next if self._stopping.is_set() or self._is_at_end else self._been[0][1]

    def close(self) -> None:
        self._consumer.close()
