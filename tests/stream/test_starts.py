"""Workers that cannot start, and two that write one graph."""

import os
import shutil
import signal
import socket

from tests.servers.port import Port
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, lines
from tests.stream.worker_process import Worker, wait_for


def test_without_a_server_it_says_in_one_line_which_and_what_to_do(stream: Stream) -> None:
    nowhere = Port()
    address = f"127.0.0.1:{nowhere.number}"
    tried = {
        "no broker of": stream.worker(where=stream.elsewhere(kafka=address)),
        "Redis at": stream.worker(where=stream.elsewhere(redis=f"redis://{address}")),
        "Qdrant at": stream.worker(where=stream.elsewhere(qdrant=f"http://{address}")),
    }
    for which, worker in tried.items():
        assert worker.code() == 6
        assert worker.said.startswith(f"stet: {which}")
        assert address in worker.said
        assert "start it, or correct the address" in worker.said
        assert worker.said.count("\n") == 1
    nowhere.give_back()


def paused(worker: Worker) -> None:
    for pid in (*worker.children(), worker.process.pid):
        os.kill(pid, signal.SIGSTOP)


def resumed(worker: Worker) -> None:
    for pid in (*worker.children(), worker.process.pid):
        os.kill(pid, signal.SIGCONT)


def test_a_set_that_was_thought_dead_stops_for_good_once_a_newer_one_writes(stream: Stream) -> None:
    rows = conversation(stream.tenant, 6, 90)
    third = len(rows) // 3
    stream.feed(lines(rows[:third]))
    older = stream.worker("--processes", "2")
    wait_for(lambda: stream.stored() == third, "the first third")
    paused(older)
    newer = stream.worker(recovery="newer")  # of a host that does not see the older one's folder
    stream.feed(lines(rows[third : 2 * third]))
    wait_for(lambda: stream.stored() == 2 * third, "the second third")
    paused(newer)
    resumed(older)
    stream.feed(lines(rows[2 * third :]))
    assert older.code() == 7
    assert "a newer worker writes" in older.said
    assert "started again" not in older.said
    resumed(newer)
    wait_for(lambda: stream.stored() == len(rows), "the last third")
    assert newer.terminate() == 0, newer.said
    stream.finish()
    stream.assert_whole()
    assert_told(stream)


def test_a_recovery_folder_has_one_set_of_workers(stream: Stream) -> None:
    stream.feed(lines(conversation(stream.tenant, 4, 10)))
    first = stream.worker()
    wait_for(lambda: stream.stored() == 40, "the messages")
    second = stream.worker()
    assert second.code() == 6
    assert "another worker has" in second.said
    assert first.terminate() == 0, first.said
    stream.finish()
    stream.assert_whole()


def test_a_set_without_a_port_for_each_process_is_told_so_at_once(stream: Stream) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        before = taken.getsockname()[1] - 1
        together = stream.worker("--processes", "2", "--health-port", str(before))
        assert together.code() == 6
    assert "cannot listen on 127.0.0.1:" in together.said
    assert "started again" not in together.said


def test_a_set_whose_recovery_folder_is_damaged_ends_and_says_so(stream: Stream) -> None:
    first = stream.worker("--processes", "2")
    stream.feed(lines(conversation(stream.tenant, 4, 10)))
    wait_for(lambda: stream.stored() == 40, "the messages")
    assert first.terminate() == 0, first.said
    part = next((stream.folder / "recovery").glob("**/part-*.sqlite3"))
    part.write_bytes(b"no database at all" * 100)
    again = stream.worker("--processes", "2")
    assert again.code() == 4
    assert "delete it" in again.said
    assert "started again" not in again.said
    shutil.rmtree(part.parent)
    stream.finish()
    stream.assert_whole()
