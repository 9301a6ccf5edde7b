"""A log that lost what it once had is never written to; a tail that was never acknowledged is cut."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.log_segment import HEAD_BYTES
from state.message_log import LogDamaged, LogError, LogRecord, MessageLog, logged_in

COUNT = 200


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    """The one segment of a log of COUNT records; record n begins at byte n * (size / COUNT)."""
    with MessageLog(tmp_path) as log:
        log.append([LogRecord(b"record %03d \x00 ascii" % n, "calls.jsonl:1") for n in range(COUNT)])
    return tmp_path / f"{0:020d}.log"


def overwrite(file: Path, at: int, data: bytes) -> None:
    with file.open("r+b") as there:
        there.seek(at)
        there.write(data)


@given(data=st.data())
def test_damage_before_a_record_that_holds_is_told_with_its_place_and_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("log")
    with MessageLog(folder) as log:
        log.append([LogRecord(b"record %03d" % n, "calls.jsonl:1") for n in range(COUNT)])
    (file,) = folder.glob("*.log")
    whole = file.read_bytes()
    width = len(whole) // COUNT
    at = data.draw(st.integers(0, len(whole) - 2 * width), label="at")
    rubbish = data.draw(st.binary(min_size=1, max_size=len(whole) - 2 * width - at + 1), label="rubbish")
    overwrite(file, at, rubbish)
    if file.read_bytes() == whole:
        return
    before = contents(folder)
    first = next(
        n for n in range(COUNT) if whole[n * width :][:width] != before[file.name][n * width :][:width]
    )
    with pytest.raises(LogDamaged, match=rf"{file} is damaged at byte {first * width}; restore .* backup"):
        MessageLog(folder)
    assert contents(folder) == before


def test_a_bad_length_does_not_hide_the_records_behind_it(segment: Path) -> None:
    width = segment.stat().st_size // COUNT
    overwrite(segment, 7 * width, b"\xff\xff\xff\xff")
    with pytest.raises(LogDamaged, match=f"at byte {7 * width};"):
        MessageLog(segment.parent)


def test_a_bad_last_record_is_cut_unless_it_was_processed(segment: Path) -> None:
    width = segment.stat().st_size // COUNT
    overwrite(segment, (COUNT - 1) * width + HEAD_BYTES, b"\xff")
    before = contents(segment.parent)
    with pytest.raises(LogDamaged, match=f"at byte {(COUNT - 1) * width};"):
        MessageLog(segment.parent, processed=COUNT)
    assert contents(segment.parent) == before
    with MessageLog(segment.parent, processed=COUNT - 1) as log:
        assert (log.end, log.cut_bytes) == (COUNT - 1, width)


@pytest.mark.parametrize(
    "tail", [b"\x00" * 300_000, b'{"text": "\xe8\xaf\xad"}' * 1000, b"\x01\x00\x00\x00" * 99]
)
def test_what_follows_and_holds_no_record_is_cut(segment: Path, tail: bytes) -> None:
    with segment.open("ab") as file:
        file.write(tail)
    with MessageLog(segment.parent, processed=COUNT) as log:
        assert (log.end, log.cut_bytes) == (COUNT, len(tail))


@pytest.mark.parametrize("kept", [0, 7, COUNT - 1])
def test_a_log_that_ends_before_what_was_processed_is_refused_and_left(segment: Path, kept: int) -> None:
    with segment.open("r+b") as file:
        file.truncate(kept * (segment.stat().st_size // COUNT))
    before = contents(segment.parent)
    with pytest.raises(LogError, match=f"ends at {kept}, but what lies up to {COUNT} was processed"):
        MessageLog(segment.parent, processed=COUNT)
    assert contents(segment.parent) == before


def test_a_log_without_its_segments_is_refused_and_no_new_one_is_begun(segment: Path) -> None:
    segment.unlink()
    with pytest.raises(LogError, match="ends at 0"):
        MessageLog(segment.parent, processed=1)
    assert contents(segment.parent) == {}


def test_how_much_is_logged_is_told_without_opening_it(tmp_path: Path) -> None:
    assert logged_in(tmp_path) == 0
    with MessageLog(tmp_path, segment_bytes=2000) as log:
        for n in range(COUNT):
            log.append([LogRecord(b"record %d" % n)])
            if n % 20 == 0:
                assert logged_in(tmp_path) == n + 1
    assert len(list(tmp_path.glob("*.log"))) > 2
    (*_, newest) = sorted(tmp_path.glob("*.log"))
    with newest.open("ab") as file:
        file.write(b"half")
    before = contents(tmp_path)
    assert logged_in(tmp_path) == COUNT
    assert contents(tmp_path) == before
