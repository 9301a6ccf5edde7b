"""The embedded mode: everything in one data folder that one process has open (DESIGN §5).

with Embedded.open(Path(".stet")) as stet:
    stet.append(records)          # durable
    stet.run(until=stet.log.end)  # through the whole dataflow
    stet.graph, stet.notes        # to ask
"""

import errno
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bytewax._bytewax import cluster_main
from prometheus_client import CollectorRegistry

from operators.deletion import deletion
from operators.parse import Rejected, serialise
from pipeline.apply import Applier, Stores
from pipeline.dataflow import Parts, conversation_flow
from pipeline.forgetting import ImpossibleMessage, Places, Removed, forget, forget_messages, unfinished
from pipeline.log_progress import LogProgress, processed_in
from pipeline.log_source import LogSource
from pipeline.metrics import Metrics
from pipeline.named_stage import rules_with, stage_of
from pipeline.recovery_store import recovery_in
from pipeline.rejected import RejectedStream
from pipeline.running import DEFAULT_ENCODER, EPOCH, next_fence, utc_now
from pipeline.tally import AppliedSink, RejectedSink, Tally
from state.data_folder import DataFolder, EncoderMark
from state.embedded_redis import EmbeddedRedis
from state.encoder_process import encoder_beside
from state.forget_receipt import Receipt
from state.graph_change import GraphWriter
from state.graph_store import RedisGraph
from state.message_log import LogRecord, MessageLog, logged_in
from state.model import Subject
from state.notes import Encoder
from state.notes_edge import EdgeNoteStore
from state.redis_pulse import RedisPulse

ROOM = 150 * 1024 * 1024
"""Bytes that must be free before anything is written. The notes' engine maps its files into memory: where the
disk is full then, the system ends the process without a word. This is asked while it can still be told."""


