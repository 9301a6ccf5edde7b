"""`stet serve` in the embedded mode: the HTTP service, and the dataflow that follows the log in a thread.

A message is answered for once it is in the log and synced. A stop lets the dataflow finish what it has read
and snapshot its place; what is in the log and not processed waits for the next start.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from prometheus_client import CollectorRegistry

from operators.parse import serialise
from pipeline.embedded import Embedded
from pipeline.tally import Tally
from query_service.http_app import Unavailable, create_app
from state.message_log import LogRecord
from state.model import Message


class EmbeddedService:
    """What the HTTP application is given: the stores of one data folder, and a way in."""

    def __init__(self, stet: Embedded, tenant: str | None) -> None:
        self._stet, self._tenant = stet, tenant
        self.reader = stet.graph
        self._stopping = threading.Event()
        self._fault: BaseException | None = None
        self._tally = Tally()
        # Opened here, in the thread that also closes them.
        self._log, self.notes, self.encoder = stet.log, stet.notes, stet.encoder
        stet.metrics.backlog.set_function(lambda: self._log.end - self._tally.seen - self._begun)
        self._begun = 0
        self._follower = threading.Thread(target=self._follow, name="dataflow", daemon=True)

    @property
    def registry(self) -> CollectorRegistry:
        return self._stet.metrics.registry

    @property
    def tenant(self) -> str | None:
        """The tenant given at the start, or the only one there is."""
        if self._tenant is not None:
            return self._tenant
        tenants = self._stet.graph.tenants()
        return tenants[0] if len(tenants) == 1 else None

    def accept(self, messages: Sequence[Message]) -> None:
        """Appends to the log; returns when it is synced. Raises `Unavailable` while stopping or broken."""
        if self._stopping.is_set() or self._fault is not None:
            raise Unavailable("the service is not taking messages now")
        try:
            self._stet.append([LogRecord(serialise(message), origin="http") for message in messages])
        except OSError as error:
            raise Unavailable(f"the message log cannot be written ({error.strerror})") from error

    def ready(self) -> Sequence[str]:
        """Why requests cannot be served now; empty when they can."""
        reasons = []
        if self._stopping.is_set():
            reasons.append("the service is stopping")
        if self._fault is not None:
            reasons.append(f"the dataflow stopped ({type(self._fault).__name__}): see the log, then restart")
        return reasons

    def start(self) -> None:
        self._follower.start()

    def stop(self) -> None:
        """Lets the dataflow finish what it has read, and waits for it."""
        self._stopping.set()
        self._follower.join()

    def _follow(self) -> None:
        try:
            self._stet.run(lambda: 0 if self._stopping.is_set() else None, self._tally)
        except BaseException as error:
            self._fault = error
            raise


def serve(data_dir: Path, host: str, port: int, encoder: str | None, tenant: str | None) -> None:
    """Serves until SIGINT or SIGTERM, then stops in order."""
    with Embedded.open(data_dir, encoder=encoder, create=True) as stet:
        service = EmbeddedService(stet, tenant)
        service.start()
        try:
            config = uvicorn.Config(create_app(service), host=host, port=port, log_level="info")
            uvicorn.Server(config).run()
        finally:
            service.stop()
