"""`stet worker` as a process that a test watches, asks, stops and kills."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from tests.servers.port import Port

ROOT = Path(__file__).parents[2]
DEADLINE = 90.0
"""Seconds that anything may take before a test gives up on it."""


def wait_for(reached: Callable[[], object], what: str = "it") -> None:
    deadline = time.monotonic() + DEADLINE
    while not reached():
        assert time.monotonic() < deadline, f"{what} never came"
        time.sleep(0.01)


class Worker:
    """`stet worker` as a process of its own. What it says on standard error is in `said`."""

    def __init__(self, log: Path, env: dict[str, str], *arguments: str) -> None:
        self._log = log
        self.port = Port()
        # Of several processes each has the next port, which may not be free: these choose theirs themselves.
        health = "0" if "--processes" in arguments else str(self.port.number)
        command = [sys.executable, "-m", "pipeline.command_line.app", "worker"]
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                [*command, "--health-port", health, *arguments],
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._log.read_text(errors="replace")

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)

    def terminate(self) -> int:
        """Asks it to stop; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.code()

    def code(self) -> int:
        """Its exit code, once it has ended."""
        try:
            return self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"it does not end:\n{self.said}") from error

    def children(self) -> list[int]:
        """The processes of a set."""
        held = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in held.split()]

    def ready(self) -> bool:
        """What /readyz says; False also where nothing answers."""
        return self.reasons() == []

    def reasons(self) -> list[str] | None:
        """Why /readyz is not 200; None where it does not answer."""
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.port.number}/readyz", timeout=5.0)
        except httpx.TransportError:
            return None
        told: dict[str, Any] = answer.json()
        assert (answer.status_code == 200) == told["ready"]
        return list(told["reasons"])

    def wait_until_ready(self) -> None:
        def come() -> bool:
            assert self.running, self.said
            return self.ready()

        wait_for(come, "readiness")

    def end(self) -> None:
        """Leaves no process of it behind."""
        for pid in self.children() if self.running else []:
            os.kill(pid, signal.SIGKILL)
        if self.running:
            self.kill()
        self.port.give_back()
