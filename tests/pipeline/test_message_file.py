"""Lines come out of a file in order, numbered and whole, or with a fault that says what was wrong."""

import gzip
import io
import os
import random
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.parse import Reason
from pipeline.message_file import BATCH_BYTES, KEPT_BYTES, MAX_LINE_BYTES, Line, Progress, read_batches


def lines_of(data: bytes, size: int = 500) -> list[Line]:
    """All lines of `data`, read as a pipe."""
    return [line for batch in read_batches(io.BytesIO(data), size) for line in batch]


def reasons(lines: list[Line]) -> list[tuple[int, Reason]]:
    return [(line.number, line.fault.reason) for line in lines if line.fault is not None]


def some_lines(count: int) -> bytes:
    """Lines that do not compress to nothing."""
    chance = random.Random(7)
    return b"".join(b'{"n": %d, "text": "%x"}\n' % (n, chance.getrandbits(400)) for n in range(1, count + 1))


def test_lines_are_numbered_from_one_and_blank_ones_are_counted_only() -> None:
    assert lines_of(b"a\n\n \t\r\nb\n") == [Line(1, b"a"), Line(4, b"b")]


def test_the_last_line_needs_no_end() -> None:
    assert lines_of(b"a\nb") == [Line(1, b"a"), Line(2, b"b")]


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)],
    ids=["nothing", "a line end", "two line ends", "a byte order mark", "an empty gzip"],
)
def test_nothing_gives_nothing(data: bytes) -> None:
    assert lines_of(data) == []


def test_windows_line_ends_and_a_byte_order_mark_are_left_out() -> None:
    data = "\ufeff你好\r\nb\r\n".encode()
    assert lines_of(data) == [Line(1, "你好".encode()), Line(2, b"b")]
    assert lines_of(gzip.compress(data)) == lines_of(data)
    assert lines_of(b"a\n\xef\xbb\xbfb") == [Line(1, b"a"), Line(2, b"\xef\xbb\xbfb")]


def test_bytes_that_are_no_text_are_handed_on_as_they_are() -> None:
    assert lines_of(b"\xff\x00\nb") == [Line(1, b"\xff\x00"), Line(2, b"b")]


