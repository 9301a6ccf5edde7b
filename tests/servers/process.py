"""A server as a process of its own: it is started until it answers, paused, killed, and gone afterwards."""

import os
import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from tests.servers.port import Port

_ROOT = Path(__file__).resolve().parents[2]
_STARTS = 3
_LOG_LINES = 40


class ServerFailed(Exception):
    """A server ended, or did not answer in time; the message ends with its log."""


class Server(ABC):
    """One server process. Entering starts it, leaving ends it; between the two it may be paused and killed.

    It leads a process group of its own, which gets the signals. It dies with the test process where the
    system can see to that (Linux), so a run that is killed leaves none behind.
    """

    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGKILL
    start_seconds: ClassVar[float] = 30.0

    def __init__(self, folder: Path) -> None:
        """`folder`, which exists, is for the log and for what the server stores."""
        self.folder = folder
        self._ports: list[Port] = []
        self._process: subprocess.Popen[bytes] | None = None
        self.take_ports()

    @abstractmethod
    def command(self) -> list[str]:
        """The command that starts it on its ports."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether it takes requests; False where another process answers on its port."""

    def take_ports(self) -> None:
        """Takes the ports it listens on; called again where a stranger was faster."""
        self._ports = [Port()]

    @property
    def port(self) -> int:
        return self._ports[0].number

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ServerFailed(f"{self.name} is not running")
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts it on its port and returns once it answers. Raises ServerFailed."""
        if self.running:
            raise ServerFailed(f"{self.name} runs already")
        with self._log().open("ab") as log:
            self._process = subprocess.Popen(
                [*_dying_with_this(), *self.command()],
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.kill()
            raise

    def pause(self) -> None:
        """Stops it in its tracks: connections stay open and nothing is answered. Returns once it stands."""
        os.killpg(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def resume(self) -> None:
        os.killpg(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """`kill -9`, and waits until it is gone. One that is gone already is no error."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends it as its kind is ended, paused or not, and gives its ports back. Twice is no error."""
        self._end(self.stop_signal)
        for port in self._ports:
            port.give_back()
        self._ports = []

    def log(self) -> str:
        """The last lines that it wrote."""
        return "\n".join(self._log().read_text(errors="replace").splitlines()[-_LOG_LINES:])

    def __enter__(self) -> Self:
        for attempt in range(1, _STARTS + 1):
            try:
                self.start()
                return self
            except BaseException as error:
                self.stop()
                if attempt == _STARTS or not isinstance(error, ServerFailed):
                    raise
                self.take_ports()
        raise AssertionError("unreachable")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        if self.running:
            os.killpg(self._process.pid, how)
            os.killpg(self._process.pid, signal.SIGCONT)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def _wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + self.start_seconds
        while self.running:
            if self.answers():
                return
            if time.monotonic() > deadline:
                raise ServerFailed(f"{self.name} did not answer in {self.start_seconds:g} s:\n{self.log()}")
            time.sleep(0.02)
        raise ServerFailed(f"{self.name} ended before it answered:\n{self.log()}")


def _dying_with_this() -> list[str]:
    """A prefix that has the system kill the command when the process that started it dies."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []
