"""Writes records to Kafka and knows which of them the brokers have acknowledged.

Bytewax's own sink has no delivery callbacks and loses records without an error, hence this one.
"""

import threading
import time
from collections.abc import Sequence

from confluent_kafka import KafkaError, KafkaException, Producer
from confluent_kafka import Message as KafkaMessage

from pipeline.kafka_record import Outgoing
from pipeline.kafka_settings import Kafka
from pipeline.patience import BrokerAway

_POLL = 0.1
_ROOM = 0.02
_TRIES_MS = "20000"
"""How long librdkafka tries a record by itself, in milliseconds."""


class RecordRefused(ValueError):
    """The brokers will never take this record: it is too large, say."""


class KafkaProducer:
    """One producer of a process. Calls may come from any thread."""

    def __init__(self, kafka: Kafka) -> None:
        """Raises KafkaUnusable where a setting is wrong; the brokers are not asked."""
        self._config = {
            **kafka.config(),
            "enable.idempotence": "true",
            "delivery.timeout.ms": _TRIES_MS,
            "linger.ms": "5",
            # As Java's producers choose a partition by key: both may write one topic.
            "partitioner": "murmur2_random",
        }
        self._producer = Producer(self._config)
        self._replacing = threading.Lock()
        self._closing = threading.Event()
        self._poller = threading.Thread(target=self._poll, name="kafka-producer", daemon=True)
        self._poller.start()

    @property
    def depth(self) -> int:
        """Records on their way. One whose acknowledgement was told may be counted a moment longer."""
        return len(self._producer)

    def send(self, records: Sequence[Outgoing], seconds: float = 30.0) -> None:
        """Returns once the brokers have acknowledged all records, in order by key.

        Raises BrokerAway where they have not within `seconds`; some may be written then, and may be written
        again. Raises RecordRefused where they never will.
        """
        waiting = _Waiting(len(records))
        until = time.monotonic() + seconds
        producer = self._producer
        try:
            for record in records:
                _produce(producer, record, waiting, until)
            waiting.settle(until)
        except KafkaException as error:
            cause = error.args[0]
            if cause.fatal() or cause.code() in _DISOWNED:
                self._replace(producer)
            raise _meant(cause) from error

    def _replace(self, broken: Producer) -> None:
        """Puts a new producer, which numbers its records anew, in the place of one that the brokers take
        nothing more from. What that one still has fails, so that it is not waited for."""
        with self._replacing:
            if self._producer is not broken:
                return  # another thread was sooner
            self._producer = Producer(self._config)
        broken.purge()
        broken.flush(_POLL)

    def close(self, seconds: float = 10.0) -> None:
        """Waits for what is on its way, and ends. Closing twice is no error."""
        self._producer.flush(seconds)
        self._closing.set()
        self._poller.join()

    def _poll(self) -> None:
        while not self._closing.is_set():
            self._producer.poll(_POLL)


def _produce(producer: Producer, record: Outgoing, waiting: "_Waiting", until: float) -> None:
    while True:
        try:
            producer.produce(
                record.topic,
                key=record.key,
                value=record.value,
                headers=list(record.headers),
                on_delivery=waiting.delivered,
            )
            return
        except BufferError as error:  # full: the caller waits until there is room
            if time.monotonic() > until:
                raise BrokerAway("the brokers take no records") from error
            time.sleep(_ROOM)


class _Waiting:
    """The records of one call that are not acknowledged yet."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._error: KafkaError | None = None
        self._changed = threading.Condition()

    def delivered(self, error: KafkaError | None, record: KafkaMessage) -> None:
        with self._changed:
            self._count -= 1
            if error is not None:
                self._error = error
            if self._count == 0:
                self._changed.notify_all()

    def settle(self, until: float) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: self._count == 0, max(0.0, until - time.monotonic())):
                raise BrokerAway(f"{self._count} records were not acknowledged in time")
        if self._error is not None:
            raise KafkaException(self._error)


_DISOWNED = (
    KafkaError.INVALID_PRODUCER_EPOCH, KafkaError.PRODUCER_FENCED, KafkaError.UNKNOWN_PRODUCER_ID,
    KafkaError.INVALID_PRODUCER_ID_MAPPING, KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER,
    KafkaError.DUPLICATE_SEQUENCE_NUMBER, KafkaError._FENCED, KafkaError._FATAL,
)  # fmt: skip
"""The brokers know this producer no more, or as another; they may after an outage, and then for ever."""
_REFUSED = (KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.INVALID_MSG, KafkaError.INVALID_RECORD)


def _meant(error: KafkaError) -> Exception:
    if error.code() in _REFUSED:
        return RecordRefused(error.str())
    return BrokerAway(error.str())
