"""`stet worker`: one process of the production dataflow, or a set of them on one host."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from pipeline.command_line.failures import CommandError, Exit, fail, root_of, warn
from pipeline.command_line.listening import listening
from pipeline.kafka_settings import Topics
from pipeline.patience import StoppedWaiting
from pipeline.servers import Addresses, Servers
from pipeline.worker import PeerLost, Settings, Worker
from pipeline.worker_http import shown
from state.graph_change import Fenced

LOOPBACK = "127.0.0.1"
GRACE = 60.0
"""Seconds that the processes of a set have to stop in order."""
_LAST_WORDS = 5.0
"""Seconds that the others have to end by themselves once one has ended."""
_TAKEN_OVER = (
    "a newer worker writes what this one wrote, so this one ends; nothing is lost: let one set of processes "
    "work on these topics"
)
_FOR_GOOD = (Exit.USAGE, Exit.FOLDER, Exit.FENCED)
"""What starting again would not mend; fenced processes would fence the newer ones, and so on for ever."""
_FIRST, _LONGEST, _STEADY = 1.0, 30.0, 60.0
"""Seconds before a set that died is started again; after a steady minute the count begins anew."""


@dataclass(frozen=True, slots=True)
class Health:
    """Where a worker shows its health and metrics."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Set:
    """Several processes on one host."""

    processes: int
    addresses: Addresses
    settings: Settings
    encoder: str | None
    health: Health


def work(
    addresses: Addresses, settings: Settings, encoder: str | None, health: Health, follow_stdin: bool = False
) -> None:
    """Runs one process until a signal, or to the end, or with `follow_stdin` until standard input ends.

    Returns once all that was read is stored.
    """
    listener = listening(health.host, health.port, "--health-host or --health-port")
    with _ended_plainly(settings), Servers.open(addresses, encoder=encoder) as servers:
        worker = Worker(servers, settings, warn)
        if follow_stdin:
            threading.Thread(target=_follow_stdin, args=(worker.stopping,), daemon=True).start()
        with _stopped_by_signals(worker.stopping), shown(listener, servers.metrics.registry, worker.ready):
            worker.run()
    warn("stopped in order" if worker.stopping.is_set() else "read to the end")


@contextmanager
def _ended_plainly(settings: Settings) -> Iterator[None]:
    """Says in a line why a process ended by another worker of the graph, or with the others of its set."""
    try:
        yield
    except BaseException as error:
        cause = error if isinstance(error, PeerLost) else root_of(error)
        line, code = _line_and_code(cause)
        if not line:
            raise
        if not settings.addresses:
            raise CommandError(line, code) from None
        warn(line)
        # The engine's threads that speak to the other processes may abort an interpreter that ends in order.
        os._exit(code)


def _line_and_code(cause: BaseException) -> tuple[str, Exit]:
    if isinstance(cause, Fenced):
        return _TAKEN_OVER, Exit.FENCED
    return (str(cause) if isinstance(cause, PeerLost | StoppedWaiting) else ""), Exit.STORE


def _follow_stdin(stopping: threading.Event) -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    stopping.set()


@contextmanager
def _stopped_by_signals(stopping: threading.Event) -> Iterator[None]:
    """The first signal asks to stop in order; what a second does is what it does without us: it ends us."""

    def stop(number: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        stopping.set()

    heard = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        yield
    finally:
        for number, held in before.items():
            signal.signal(number, held)


def work_together(together: Set) -> None:
    """Starts the processes and watches them: where one dies no other can go on, so all are started again.

    Returns when all stop in order. Fails where they cannot be started at all.
    """
    stopping = threading.Event()
    wait = _FIRST
    _check_ports(together)
    with _stopped_by_signals(stopping):
        while True:
            begun = time.monotonic()
            code = _one_set(together, stopping)
            if code == 0 or stopping.is_set():
                break
            if code in _FOR_GOOD:
                fail("all processes are stopped: see above", Exit(code))
            wait = _FIRST if time.monotonic() - begun > _STEADY else min(2 * wait, _LONGEST)
            warn(f"a process ended with code {code}: all are started again in {wait:.0f} s; nothing is lost")
            if stopping.wait(wait):
                code = 0
                break
    if code:
        fail(f"the processes did not stop in order (code {code}); nothing is lost", Exit.STORE)


def _check_ports(together: Set) -> None:
    """Fails at once where a process would have no port: starting it again and again would not mend that."""
    health = together.health
    for number in range(together.processes if health.port else 0):
        listening(health.host, health.port + number, "--health-host or --health-port").close()


def _one_set(together: Set, stopping: threading.Event) -> int:
    """Runs all processes until they end; the first code that is not 0, or 0."""
    addresses = ",".join(_free_addresses(together.processes))
    running = [_started(together, addresses, number) for number in range(together.processes)]
    try:
        return _watched(running, stopping)
    finally:
        for process in running:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()


def _started(together: Set, addresses: str, number: int) -> subprocess.Popen[bytes]:
    """One process of the set. Its standard input is held open for as long as this one lives, and it stops in
    order when that ends."""
    health, settings = together.health, together.settings
    port = health.port + number if health.port else 0
    command = [
        *("--addresses", addresses, "--process-id", str(number), "--follow-stdin"),
        *("--health-host", health.host, "--health-port", str(port)),
        *("--recovery-dir", str(settings.recovery), "--partitions", str(settings.partitions)),
        *("--recovery-partitions", str(settings.recovery_partitions)),
        *(("--to-end",) if settings.to_end else ()),
        *(("--encoder", together.encoder) if together.encoder else ()),
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "pipeline.command_line.app", "worker", *command],
        stdin=subprocess.PIPE,
        start_new_session=True,  # a Ctrl-C comes to them from here, once
        env=_environment(together.addresses),
    )


def _environment(addresses: Addresses) -> dict[str, str]:
    """Addresses go by the environment: one may hold a password, and arguments are for all to see."""
    kafka = addresses.kafka
    given = {"STET_REDIS": addresses.redis, "STET_QDRANT": addresses.qdrant or ""}
    if kafka is not None:
        prefix = kafka.topics.messages.removesuffix(Topics().messages)
        given |= {"STET_KAFKA": kafka.brokers, "STET_TOPIC_PREFIX": prefix}
    return {**os.environ, **given}


def _watched(running: Sequence[subprocess.Popen[bytes]], stopping: threading.Event) -> int:
    until = float("inf")
    while True:
        codes = [process.poll() for process in running]
        failed = next((code for code in codes if code), None)
        if failed is not None and not stopping.is_set():
            return _first_cause(running, failed)
        if None not in codes:
            return failed or 0
        if stopping.is_set() and until == float("inf"):
            until = time.monotonic() + GRACE
            for process in running:
                if process.poll() is None:
                    process.terminate()
        if time.monotonic() > until:
            return int(Exit.STORE)
        time.sleep(0.1)


def _first_cause(running: Sequence[subprocess.Popen[bytes]], failed: int) -> int:
    """The code that says most of why a set ended: the process that the others ended after may be the last."""
    until = time.monotonic() + _LAST_WORDS
    while any(process.poll() is None for process in running) and time.monotonic() < until:
        time.sleep(0.1)
    codes = {process.poll() for process in running}
    return next((code for code in _FOR_GOOD if code in codes), failed)


def _free_addresses(count: int) -> list[str]:
    """Addresses on this host that are free now."""
    held = [socket.create_server((LOOPBACK, 0)) for _ in range(count)]
    try:
        return [f"{LOOPBACK}:{one.getsockname()[1]}" for one in held]
    finally:
        for one in held:
            one.close()
