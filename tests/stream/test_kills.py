"""Workers that are killed: what comes out is what comes out in peace (DESIGN I1, I2, I5).

STET_KILLS=10 kills ten times in each test, instead of three times and twice.
"""

import os
import random
import time

from tests.stream.consumers import Reader, assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, lines, unruly
from tests.stream.worker_process import Worker, wait_for

KILLS = int(os.environ.get("STET_KILLS", "0"))
SUBJECTS, TURNS = 8, 120


def kill_somewhere(stream: Stream, worker: Worker, target: float, chance: random.Random) -> None:
    """Kills it once it has stored so much, and a random moment later; one in five while it starts."""
    if chance.random() < 0.2:
        time.sleep(chance.uniform(0.0, 3.0))
    else:
        wait_for(lambda: stream.stored() >= target or not worker.running, "so much in the graph")
        time.sleep(chance.uniform(0.0, 0.3))
    assert worker.running, worker.said
    worker.kill()


def test_killed_anywhere_it_ends_as_if_in_peace_and_no_reader_sees_it_go_back(stream: Stream) -> None:
    chance, kills = random.Random(1), KILLS or 3
    stream.feed(lines(conversation(stream.tenant, SUBJECTS, TURNS)))
    with Reader(stream, stream.subject(0)) as first, Reader(stream, stream.subject(5)) as second:
        for kill in range(kills):
            target = SUBJECTS * TURNS * (kill + chance.random()) / kills * 0.9
            kill_somewhere(stream, stream.worker(), target, chance)
        stream.finish()
        # All of it again, by a worker that has no recovery store: the graph stays as it is.
        stream.finish(recovery="another")
    assert (first.lost, second.lost) == ([], [])
    assert first.reads
    stream.assert_whole()
    assert_told(stream)


def test_killed_over_edits_deletes_and_copies_in_any_order(stream: Stream) -> None:
    chance, kills = random.Random(2), KILLS or 2
    stream.feed(lines(unruly(conversation(stream.tenant, SUBJECTS, TURNS), seed=2)))
    for kill in range(kills):
        target = SUBJECTS * TURNS * 0.7 * (kill + chance.random()) / kills
        kill_somewhere(stream, stream.worker(), target, chance)
    stream.finish()
    stream.assert_whole()
    assert_told(stream)
