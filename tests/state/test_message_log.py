"""The message log keeps every record that was acknowledged, in order, and only those that are whole."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from state.message_log import ERASED, MAX_RECORD_BYTES, LogDamaged, LogError, LogRecord, MessageLog

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from state.message_log import LogRecord, MessageLog
log = MessageLog(Path(sys.argv[1]), segment_bytes=4096)
print(log.end, flush=True)
while True:
    n = log.end
    print(log.append([LogRecord(f"record {n + i}".encode() * 5) for i in range(7)]).stop, flush=True)
"""

records = st.builds(
    LogRecord,
    raw=st.binary(max_size=300),
    origin=st.text(st.characters(codec="utf-8"), max_size=20),
    fault=st.sampled_from(["", "line_too_long"]),
    attempt=st.integers(1, 255),
)


def numbered(count: int, first: int = 0) -> list[LogRecord]:
    return [
        LogRecord(f"{{message {n} 语}}".encode(), f"in.jsonl:{n + 1}") for n in range(first, first + count)
    ]


def whole(log: MessageLog, limit: int = 1000) -> list[LogRecord]:
    """All records, read as a consumer reads them."""
    found: list[LogRecord] = []
    while batch := log.read(len(found), limit):
        assert [logged.offset for logged in batch] == list(range(len(found), len(found) + len(batch)))
        found += [logged.record for logged in batch]
    return found


def test_offsets_count_from_zero_without_gaps(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        assert log.end == 0
        assert log.append(numbered(3)) == range(3)
        assert log.append([]) == range(3, 3)
        assert log.append(numbered(2, first=3)) == range(3, 5)
        assert log.end == 5


def test_a_read_starts_anywhere_and_stops_at_the_end(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        log.append(numbered(200))
        assert [(r.offset, r.record) for r in log.read(130, 3)] == list(enumerate(numbered(200)))[130:133]
        assert [r.offset for r in log.read(198, 100)] == [198, 199]
        assert log.read(200, 10) == []
        assert log.read(10**9, 10) == []
        with pytest.raises(ValueError, match="offset"):
            log.read(-1, 1)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(records, max_size=80), max_size=8), limit=st.integers(1, 100))
def test_what_was_appended_is_read_back_whatever_the_batches_and_segments(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[LogRecord]], limit: int
) -> None:
    folder = tmp_path_factory.mktemp("log")
    for batch in batches:  # opened anew for each
        with MessageLog(folder, segment_bytes=2000) as log:
            log.append(batch)
            assert log.cut_bytes == 0
    with MessageLog(folder, segment_bytes=2000) as log:
        assert whole(log, limit) == [record for batch in batches for record in batch]


