"""A Redis Cluster of three masters on local ports."""

import contextlib
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from redis.cluster import ClusterNode as Address
from redis.cluster import RedisCluster as ClusterClient
from redis.exceptions import RedisError

from tests.servers.port import HOST
from tests.servers.process import ServerFailed
from tests.servers.redis_server import ClusterNode

_MASTERS = 3
_AGREE_SECONDS = 30.0


class RedisCluster:
    """Three masters without replicas. Entering starts them and waits until they agree; leaving ends them.

    Each of `nodes` may be paused, killed and started again; `wait_until_whole` then waits for the cluster.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = contextlib.ExitStack()
        self.nodes: list[ClusterNode] = []

    @property
    def url(self) -> str:
        """The address of the first node, from which a client finds the others."""
        return self.nodes[0].url

    @property
    def addresses(self) -> list[str]:
        """`host:port` of each master."""
        return [node.address for node in self.nodes]

    def client(self) -> ClusterClient:
        nodes = [Address(HOST, node.port) for node in self.nodes]  # type: ignore[no-untyped-call]
        return ClusterClient(startup_nodes=nodes)

    def wait_until_whole(self) -> None:
        """Returns once every node says that all slots are served. Raises ServerFailed."""
        deadline = time.monotonic() + _AGREE_SECONDS
        while not all(_agrees(node) for node in self.nodes):
            if time.monotonic() > deadline:
                raise ServerFailed(f"the cluster is not whole after {_AGREE_SECONDS:g} s:\n{self.log()}")
            time.sleep(0.05)

    def log(self) -> str:
        return "\n".join(node.log() for node in self.nodes)

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as starting:
            for number in range(_MASTERS):
                folder = self._folder / f"node-{number}"
                folder.mkdir()
                self.nodes.append(starting.enter_context(ClusterNode(folder)))
            self._join()
            self.wait_until_whole()
            self._open = starting.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def _join(self) -> None:
        done = subprocess.run(
            ["redis-cli", "--cluster", "create", *self.addresses, "--cluster-yes"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_AGREE_SECONDS,
            check=False,
        )
        if done.returncode:
            raise ServerFailed(f"redis-cli could not make the cluster:\n{done.stdout}{done.stderr}")


def _agrees(node: ClusterNode) -> bool:
    try:
        with node.client(timeout=1.0) as client:
            said = client.execute_command("CLUSTER INFO")
    except RedisError:
        return False
    held = dict(said) if isinstance(said, dict) else {}
    return held.get("cluster_state") == "ok" and held.get("cluster_known_nodes") == str(_MASTERS)
