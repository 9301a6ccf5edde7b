"""Messages from a file or a pipe: JSONL, plain or gzipped, in bounded memory (DESIGN §7, `stet ingest`).

What a line says is not looked at here. A line that cannot be handed on whole comes with a fault, so that it
is logged and rejected with its place like any other bad record.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from operators.parse import Reason, Rejected

MAX_LINE_BYTES = 1024 * 1024
"""A longer line is cut."""
KEPT_BYTES = 4096
"""How much is kept of a line that was cut."""
BATCH_BYTES = 4 * 1024 * 1024
"""A batch is handed on when it holds this much, however few its lines."""

_CHUNK = 64 * 1024
_INFLATED = 1024 * 1024  # the most that one step of decompression may give: a bomb is read in small pieces
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end, and its number from 1. With a `fault`, `raw` is what there is of it."""

    number: int
    raw: bytes
    fault: Rejected | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many bytes were read of how many, as stored (compressed); `total` is None for a pipe."""

    read: int
    total: int | None


def read_batches(
    source: Path | BinaryIO, size: int = 500, on_progress: Callable[[Progress], None] | None = None
) -> Iterator[list[Line]]:
    """Yields the lines of `source` in order, up to `size` in a batch.

    Blank lines are counted and left out. Lines end with LF or CRLF; a byte order mark at the start is left
    out. Gzip is known by its first bytes, and may have several members. A line over MAX_LINE_BYTES is cut to
    KEPT_BYTES, with fault `line_too_long`. Where the compressed data ends early or is damaged, all that can
    be read is, and then one last line comes with fault `truncated_gzip`, holding what there was of it. An
    empty source gives nothing. Memory stays below a few times BATCH_BYTES. Raises OSError.
    """
    if isinstance(source, Path):
        with source.open("rb", buffering=0) as file:
            yield from read_batches(file, size, on_progress)
        return
    batch: list[Line] = []
    held = 0
    for line in _lines(_chunks(source, on_progress)):
        batch.append(line)
        held += len(line.raw)
        if len(batch) >= size or held >= BATCH_BYTES:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _chunks(source: BinaryIO, on_progress: Callable[[Progress], None] | None) -> Iterator[bytes]:
    """The stored bytes, as they come: a pipe's are not waited for until a chunk is full."""
    total = _size_of(source)
    take = getattr(source, "read1", source.read)
    done = 0
    while chunk := take(_CHUNK):
        yield chunk
        done += len(chunk)
        if on_progress is not None:
            on_progress(Progress(done, total))


def _size_of(source: BinaryIO) -> int | None:
    try:
        size = os.fstat(source.fileno()).st_size
    except OSError:  # a source in memory has no descriptor
        return None
    return size if size > 0 else None


def _lines(chunks: Iterator[bytes]) -> Iterator[Line]:
    lines = _LineCutter()
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= len(_GZIP):
            break
    if not head.startswith(_GZIP):
        for text in _then(head, chunks):
            yield from lines.feed(text)
        yield from lines.finish()
        return
    inflated = _inflate(_then(head, chunks))
    while True:
        try:
            text = next(inflated)
        except StopIteration:
            yield from lines.finish()
            return
        except _GzipBroken as broken:
            yield lines.break_off(Rejected(Reason.TRUNCATED_GZIP, str(broken)))
            return
        yield from lines.feed(text)


def _then(head: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from chunks


class _LineCutter:
    """Cuts a stream of bytes into lines, holding no more than one line's limit of an unfinished one."""

    def __init__(self) -> None:
        self._number = 1
        self._held = bytearray()
        self._is_cut = False
        self._is_start = True

    def feed(self, text: bytes) -> Iterator[Line]:
        """The lines that `text` completes."""
        *ended, rest = text.split(b"\n")
        for piece in ended:
            self._hold(piece)
            yield from self._end_line()
        self._hold(rest)

    def finish(self) -> Iterator[Line]:
        """The last line, where it has no line end."""
        if self._held:
            yield from self._end_line()

    def break_off(self, fault: Rejected) -> Line:
        """The line that the source broke off in."""
        return Line(self._number, bytes(self._held[:KEPT_BYTES] if self._is_cut else self._held), fault)

    def _hold(self, piece: bytes) -> None:
        if self._is_cut:
            return
        self._held += piece
        # A byte more than the limit is a CR that may end the line.
        if len(self._held) > MAX_LINE_BYTES + 1:
            del self._held[KEPT_BYTES:]
            self._is_cut = True

    def _end_line(self) -> Iterator[Line]:
        raw = bytes(self._held)
        number, is_cut = self._number, self._is_cut
        if self._is_start:
            raw = raw.removeprefix(_BOM)
        raw = raw if is_cut else raw.removesuffix(b"\r")
        self._number += 1
        self._held.clear()
        self._is_cut = self._is_start = False
        if is_cut or len(raw) > MAX_LINE_BYTES:
            detail = f"the line is longer than {MAX_LINE_BYTES} bytes; its first {KEPT_BYTES} are kept"
            yield Line(number, raw[:KEPT_BYTES], Rejected(Reason.LINE_TOO_LONG, detail))
        elif raw and not raw.isspace():
            yield Line(number, raw)


class _GzipBroken(Exception):
    """The compressed data ends early or is damaged."""


def _inflate(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The text of all gzip members, each step at most _INFLATED bytes.

    Raises _GzipBroken once everything before the break was given.
    """
    member = zlib.decompressobj(_GZIP_WINDOW)
    is_inside = False  # zeros may pad the space after a member
    done = 0
    for chunk in chunks:
        data = chunk
        while data := data if is_inside else data.lstrip(b"\x00"):
            if not is_inside:
                member, is_inside = zlib.decompressobj(_GZIP_WINDOW), True
            before = member.copy()
            try:
                text = member.decompress(data, _INFLATED)
            except zlib.error as error:
                yield _readable_part(before, data)
                at = done + len(chunk) - len(data)
                raise _GzipBroken(f"the gzip data is damaged at or after its byte {at}") from error
            yield text
            is_inside = not member.eof
            data = member.unconsumed_tail if is_inside else member.unused_data
        done += len(chunk)
    if is_inside:
        yield member.flush()
        raise _GzipBroken(f"the gzip data ends too early, after {done} bytes")


def _readable_part(member: "zlib._Decompress", data: bytes) -> bytes:
    """What `data` gives before its fault: a step that fails gives nothing, so it is taken byte by byte."""
    texts: list[bytes] = []
    for at in range(len(data)):
        try:
            texts.append(member.decompress(data[at : at + 1]))
        except zlib.error:
            break
    return b"".join(texts)