@settings(max_examples=60, deadline=None)
@given(batch=st.lists(records, min_size=1, max_size=100), data=st.data())
def test_a_torn_tail_is_cut_to_the_last_whole_record(
    tmp_path_factory: pytest.TempPathFactory, batch: list[LogRecord], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("log")
    with MessageLog(folder) as log:
        log.append(batch)
    segment = folder / f"{0:020d}.log"
    body = segment.read_bytes()
    cut = data.draw(st.integers(0, len(body) - 1))
    rubbish = data.draw(st.sampled_from([b"", b"\x00" * 100, b"\xff" * 100]))
    segment.write_bytes(body[:cut] + rubbish)
    with MessageLog(folder) as log:
        kept = whole(log)
        assert kept == batch[: len(kept)]
        assert len(kept) < len(batch)
        assert segment.stat().st_size <= cut
        assert log.cut_bytes == cut + len(rubbish) - segment.stat().st_size
        assert log.append([LogRecord(b"next")]) == range(len(kept), len(kept) + 1)
        assert whole(log) == [*kept, LogRecord(b"next")]


def test_what_is_cut_is_kept_beside_the_log(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        log.append(numbered(1))
    segment = tmp_path / f"{0:020d}.log"
    size = segment.stat().st_size
    with segment.open("ab") as file:
        file.write(b"half a rec")
    MessageLog(tmp_path).close()
    assert (tmp_path / f"{0:020d}.torn-{size}").read_bytes() == b"half a rec"


def test_a_killed_writer_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    for _ in range(3):
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(30):
                acknowledged = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
        with MessageLog(tmp_path, segment_bytes=4096) as log:
            assert log.end >= acknowledged > 0
            assert whole(log) == [LogRecord(f"record {n}".encode() * 5) for n in range(log.end)]
    assert len(list(tmp_path.glob("*.log"))) > 3


def test_damage_in_a_sealed_segment_is_told_and_never_skipped(tmp_path: Path) -> None:
    with MessageLog(tmp_path, segment_bytes=1000) as log:
        for n in range(100):
            log.append(numbered(1, first=n))
    first = tmp_path / f"{0:020d}.log"
    body = bytearray(first.read_bytes())
    body[len(body) // 2] ^= 1
    first.write_bytes(body)
    with MessageLog(tmp_path) as log, pytest.raises(LogDamaged, match="backup"):
        whole(log)


def test_a_missing_first_segment_is_told(tmp_path: Path) -> None:
    with MessageLog(tmp_path, segment_bytes=1) as log:
        log.append(numbered(1))
        log.append(numbered(1))
    (tmp_path / f"{0:020d}.log").unlink()
    with pytest.raises(LogDamaged):
        MessageLog(tmp_path)


@pytest.mark.parametrize("damage", ["missing", "short", "flipped"])
def test_a_lost_index_is_rebuilt(tmp_path: Path, damage: str) -> None:
    with MessageLog(tmp_path, segment_bytes=5000) as log:
        for n in range(5):
            log.append(numbered(150, first=150 * n))
    for index in sorted(tmp_path.glob("*.index")):
        body = index.read_bytes()
        if damage == "missing":
            index.unlink()
        elif damage == "short":
            index.write_bytes(body[:5])
        else:
            index.write_bytes(body[:-8] + bytes([body[-8] ^ 1]) + body[-7:])
    with MessageLog(tmp_path) as log:
        assert [logged.record for logged in log.read(149, 2)] == numbered(2, first=149)
        assert whole(log) == numbered(750)


def test_a_reader_tails_a_writer_in_another_thread(tmp_path: Path) -> None:
    with MessageLog(tmp_path, segment_bytes=3000) as log:

        def write() -> None:
            for n in range(0, 600, 6):
                log.append(numbered(6, first=n))

        writer = threading.Thread(target=write)
        writer.start()
        seen: list[LogRecord] = []
        while len(seen) < 600:
            assert log.wait(len(seen), timeout=60)
            seen += [logged.record for logged in log.read(len(seen), 50)]
        writer.join()
        assert seen == numbered(600)


def test_writers_in_many_threads_get_ranges_of_their_own(tmp_path: Path) -> None:
    ranges: list[range] = []
    with MessageLog(tmp_path) as log:

        def write(name: int) -> None:
            for _ in range(10):
                ranges.append(log.append([LogRecord(b"x", str(name))] * 3))

        threads = [threading.Thread(target=write, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(offset for taken in ranges for offset in taken) == list(range(120))
        assert log.end == 120


def test_waiting_ends_when_the_log_is_closed(tmp_path: Path) -> None:
    log = MessageLog(tmp_path)
    assert not log.wait(0, timeout=0.01)
    threading.Timer(0.05, log.close).start()
    assert not log.wait(0, timeout=60)
    with pytest.raises(LogError, match="closed"):
        log.append(numbered(1))


def test_a_record_that_is_too_long_is_refused_and_nothing_of_its_batch_is_kept(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        with pytest.raises(ValueError, match="at most"):
            log.append([*numbered(2), LogRecord(b"x" * (MAX_RECORD_BYTES + 1))])
        assert log.end == 0
        assert log.append([LogRecord(b"x" * (MAX_RECORD_BYTES - 100))]) == range(1)
        assert len(log.read(0, 1)[0].record.raw) == MAX_RECORD_BYTES - 100


def test_an_erased_record_leaves_its_offset_and_nothing_else(tmp_path: Path) -> None:
    with MessageLog(tmp_path, segment_bytes=2000) as log:
        for n in range(0, 200, 10):
            log.append(numbered(10, first=n))
        erased = [n for n, record in enumerate(numbered(200)) if b"7" in record.raw]
        assert log.erase(lambda record: b"7" in record.raw) == len(erased)
        assert log.erase(lambda record: b"7" in record.raw) == 0
        log.append(numbered(1, first=200))
    with MessageLog(tmp_path, segment_bytes=2000) as log:
        expected = [LogRecord(b"", fault=ERASED) if n in erased else r for n, r in enumerate(numbered(201))]
        assert whole(log) == expected
    kept_bytes = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"message 177" not in kept_bytes
    assert b"in.jsonl:178" not in kept_bytes


def test_a_cut_tail_and_a_half_made_erasure_keep_no_text(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        log.append(numbered(2))
    (tmp_path / f"{0:020d}.draft").write_bytes(b"secret")
    with (tmp_path / f"{0:020d}.log").open("ab") as file:
        file.write(b"secret")
    with MessageLog(tmp_path) as log:
        assert log.cut_bytes == 6
        assert log.erase(lambda record: False) == 0
        assert whole(log) == numbered(2)
    assert [path.name for path in tmp_path.iterdir()] == [f"{0:020d}.log"]


def test_a_reader_goes_on_while_records_are_erased(tmp_path: Path) -> None:
    with MessageLog(tmp_path, segment_bytes=3000) as log:
        log.append(numbered(300))
        log.append(numbered(300, first=300))
        thread = threading.Thread(
            target=log.erase, args=(lambda record: record.raw.endswith(b"5 \xe8\xaf\xad}"),)
        )
        thread.start()
        for _ in range(20):
            for n, record in enumerate(whole(log, limit=37)):
                assert record in (numbered(1, first=n)[0], LogRecord(b"", fault=ERASED))
        thread.join()
        assert sum(record.fault == ERASED for record in whole(log)) == 60


def test_a_file_name_that_is_no_text_stops_nothing(tmp_path: Path) -> None:
    with MessageLog(tmp_path) as log:
        log.append([LogRecord(b"x", "calls\udcff.jsonl:1")])
        assert log.read(0, 1)[0].record.origin == "calls?.jsonl:1"


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    """The limit on a file's size stands in for the full disk: the write fails part of the way."""
    script = """
import resource, signal, sys
from pathlib import Path
from state.message_log import LogRecord, MessageLog
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with MessageLog(Path(sys.argv[1])) as log:
    log.append([LogRecord(b"kept")])
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, resource.RLIM_INFINITY))
    try:
        log.append([LogRecord(b"x" * 3000)] * 3)
    except OSError as error:
        print(type(error).__name__, log.end)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(log.append([LogRecord(b"after")]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "OSError 1\nrange(1, 2)\n"
    with MessageLog(tmp_path) as log:
        assert whole(log) == [LogRecord(b"kept"), LogRecord(b"after")]
        assert log.cut_bytes == 0


def test_reading_costs_no_more_in_a_longer_log(tmp_path: Path) -> None:
    """Counted in bytes that the read takes from the disk, not in seconds."""

    def cost(log: MessageLog) -> int:
        taken = 0
        pread = os.pread

        def counted(descriptor: int, length: int, at: int) -> bytes:
            nonlocal taken
            data = pread(descriptor, length, at)
            taken += len(data)
            return data

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "pread", counted)
            assert len(log.read(log.end // 2, 10)) == 10
        return taken

    with MessageLog(tmp_path, segment_bytes=200_000) as log:
        log.append(numbered(3_000))
        short = cost(log)
        for n in range(10):
            log.append(numbered(3_000, first=3_000 * n))
        assert cost(log) <= short
