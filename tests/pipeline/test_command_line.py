"""Every wrong use of a command gives one clear line and its exit code; output survives any locale."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from operators.moments import parse_moment
from pipeline.command_line.failures import Exit
from state.data_folder import DataFolder
from tests.pipeline.command import (
    COMMAND,
    EXAMPLES,
    ROOT,
    Outcome,
    begin,
    export,
    ingest,
    lines,
    message,
    stet,
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundled examples; read, never written."""
    data = tmp_path_factory.mktemp("demo") / "data"
    ingest(b"".join(file.read_bytes() for file in EXAMPLES), data)
    return data


@pytest.fixture(scope="module")
def two_tenants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("two") / "data"
    ingest(lines([message(1), message(1, tenant="globex", content="My address is 1 Fir Lane.")]), data)
    return data


def assert_told(outcome: Outcome, code: Exit, *words: str) -> None:
    assert outcome.code == code
    assert outcome.err.startswith("stet: ")
    assert outcome.err.count("\n") == 1
    assert outcome.err.endswith("\n")
    for word in words:
        assert word in outcome.err


class TestUnknownThings:
    @pytest.mark.parametrize(
        "command",
        [("state", "nobody"), ("ask", "nobody", "Where?"), ("export", "nobody")],
        ids=lambda c: c[0],
    )
    def test_subject(self, demo: Path, command: tuple[str, ...]) -> None:
        assert_told(stet(*command, data=demo), Exit.UNKNOWN, "'nobody'")

    def test_event(self, demo: Path) -> None:
        assert_told(stet("why", "ev-0", data=demo), Exit.UNKNOWN, "ev-0")

    @pytest.mark.parametrize(
        "command", [("state", "maya"), ("why", "ev-0"), ("export",), ("export", "maya")], ids=" ".join
    )
    def test_tenant(self, demo: Path, command: tuple[str, ...]) -> None:
        outcome = stet(*command, "--tenant", "nobody", data=demo)
        assert_told(outcome, Exit.UNKNOWN)
        assert outcome.out == b""


class TestSeveralTenants:
    def test_must_be_told_apart(self, two_tenants: Path) -> None:
        for command in (("state", "ann"), ("export",), ("ask", "ann", "Where?")):
            assert_told(stet(*command, data=two_tenants), Exit.USAGE, "acme, globex", "--tenant")

    def test_are_never_mixed(self, two_tenants: Path) -> None:
        out = stet("export", "--tenant", "globex", data=two_tenants).out
        assert b"Fir Lane" in out
        assert b"Elm Road" not in out
        assert b"Elm" in stet("state", "ann", "--tenant", "acme", data=two_tenants).out


