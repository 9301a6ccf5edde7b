"""A process that is killed, or told to stop, loses nothing: the same command finishes its work (I2, I5)."""

import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.embedded import Embedded
from pipeline.ingest import append_all, process
from state.message_log import LogRecord
from state.model import Subject
from tests.pipeline.command import begin, export, ingest, lines, message

MESSAGES = 620
"""More than one batch of the log's reader."""
SUBJECTS = 7
DEADLINE = 90.0


def sentences() -> bytes:
    """Addresses that change, orders that are cancelled, among small talk."""
    said = (
        "My delivery address is {n} Harbour Street.",
        "Thanks, that is all for now.",
        "Change the delivery address to {n} Mill Road, please.",
        "I want to cancel order {n}.",
        "订单{n}的送货地址改为梧桐路{n}号。",
    )
    return lines(
        message(
            n,
            content=said[n % len(said)].format(n=n),
            subject=f"customer {n % SUBJECTS}",
            conversation=f"c{n % SUBJECTS}",
            sent_at=f"2026-03-{1 + n // 60:02d}T09:{n % 60:02d}:00Z",
        )
        for n in range(MESSAGES)
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("source") / "calls.jsonl"
    file.write_bytes(sentences())
    return file


@pytest.fixture(scope="module")
def uninterrupted(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, float]:
    """The export of a run in peace, and how long it takes after its first message was logged."""
    data = tmp_path_factory.mktemp("whole") / "data"
    running = started(source, data)
    wait_for(lambda: logged(data) > 0)
    begun = time.monotonic()
    assert running.wait(DEADLINE) == 0
    return export(data), time.monotonic() - begun


def started(source: Path | str, data: Path) -> subprocess.Popen[bytes]:
    return begin("ingest", "--json", "--encoder", "hashing", source, data=data)


def logged(data: Path) -> int:
    """How many bytes the message log holds."""
    return sum(file.stat().st_size for file in (data / "log").glob("*.log"))


def wait_for(reached: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not reached():
        assert time.monotonic() < deadline, "it never came so far"
        time.sleep(0.002)


def assert_whole(data: Path, wanted: bytes) -> None:
    assert export(data) == wanted
    with Embedded.open(data) as folder:
        counts = [folder.notes.count(Subject("acme", f"customer {n}")) for n in range(SUBJECTS)]
    assert sum(counts) == MESSAGES


@pytest.mark.parametrize("seed", range(5))
def test_killed_twice_anywhere_and_resumed_it_ends_as_if_in_peace(
    seed: int, source: Path, uninterrupted: tuple[bytes, float], tmp_path: Path
) -> None:
    wanted, lasted = uninterrupted
    chance = random.Random(seed)
    data = tmp_path / "data"
    for kill in range(2):
        running = started(source, data)
        held = logged(data)
        wait_for(lambda held=held, running=running: logged(data) > held or running.poll() is not None)
        # The ten moments lie one in each tenth of the run.
        time.sleep(lasted * (2 * seed + kill + chance.random()) / 10)
        running.kill()
        running.communicate()
    last = started(source, data)
    _, errors = last.communicate(timeout=DEADLINE)
    assert last.returncode == 0, errors
    assert_whole(data, wanted)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ended_while_its_input_still_comes(
    how: signal.Signals, source: Path, uninterrupted: tuple[bytes, float], tmp_path: Path
) -> None:
    running = started("-", tmp_path / "data")
    assert running.stdin is not None
    running.stdin.write(b"".join(source.read_bytes().splitlines(keepends=True)[:600]))
    running.stdin.flush()
    wait_for(lambda: logged(tmp_path / "data") > 0)
    running.send_signal(how)
    code = running.wait(DEADLINE)
    errors = running.stderr.read() if running.stderr else b""
    running.stdin.close()
    if how is signal.SIGTERM:
        assert (code, errors.decode().count("\n")) == (143, 1)
    assert ingest(source, tmp_path / "data").code == 0
    assert_whole(tmp_path / "data", uninterrupted[0])


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_told_to_stop_it_finishes_its_batch_says_so_and_resumes(
    how: signal.Signals, code: int, source: Path, uninterrupted: tuple[bytes, float], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    running = started(source, data)
    wait_for(lambda: (data / "recovery" / "offsets").exists())
    running.send_signal(how)
    out, errors = running.communicate(timeout=DEADLINE)
    assert running.returncode == code
    assert out == b""
    told = f"stet: stopped by {how.name}; nothing is lost: give the same command again to finish\n"
    assert errors.decode() == told
    assert not (data / "redis" / "redis.pid").exists(), "a server is left running"
    assert ingest(source, data).code == 0
    assert_whole(data, uninterrupted[0])


def test_a_run_that_is_asked_to_stop_processes_what_it_read_and_no_more(tmp_path: Path) -> None:
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as folder:
        appended = append_all(folder, [[LogRecord(raw) for raw in sentences().splitlines()]])
        asked: list[str] = []
        first = process(folder, appended, lambda what, _: asked.append(what), 0.0, lambda: bool(asked))
        assert 0 < first.messages < MESSAGES
        rest = process(folder, 0, lambda *_: None, 0.0)
        assert first.messages + rest.messages == MESSAGES
        assert rest.unchanged == 0


def test_half_made_recovery_store_is_made_anew(tmp_path: Path) -> None:
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as folder:
        half = folder.folder.recovery / "offsets.new"
        half.mkdir()
        (half / "part-0.sqlite3").touch()
    assert ingest(lines([message(1)]), tmp_path / "data").json["messages"] == 1
