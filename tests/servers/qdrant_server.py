"""Qdrant's REST interface as a process of its own (see `qdrant_rest`)."""

import sys
from pathlib import Path
from typing import ClassVar

import httpx

from tests.servers.faults import ADMIN, Kind
from tests.servers.process import Server


class QdrantServer(Server):
    """One server, which can be told to fail. What it holds is gone with its process."""

    name: ClassVar[str] = "qdrant"

    def __init__(self, folder: Path, ids_only: bool = False) -> None:
        """`ids_only` is for load tests: it keeps ids and their owners, and finds nothing."""
        super().__init__(folder)
        self._ids_only = ids_only

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def unavailable(self, seconds: float) -> None:
        """From now on it answers 503, until `mend` or until the time is over."""
        self._fail("unavailable", seconds)

    def hang(self, seconds: float) -> None:
        """From now on it answers nothing, until `mend` or until the time is over; then it answers all."""
        self._fail("hang", seconds)

    def mend(self) -> None:
        httpx.delete(self.url + ADMIN).raise_for_status()

    def command(self) -> list[str]:
        mode = ["--ids-only"] if self._ids_only else []
        return [sys.executable, "-m", "tests.servers.qdrant_rest", "--port", str(self.port), *mode]

    def answers(self) -> bool:
        try:
            return bool(httpx.get(self.url, timeout=1.0).json()["commit"] == str(self.pid))
        except httpx.TransportError:
            return False

    def _fail(self, kind: Kind, seconds: float) -> None:
        httpx.post(self.url + ADMIN, json={"kind": kind, "seconds": seconds}).raise_for_status()