class Embedded:
    """An open data folder with its stores. What costs time to open is opened when it is first used."""

    def __init__(self, folder: DataFolder, encoder: str | None) -> None:
        """Takes over an open folder; `close` gives it back. Use `open`."""
        self._held = ExitStack()
        self._held.callback(folder.close)
        self.folder = folder
        self._encoder_name = encoder or (folder.encoder.name if folder.encoder else DEFAULT_ENCODER)
        self._redis = self._held.enter_context(EmbeddedRedis(folder.redis))
        self.client: Any = self._redis.client
        self.graph = RedisGraph(self.client)
        self.pulse = RedisPulse(self._redis.socket)
        self._held.callback(self.pulse.close)
        self.metrics = Metrics(CollectorRegistry())
        self.told: Callable[[str], None] = lambda line: None
        """Is given a line when something that a person should know is done."""
        self.mentioned = False
        """Whether a reader was told already that the log holds more than is processed."""

    @classmethod
    def open(cls, path: Path, *, encoder: str | None = None, create: bool = False) -> Self:
        """Opens the data folder at `path`; `create` makes one where there is none.

        `encoder` names the encoder of a new folder; later on it is optional, and another one is refused when
        vectors are needed. Raises `DataFolderError`, `EmbeddedRedisError`.
        """
        folder = DataFolder.open(path, create=create)
        try:
            stet = cls(folder, encoder)
        except BaseException:
            folder.close()
            raise
        try:
            stet._finish_forgetting()
        except BaseException:
            stet.close()
            raise
        return stet

    @cached_property
    def encoder(self) -> Encoder:
        """Marks a new folder with the encoder, and begins to load it in a process of its own, which `close`
        ends."""
        encoder = self._held.enter_context(encoder_beside(self._encoder_name))
        self.folder.mark(EncoderMark(encoder.name, encoder.dimension))
        return encoder

    @cached_property
    def notes(self) -> EdgeNoteStore:
        store = EdgeNoteStore(self.folder.notes, self.encoder.dimension)
        self._held.callback(store.close)
        return store

    @cached_property
    def log(self) -> MessageLog:
        """The log, open for writing: nothing is appended to one that lacks what was processed already.

        Raises LogError then, LogDamaged, and OSError where the disk has less than ROOM bytes free.
        """
        free = shutil.disk_usage(self.folder.log).free
        if free < ROOM:
            told = f"only {free >> 20} MB are free on the disk, and writing begins with {ROOM >> 20} at least"
            raise OSError(errno.ENOSPC, told, str(self.folder.log.parent))
        processed = processed_in(self._redis.client)
        return self._held.enter_context(MessageLog(self.folder.log, processed=processed))

    def waiting(self) -> int:
        """How many records of the log are not processed, as far as can be told without opening it."""
        return max(0, logged_in(self.folder.log) - processed_in(self._redis.client))

    @cached_property
    def rejected(self) -> RejectedStream:
        return self._held.enter_context(RejectedStream(self.folder.rejected))

    def forget(self, subject: Subject, told: Callable[[str], None] = lambda line: None) -> Receipt:
        """Removes a subject from every file of the folder (`pipeline.forgetting`); nothing runs meanwhile."""
        return forget(self._places(), subject, told)

    def forget_messages(
        self, messages: Mapping[Subject, Sequence[str]], told: Callable[[str], None] = lambda line: None
    ) -> Removed:
        """Removes messages by subject, and what was drawn from them, from every file; nothing else runs.

        Processes the whole log. Raises ImpossibleMessage where no message can have such an id, and what `run`
        does: the next opening of the folder finishes then.
        """
        found = [deletion(subject, one, utc_now()) for subject, ids in messages.items() for one in ids]
        impossible = [one.detail for one in found if isinstance(one, Rejected)]
        if impossible:
            raise ImpossibleMessage(impossible[0])
        deletions = [LogRecord(serialise(one)) for one in found if not isinstance(one, Rejected)]

        def delete() -> None:
            self.append(deletions)
            self.run(lambda: self.log.end, Tally())

        return forget_messages(self._places(), messages, delete, told)

    def _places(self) -> Places:
        return Places(self.folder.path, self.log, self.rejected, self.client, self.notes)

    def _finish_forgetting(self) -> None:
        cut_short = unfinished(self.folder.path)
        if isinstance(cut_short, Subject):
            self.forget(cut_short)
        elif cut_short is not None:
            self.forget_messages(cut_short)

    def append(self, records: Sequence[LogRecord]) -> range:
        """Makes records durable in the log and gives their offsets; the dataflow takes them from there."""
        return self.log.append(records)

    def run(
        self,
        until: Callable[[], int | None],
        tally: Tally,
        batched: Callable[[], None] = lambda: None,
        asking: Callable[[int], None] = lambda turns: None,
    ) -> None:
        """Runs the dataflow over the log from where it stopped, up to the offset that `until` answers.

        Returns when that is reached and snapshotted, and a model, where STET_LLM names one, was asked about
        all that waits; 0 stops at once. `tally` counts as it goes; `batched` is called after each batch, and
        `asking` is told at the end how many turns are left to ask about. Raises what a step raised,
        EndpointInvalid, and `RecoveryUnusable`; nothing is lost then, and the next run starts at the last
        snapshot.
        """
        client = self._redis.client
        fence = next_fence(client)
        progress = LogProgress(client, self.told)
        stores = Stores(client, GraphWriter(client, fence), self.notes, self.encoder)
        with (
            stage_of(
                os.environ,
                client,
                self.metrics.model,
                stopping=lambda: until() == 0,
                bounded=lambda: until() is not None,
                watched=asking,
                told=self.told,
                by_rules=tally.by_rules,
            ) as stage,
            recovery_in(self.folder.recovery) as recovery,
        ):
            parts = Parts(
                source=LogSource(self.log, until, tally.begin, progress),
                applier=lambda: Applier(stores, rules_with(stage), utc_now),
                rejected=RejectedSink(self.rejected, tally, self.metrics, progress),
                applied=AppliedSink(tally, self.metrics, utc_now, batched, progress),
                stage=stage,
            )
            cluster_main(conversation_flow(parts), [], 0, epoch_interval=EPOCH, recovery_config=recovery)

    def close(self) -> None:
        """Flushes and closes what was opened. Closing twice is no error."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
