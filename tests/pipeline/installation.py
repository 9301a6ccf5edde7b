"""An installation on servers of its own, for one test module: commands on it, and the service before it."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from typer.testing import CliRunner

from pipeline.command_line.app import app
from pipeline.kafka_settings import Kafka, Topics
from tests.pipeline.command import ROOT, Outcome
from tests.servers.broker import Broker
from tests.servers.link import Link
from tests.servers.qdrant_server import QdrantServer
from tests.servers.redis_server import RedisServer

ENCODER = "hashing-32"
DEADLINE = 60.0
_VARIABLES = ("STET_REDIS", "STET_QDRANT", "STET_KAFKA", "STET_TENANT", "STET_ENCODER", "STET_TOPIC_PREFIX",
              "STET_DATA_DIR", "STET_RECOVERY_DIR")  # fmt: skip
# A client waits ten seconds for the brokers, and a probe two for what it is told; a test does not.
_IMPATIENT = """
from pipeline import servers, store_pulse
from pipeline.command_line import serving_servers
from pipeline.command_line.app import app
serving_servers.ACKNOWLEDGED = 2
serving_servers.FORGOTTEN = 10
store_pulse._SECONDS = 0.1
servers._QUICK = 1
app()
"""


def run(*arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Outcome:
    """Runs a command in this process, with no setting but the given ones."""
    settings: dict[str, str | None] = {**dict.fromkeys(_VARIABLES), **(env or {})}
    result = CliRunner().invoke(app, list(map(str, arguments)), input=stdin, env=settings)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout_bytes, result.stderr)


@dataclass(frozen=True)
class Installation:
    """Redis, Qdrant and a broker behind a link, and the folder of the worker's offsets."""

    redis: RedisServer
    qdrant: QdrantServer
    broker: Broker
    link: Link
    recovery: Path

    @property
    def kafka(self) -> Kafka:
        return Kafka(self.broker.bootstrap, Topics.prefixed("eu."))

    @property
    def graph(self) -> tuple[str, ...]:
        return ("--redis", self.redis.url)

    @property
    def stores(self) -> tuple[str, ...]:
        return (*self.graph, "--qdrant", self.qdrant.url)

    @property
    def topics(self) -> tuple[str, ...]:
        return ("--kafka", self.broker.bootstrap, "--topic-prefix", "eu.")

    @property
    def env(self) -> dict[str, str]:
        """The same servers as environment variables."""
        return {
            "STET_REDIS": self.redis.url,
            "STET_QDRANT": self.qdrant.url,
            "STET_KAFKA": self.broker.bootstrap,
            "STET_TOPIC_PREFIX": "eu.",
        }

    def take(self, lines: bytes) -> None:
        """Writes lines to Kafka and has a worker process them."""
        fed = run("ingest", "-", *self.topics, stdin=lines)
        assert fed.code == 0, fed.err
        self.work()

    def work(self, *options: str) -> Outcome:
        """A worker, until all that the topic holds is processed."""
        worker = ("worker", *self.stores, *self.topics, "--to-end", "--health-port", "0")
        return run(
            *worker, "--recovery-dir", self.recovery, "--partitions", "2", "--encoder", ENCODER, *options
        )


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    """Starts the servers; `folder` is for what they store."""
    for name in ("redis", "qdrant", "broker"):
        (folder / name).mkdir()
    with (
        Link() as link,
        Broker(folder / "broker", link.address) as broker,
        RedisServer(folder / "redis") as redis,
        QdrantServer(folder / "qdrant") as qdrant,
    ):
        link.to = broker.port
        yield Installation(redis, qdrant, broker, link, folder / "offsets")


def of_tenant(tenant: str) -> dict[bytes, bytes]:
    return {b"X-Stet-Tenant": tenant.encode()}


class Service:
    """`stet serve` as a process, and a client of it."""

    def __init__(self, of: Installation, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        port = str(self.port)
        command = [sys.executable, "-c", _IMPATIENT, "serve", "--port", port, "--encoder", ENCODER, *options]
        settings = {k: v for k, v in os.environ.items() if not k.startswith("STET_")}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**settings, **of.env, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self._lines: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        try:
            self.wait_for(self._answers)
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.append(line.decode())

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.told()
        try:
            return self.is_ready()
        except httpx.TransportError:
            return False

    def told(self) -> str:
        """All that it wrote on standard error, once it has ended."""
        self._reading.join(30)
        return "".join(self._lines)

    def wait_for(self, reached: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + DEADLINE
        while not (found := reached()):
            assert time.monotonic() < deadline, "it never came so far"
            time.sleep(0.05)
        return found

    def is_ready(self) -> bool:
        return self.client.get("/readyz").status_code == 200

    def reasons(self) -> str:
        return " ".join(self.client.get("/readyz").json()["reasons"])

    def post(self, rows: list[dict[str, Any]], tenant: str | None = None) -> httpx.Response:
        named = tenant or rows[0]["tenant"]
        return self.client.post("/v1/messages", json=rows, headers=of_tenant(named))

    def get(self, path: str, tenant: str) -> httpx.Response:
        return self.client.get(path, headers=of_tenant(tenant))

    def ask(self, subject: str, question: str, tenant: str) -> httpx.Response:
        asked = json.dumps({"subject": subject, "question": question})
        return self.client.post("/v1/ask", content=asked, headers=of_tenant(tenant))

    def end(self, how: int) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)

    def close(self) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
