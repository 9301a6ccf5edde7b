"""Several processes as one worker: one that dies, a supervisor that dies, and more or fewer of them.

STET_KILLS=10 kills a process ten times instead of once.
"""

import contextlib
import os
import random
import re
import signal
import socket
from pathlib import Path

import httpx

from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, late, lines
from tests.stream.worker_process import Worker, wait_for

KILLS = int(os.environ.get("STET_KILLS", "1"))


def gone(pid: int) -> bool:
    """Whether a process has ended, waited for by its parent or not."""
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].startswith("Z")
    return True


def kill_one(stream: Stream, together: Worker, stored: int, chance: random.Random) -> None:
    """Kills one of the processes once more than `stored` is stored; returns when none of them is left."""
    wait_for(lambda: stream.stored() > stored, "a message more")
    running = together.children()
    os.kill(chance.choice(running), signal.SIGKILL)
    wait_for(lambda: all(map(gone, running)), "the end of the whole set")


def test_a_set_of_which_one_is_killed_starts_again_by_itself(stream: Stream) -> None:
    chance = random.Random(3)
    rows = late(conversation(stream.tenant, 8, 60 * (KILLS + 1)), seed=3)
    together = stream.worker("--processes", "2")
    for part in range(KILLS + 1):
        stream.feed(lines(rows[480 * part : 480 * (part + 1)]))
        if part < KILLS:
            kill_one(stream, together, 480 * part, chance)
    wait_for(lambda: stream.stored() == len(rows), "the last message")
    assert together.said.count("a process ended with code -9: all are started again") == KILLS
    assert together.terminate() == 0, together.said
    assert "Traceback" not in together.said
    stream.finish()
    stream.assert_whole()
    assert_told(stream)


def test_the_processes_of_a_set_share_the_work(stream: Stream) -> None:
    stream.feed(lines(conversation(stream.tenant, 40, 6)))
    port = two_ports()
    together = stream.worker("--processes", "2", "--health-port", str(port))
    wait_for(lambda: stream.stored() == 240, "the messages")
    shares = [applied(port + number) for number in range(2)]
    assert min(shares) > 0, shares
    assert together.terminate() == 0, together.said


def two_ports() -> int:
    """The first of two neighbouring ports that are free now."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as one:
            port: int = one.getsockname()[1]
            with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port + 1)):
                return port


def applied(port: int) -> float:
    """How many messages the process whose metrics are there has stored."""
    told = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
    return float(re.findall(r"^stet_messages_applied_total (\S+)", told, re.MULTILINE)[0])


def test_without_their_supervisor_the_processes_stop_in_order(stream: Stream) -> None:
    rows = conversation(stream.tenant, 8, 120)
    stream.feed(lines(rows))
    together = stream.worker("--processes", "2")
    wait_for(lambda: stream.stored() > 0, "the first message")
    processes = together.children()
    together.kill()
    wait_for(lambda: all(map(gone, processes)), "their end")
    assert together.said.count("stopped in order") == 2, together.said
    stream.finish()
    stream.assert_whole()
    assert assert_told(stream).repeated == 0


def test_one_process_then_two_then_one_on_one_recovery_folder(stream: Stream) -> None:
    rows = conversation(stream.tenant, 8, 120)
    third = len(rows) // 3
    for at, processes in ((0, "1"), (third, "2"), (2 * third, "1")):
        stream.feed(lines(rows[at : at + third]))
        stream.finish("--processes", processes)
    stream.assert_whole()
    assert assert_told(stream).repeated == 0
