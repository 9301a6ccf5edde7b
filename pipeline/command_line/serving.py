"""`stet serve` in the embedded mode: the HTTP service, and the dataflow that follows the log in a thread.

A message is answered for once it is in the log and synced. A stop lets the dataflow finish what it has read
and snapshot its place; what is in the log and not processed waits for the next start.
"""

import os
import threading
from collections.abc import Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry

from operators.parse import serialise
from pipeline.command_line.answering import named_model
from pipeline.command_line.failures import Exit, root_of, warn
from pipeline.command_line.listening import listening
from pipeline.command_line.notices import ready_to_write
from pipeline.command_line.run_http import run_http
from pipeline.embedded import Embedded
from pipeline.tally import Tally
from query_service.http_app import Unavailable, create_app
from state.message_log import LogError, LogRecord
from state.model import Message

PATIENCE = 10
"""Seconds that the dataflow has then to finish what it has read."""


class EmbeddedService:
    """What the HTTP application is given: the stores of one data folder, and a way in."""

    def __init__(self, stet: Embedded, tenant: str | None) -> None:
        self._stet, self._tenant = stet, tenant
        self.reader = stet.graph
        self._stopping = threading.Event()
        self._fault: BaseException | None = None
        self._tally = Tally()
        # Opened here, so that what is wrong with one of them shows at the start.
        self._log, self._rejected = stet.log, stet.rejected
        self.notes, self.encoder = stet.notes, stet.encoder
        stet.metrics.backlog.set_function(lambda: self._log.end - self._tally.begun - self._tally.seen)
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
        except (OSError, LogError) as error:
            told = error.strerror if isinstance(error, OSError) else error
            raise Unavailable(f"the message log cannot be written ({told})") from error

    def ready(self) -> Sequence[str]:
        """Why requests cannot be served now; empty when they can."""
        reasons = []
        if self._stopping.is_set():
            reasons.append("the service is stopping")
        if self._fault is not None:
            kind = type(root_of(self._fault)).__name__
            reasons.append(f"the dataflow stopped ({kind}): see the log, then restart")
        silent = self._stet.pulse.fault()
        if silent is not None:
            reasons.append(
                f"the embedded Redis does not answer ({silent}): see {self._stet.folder.redis}/*.log"
            )
        return reasons

    def start(self) -> None:
        self._follower.start()

    def stop(self) -> None:
        """Lets the dataflow finish what it has read, and waits for it.

        Ends the process where that takes longer than PATIENCE: what hangs holds stores that could not be
        closed either. That is safe as a kill is: what was answered for is in the log.
        """
        self._stopping.set()
        self._follower.join(PATIENCE)
        if self._follower.is_alive():
            warn(
                f"the dataflow did not stop within {PATIENCE} seconds and is cut off; nothing is lost: what "
                "it had not finished is done at the next start"
            )
            os._exit(Exit.STORE)

    def settle(self) -> None:
        """Raises what broke the dataflow, if anything did."""
        if self._fault is not None:
            raise self._fault

    def _follow(self) -> None:
        try:
            self._stet.run(lambda: 0 if self._stopping.is_set() else None, self._tally)
        except BaseException as error:
            self._fault = error
            raise


def serve(data_dir: Path, host: str, port: int, encoder: str | None, tenant: str | None) -> None:
    """Serves until a signal, then stops in order and returns.

    Fails where the address cannot be had; raises at the end what broke the dataflow meanwhile.
    """
    with (
        listening(host, port) as listener,
        Embedded.open(data_dir, encoder=encoder, create=True) as stet,
        named_model(stet) as model,
    ):
        ready_to_write(stet)
        service = EmbeddedService(stet, tenant)
        application = create_app(service, model=model)
        service.start()
        run_http(application, listener, service.stop)
        service.settle()
