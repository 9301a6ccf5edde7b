"""Where the dataflow's two outputs go in production: changed things and refused records, to Kafka.

Both return once the brokers have acknowledged, so that what Bytewax snapshots after them is done. A crash in
between repeats records and loses none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from bytewax.outputs import DynamicSink, StatelessSinkPartition

from pipeline.applied import Applied
from pipeline.kafka_producer import KafkaProducer, RecordRefused
from pipeline.kafka_record import Outgoing, key_of, rejected_record
from pipeline.kafka_settings import Topics
from pipeline.metrics import Metrics
from pipeline.patience import Patience
from pipeline.received import Refused
from state.forgotten import leave_receipt
from state.model import Subject
from state.outbox import Entry, drop, waiting

_CHUNK = 5_000
"""Records on their way at a time: far below what librdkafka queues."""
_CUT = 100_000
"""Bytes kept of a rejected record that is too large for its topic with the headers that it gets."""


@dataclass(frozen=True, slots=True)
class Out:
    """What a sink writes with."""

    producer: KafkaProducer
    topics: Topics
    patience: Patience
    metrics: Metrics
    told: Callable[[str], None]

    def send(self, records: Sequence[Outgoing]) -> None:
        """Writes records in order, waiting while the brokers are away.

        Raises RecordRefused, StoppedWaiting.
        """
        for at in range(0, len(records), _CHUNK):
            chunk = records[at : at + _CHUNK]

            def write(chunk: Sequence[Outgoing] = chunk) -> None:
                with self.metrics.stores.timed("kafka", "write"):
                    self.producer.send(chunk)

            self.patience.call(write, handled=RecordRefused)

    def send_all(self, records: Sequence[Outgoing]) -> list[tuple[Outgoing, RecordRefused]]:
        """Writes what the brokers take and gives back what they never will, so that one stops no others."""
        try:
            self.send(records)
        except RecordRefused as error:
            if len(records) == 1:
                return [(records[0], error)]
            return [refused for record in records for refused in self.send_all([record])]
        return []


class ChangesSink(DynamicSink[Applied]):
    """Publishes what the subjects of each batch have in their outboxes, and counts the batch.

    All subjects of a batch, changed by it or not: after a crash the same messages come again, and then change
    nothing, but what they changed before may not be published.
    """

    def __init__(self, client: Any, out: Out, clock: Callable[[], datetime]) -> None:
        self._sink = _Changes(client, out, clock)

    def build(self, step_id: str, worker_index: int, worker_count: int) -> "_Changes":
        return self._sink


class _Changes(StatelessSinkPartition[Applied]):
    def __init__(self, client: Any, out: Out, clock: Callable[[], datetime]) -> None:
        self._client, self._out, self._clock = client, out, clock

    def write_batch(self, items: list[Applied]) -> None:
        out = self._out
        subjects = dict.fromkeys(subject for applied in items for subject in applied.subjects)
        entries = out.patience.call(lambda: waiting(self._client, subjects))
        if entries:
            records = [r for subject, held in entries.items() for r in self._records(subject, held)]
            self._publish(records)
            out.metrics.stream.count_published(len(records))
            published = {subject: held[-1].version for subject, held in entries.items()}
            out.patience.call(lambda: drop(self._client, published))
        for one in (done for applied in items for done in applied.forgotten):
            told = {**one.removed, "partition": one.partition, "offset": one.offset}
            out.patience.call(partial(leave_receipt, self._client, one.request, told))
        now = self._clock()
        for applied in items:
            out.metrics.count_applied(applied, now)
            for change in applied.changes:
                for record in change.messages.values():
                    out.metrics.stream.saw(record.message)

    def _records(self, subject: Subject, held: Sequence[Entry]) -> Iterator[Outgoing]:
        key, topic = key_of(subject), self._out.topics.changes
        for entry in held:
            for line in entry.text.split("\n"):
                # Without text: the subject was forgotten, so a tombstone of its key.
                yield Outgoing(topic, key, line.encode() or None)

    def _publish(self, records: Sequence[Outgoing]) -> None:
        for record, error in self._out.send_all(records):
            self._out.told(
                f"a change of {len(record.value or b'')} bytes is not published ({error}): raise the topic's "
                "max.message.bytes, and export the subject to catch up"
            )


class RejectedTopicSink(DynamicSink[Refused]):
    """Writes refused records to the rejected topic, as they came, and counts them."""

    def __init__(self, out: Out) -> None:
        self._sink = _Rejected(out)

    def build(self, step_id: str, worker_index: int, worker_count: int) -> "_Rejected":
        return self._sink


class _Rejected(StatelessSinkPartition[Refused]):
    def __init__(self, out: Out) -> None:
        self._out = out

    def write_batch(self, items: list[Refused]) -> None:
        topics = self._out.topics
        records = [rejected_record(refused, topics.messages, topics.rejected) for refused in items]
        for record, error in self._out.send_all(records):
            whole = record.value or b""
            self._out.told(
                f"a rejected record of {len(whole)} bytes is kept cut to {_CUT} ({error}): raise the "
                "topic's max.message.bytes; the whole lies where its headers say"
            )
            cut = (*record.headers, ("cut", str(len(whole)).encode()))
            self._out.send([replace(record, value=whole[:_CUT], headers=cut)])
        for refused in items:
            self._out.metrics.count_refused(refused)
