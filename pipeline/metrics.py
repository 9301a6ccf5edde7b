"""Every metric of the dataflow: its name, what it means, and what to do when it looks wrong.

Each process of a worker has a registry of its own, and Prometheus adds them up. The query service adds its
request metrics to the same registry. `deploy/README.md` says what each alert on them asks for.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Literal, get_args

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from operators.parse import Reason
from pipeline.applied import Applied
from pipeline.model_metrics import ModelMetrics
from pipeline.open_sessions import OpenSessions
from pipeline.received import Refused
from state.graph_change import SubjectChange
from state.model import EdgeType, Message, Op

Store = Literal["redis", "qdrant", "kafka"]

_AGES = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600)
_CALLS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_LIVE = 3600.0
"""Seconds: what was sent longer ago is not live traffic."""
_EDGES = frozenset(kind.value for kind in EdgeType)
_NODES = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)


class StreamMetrics:
    """What comes in, what goes out, and how far behind the dataflow is."""

    def __init__(self, registry: CollectorRegistry, clock: Callable[[], float]) -> None:
        self.read = Counter(
            "stet_messages_read",
            "Records read from the log or topic, rejected ones and copies included. Flat while there is lag: "
            "the dataflow is stuck, mostly on a store that is away.",
            registry=registry,
        )
        self.applied = Counter(
            "stet_messages_applied",
            "Messages that changed what is stored. Flat while the log grows: the dataflow is stuck.",
            registry=registry,
        )
        self.rejected = Counter(
            "stet_messages_rejected",
            "Records that went to the rejected stream, by reason code. A rise: look at a producer.",
            ["reason"],
            registry=registry,
        )
        for reason in Reason:
            self.rejected.labels(reason.value)  # a series that begins at 1 has no rise that could be seen
        self.published = Counter(
            "stet_changes_published",
            "Records of evidence.changes that the broker has acknowledged. Flat while messages are applied: "
            "the broker is away, or nothing that was said changed a fact.",
            registry=registry,
        )
        self._sessions = OpenSessions(clock)
        self._gauges(registry)
        self.freshness = Histogram(
            "stet_freshness_seconds",
            "Age of the newest message of a flush (now minus its sent_at) when it can be asked for. Messages "
            "older than an hour are a backfill and are left out. High without lag: a store is slow, or a "
            "sender's clock is behind.",
            buckets=_AGES,
            registry=registry,
        )

    def _gauges(self, registry: CollectorRegistry) -> None:
        sessions = Gauge(
            "stet_open_sessions",
            "Conversations of which a message was read within the last 30 minutes. Zero in working hours: "
            "nothing comes in.",
            registry=registry,
        )
        sessions.set_function(self._sessions.count)
        self.backlog = Gauge(
            "stet_log_backlog",
            "Records in the embedded log that are not processed yet. Growing: it is written faster than this "
            "machine can process it.",
            registry=registry,
        )
        self._lag = Gauge(
            "stet_consumer_lag",
            "Records of a Kafka partition that are not read yet, as the process that reads it sees it. "
            "Growing on all: add processes. On one: a subject that says very much. It stands still while a "
            "store is away, as the dataflow does.",
            ["topic", "partition"],
            registry=registry,
        )
        self._depth = Gauge(
            "stet_queue_depth",
            "What waits in a queue of the process, such as the producer's. Never empty: what takes from it "
            "is away or too slow.",
            ["queue"],
            registry=registry,
        )

    def count_read(self, records: int) -> None:
        """So many records were read."""
        self.read.inc(records)

    def count_published(self, records: int) -> None:
        """The broker acknowledged so many records of changes."""
        self.published.inc(records)

    def saw(self, message: Message) -> None:
        """A message was read: its conversation is going on. A delete says nothing in it."""
        if message.op is Op.UPSERT:
            self._sessions.saw(message.subject, message.conversation)

    def lag(self, topic: str, partition: int, records: int) -> None:
        """So many records of this partition are still to be processed."""
        self._lag.labels(topic, str(partition)).set(records)

    def queue_depth(self, queue: str, items: int) -> None:
        """So many items wait in this queue now."""
        self._depth.labels(queue).set(items)

    def watch_queue(self, queue: str, depth: Callable[[], float]) -> None:
        """From now on `depth` is asked at each scrape how many items wait; it must be quick and not raise."""
        self._depth.labels(queue).set_function(depth)


class GraphMetrics:
    """What the graph gains and loses."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.events = Counter(
            "stet_events_stated",
            "Events that came into the graph, revised ones included. Flat while messages are applied: what "
            "is said holds no facts that the rules know.",
            registry=registry,
        )
        self.retracted = Counter(
            "stet_events_retracted",
            "Events that left the graph after an edit or a delete. A rise: a producer edits or deletes much.",
            registry=registry,
        )
        self.edges = Gauge(
            "stet_edges_change",
            "Edges added minus removed since the start, by type. Falling: much is deleted.",
            ["type"],
            registry=registry,
        )
        self.propagation = Histogram(
            "stet_propagation_nodes",
            "Events whose validity was worked out again in one flush of one subject. It does not grow with "
            "the subject: if it does, a fact has very many dependents.",
            buckets=_NODES,
            registry=registry,
        )

    def count(self, change: SubjectChange) -> None:
        """Counts what one flush did to one subject."""
        self.events.inc(len(change.new_events))
        self.retracted.inc(len(change.gone_events))
        self.propagation.observe(change.touched)
        for name, by in change.counts.items():
            if name in _EDGES:
                self.edges.labels(name).inc(by)


