"""Messages into a folder and out again: what the summary counts, and that progress is told."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.command_line.progress import showing
from pipeline.embedded import Embedded
from pipeline.ingest import append_all, message_records, process
from state.data_folder import EncoderMismatch
from state.model import Subject
from tests.pipeline.command import EXAMPLES, begin, export, ingest, lines, message, stet

TEXTS = (
    "My delivery address is 4 Elm Road.",
    "Change the delivery address to 9 Oak Street, please.",
    "我的会员号是8807。",
    "Thanks!",
)


def some(count: int = len(TEXTS)) -> bytes:
    return lines(message(n, content=TEXTS[n % len(TEXTS)]) for n in range(count))


def test_the_summary_agrees_with_the_export(tmp_path: Path) -> None:
    told = ingest(EXAMPLES[0], tmp_path).json
    rows = stet("export", data=tmp_path).rows
    assert told["messages"] == sum(row["kind"] == "message" for row in rows) == 15
    assert told["sessions"] == sum(row["kind"] == "session" for row in rows)
    assert told["events"] == sum(row["kind"] == "event" for row in rows) > 0
    edges = [row["type"] for row in rows if row["kind"] == "edge"]
    for kind, count in told["edges"].items():
        assert count == edges.count(kind)
    assert (told["unchanged"], told["rejected"], told["subjects"]) == (0, 0, 1)
    assert told["seconds"] > 0


def test_people_get_a_summary_in_lines(tmp_path: Path) -> None:
    outcome = stet("ingest", "--encoder", "hashing", EXAMPLES[1], data=tmp_path)
    assert outcome.code == 0
    labels = [line.split()[0] for line in outcome.out.decode().splitlines()]
    assert labels == ["messages", "rejected", "subjects", "sessions", "events", "edges", "seconds"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_a_file_and_a_pipe_give_the_same(tmp_path: Path, pack: type[bytes], ends: bytes) -> None:
    content = pack(b"\xef\xbb\xbf" + some().replace(b"\n", ends))
    file = tmp_path / "calls"
    file.write_bytes(content)
    assert ingest(file, tmp_path / "file").json["messages"] == len(TEXTS)
    assert ingest(content, tmp_path / "pipe").json["messages"] == len(TEXTS)
    assert export(tmp_path / "file") == export(tmp_path / "pipe")


def test_every_live_message_has_one_note(tmp_path: Path) -> None:
    ingest(some(), tmp_path)
    edited = message(1, content="Make it 7 Fir Lane.", revision=1)
    gone = {**message(3, op="delete"), "sent_at": "2026-03-03T09:00:00Z"}
    ingest(lines([edited, gone, message(0)]), tmp_path)
    with Embedded.open(tmp_path) as folder:
        subject = Subject("acme", "ann")
        assert folder.notes.count(subject) == 3
        assert set(folder.notes.vectors(subject, [f"m/{n}" for n in range(5)])) == {"m/0", "m/1", "m/2"}


def test_a_folder_keeps_its_encoder(tmp_path: Path) -> None:
    ingest(some(), tmp_path)
    assert stet("ingest", "--json", "-", data=tmp_path, stdin=some()).code == 0
    with Embedded.open(tmp_path, encoder="hashing-16") as folder, pytest.raises(EncoderMismatch):
        _ = folder.encoder


def test_more_messages_than_a_batch_holds_in_one_folder_after_another(tmp_path: Path) -> None:
    """Several runs in one process, over one log, each counting its own."""
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as folder:
        for start in (0, 600):
            file = tmp_path / f"{start}.jsonl"
            file.write_bytes(
                lines(message(n, content=f"My order number is {n}.") for n in range(start, start + 600))
            )
            appended = append_all(folder, message_records(str(file), _silent))
            summary = process(folder, appended, _silent, 0.0)
            assert (appended, summary.messages, summary.unchanged) == (600, 600, 0)
    assert export(tmp_path / "data").count(b'"kind":"message"') == 1200


def _silent(what: str, part: float) -> None:
    pass


def test_progress_goes_up_to_the_whole(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_bytes(lines(message(n, content=f"My order number is {n}.") for n in range(1200)) + b"bad\n")
    told: list[tuple[str, float]] = []
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as folder:
        appended = append_all(folder, message_records(str(file), lambda *done: told.append(done)))
        process(folder, appended, lambda *done: told.append(done), 0.0)
        again = append_all(folder, message_records(str(file), _silent))
        process(folder, again, lambda *done: told.append(done), 0.0)
    for name, whole in (("reading", 1.0), ("messages", 1200 / 1201)):
        parts = [part for what, part in told if what == name]
        assert all(0 < part <= 1 for part in parts)
        assert parts[-1] >= whole
    assert rises([part for what, part in told if what == "reading"])


def rises(parts: Sequence[float]) -> bool:
    return list(parts) == sorted(parts)


def test_progress_is_not_shown_to_machines(capsys: pytest.CaptureFixture[str]) -> None:
    with showing(False) as report:
        report("messages", 0.5)
    assert capsys.readouterr() == ("", "")


def test_what_a_killed_run_left_in_the_log_comes_with_the_next_ingest(tmp_path: Path) -> None:
    with Embedded.open(tmp_path, encoder="hashing", create=True) as folder:
        file = tmp_path.with_name("left.jsonl")
        file.write_bytes(some())
        append_all(folder, message_records(str(file), _silent))
    told = ingest(lines([message(9, subject="bob")]), tmp_path).json
    assert (told["messages"], told["subjects"]) == (len(TEXTS) + 1, 2)


def test_a_model_loads_without_a_word_on_standard_error(tmp_path: Path) -> None:
    """The default encoder's libraries draw bars of their own."""
    running = begin("ingest", "--json", "-", data=tmp_path / "data")
    out, errors = running.communicate(some(), timeout=300)
    assert (running.returncode, errors) == (0, b"")
    assert json.loads(out)["messages"] == len(TEXTS)
