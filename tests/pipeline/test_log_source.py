"""The log as a source: from where it stopped, up to where it is told, never past the end it once had."""

import threading
import time
from pathlib import Path

import pytest

from pipeline.embedded import Embedded
from pipeline.log_source import BATCH, IDLE, LogSource
from pipeline.received import Received
from pipeline.tally import Tally
from state.message_log import LogError, LogRecord, MessageLog
from tests.pipeline.command import ingest, lines, message, stet


@pytest.fixture
def log(tmp_path: Path) -> MessageLog:
    log = MessageLog(tmp_path)
    log.append([LogRecord(b"%d" % n, f"a.jsonl:{n + 1}", attempt=1 + n % 2) for n in range(BATCH + 10)])
    return log


def drained(log: MessageLog, start: int | None, end: int) -> list[Received]:
    part = LogSource(log, lambda: end).build_part("messages", "log", start)
    found: list[Received] = []
    try:
        while True:
            found.extend(part.next_batch())
            assert part.snapshot() == (start or 0) + len(found)
    except StopIteration:
        return found


def test_it_gives_every_record_once_as_it_was_logged(log: MessageLog) -> None:
    found = drained(log, None, log.end)
    assert [r.offset for r in found] == list(range(BATCH + 10))
    assert found[7] == Received(7, b"7", "a.jsonl:8", "", 2)


def test_it_goes_on_where_a_snapshot_says_and_stops_where_it_is_told(log: MessageLog) -> None:
    assert [r.offset for r in drained(log, 5, 9)] == [5, 6, 7, 8]
    assert drained(log, 9, 5) == []
    assert drained(log, log.end, log.end) == []


def test_it_tells_where_it_begins(log: MessageLog) -> None:
    told: list[int] = []
    LogSource(log, lambda: 0, told.append).build_part("messages", "log", 5)
    assert told == [5]


def test_at_the_end_it_waits_for_more(log: MessageLog) -> None:
    part = LogSource(log, lambda: None).build_part("messages", "log", log.end)
    assert part.next_batch() == []
    log.append([LogRecord(b"new")])
    (one,) = part.next_batch()
    assert one.raw == b"new"


def test_an_idle_reader_waits_on_no_wall_clock_and_is_woken_by_a_record(log: MessageLog) -> None:
    part = LogSource(log, lambda: None).build_part("messages", "log", log.end)
    assert part.next_batch() == []
    awake = part.next_awake()
    assert awake is None or awake.year == 1970, "a clock that is set back would stop it"
    begun = time.monotonic()
    assert part.next_batch() == [], "it waits for ever"
    assert time.monotonic() - begun >= IDLE
    later = threading.Timer(IDLE / 2, log.append, [[LogRecord(b"new")]])
    later.start()
    found: list[Received] = []
    while not found:
        found = part.next_batch()
    assert [r.raw for r in found] == [b"new"]
    later.join()


def test_a_log_that_ends_before_its_offset_is_an_error(log: MessageLog) -> None:
    with pytest.raises(LogError, match="older than the rest of the data folder"):
        LogSource(log, lambda: 0).build_part("messages", "log", log.end + 1)


def test_a_log_from_an_older_backup_is_told_in_one_line(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ingest(lines([message(n) for n in range(3)]), data)
    for file in (data / "log").iterdir():
        file.unlink()
    outcome = ingest(lines([message(9)]), data)
    assert outcome.code == 6
    assert outcome.out == b""
    assert outcome.err.startswith(f"stet: the message log in {data / 'log'} ends at 0, but what lies up to 3")
    assert outcome.err.count("\n") == 1
    assert list((data / "log").iterdir()) == [], "something was written all the same"


def test_an_unfinished_write_that_was_cut_off_is_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ingest(lines([message(1)]), data)
    (file,) = (data / "log").glob("*.log")
    with file.open("ab") as log:
        log.write(b"half a record")
    outcome = ingest(lines([message(2)]), data)
    assert outcome.code == 0
    assert outcome.err.startswith("stet: the last 13 bytes of the message log were an unfinished write")
    assert outcome.err.count("\n") == 1
    assert outcome.json["messages"] == 1
    assert stet("state", "ann", data=data).err == ""


def test_a_run_knows_where_it_began(tmp_path: Path) -> None:
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as folder:
        for n in range(3):
            folder.append([LogRecord(line) for line in lines([message(n)]).splitlines()])
            tally = Tally()
            folder.run(lambda folder=folder: folder.log.end, tally)
            assert (tally.begun, tally.seen) == (n, 1)
