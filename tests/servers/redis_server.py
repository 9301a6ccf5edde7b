"""Redis 7 as Debian packages it, on a port, with its AOF in a folder."""

import re
import shutil
import signal
import subprocess
from typing import ClassVar

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from tests.servers.port import HOST, Port
from tests.servers.process import Server

_OLDEST = 7


def absent() -> str | None:
    """Why no Redis 7 can be started here, or None."""
    advice = "apt-get install redis-server (`make test` does it where it is root)"
    server = shutil.which("redis-server")
    if server is None or shutil.which("redis-cli") is None:
        return f"redis-server is absent: {advice}"
    said = subprocess.run([server, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"v=(\d+)", said)
    if version is None or int(version[1]) < _OLDEST:
        return f"redis-server is older than {_OLDEST}: {said.strip()}"
    return None


class RedisServer(Server):
    """One Redis. What it acknowledged is in its AOF: after `kill` a `start` has it again, on the same port.

    (Each write is handed to the system before it is acknowledged, so a killed process loses none; a power
    cut, which no test makes, loses up to a second.)
    """

    name: ClassVar[str] = "redis"
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    def command(self) -> list[str]:
        return [
            "redis-server",
            *("--bind", HOST),
            *("--port", str(self.port)),
            *("--dir", str(self.folder)),
            *("--daemonize", "no"),
            *("--save", ""),
            *("--appendonly", "yes"),
            *("--appendfsync", "everysec"),
            # A loaded disk must not keep a test waiting.
            *("--no-appendfsync-on-rewrite", "yes"),
        ]

    def answers(self) -> bool:
        try:
            with self.client(timeout=1.0) as client:
                return bool(client.info("server")["process_id"] == self.pid)
        except RedisError:
            return False

    @property
    def url(self) -> str:
        return f"redis://{self.address}/0"

    def client(self, timeout: float = 5.0) -> Redis:
        """A client that tries once and says so where the server does not answer."""
        return Redis(
            host=HOST,
            port=self.port,
            socket_timeout=timeout,
            socket_connect_timeout=timeout,
            retry=Retry(NoBackoff(), 0),
        )


class ClusterNode(RedisServer):
    """A Redis that is part of a cluster, and that remembers its cluster after a kill."""

    # Nodes that do not hear from one another for so long hold one another for failed.
    timeout_ms: ClassVar[int] = 2000

    def take_ports(self) -> None:
        self._ports = [Port(), Port()]

    def command(self) -> list[str]:
        return [
            *super().command(),
            *("--cluster-enabled", "yes"),
            *("--cluster-config-file", "nodes.conf"),
            *("--cluster-port", str(self._ports[1].number)),
            *("--cluster-node-timeout", str(self.timeout_ms)),
        ]
