"""A stream under test: its servers, what is fed to it, its workers as processes, and what comes out.

stream = Stream(tmp_path, Addresses(...), "some-tenant")
stream.feed(lines)
stream.finish()                  # a worker reads what the topics hold and stops
stream.assert_whole()            # as the embedded mode makes it of the same lines, all accounted for
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from redis.exceptions import RedisError
from typer.testing import CliRunner

from pipeline.command_line.app import app
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_record import Outgoing
from pipeline.kafka_settings import Kafka, Topics, ensure_topics
from state.graph_keys import SubjectKeys
from state.graph_store import RedisGraph
from state.model import Subject
from state.notes_qdrant import QdrantNoteStore, connect
from state.redis_client import RedisUnusable
from state.redis_client import connect as connect_redis
from tests.stream.topics import Record, records
from tests.stream.worker_process import Worker

ENCODER, DIMENSION = "hashing-32", 32
PARTITIONS = 4
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Where:
    """The servers that a stream runs on, as its workers are told of them."""

    kafka: str
    redis: str
    qdrant: str


@dataclass
class Stream:
    """One installation: topics of its own by `prefix`, a tenant, and a recovery folder."""

    folder: Path
    where: Where
    tenant: str
    partitions: int = PARTITIONS
    fed: list[bytes] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)
    kafka: Kafka = field(init=False)

    def __post_init__(self) -> None:
        self.prefix = f"{self.tenant}."
        self.kafka = Kafka(self.where.kafka, Topics.prefixed(self.prefix))
        ensure_topics(self.kafka, self.partitions)

    # What goes in

    def feed(self, lines: bytes) -> None:
        """Writes lines to the messages' topic; returns once the broker has them."""
        self.fed.append(lines)
        outcome = _stet("ingest", "-", "--kafka", self.where.kafka, *self._prefixed(), stdin=lines)
        assert json.loads(outcome)["sent"] == len(lines.splitlines())

    def feed_cut(self, packed: bytes) -> None:
        """Writes what can be read of a gzipped file that breaks off."""
        self.fed.append(packed)
        _stet("ingest", "-", "--kafka", self.where.kafka, *self._prefixed(), stdin=packed)

    def produce(self, sent: Sequence[Outgoing]) -> None:
        """Writes records as another producer than Stet's commands would: with any keys."""
        self.fed.append(b"".join(record.value + b"\n" for record in sent))
        producer = KafkaProducer(self.kafka)
        try:
            producer.send(sent)
        finally:
            producer.close()

    def replay_rejected(self) -> int:
        """`stet replay-rejected`; how many records it fed."""
        told = json.loads(_stet("replay-rejected", "--kafka", self.where.kafka, *self._prefixed()))
        return int(told["sent"])

    # What works on it

    def worker(
        self, *arguments: str, recovery: str = "recovery", where: Where | None = None, **env: str
    ) -> Worker:
        """Starts a worker, which ends with the stream at the latest."""
        at = where or self.where
        log = self.folder / f"worker-{len(self.workers)}.log"
        environment = {
            **os.environ,
            "STET_KAFKA": at.kafka,
            "STET_REDIS": at.redis,
            "STET_QDRANT": at.qdrant,
            "STET_TOPIC_PREFIX": self.prefix,
            "STET_ENCODER": ENCODER,
            "STET_RECOVERY_DIR": str(self.folder / recovery),
            "OMP_NUM_THREADS": "1",
            **env,
        }
        started = Worker(log, environment, "--partitions", str(self.partitions), *arguments)
        self.workers.append(started)
        return started

    def finish(self, *arguments: str, recovery: str = "recovery") -> Worker:
        """A worker that reads what the topics hold, and has stopped in order."""
        worker = self.worker("--to-end", *arguments, recovery=recovery)
        assert worker.code() == 0, worker.said
        return worker

    # What comes out

    def stored(self) -> int:
        """How many live messages the graph holds now; -1 where Redis does not answer."""
        try:
            with self.graph() as graph:
                subjects = graph.subjects(self.tenant)
                return graph.counts(subjects).get("messages", 0) if subjects else 0
        except (RedisError, RedisUnusable):
            return -1

    def writes(self) -> int:
        """How often subjects were written: grows with all that a worker does."""
        client = connect_redis(self.where.redis)
        try:
            keys = [SubjectKeys(subject).version for subject in RedisGraph(client).subjects(self.tenant)]
            return sum(int(client.get(key) or 0) for key in keys)
        finally:
            client.close()

    @contextmanager
    def graph(self) -> Iterator[RedisGraph]:
        client = connect_redis(self.where.redis)
        try:
            yield RedisGraph(client)
        finally:
            client.close()

    def export(self) -> bytes:
        return _stet("export", "--redis", self.where.redis, "--tenant", self.tenant)

    def rejected(self) -> list[Record]:
        return records(self.where.kafka, self.kafka.topics.rejected)

    def changes(self) -> list[Record]:
        return records(self.where.kafka, self.kafka.topics.changes)

    def messages(self) -> list[Record]:
        return records(self.where.kafka, self.kafka.topics.messages)

    def assert_whole(self, refused: Mapping[str, int] | None = None) -> None:
        """The export is byte for byte what the embedded mode makes of all that was fed, each live message has
        its note, nothing waits to be published, and each record that is not stored is in the rejected topic,
        once or more, for the reason that the embedded mode gives, or as `refused` counts them."""
        wanted, by_reason = reference(self.folder, self.fed)
        found = self.export()
        assert found == wanted, _difference(found, wanted)
        assert Counter(self.put_aside().values()) == (by_reason if refused is None else Counter(refused))
        assert self.notes() == {
            name: sum(row["kind"] == "message" and row["subject"] == name for row in rows(found))
            for name in {row["subject"] for row in rows(found)}
        }
        assert self.unpublished() == []

    def put_aside(self) -> dict[tuple[int, int], str]:
        """The reason of each record in the rejected topic, by where it lay (partition and offset)."""
        return {
            (int(r.headers["partition"]), int(r.headers["offset"])): r.headers["reason"]
            for r in self.rejected()
        }

    def notes(self) -> dict[str, int]:
        """How many notes each subject has."""
        with (
            self.graph() as graph,
            QdrantNoteStore(connect(self.where.qdrant), DIMENSION) as store,
        ):
            counted = {s.name: store.count(s) for s in graph.subjects(self.tenant)}
        return {name: count for name, count in counted.items() if count}

    def unpublished(self) -> list[str]:
        """The subjects that have something in their outbox."""
        client = connect_redis(self.where.redis)
        try:
            subjects = RedisGraph(client).subjects(self.tenant)
            return [subject.name for subject in subjects if client.llen(SubjectKeys(subject).outbox)]
        finally:
            client.close()

    def subject(self, number: int = 0) -> Subject:
        """One of those that `traffic.conversation` speaks of."""
        return Subject(self.tenant, f"customer-{number}")

    def elsewhere(self, **other: str) -> Where:
        """The same servers but for those that are named: one behind a link, say."""
        return replace(self.where, **other)

    def close(self) -> None:
        for worker in self.workers:
            worker.end()

    def _prefixed(self) -> tuple[str, ...]:
        return ("--topic-prefix", self.prefix, "--json")


