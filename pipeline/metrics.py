"""Every metric of the dataflow: its name, what it means, and what to do when it looks wrong.

The query service adds its request metrics to the same registry.
"""

from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from pipeline.apply import Applied
from pipeline.received import Refused

_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 60, 600)
_LIVE = 3600.0
"""Seconds: what was sent longer ago is not live traffic."""
_NODES = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The dataflow's metrics on one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry = registry
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
        self.events = Counter(
            "stet_events_stated", "Events that came into the graph, revised ones included.", registry=registry
        )
        self.retracted = Counter(
            "stet_events_retracted",
            "Events that left the graph after an edit or a delete.",
            registry=registry,
        )
        self.edges = Gauge(
            "stet_edges_change",
            "Edges added minus removed since the start, by type.",
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
        self.freshness = Histogram(
            "stet_freshness_seconds",
            "Age of the newest message of a flush (now minus its sent_at) when it can be asked for. Messages "
            "older than an hour are a backfill and are left out.",
            buckets=_SECONDS,
            registry=registry,
        )
        self.backlog = Gauge(
            "stet_log_backlog", "Records in the log that are not processed yet.", registry=registry
        )

    def count_applied(self, applied: Applied, now: datetime) -> None:
        """Counts one batch; `now` is when it could be asked for."""
        for change in applied.changes:
            self.applied.inc(len(change.messages))
            self.events.inc(len(change.new_events))
            self.retracted.inc(len(change.gone_events))
            self.propagation.observe(change.touched)
            for name, by in change.counts.items():
                if name not in ("messages", "sessions", "events"):
                    self.edges.labels(name).inc(by)
            newest = max(record.message.sent_at for record in change.messages.values())
            age = (now - newest).total_seconds()
            if age <= _LIVE:
                self.freshness.observe(max(0.0, age))

    def count_refused(self, refused: Refused) -> None:
        """Counts one record that went to the rejected stream."""
        self.rejected.labels(refused.why.reason.value).inc()
