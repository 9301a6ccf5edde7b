"""Workers that are killed: what comes out is what comes out in peace (DESIGN I1, I2, I5).

STET_KILLS=10 kills ten times in each test, instead of three times and twice.
"""

import os
import random
import time
from collections.abc import Iterator, Sequence

from tests.stream.consumers import Reader, assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import Row, conversation, lines, unruly
from tests.stream.worker_process import wait_for

KILLS = int(os.environ.get("STET_KILLS", "0"))
PART = 8 * 40
"""Messages that come in between two kills."""


def kill_somewhere(stream: Stream, rows: Sequence[Row], chance: random.Random) -> None:
    """Feeds rows to a worker and kills it a random moment after its first write; one in five as it starts."""
    stream.feed(lines(rows))
    before = stream.writes()
    worker = stream.worker()
    if chance.random() < 0.2:
        time.sleep(chance.uniform(0.0, 2.0))
    else:
        wait_for(lambda: stream.writes() > before or not worker.running, "a write")
        time.sleep(chance.uniform(0.0, 0.4))
    assert worker.running, worker.said
    worker.kill()


def parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[at : at + PART] for at in range(0, len(rows), PART))


def test_killed_anywhere_it_ends_as_if_in_peace_and_no_reader_sees_it_go_back(stream: Stream) -> None:
    chance, rows = random.Random(1), conversation(stream.tenant, 8, 40 * (KILLS or 3))
    with Reader(stream, stream.subject(0)) as first, Reader(stream, stream.subject(5)) as second:
        for part in parts(rows):
            kill_somewhere(stream, part, chance)
        stream.finish()
        # All of it again, by a worker that has no recovery store: the graph stays as it is.
        stream.finish(recovery="another")
    assert (first.lost, second.lost) == ([], [])
    assert first.reads
    stream.assert_whole()
    assert_told(stream)


def test_killed_over_edits_deletes_and_copies_in_any_order(stream: Stream) -> None:
    chance, rows = random.Random(2), unruly(conversation(stream.tenant, 8, 30 * (KILLS or 2)), seed=2)
    for part in parts(rows):
        kill_somewhere(stream, part, chance)
    stream.finish()
    stream.assert_whole()
    assert_told(stream)
