"""Workers that are asked to stop."""

import os
import signal

from tests.servers.redis_server import RedisServer
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, lines, poison
from tests.stream.worker_process import wait_for


def test_asked_to_stop_under_load_it_stores_what_it_read_and_nothing_is_done_twice(stream: Stream) -> None:
    rows = conversation(stream.tenant, 8, 320)
    first = 8 * 50
    bad = list(poison(rows[0]).values())
    sent = lines(rows[:first]).splitlines()
    for number, line in enumerate(bad * 3):
        sent.insert(number * 10, line)
    stream.feed(b"".join(line + b"\n" for line in sent))
    worker = stream.worker()
    wait_for(lambda: stream.stored() > 0, "the first message")
    # However fast it is, it is asked while there is more to read than it reads at once.
    os.kill(worker.process.pid, signal.SIGSTOP)
    stream.feed(lines(rows[first:]))
    os.kill(worker.process.pid, signal.SIGTERM)
    os.kill(worker.process.pid, signal.SIGCONT)
    assert worker.code() == 0
    assert worker.said.splitlines()[-1] == "stet: stopped in order"
    assert worker.said.count("\n") == 2, worker.said
    done = stream.stored()
    assert done < len(rows), "it was not stopped under load"
    stream.finish()
    stream.assert_whole()
    assert len(stream.rejected()) == len(stream.put_aside()) == 3 * len(bad)
    assert assert_told(stream).repeated == 0


def test_a_second_signal_ends_it_at_once(stream: Stream) -> None:
    stream.feed(lines(conversation(stream.tenant, 8, 20)))
    worker = stream.worker()
    wait_for(lambda: stream.stored() > 0, "the first message")
    # Stopped in its tracks, so that it has not ended by the first before it gets the second.
    os.kill(worker.process.pid, signal.SIGSTOP)
    os.kill(worker.process.pid, signal.SIGTERM)
    os.kill(worker.process.pid, signal.SIGINT)
    os.kill(worker.process.pid, signal.SIGCONT)
    assert worker.code() in (-signal.SIGINT, -signal.SIGTERM)
    stream.finish()
    stream.assert_whole()


def test_a_set_that_waits_for_a_store_can_be_stopped_and_says_so(
    stream: Stream, own_redis: RedisServer
) -> None:
    rows = conversation(stream.tenant, 8, 60)
    stream.feed(lines(rows[:240]))
    together = stream.worker("--processes", "2")
    wait_for(lambda: stream.stored() > 0, "the first message")
    own_redis.pause()
    stream.feed(lines(rows[240:]))
    wait_for(lambda: "redis is away" in together.said, "a word of it")
    assert together.terminate() == 6
    assert "stopped while redis was away" in together.said
    assert "the processes did not stop in order (code 6); nothing is lost" in together.said
    assert "Traceback" not in together.said
    own_redis.resume()
    stream.finish()
    stream.assert_whole()
    assert_told(stream)