def test_a_batch_has_at_most_so_many_lines_and_bytes() -> None:
    batches = list(read_batches(io.BytesIO(some_lines(25)), 10))
    assert [len(batch) for batch in batches] == [10, 10, 5]
    long = b"x" * (MAX_LINE_BYTES // 2) + b"\n"
    for batch in read_batches(io.BytesIO(long * 20)):
        assert sum(len(line.raw) for line in batch) < BATCH_BYTES + MAX_LINE_BYTES


@given(st.lists(st.binary(max_size=30), max_size=20), st.booleans(), st.integers(1, 7))
def test_the_lines_are_those_that_were_joined(texts: list[bytes], is_gzip: bool, size: int) -> None:
    texts = [text.replace(b"\n", b"").replace(b"\r", b"") for text in texts]
    data = b"".join(text + b"\n" for text in texts)
    expected = [(n, text) for n, text in enumerate(texts, 1) if text and not text.isspace()]
    if not (texts and (texts[0].startswith((b"\x1f\x8b", b"\xef\xbb\xbf")))):
        found = lines_of(gzip.compress(data) if is_gzip else data, size)
        assert [(line.number, line.raw) for line in found] == expected


def test_a_line_that_is_too_long_is_cut_and_the_next_is_whole() -> None:
    lines = lines_of(b"a\n" + b"x" * (MAX_LINE_BYTES + 1) + b"\nb\n" + b"y" * (3 * MAX_LINE_BYTES))
    assert [line.number for line in lines] == [1, 2, 3, 4]
    assert reasons(lines) == [(2, Reason.LINE_TOO_LONG), (4, Reason.LINE_TOO_LONG)]
    assert lines[1].raw == b"x" * KEPT_BYTES
    assert lines[2] == Line(3, b"b")


def test_a_line_of_just_the_limit_is_whole() -> None:
    for end in (b"", b"\n", b"\r\n"):
        assert lines_of(b"x" * MAX_LINE_BYTES + end) == [Line(1, b"x" * MAX_LINE_BYTES)]


def test_a_line_without_an_end_is_never_held_whole() -> None:
    class Endless(io.RawIOBase):
        left = 64

        def read(self, size: int = -1) -> bytes:
            self.left -= 1
            return b"x" * 1024 * 1024 if self.left >= 0 else b""

    tracemalloc.start()
    lines = [line for batch in read_batches(Endless()) for line in batch]  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reasons(lines) == [(1, Reason.LINE_TOO_LONG)]
    assert peak < 16 * 1024 * 1024


def test_a_small_file_that_inflates_to_much_is_read_in_small_pieces() -> None:
    bomb = gzip.compress(b"x" * 200_000_000)
    tracemalloc.start()
    lines = lines_of(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reasons(lines) == [(1, Reason.LINE_TOO_LONG)]
    assert peak < 16 * 1024 * 1024


def test_gzip_members_follow_one_another() -> None:
    data = gzip.compress(b"a\nb") + gzip.compress(b"c\n") + b"\x00" * 100 + gzip.compress(b"d\n") + b"\x00"
    assert lines_of(data) == [Line(1, b"a"), Line(2, b"bc"), Line(3, b"d")]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_gzip_that_ends_early_gives_what_can_be_read_and_then_one_rejection(data: st.DataObject) -> None:
    text = some_lines(60)
    packed = gzip.compress(text)
    cut = data.draw(st.integers(2, len(packed) - 1))
    *whole, last = lines_of(packed[:cut])
    assert (
        b"".join(line.raw + b"\n" for line in whole) + last.raw
        == text[: sum(len(line.raw) + 1 for line in whole) + len(last.raw)]
    )
    assert reasons([*whole, last]) == [(len(whole) + 1, Reason.TRUNCATED_GZIP)]


def test_gzip_cut_in_its_trailer_still_gives_every_line() -> None:
    text = some_lines(50)
    *whole, last = lines_of(gzip.compress(text)[:-4])
    assert b"".join(line.raw + b"\n" for line in whole) == text
    assert (last.number, last.raw) == (51, b"")
    assert last.fault is not None
    assert "ends too early" in last.fault.detail


def test_damaged_gzip_gives_the_lines_before_the_damage() -> None:
    text = some_lines(5000)
    packed = bytearray(gzip.compress(text))
    middle = len(packed) // 2
    packed[middle : middle + 40] = b"\xff" * 40
    *whole, last = lines_of(bytes(packed))
    assert len(whole) > 1500
    assert text.startswith(b"".join(line.raw + b"\n" for line in whole[:1500]))
    assert reasons([*whole, last]) == [(last.number, Reason.TRUNCATED_GZIP)]


def test_rubbish_after_gzip_is_a_rejection_too() -> None:
    lines = lines_of(gzip.compress(b"a\n") + b"rubbish")
    assert lines[0] == Line(1, b"a")
    assert reasons(lines) == [(2, Reason.TRUNCATED_GZIP)]


def test_a_file_tells_how_far_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl.gz"
    path.write_bytes(gzip.compress(some_lines(5000)))
    told: list[Progress] = []
    lines = [line for batch in read_batches(path, 100, told.append) for line in batch]
    assert len(lines) == 5000
    size = path.stat().st_size
    assert [step.read for step in told] == sorted(step.read for step in told)
    assert len(told) > 1
    assert told[-1] == Progress(size, size)


def test_a_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with open(writing, "wb", buffering=0) as pipe:
            for byte in gzip.compress(b"a\nb\n"):
                pipe.write(bytes([byte]))

    writer = threading.Thread(target=write)
    writer.start()
    told: list[Progress] = []
    with open(reading, "rb") as pipe:
        lines = [line for batch in read_batches(pipe, on_progress=told.append) for line in batch]
    writer.join()
    assert lines == [Line(1, b"a"), Line(2, b"b")]
    assert {step.total for step in told} == {None}


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(read_batches(tmp_path / "none.jsonl"))
