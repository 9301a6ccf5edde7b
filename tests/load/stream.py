"""Servers, a filled topic and running workers, for measuring."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import httpx

from pipeline.kafka_feed import message_records
from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import Kafka, Topics, ensure_topics
from state.model import Message
from tests.servers.broker import Broker
from tests.servers.qdrant_server import QdrantServer
from tests.servers.redis_server import RedisServer

PARTITIONS = 16
_CHUNK = 5_000
_SAMPLE = re.compile(r"^(?P<name>\w+)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Servers:
    """One set of servers. Qdrant keeps ids only: its engine cannot be had here as a server."""

    folder: Path
    broker: Broker
    redis: RedisServer
    qdrant: QdrantServer

    def kafka(self, prefix: str) -> Kafka:
        return Kafka(self.broker.bootstrap, Topics.prefixed(prefix))


@contextmanager
def servers() -> Iterator[Servers]:
    with ExitStack() as held:
        folder = Path(held.enter_context(tempfile.TemporaryDirectory()))
        for name in ("broker", "redis", "qdrant"):
            (folder / name).mkdir()
        yield Servers(
            folder,
            held.enter_context(Broker(folder / "broker")),
            held.enter_context(RedisServer(folder / "redis")),
            held.enter_context(QdrantServer(folder / "qdrant", ids_only=True)),
        )


def fill(kafka: Kafka, messages: Iterable[Message]) -> int:
    """Writes messages to the topic, which is made; how many."""
    ensure_topics(kafka, PARTITIONS)
    producer, count = KafkaProducer(kafka), 0
    source = iter(messages)
    while chunk := list(islice(source, _CHUNK)):
        producer.send(message_records(chunk, kafka.topics.messages))
        count += len(chunk)
    producer.close()
    return count


class Workers:
    """`stet worker` with so many processes, as a user starts it."""

    def __init__(self, at: Servers, prefix: str, processes: int, health_port: int = 19_390) -> None:
        self._ports = [health_port + number for number in range(processes)]
        environment = {
            **os.environ,
            "STET_KAFKA": at.broker.bootstrap,
            "STET_REDIS": at.redis.url,
            "STET_QDRANT": at.qdrant.url,
            "STET_TOPIC_PREFIX": prefix,
            "STET_ENCODER": "hashing-32",
        }
        command = [
            *(sys.executable, "-m", "pipeline.command_line.app", "worker"),
            *("--recovery-dir", str(at.folder / f"recovery-{prefix}"), "--processes", str(processes)),
            *("--health-port", str(health_port)),
        ]
        self._process = subprocess.Popen(command, env=environment)

    def wait_ready(self) -> None:
        """Waits until every process reads the topic."""
        while not all(_is_ready(port) for port in self._ports):
            time.sleep(0.05)

    def total(self, metric: str) -> float:
        """The metric, added up over all its labels and all processes; 0 while they start."""
        return sum(value for port in self._ports for _, value in _samples(port, metric))

    def buckets(self, metric: str) -> dict[float, float]:
        """A histogram's cumulative counts by upper bound, over all processes."""
        found: dict[float, float] = {}
        for port in self._ports:
            for labels, value in _samples(port, f"{metric}_bucket"):
                bound = float(re.findall(r'le="([^"]+)"', labels)[0])
                found[bound] = found.get(bound, 0) + value
        return found

    def families(self) -> list[list[int]]:
        """The process ids of each process of the set, with its children."""
        if len(self._ports) == 1:
            return [_family(self._process.pid)]
        return [_family(pid) for pid in _children(self._process.pid)]

    def memory(self) -> int:
        """Resident bytes of the worker's processes."""
        return sum(_resident(pid) for pid in _family(self._process.pid))

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(90)


def wait_for(workers: Workers, count: float, metric: str = "stet_messages_applied_total") -> float:
    """Waits until the metric reaches `count`; the time at which it did."""
    while workers.total(metric) < count:
        time.sleep(0.05)
    return time.monotonic()


def _is_ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=10).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


def _samples(port: int, metric: str) -> list[tuple[str, float]]:
    try:
        text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=10).text
    except httpx.TransportError:
        return []
    return [(m["labels"] or "", float(m["value"])) for m in _SAMPLE.finditer(text) if m["name"] == metric]


def _family(pid: int) -> list[int]:
    return [pid, *(one for child in _children(pid) for one in _family(child))]


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _resident(pid: int) -> int:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