class TestTheDataFolder:
    def test_is_missing(self, tmp_path: Path) -> None:
        assert_told(
            stet("state", "ann", data=tmp_path / "none"), Exit.FOLDER, "no data folder", "stet ingest"
        )
        assert not (tmp_path / "none").exists()

    def test_is_empty(self, tmp_path: Path) -> None:
        assert_told(stet("export", data=tmp_path), Exit.FOLDER, "empty")

    def test_is_anothers(self, tmp_path: Path) -> None:
        (tmp_path / "letter.txt").write_text("dear")
        assert_told(ingest(EXAMPLES[0], tmp_path), Exit.FOLDER, "no Stet data folder")
        assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]

    def test_is_a_file_or_below_one(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        file.touch()
        assert_told(ingest(EXAMPLES[0], file), Exit.FOLDER, "not a folder")
        assert_told(ingest(EXAMPLES[0], file / "data"), Exit.FOLDER)

    def test_is_open_elsewhere(self, tmp_path: Path) -> None:
        with DataFolder.open(tmp_path / "data"):
            assert_told(stet("state", "ann", data=tmp_path / "data"), Exit.FOLDER, str(os.getpid()))

    def test_has_another_encoder(self, demo: Path) -> None:
        outcome = stet("ingest", "--encoder", "hashing-8", EXAMPLES[0], data=demo)
        assert_told(outcome, Exit.FOLDER, "hashing-8")

    def test_may_not_be_written(self, tmp_path: Path) -> None:
        if os.geteuid() == 0:
            pytest.skip("the superuser may write anywhere")
        tmp_path.chmod(0o500)
        try:
            assert_told(ingest(EXAMPLES[0], tmp_path / "data"), Exit.FOLDER, "permissions")
        finally:
            tmp_path.chmod(0o700)

    @pytest.mark.parametrize("content", [b"", b"no database at all" * 100], ids=["empty", "garbage"])
    def test_has_a_damaged_recovery_store_that_may_be_deleted(self, tmp_path: Path, content: bytes) -> None:
        ingest(lines([message(1), message(1, content="My address is 9 Oak Street.")]), tmp_path)
        before = export(tmp_path)
        store = tmp_path / "recovery" / "offsets"
        for file in store.iterdir():
            file.write_bytes(content)
        assert_told(ingest(lines([message(2)]), tmp_path), Exit.FOLDER, str(store), "delete it")
        shutil.rmtree(store)
        assert ingest(b"", tmp_path).code == 0
        assert b"Oak Street" in export(tmp_path)
        ingest(lines([{**message(2), "op": "delete"}]), tmp_path)
        assert export(tmp_path) == before

    def test_has_nothing_in_it_yet(self, tmp_path: Path) -> None:
        ingest(b"", tmp_path / "data")
        assert_told(stet("state", "ann", data=tmp_path / "data"), Exit.UNKNOWN, "nothing was ingested")


def test_the_version_is_told() -> None:
    told = subprocess.run([*COMMAND, "--version"], capture_output=True, check=True).stdout
    assert told.startswith(b"stet 0.")


class TestInputs:
    def test_file_that_is_missing_or_a_folder(self, tmp_path: Path) -> None:
        for command in (("ingest",), ("ask", "--batch")):
            assert_told(stet(*command, tmp_path / "no", data=tmp_path / "d"), Exit.NOTHING_READ, "no file")
            assert_told(stet(*command, tmp_path, data=tmp_path / "d"), Exit.NOTHING_READ, "a folder")
        assert not (tmp_path / "d").exists()

    def test_named_pipe_is_a_file(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        running = begin("ingest", "--json", "--encoder", "hashing", pipe, data=tmp_path / "data")
        pipe.write_bytes(lines([message(1)]))
        out, errors = running.communicate(timeout=90)
        assert (running.returncode, errors) == (0, b"")
        assert json.loads(out)["messages"] == 1

    @pytest.mark.parametrize(
        "at", ["yesterday", "2026-02-30", "2026-03-05T12:00:00", "0001-01-01T00:00+08:00", ""]
    )
    def test_time_that_is_none(self, demo: Path, at: str) -> None:
        for command in (("state", "maya"), ("ask", "maya", "Where?"), ("export",), ("why", "ev-0")):
            assert_told(stet(*command, "--as-of", at, data=demo), Exit.USAGE, "--as-of")

    @pytest.mark.parametrize("at", ["0001-01-01", "9999-12-31T23:59:59.999999Z"])
    def test_first_and_last_moment(self, demo: Path, at: str) -> None:
        for command in (("state", "maya", "--history"), ("ask", "maya", "Where does it go?"), ("export",)):
            assert stet(*command, "--as-of", at, data=demo).code == 0

    def test_moments(self) -> None:
        assert parse_moment("2026-03-05").isoformat() == "2026-03-05T00:00:00+00:00"
        assert parse_moment("2026-03-05T12:00:00+08:00").isoformat() == "2026-03-05T04:00:00+00:00"

    def test_question_without_its_parts(self, demo: Path) -> None:
        for command in (("ask",), ("ask", "maya"), ("ask", "maya", "Where?", "--batch", "f")):
            assert_told(stet(*command, data=demo), Exit.USAGE, "--batch")

    def test_argument_that_is_no_text(self, demo: Path) -> None:
        outcome = stet("state", b"\xff".decode(errors="surrogateescape"), data=demo)
        assert outcome.code == Exit.USAGE
        assert "not text" in outcome.err

    def test_fault_of_ours_is_not_hidden(self, monkeypatch: pytest.MonkeyPatch, demo: Path) -> None:
        monkeypatch.setattr("query_service.state_view.view_state", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            stet("state", "maya", data=demo)


class TestBatch:
    """`ask --batch`: one answer a row, in order, each under its own name."""

    def test_answers_in_order_and_a_bad_row_in_its_place(self, demo: Path) -> None:
        rows = [
            json.dumps({"subject": "maya", "question": "Where will the desk be delivered?", "qid": "q1"}),
            "",
            "no JSON",
            json.dumps({"subject": "maya", "question": "Where?", "qid": "q2", "mood": "glad"}),
            json.dumps({"subject": "nobody", "question": "Where?", "qid": 7}),
            json.dumps({"subject": "maya", "question": "Where?", "as_of": "soon", "qid": "q3"}),
            json.dumps(
                {"subject": "周晓雯", "question": "快递地址是哪里？", "qid": "问四"}, ensure_ascii=False
            ),
            json.dumps({"subject": "maya", "question": "Where?", "tenant": "nobody", "qid": "q5"}),
            json.dumps({"subject": "maya", "question": ["?"], "qid": ["list"]}),
        ]
        stdin = b"\xef\xbb\xbf" + "\n".join(rows).encode() + b'\n{"subject": "\x80"}'
        outcome = stet("ask", "--batch", "-", data=demo, stdin=stdin)
        assert (outcome.code, outcome.err) == (0, "")
        answers = outcome.rows
        qids = ["q1", None, "q2", 7, "q3", "问四", "q5", None, None]
        assert [answer["qid"] for answer in answers] == qids
        wrong = {answer["line"]: answer["error"] for answer in answers if "error" in answer}
        assert list(wrong) == [3, 4, 5, 6, 8, 9, 10]
        assert "mood" in wrong[4]
        assert "soon" in wrong[6]
        good = [answer for answer in answers if "error" not in answer]
        assert all(answer["evidence"] and answer["context"] for answer in good)

    def test_row_of_several_tenants_names_its_own(self, two_tenants: Path) -> None:
        row = {"subject": "ann", "question": "What is the address?"}
        stdin = lines([{**row, "tenant": "globex"}, row, {**row, "tenant": "acme"}])
        first, second, third = stet("ask", "--batch", "-", data=two_tenants, stdin=stdin).rows
        assert "Fir Lane" in first["context"]
        assert "--tenant" in second["error"]
        assert "Elm Road" in third["context"]

    def test_nothing_that_could_be_answered_is_an_error(self, demo: Path) -> None:
        outcome = stet("ask", "--batch", "-", data=demo, stdin=b"no JSON\n")
        assert_told(outcome, Exit.NOTHING_READ)
        assert [row["line"] for row in outcome.rows] == [1]


class TestOutput:
    def test_in_any_locale(self, demo: Path) -> None:
        for env in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}):
            people = begin("state", "周晓雯", data=demo, env=env)
            out, errors = people.communicate(timeout=90)
            assert (people.returncode, errors) == (0, b"")
            assert out
            machines = begin("state", "周晓雯", "--json", data=demo, env=env)
            assert json.loads(machines.communicate(timeout=90)[0])["subject"] == "周晓雯"

    @pytest.mark.parametrize("command", [("export",), ("state", "maya")], ids=" ".join)
    def test_to_a_reader_that_went_away(self, demo: Path, command: tuple[str, ...]) -> None:
        running = begin(*command, data=demo)
        assert running.stdout is not None
        running.stdout.close()
        assert running.wait(90) == Exit.OUTPUT_CLOSED
        assert running.stderr is not None
        assert running.stderr.read() == b""

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    def test_to_a_full_disk(self, demo: Path) -> None:
        with open("/dev/full", "wb") as full:
            ran = subprocess.run(
                [*COMMAND, "state", "maya", "--data-dir", str(demo)],
                stdout=full,
                stderr=subprocess.PIPE,
                timeout=90,
                check=False,
                cwd=ROOT,
            )
        assert_told(Outcome(ran.returncode, b"", ran.stderr.decode()), Exit.STORE, "space")

    def test_without_a_home(self, tmp_path: Path) -> None:
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        command = [*COMMAND, "ingest", "--json", "--encoder", "hashing", str(EXAMPLES[0])]
        ran = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, timeout=90, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")
        assert (tmp_path / ".stet" / "stet.json").exists()

    def test_of_a_command_that_is_stopped(self, demo: Path) -> None:
        """A question is waited for on standard input: there the signal finds it."""
        running = begin("ask", "--batch", "-", data=demo)
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(lines([{"subject": "maya", "question": "Where?"}]) * 200)
        running.stdin.flush()
        running.stdout.readline()
        running.send_signal(signal.SIGTERM)
        running.stdout.read()
        assert running.wait(90) == Exit.TERMINATED
        assert running.stderr is not None
        assert running.stderr.read() == b"stet: stopped by SIGTERM\n"
        assert not (demo / "redis" / "redis.pid").exists()


class TestADiskThatIsFull:
    """A write that fails while messages are taken: one line, nothing half done, the next run whole."""

    def test_log(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        ingest(lines([message(1)]), tmp_path)
        with monkeypatch.context() as full:
            full.setattr("state.message_log.write_all", _full)
            assert_told(ingest(lines([message(2)]), tmp_path), Exit.STORE, "No space left", "free")
        assert ingest(lines([message(2)]), tmp_path).code == 0
        assert export(tmp_path).count(b'"kind":"message"') == 2

    def test_rejected_stream(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as full:
            full.setattr("pipeline.rejected.write_all", _full)
            assert_told(ingest(b"no JSON\n" + lines([message(1)]), tmp_path), Exit.STORE, "No space left")
        outcome = ingest(lines([message(2)]), tmp_path)
        assert outcome.code == 0
        assert outcome.json["rejected_by_reason"] == {"malformed_json": 1}
        assert export(tmp_path).count(b'"kind":"message"') == 2


def _full(descriptor: int, data: bytes) -> None:
    raise OSError(28, "No space left on device")


def test_help_needs_no_data_folder_and_is_quick_to_import() -> None:
    """Torch takes seconds to import: a command that does not encode must not wait for it."""
    code = "import sys; import pipeline.command_line.app; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=90, check=False).returncode == 0
