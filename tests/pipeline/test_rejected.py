"""What was refused is kept once, with its reason and origin, until it was fed again (DESIGN I5)."""

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.parse import Reason, Rejected
from pipeline.received import Received, Refused
from pipeline.rejected import REPLAY_BATCH, RejectedDamaged, RejectedRecord, RejectedStream
from state.message_log import LogRecord

ROOT = Path(__file__).parents[2]
NOW = datetime(2025, 3, 1, tzinfo=UTC)
WRITER = """
import sys
from pathlib import Path
from operators.parse import Reason, Rejected
from pipeline.received import Received, Refused
from pipeline.rejected import RejectedStream
stream = RejectedStream(Path(sys.argv[1]))
for n in range(int(sys.argv[2]), 10**9):
    why = Rejected(Reason.MALFORMED_JSON, "it ends early")
    stream.write([Refused(Received(2 * n + i, b"{half", "a.jsonl:1"), why) for i in range(2)])
    print(n, flush=True)
"""


def refused(offset: int, raw: bytes = b'{"id": ', reason: Reason = Reason.MALFORMED_JSON) -> Refused:
    return Refused(Received(offset, raw, f"calls.jsonl:{offset + 1}"), Rejected(reason, "it ends early"))


def opened(folder: Path) -> RejectedStream:
    return RejectedStream(folder, clock=lambda: NOW)


def offsets(stream: RejectedStream, with_replayed: bool = False) -> list[int]:
    return [record.offset for record in stream.records(with_replayed)]


def replayed(stream: RejectedStream) -> list[LogRecord]:
    fed: list[LogRecord] = []
    assert stream.replay(fed.extend) == len(fed)
    return fed


def test_a_record_is_kept_with_its_reason_and_its_place(tmp_path: Path) -> None:
    with opened(tmp_path) as stream:
        assert stream.write([refused(11)]) == 1
        (record,) = stream.records()
    assert record == RejectedRecord(
        offset=11,
        attempt=1,
        reason="malformed_json",
        detail="it ends early",
        origin="calls.jsonl:12",
        raw=b'{"id": ',
        rejected_at=NOW,
    )
    assert (record.file, record.line) == ("calls.jsonl", 12)


@pytest.mark.parametrize(
    ("origin", "file", "line"),
    [("", "", None), ("http", "http", None), ("a:b:7", "a:b", 7), ("x:", "x:", None)],
)
def test_an_origin_may_name_no_line(tmp_path: Path, origin: str, file: str, line: int | None) -> None:
    with opened(tmp_path) as stream:
        stream.write([Refused(Received(0, b"", origin), Rejected(Reason.EMPTY_ID, "id is empty"))])
        (record,) = stream.records()
    assert (record.file, record.line) == (file, line)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.binary(max_size=200) | st.text(st.characters(codec="utf-8")).map(str.encode), max_size=10))