def reference(folder: Path, fed: Sequence[bytes]) -> tuple[bytes, Counter[str]]:
    """What the embedded mode exports of the same input, and how much it rejects for which reason."""
    data = folder / f"reference-{time.monotonic_ns()}"
    at = ("--data-dir", str(data))
    rejected: Counter[str] = Counter()
    for is_packed, parts in groupby(fed, key=lambda part: part.startswith(_GZIP)):
        for part in parts if is_packed else [b"".join(parts)]:
            told = json.loads(_stet("ingest", "-", "--json", "--encoder", ENCODER, *at, stdin=part))
            rejected.update(told["rejected_by_reason"])
    return _stet("export", *at), rejected


def rows(export: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export.splitlines()]


def _stet(*arguments: str, stdin: bytes = b"") -> bytes:
    """Runs a command in this process; it must succeed."""
    result = CliRunner().invoke(app, list(arguments), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.stderr
    return result.stdout_bytes


def _difference(found: bytes, wanted: bytes) -> str:
    """A few of the rows that differ: pytest's own comparison of long bytes takes minutes."""
    ours, theirs = set(found.splitlines()), set(wanted.splitlines())
    some = [
        *(b"- " + row for row in sorted(theirs - ours)[:5]),
        *(b"+ " + row for row in sorted(ours - theirs)[:5]),
    ]
    return (
        f"{len(theirs - ours)} rows are missing, {len(ours - theirs)} too many:\n" + b"\n".join(some).decode()
    )
