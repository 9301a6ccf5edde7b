"""The production dataflow: conversation.messages through the stores to evidence.changes (DESIGN §4)."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bytewax._bytewax import cluster_main

from pipeline.applied import Applied, Arrived
from pipeline.apply import Applier, Stores
from pipeline.asking_stage import Stage
from pipeline.change_records import change_lines
from pipeline.dataflow import Parts, conversation_flow
from pipeline.encoder_loading import EncoderLoading
from pipeline.kafka_settings import ensure_topics
from pipeline.kafka_sinks import ChangesSink, Out, RejectedTopicSink
from pipeline.kafka_source import ConversationSource
from pipeline.named_stage import rules_with, stage_of
from pipeline.patience import Patience, store_of
from pipeline.recovery_store import recovery_in
from pipeline.running import EPOCH, next_fence, utc_now
from pipeline.servers import Servers
from pipeline.settle import Settled
from pipeline.store_pulse import StorePulse
from pipeline.stream_forgetting import Forgetter, PatientForgetter
from state.graph_change import GraphWriter

SHARDS = 256
"""Keys that several processes share the subjects by: so many that each gets about as much as the others."""
_PANIC = "PanicException"  # its module cannot be imported


class PeerLost(RuntimeError):
    """The connection to another process of the set broke: none of them can go on."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How one process of a worker runs.

    `recovery` is a folder that all processes share; `addresses` are those of all processes, in one order, or
    empty where there is but one. `to_end` stops at what the topic holds at the start.
    """

    recovery: Path
    recovery_partitions: int
    partitions: int
    addresses: Sequence[str] = ()
    process: int = 0
    to_end: bool = False


@dataclass(slots=True)
class Worker:
    """One process's part of the dataflow. `stopping` ends it in order; `told` gets lines for a person."""

    servers: Servers
    settings: Settings
    told: Callable[[str], None]
    stopping: threading.Event = field(default_factory=threading.Event)
    running: bool = False
    _pulse: StorePulse | None = None
    _patience: Patience | None = None
    _loading: EncoderLoading | None = None

    def run(self) -> None:
        """Runs until stopped, or to the end. Raises what makes a start impossible (KafkaUnusable,
        NoteStoreError, EncoderError), Fenced where a newer worker writes, StoppedWaiting, PeerLost."""
        servers, settings = self.servers, self.settings
        partitions = ensure_topics(servers.kafka, settings.partitions)
        self._pulse = servers.watch(kafka=True)
        self._patience = patience = Patience(self.stopping, self.told, servers.metrics.stores.retried)
        try:
            with (
                _causes_told(patience),
                self._stage(patience) as stage,
                recovery_in(settings.recovery, settings.recovery_partitions, settings.process) as recovery,
            ):
                flow = conversation_flow(self._parts(partitions, patience, stage))
                self._loading = EncoderLoading(servers.encoder, self.told)
                self.running = True
                self.told(f"reading {servers.kafka.topics.messages} ({partitions} partitions)")
                cluster_main(
                    flow,
                    list(settings.addresses),
                    settings.process,
                    epoch_interval=EPOCH,
                    recovery_config=recovery,
                )
        finally:
            self.running = False

    def ready(self) -> list[str]:
        """Why nothing is processed now, a line a reason; empty where all goes well."""
        faults = self._pulse.faults() if self._pulse else {}
        # One that answers a ping may still fail what matters: a cluster without one of its nodes, say.
        away = self._patience.away if self._patience else {}
        reasons = [f"{store} does not answer ({kind})" for store, kind in {**away, **faults}.items()]
        if self.stopping.is_set():
            reasons.append("the worker is stopping")
        elif not self.running:
            reasons.append("the worker is starting")
        elif self._loading is not None:
            reasons.extend(self._loading.reasons())
        return reasons

    @contextmanager
    def _stage(self, patience: Patience) -> Iterator[Stage | None]:
        """The stage that asks a model; a store that is away is waited for there too."""
        named = stage_of(
            os.environ,
            self.servers.client,
            self.servers.metrics.model,
            stopping=self.stopping.is_set,
            bounded=lambda: self.settings.to_end,
            is_away=lambda error: store_of(error) is not None,
            told=self.told,
        )
        with named as stage:
            if stage is not None:
                stage.patiently = patience.call
            yield stage

    def _parts(self, partitions: int, patience: Patience, stage: Stage | None) -> Parts:
        servers = self.servers
        writer = GraphWriter(servers.client, next_fence(servers.client), change_lines)
        stores = Stores(servers.client, writer, servers.notes, servers.encoder, servers.metrics.stores.timed)
        out = Out(servers.producer, servers.kafka.topics, patience, servers.metrics, self.told)
        return Parts(
            source=ConversationSource(
                servers.kafka, partitions, self.stopping, servers.metrics, self.told, self.settings.to_end
            ),
            applier=lambda: PatientApplier(Applier(stores, rules_with(stage), utc_now), patience),
            rejected=RejectedTopicSink(out),
            applied=ChangesSink(servers.client, out, utc_now),
            shards=SHARDS if len(self.settings.addresses) > 1 else 1,
            stage=stage,
            forgets=lambda: PatientForgetter(Forgetter(stores), patience),
        )


@contextmanager
def _causes_told(patience: Patience) -> Iterator[None]:
    """Raises what ended the flow: among several processes the engine hides it behind a panic of its own."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        if patience.ended_by is not None:
            raise patience.ended_by from None
        raise PeerLost("another process of this set ended, so this one ends; nothing is lost") from error


class PatientApplier:
    """Applies a batch, waiting while a store is away. What was written of it by then changes nothing more."""

    def __init__(self, applier: Applier, patience: Patience) -> None:
        self._applier, self._patience = applier, patience

    def apply(self, batch: Sequence[Arrived]) -> Applied:
        return self._patience.call(lambda: self._applier.apply(batch))

    def write_settled(self, settled: Sequence[Settled]) -> Applied:
        return self._patience.call(lambda: self._applier.write_settled(settled))
