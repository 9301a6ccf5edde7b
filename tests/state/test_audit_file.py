"""The audit log's file: whole lines, from several processes, through a full disk and a rotation."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from logging.config import dictConfig
from pathlib import Path
from typing import Any

import pytest

from state.audit import audit, audit_fault, audit_refuses, audit_to, audit_waiting

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    audit_to(None)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size`: what a full disk does to it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def routes(path: Path) -> list[Any]:
    return [json.loads(line)["route"] for line in path.read_text("utf-8").splitlines()]


def test_what_has_no_room_waits_and_is_written_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit_to(path)
    audit(NOW, "read", "acme", route="一")
    written = path.stat().st_size
    with room_for(written + 10):
        with pytest.raises(OSError, match="No space left"):
            audit(NOW, "read", "acme", route="two")
        assert path.stat().st_size == written  # nothing of half a line
        assert audit_fault() is not None
        assert audit_waiting() == 1
    audit(NOW, "read", "acme", route="three")
    assert routes(path) == ["一", "two", "three"]
    assert (audit_fault(), audit_waiting()) == (None, 0)


def test_it_can_be_told_to_go_on(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit_to(path, goes_on=True)
    with room_for(10):
        audit(NOW, "read", "acme", route="one")
        assert (audit_refuses(), audit_waiting(), path.read_bytes()) == (False, 1, b"")
    assert audit_fault() is None
    assert routes(path) == ["one"]


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_stream_that_takes_nothing_has_the_line_wait_too(goes_on: bool) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with open(writing, "w") as stream, open(reading, "rb") as reader:
        with suppress(BlockingIOError):
            while os.write(writing, b"x" * 4096):
                pass
        audit_to(Path("-"), stream, goes_on)
        with nullcontext() if goes_on else pytest.raises(OSError, match="could not complete"):
            audit(NOW, "read", "acme", route="one")
        assert (audit_waiting(), audit_refuses()) == (1, not goes_on)
        assert audit_fault() is not None
        os.set_blocking(reading, False)
        with suppress(BlockingIOError):
            while os.read(reading, 65536):
                pass
        assert (audit_fault(), audit_waiting()) == (None, 0)
        assert json.loads(reader.readline())["route"] == "one"


def test_it_goes_on_after_logging_was_configured_anew(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    audit_to(path)
    dictConfig({"version": 1, "disable_existing_loggers": False})
    with open(tmp_path / "other", "w+") as other:  # has the number that the closed file had
        audit(NOW, "read", "acme", route="one")
        assert (routes(path), other.read()) == (["one"], "")


def test_processes_share_a_file_that_is_moved_away_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    script = (
        "import sys; from pathlib import Path; from datetime import UTC, datetime\n"
        "from state.audit import audit, audit_to\n"
        "audit_to(Path(sys.argv[1]))\n"
        "print(flush=True)\n"
        "for n in range(300): audit(datetime.now(UTC), 'read', 'x' * 9000, route=f'{sys.argv[2]}/{n}')\n"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", script, str(path), name], stdout=subprocess.PIPE)
        for name in ("a", "b")
    ]
    for other in others:
        assert other.stdout is not None
        other.stdout.readline()
    os.rename(path, tmp_path / "moved.jsonl")
    for other in others:
        assert other.wait(60) == 0
        assert other.stdout is not None
        other.stdout.close()
    kept = [file for file in (tmp_path / "moved.jsonl", path) if file.exists()]
    found = [route for file in kept for route in routes(file)]
    assert sorted(found) == sorted(f"{name}/{n}" for name in ("a", "b") for n in range(300))