def test_any_bytes_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, raws: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("rejected")
    with opened(folder) as stream:
        stream.write(refused(n, raw) for n, raw in enumerate(raws))
    with opened(folder) as stream:
        assert [record.raw for record in stream.records()] == raws
        assert [record.raw for record in replayed(stream)] == raws


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 20), max_size=6), max_size=8), st.data())
def test_an_offset_is_kept_once_whatever_is_repeated_reopened_or_replayed(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("rejected")
    seen: set[int] = set()
    pending: set[int] = set()
    stream = opened(folder)
    for batch in batches:
        assert stream.write([refused(offset) for offset in batch]) == len(set(batch) - seen)
        pending |= set(batch) - seen
        seen |= set(batch)
        if data.draw(st.booleans()):
            assert len(replayed(stream)) == len(pending)
            pending = set()
        if data.draw(st.booleans()):
            stream.close()
            stream = opened(folder)
        assert stream.pending == len(pending)
        assert sorted(offsets(stream)) == sorted(pending)
        assert sorted(offsets(stream, with_replayed=True)) == sorted(seen)
    stream.close()


def test_a_replay_feeds_each_record_once_with_its_attempt_raised(tmp_path: Path) -> None:
    with opened(tmp_path) as stream:
        stream.write(refused(n) for n in range(REPLAY_BATCH + 1))
        batches: list[list[LogRecord]] = []
        assert stream.replay(batches.append) == REPLAY_BATCH + 1
        assert [len(batch) for batch in batches] == [REPLAY_BATCH, 1]
        assert batches[0][0] == LogRecord(b'{"id": ', "calls.jsonl:1", "", attempt=2)
        assert stream.pending == 0
        assert replayed(stream) == []
        assert len(offsets(stream, with_replayed=True)) == REPLAY_BATCH + 1


def test_a_line_that_was_cut_is_refused_again_and_never_parsed_as_if_whole(tmp_path: Path) -> None:
    with opened(tmp_path) as stream:
        stream.write([refused(0, b"{}", Reason.LINE_TOO_LONG), refused(1, b"{}", Reason.TRUNCATED_GZIP)])
        assert [record.fault for record in replayed(stream)] == ["line_too_long", ""]


def test_a_replay_that_fails_part_of_the_way_leaves_all_pending(tmp_path: Path) -> None:
    fed: list[list[LogRecord]] = []

    def append(batch: list[LogRecord]) -> None:
        if fed:
            raise OSError("the disk is full")
        fed.append(batch)

    count = REPLAY_BATCH + 1
    with opened(tmp_path) as stream:
        stream.write(refused(n) for n in range(count))
        with pytest.raises(OSError, match="full"):
            stream.replay(append)
        assert (stream.pending, offsets(stream)) == (count, list(range(count)))
        stream.write([refused(count)])
    with opened(tmp_path) as stream:
        assert stream.pending == count + 1
        assert len(replayed(stream)) == count + 1
        assert stream.pending == 0


def test_what_is_refused_during_a_replay_waits_for_the_next(tmp_path: Path) -> None:
    with opened(tmp_path) as stream:

        def append(batch: list[LogRecord]) -> None:
            again = Received(1, batch[0].raw, batch[0].origin, attempt=batch[0].attempt)
            stream.write([Refused(again, Rejected(Reason.MALFORMED_JSON, "still"))])

        stream.write([refused(0)])
        assert stream.replay(append) == 1
        assert [(record.offset, record.attempt) for record in stream.records()] == [(1, 2)]
        assert [record.attempt for record in replayed(stream)] == [3]


def test_an_erased_record_is_gone_but_its_offset_is_still_known(tmp_path: Path) -> None:
    with opened(tmp_path) as stream:
        stream.write([refused(0, b"old secret"), refused(1, b"old")])
        replayed(stream)
        stream.write([refused(2, b"new secret"), refused(3, b"new")])
        assert stream.erase(lambda record: b"secret" in record.raw) == 2
        assert stream.erase(lambda record: b"secret" in record.raw) == 0
        assert stream.pending == 1
        stream.write([refused(4)])
    (tmp_path / "pending.draft").write_bytes(b"secret")
    with opened(tmp_path) as stream:
        assert (stream.pending, offsets(stream)) == (2, [3, 4])
        assert offsets(stream, with_replayed=True) == [1, 3, 4]
        assert stream.write([refused(0), refused(2), refused(5, b"", Reason.ERASED)]) == 0
        assert [record.raw for record in replayed(stream)] == [b"new", b'{"id": ']
        assert stream.pending == 0
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("torn", [b'{"offset":9', b"\x00" * 50])
def test_a_torn_line_is_cut_and_its_record_comes_again(tmp_path: Path, torn: bytes) -> None:
    with opened(tmp_path) as stream:
        stream.write([refused(0)])
    pending = tmp_path / "pending.jsonl"
    size = pending.stat().st_size
    with pending.open("ab") as file:
        file.write(torn)
    with opened(tmp_path) as stream:
        assert offsets(stream) == [0]
        assert (tmp_path / f"pending.torn-{size}").read_bytes() == torn
        assert stream.write([refused(9)]) == 1
    with opened(tmp_path) as stream:
        assert offsets(stream) == [0, 9]


@pytest.mark.parametrize("bad", range(3))
def test_a_line_that_was_whole_once_and_is_damaged_is_told_and_nothing_is_cut(
    tmp_path: Path, bad: int
) -> None:
    with opened(tmp_path) as stream:
        stream.write([refused(n) for n in range(3)])
    pending = tmp_path / "pending.jsonl"
    held = pending.read_bytes().splitlines(keepends=True)
    held[bad] = b"#" + held[bad][1:]
    pending.write_bytes(b"".join(held))
    with pytest.raises(RejectedDamaged, match=f"pending.jsonl line {bad + 1} is damaged"):
        opened(tmp_path)
    assert pending.read_bytes() == b"".join(held)
    assert list(tmp_path.iterdir()) == [pending]


def test_a_bad_line_in_the_history_is_told(tmp_path: Path) -> None:
    (tmp_path / "replayed-1.jsonl").write_text("{}\n")
    with pytest.raises(RejectedDamaged, match="line 1"):
        opened(tmp_path)


def test_a_killed_writer_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    begin = 0
    for _ in range(3):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(begin)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(20):
                acknowledged = int(writer.stdout.readline())
            writer.send_signal(signal.SIGKILL)
        with opened(tmp_path) as stream:
            kept = offsets(stream)
            assert kept == list(range(len(kept)))
            assert len(kept) >= 2 * (acknowledged + 1)
        begin = acknowledged - 5  # the dataflow resumes at its last snapshot and refuses some again


def test_a_full_disk_keeps_nothing_of_the_batch(tmp_path: Path) -> None:
    script = """
import resource, signal, sys
from pathlib import Path
from operators.parse import Reason, Rejected
from pipeline.received import Received, Refused
from pipeline.rejected import RejectedStream
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
why = Rejected(Reason.EMPTY_ID, "id is empty")
with RejectedStream(Path(sys.argv[1])) as stream:
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
    try:
        stream.write([Refused(Received(n, b"x" * 1000), why) for n in range(5)])
    except OSError as error:
        print(type(error).__name__, stream.pending)
    print(stream.write([Refused(Received(0, b"x"), why)]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "OSError 0\n1\n"
    with opened(tmp_path) as stream:
        assert [record.raw for record in stream.records()] == [b"x"]