class StoreMetrics:
    """How the stores answer."""

    def __init__(self, registry: CollectorRegistry, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds = Histogram(
            "stet_store_seconds",
            "Time of one call to a store, failed ones included. A rise of one store alone: look at its "
            "memory, its disk and its network.",
            ["store", "operation"],
            buckets=_CALLS,
            registry=registry,
        )
        self._retries = Counter(
            "stet_store_retries",
            "Calls to a store that failed and were tried again. Nothing is lost by them; many: the store is "
            "overloaded or about to go away.",
            ["store"],
            registry=registry,
        )
        for store in get_args(Store):
            self._retries.labels(store)
        self._up = Gauge(
            "stet_store_up",
            "Whether a store answered when it was last called: 1 or 0. At 0 nothing is processed; it goes on "
            "by itself once the store is back.",
            ["store"],
            registry=registry,
        )

    @contextmanager
    def timed(self, store: Store, operation: str) -> Iterator[None]:
        """Measures the call to a store that is made within, also where it raises."""
        begun = self._clock()
        try:
            yield
        finally:
            self._seconds.labels(store, operation).observe(self._clock() - begun)

    def retried(self, store: Store) -> None:
        """A call failed and is made again."""
        self._retries.labels(store).inc()

    def up(self, store: Store, answers: bool) -> None:
        """The store answers, or does not."""
        self._up.labels(store).set(1 if answers else 0)


class Metrics:
    """All metrics of one process, on one registry. Its methods may be called from several threads."""

    def __init__(self, registry: CollectorRegistry, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds and never goes back; it measures calls and sessions."""
        self.registry = registry
        self.stream = StreamMetrics(registry, clock)
        self.graph = GraphMetrics(registry)
        self.stores = StoreMetrics(registry, clock)
        self.model = ModelMetrics(registry)

    @property
    def backlog(self) -> Gauge:
        """The embedded log's backlog, for whoever knows it to set."""
        return self.stream.backlog

    def count_applied(self, applied: Applied, now: datetime) -> None:
        """Counts one batch; `now` is when it could be asked for."""
        for change in applied.changes:
            self.stream.applied.inc(len(change.messages))
            self.graph.count(change)
            if not change.messages:
                continue  # what a model answered of older ones
            newest = max(record.message.sent_at for record in change.messages.values())
            age = (now - newest).total_seconds()
            if age <= _LIVE:
                self.stream.freshness.observe(max(0.0, age))

    def count_refused(self, refused: Refused) -> None:
        """Counts one record that went to the rejected stream."""
        self.stream.rejected.labels(refused.why.reason.value).inc()
