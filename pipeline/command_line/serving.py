"""`stet serve` in the embedded mode: the HTTP service, and the dataflow that follows the log in a thread.

A message is answered for once it is in the log and synced. A stop lets the dataflow finish what it has read
and snapshot its place; what is in the log and not processed waits for the next start.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from operators.parse import serialise
from pipeline.command_line.answering import named_model
from pipeline.command_line.failures import Exit, fail, root_of, warn
from pipeline.command_line.listening import listening
from pipeline.command_line.notices import ready_to_write
from pipeline.command_line.run_http import run_http
from pipeline.command_line.serving_access import Serving, access_to
from pipeline.embedded import Embedded
from pipeline.encoder_loading import EncoderLoading
from pipeline.follower import Follower, StillRunning
from query_service.answer import Model
from query_service.http_app import Unavailable, create_app
from state.embedded_redis import running_in
from state.forget_receipt import Receipt
from state.guarded_ledger import GuardedLedger
from state.message_log import LogError, LogRecord
from state.model import Message, Subject

PATIENCE = 10
"""Seconds that the dataflow has then to finish what it has read."""
REST = 30
"""Seconds that it has to come to rest before a subject is forgotten."""


class EmbeddedService:
    """What the HTTP application is given: the stores of one data folder, and a way in."""

    def __init__(self, stet: Embedded, tenant: str | None) -> None:
        self._stet, self._tenant = stet, tenant
        self.reader = stet.graph
        self._follower = Follower(stet)
        self._ledger = GuardedLedger(stet.client)
        # Opened here, so that what is wrong with one of them shows at the start.
        self._log, self._rejected = stet.log, stet.rejected
        self.notes, self.encoder = stet.notes, stet.encoder
        self._loading = EncoderLoading(self.encoder, warn)
        stet.metrics.backlog.set_function(self._backlog)

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
        if self._follower.is_stopping or self._follower.fault is not None:
            raise Unavailable("the service is not taking messages now")
        try:
            self._stet.append([LogRecord(serialise(message), origin="http") for message in messages])
        except (OSError, LogError) as error:
            told = error.strerror if isinstance(error, OSError) else error
            raise Unavailable(f"the message log cannot be written ({told})") from error

    def forget(self, subject: Subject) -> Receipt:
        """Removes the subject from every file of the folder while the dataflow stands still.

        Messages are taken meanwhile, but for the moments in which the log is read; what is said of the
        subject from then on is kept. Raises `Unavailable` where the dataflow does not come to rest: nothing
        is removed then. Any other failure stops the service from taking messages, and the next start of one
        finishes what was begun.
        """
        try:
            with self._follower.standing_still(REST):
                self._ledger.shut(subject)
                return self._stet.forget(subject)
        except StillRunning as error:
            raise Unavailable(f"nothing was removed: {error}") from error

    def guarded(self, model: Model | None) -> Model | None:
        """The model, with a ledger that takes nothing about a subject that is being forgotten."""
        return replace(model, ledger=self._ledger) if model is not None else None

    def ready(self) -> Sequence[str]:
        """Why requests cannot be served now; empty when they can."""
        reasons = self._loading.reasons()
        if self._follower.is_stopping:
            reasons.append("the service is stopping")
        if self._follower.fault is not None:
            kind = type(root_of(self._follower.fault)).__name__
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
        if not self._follower.stop(PATIENCE):
            warn(
                f"the dataflow did not stop within {PATIENCE} seconds and is cut off; nothing is lost: what "
                "it had not finished is done at the next start"
            )
            os._exit(Exit.STORE)

    def settle(self) -> None:
        """Raises what broke the dataflow, if anything did."""
        if self._follower.fault is not None:
            raise self._follower.fault

    def _backlog(self) -> int:
        tally = self._follower.tally
        return self._log.end - tally.begun - tally.seen


@contextmanager
def _impatient(stet: Embedded) -> Iterator[Any]:
    """Another client of the folder's Redis, for what must soon be told that it does not answer."""
    client = running_in(stet.folder.redis)
    if client is None:
        fail(f"the embedded Redis in {stet.folder.redis} does not answer: see its log", Exit.STORE)
    with closing(client):
        yield client


def serve(data_dir: Path, encoder: str | None, of: Serving) -> None:
    """Serves until a signal, then stops in order and returns.

    Fails where the address cannot be had; raises at the end what broke the dataflow meanwhile.
    """
    with (
        listening(of.host, of.port) as listener,
        Embedded.open(data_dir, encoder=encoder, create=True) as stet,
        _impatient(stet) as impatient,
        named_model(stet) as model,
    ):
        access = access_to(impatient, of, listener)
        ready_to_write(stet)
        service = EmbeddedService(stet, of.tenant)
        application = create_app(service, model=service.guarded(model), forget=service.forget, access=access)
        service.start()
        run_http(application, listener, service.stop)
        service.settle()
