"""A data folder that lost a part of what it had: what can be made again is, and what cannot is told."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pipeline.command_line.failures import Exit
from pipeline.embedded import Embedded
from pipeline.log_progress import KEY, processed_in
from state.graph_keys import SubjectKeys
from state.model import Subject
from tests.pipeline.command import EXAMPLES, Outcome, export, ingest, lines, message, stet

ANN = Subject("acme", "ann")
NEWER = lines([message(9, tenant="demo", subject="zoe")])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two subjects, in which messages were also edited, deleted and refused."""
    data = tmp_path_factory.mktemp("whole") / "data"
    rows = b"".join(file.read_bytes() for file in EXAMPLES)
    assert ingest(rows, data).code == 0
    edited = [message(n, tenant="demo") for n in range(4)]
    edited.append(message(1, "I live in Rome.", tenant="demo", revision=1))
    edited.append(message(2, tenant="demo", revision=1, op="delete"))
    assert ingest(b"no JSON\n" + lines(edited), data).code == 0
    return data


@pytest.fixture
def data(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "data"))


@pytest.fixture(scope="module")
def wanted(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    copy = Path(shutil.copytree(whole, tmp_path_factory.mktemp("wanted") / "data"))
    ingest(NEWER, copy)
    return export(copy)


def notes_and_messages(data: Path) -> tuple[int, int]:
    with Embedded.open(data) as folder:
        subjects = folder.graph.subjects("demo")
        return folder.notes.count(), folder.graph.counts(subjects)["messages"]


def one_line(outcome: Outcome) -> str:
    assert outcome.err.startswith("stet: ")
    assert outcome.err.count("\n") == 1
    return outcome.err


def test_a_folder_that_lacks_nothing_is_silent(data: Path, wanted: bytes) -> None:
    for outcome in (
        stet("state", "maya", data=data),
        stet("ask", "maya", "Where?", data=data),
        ingest(NEWER, data),
    ):
        assert (outcome.code, outcome.err) == (0, "")
    assert export(data) == wanted
    notes, messages = notes_and_messages(data)
    assert notes == messages


def test_what_redis_lost_is_told_to_readers_and_made_again_from_the_log(data: Path, wanted: bytes) -> None:
    shutil.rmtree(data / "redis")
    outcome = stet("export", data=data)
    assert outcome.code == Exit.UNKNOWN
    assert "messages in the log are not processed yet" in outcome.err
    outcome = ingest(NEWER, data)
    assert outcome.code == 0
    assert "the graph lacks what was made of messages 0 to " in one_line(outcome)
    assert export(data) == wanted
    assert ingest(NEWER, data).err == ""


def test_the_end_that_redis_lost_is_made_again_from_the_log(
    whole: Path, data: Path, tmp_path: Path, wanted: bytes
) -> None:
    """The AOF of an earlier moment, as a disk that lost the last writes leaves it."""
    aof = data / "redis" / "appendonly.aof"
    aof.write_bytes(aof.read_bytes()[: aof.stat().st_size * 2 // 3])
    outcome = stet("export", data=data)
    assert outcome.code == 0
    assert "messages in the log are not processed yet" in one_line(outcome)
    outcome = ingest(NEWER, data)
    assert "it is made again from the log" in one_line(outcome)
    assert export(data) == wanted
    notes, messages = notes_and_messages(data)
    assert notes == messages


def test_a_lost_recovery_store_changes_nothing(data: Path, wanted: bytes) -> None:
    shutil.rmtree(data / "recovery")
    outcome = ingest(NEWER, data)
    assert (outcome.code, outcome.err) == (0, "")
    assert export(data) == wanted


def _empty(notes: Path) -> None:
    shutil.rmtree(notes)


def _without_segments(notes: Path) -> None:
    for part in (notes / "segments").iterdir():
        shutil.rmtree(part)


@pytest.mark.parametrize("lose", [_empty, _without_segments])
def test_lost_notes_are_told_to_who_asks_and_made_again(data: Path, lose: Callable[[Path], None]) -> None:
    question = ("ask", "--json", "maya", "Where is the delivery?")
    wanted = stet(*question, data=data).json["evidence"]
    notes, _ = notes_and_messages(data)
    lose(data / "notes")
    assert f"{notes} messages have no note and are not found" in one_line(stet(*question, data=data))
    outcome = ingest(NEWER, data)
    assert outcome.code == 0
    assert f"{notes} messages have no note any more" in one_line(outcome)
    assert notes_and_messages(data) == (notes + 1, notes + 1)
    assert stet(*question, data=data).json["evidence"] == wanted
    assert ingest(NEWER, data).err == ""


def test_only_the_notes_that_are_missing_are_made(data: Path) -> None:
    with Embedded.open(data) as folder:
        gone = [m.id for m in folder.graph.everything(Subject("demo", "maya")).messages[:3]]  # type: ignore[union-attr]
        folder.notes.delete(Subject("demo", "maya"), gone)
    assert one_line(ingest(NEWER, data)).startswith("stet: 3 messages have no note any more")
    notes, messages = notes_and_messages(data)
    assert notes == messages


def test_a_log_that_shrank_takes_nothing_and_loses_nothing(data: Path) -> None:
    (segment,) = (data / "log").glob("*.log")
    held = segment.read_bytes()
    segment.write_bytes(held[: len(held) // 2])
    for outcome in (
        ingest(NEWER, data),
        stet("replay-rejected", data=data),
        stet("serve", "--port", "0", data=data),
    ):
        assert outcome.code == Exit.STORE
        assert "backup" in one_line(outcome)
        assert segment.read_bytes() == held[: len(held) // 2]
    assert list((data / "log").iterdir()) == [segment]
    segment.write_bytes(held)
    assert ingest(NEWER, data).code == 0


def test_the_offset_in_redis_is_the_log_s_end_after_each_run(data: Path) -> None:
    for rows in (NEWER, b"no JSON\n", NEWER):  # new, refused, known
        ingest(rows, data)
        with Embedded.open(data) as folder:
            assert folder.waiting() == 0
            assert processed_in(folder._redis.client) == folder.log.end


@pytest.mark.parametrize("kind", ["message", "event", "turn"])
def test_a_record_that_cannot_be_read_is_told_in_one_line(data: Path, kind: str) -> None:
    key = getattr(SubjectKeys(Subject("demo", "ann")), kind)
    with Embedded.open(data) as folder:
        client = folder._redis.client
        for name in client.hkeys(key):
            client.hset(key, name, msgspec.msgpack.encode({"x": 1}) if kind == "turn" else b"\xc1\xff")
        assert client.get(KEY)
    for outcome in (
        stet("state", "ann", data=data),
        stet("export", data=data),
        ingest(lines([message(1, "I live in Paris.", tenant="demo", revision=2)]), data),
    ):
        assert outcome.code == Exit.STORE
        assert one_line(outcome).startswith(
            "stet: a stored record cannot be read: the data folder is damaged"
        )


def test_a_full_disk_is_told_before_anything_is_written(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.embedded.ROOM", shutil.disk_usage(data).total)
    outcome = ingest(NEWER, data)
    assert outcome.code == Exit.STORE
    assert "MB are free on the disk" in one_line(outcome)
    assert stet("state", "maya", data=data).code == 0


def test_lost_notes_are_made_again_on_demand(data: Path) -> None:
    shutil.rmtree(data / "notes")
    (data / "notes").mkdir()
    _, messages = notes_and_messages(data)
    assert stet("repair-notes", "--json", data=data).json == {"made": messages}
    assert stet("repair-notes", "--json", data=data).json == {"made": 0}
    assert notes_and_messages(data) == (messages, messages)
