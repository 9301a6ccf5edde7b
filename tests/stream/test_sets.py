"""Several processes as one worker: one that dies, a supervisor that dies, and more or fewer of them."""

import contextlib
import os
import signal
from pathlib import Path

from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, late, lines
from tests.stream.worker_process import wait_for


def gone(pid: int) -> bool:
    """Whether a process has ended, waited for by its parent or not."""
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].startswith("Z")
    return True


def test_a_set_of_which_one_is_killed_starts_again_by_itself(stream: Stream) -> None:
    rows = late(conversation(stream.tenant, 8, 120), seed=3)
    half = len(rows) // 2
    stream.feed(lines(rows[:half]))
    together = stream.worker("--processes", "2")
    wait_for(lambda: stream.stored() > 0, "the first message")
    first = together.children()
    os.kill(first[1], signal.SIGKILL)
    wait_for(lambda: all(map(gone, first)), "the end of the whole set")
    stream.feed(lines(rows[half:]))
    wait_for(lambda: stream.stored() == len(rows), "the last message")
    assert "a process ended with code -9: all are started again" in together.said
    assert together.terminate() == 0, together.said
    assert "Traceback" not in together.said
    stream.assert_whole()


def test_without_their_supervisor_the_processes_stop_in_order(stream: Stream) -> None:
    rows = conversation(stream.tenant, 8, 120)
    stream.feed(lines(rows))
    together = stream.worker("--processes", "2")
    wait_for(lambda: stream.stored() > 0, "the first message")
    processes = together.children()
    together.kill()
    wait_for(lambda: all(map(gone, processes)), "their end")
    assert together.said.count("stopped in order") == 2, together.said
    stream.finish("--processes", "2")
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
