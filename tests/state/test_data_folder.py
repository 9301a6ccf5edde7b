"""A data folder has one owner, knows itself, and refuses what it cannot be (DESIGN §5)."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from state.data_folder import (
    FORMAT,
    DataFolder,
    EncoderMark,
    EncoderMismatch,
    FolderLocked,
    FolderMissing,
    FolderUnusable,
    ForeignFolder,
    MarkerDamaged,
    NewerFormat,
    OlderFormat,
)

ROOT = Path(__file__).parents[2]
MINILM = EncoderMark("all-MiniLM-L6-v2", 384)
HOLD = """
import sys
from pathlib import Path
from state.data_folder import DataFolder
with DataFolder.open(Path(sys.argv[-1])):
    print("open", flush=True)
    sys.stdin.read()
"""


@contextmanager
def other_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the folder open, until its input ends or it is killed."""
    command = [sys.executable, "-c", HOLD, "ingest", str(path)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def test_a_new_folder_gets_its_layout_and_a_marker(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "数据"
    with DataFolder.open(path, MINILM) as folder:
        for part in (folder.log, folder.redis, folder.notes, folder.recovery, folder.rejected):
            assert part.is_dir()
            assert part.parent == path
        assert path.stat().st_mode & 0o077 == 0
    assert json.loads((path / "stet.json").read_bytes()) == {
        "format": FORMAT,
        "encoder": {"name": "all-MiniLM-L6-v2", "dimension": 384},
    }


def test_it_opens_again_after_it_was_closed(tmp_path: Path) -> None:
    for _ in range(2):
        with DataFolder.open(tmp_path, MINILM) as folder:
            assert folder.encoder == MINILM
    folder.close()


def test_a_second_process_is_told_which_one_has_it(tmp_path: Path) -> None:
    with other_process(tmp_path) as holder:
        with pytest.raises(FolderLocked) as refused:
            DataFolder.open(tmp_path)
        assert refused.value.pid == holder.pid
        assert refused.value.command == "-c ingest"
        assert str(holder.pid) in str(refused.value)
        assert str(tmp_path) in str(refused.value)


def test_a_second_open_in_one_process_is_refused_too(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path), pytest.raises(FolderLocked) as refused:
        DataFolder.open(tmp_path)
    assert refused.value.pid == os.getpid()


def test_the_lock_ends_with_a_holder_that_is_killed(tmp_path: Path) -> None:
    with other_process(tmp_path) as holder:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        with DataFolder.open(tmp_path, MINILM) as folder:
            assert folder.encoder == MINILM


def test_what_is_asked_is_not_written_into_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/stet", "ask", "customer-7", "my secret question"])
    with DataFolder.open(tmp_path), pytest.raises(FolderLocked) as refused:
        DataFolder.open(tmp_path)
    assert refused.value.command == "stet ask"
    assert "secret" not in (tmp_path / "stet.lock").read_text()


def test_a_folder_with_other_content_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ForeignFolder, match="choose"):
        DataFolder.open(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(ForeignFolder):
        DataFolder.open(path)


def test_a_folder_that_was_half_made_is_completed(tmp_path: Path) -> None:
    (tmp_path / "stet.lock").touch()
    (tmp_path / "stet.json.new").write_text('{"form')
    with DataFolder.open(tmp_path, MINILM) as folder:
        assert folder.log.is_dir()
    assert not (tmp_path / "stet.json.new").exists()


def test_a_reader_does_not_make_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FolderMissing, match="ingest"):
        DataFolder.open(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()
    with pytest.raises(FolderMissing, match="ingest"):
        DataFolder.open(tmp_path, create=False)


def test_the_first_encoder_is_recorded_and_another_is_refused(tmp_path: Path) -> None:
    with DataFolder.open(tmp_path) as folder:
        assert folder.encoder is None
    with DataFolder.open(tmp_path, MINILM) as folder:
        assert folder.encoder == MINILM
    with pytest.raises(EncoderMismatch, match=r"all-MiniLM-L6-v2 \(384 dimensions\), not other \(768\)"):
        DataFolder.open(tmp_path, EncoderMark("other", 768))
    with DataFolder.open(tmp_path) as folder:  # a refusal gives the lock back
        assert folder.encoder == MINILM


def test_a_newer_format_asks_for_a_newer_version(tmp_path: Path) -> None:
    (tmp_path / "stet.json").write_text(json.dumps({"format": FORMAT + 1, "colour": "blue"}))
    with pytest.raises(NewerFormat, match="newer Stet"):
        DataFolder.open(tmp_path)


def test_an_older_format_asks_to_ingest_again(tmp_path: Path) -> None:
    (tmp_path / "stet.json").write_text(json.dumps({"format": FORMAT - 1}))
    with pytest.raises(OlderFormat, match="ingest its messages again"):
        DataFolder.open(tmp_path)


@pytest.mark.parametrize(
    "marker",
    ["", "[]", "{}", '{"format": 0}', json.dumps({"format": FORMAT, "encoder": {"name": "x"}})],
)
def test_a_damaged_marker_is_told(tmp_path: Path, marker: str) -> None:
    (tmp_path / "stet.json").write_text(marker)
    with pytest.raises(MarkerDamaged, match="backup"):
        DataFolder.open(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FolderUnusable, match="permissions"):
        DataFolder.open(tmp_path / "below")


def test_a_path_through_a_file_is_unusable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(FolderUnusable, match="choose another"):
        DataFolder.open(tmp_path / "file" / "below")
