"""One bundled Redis serves one folder, whatever is killed, and keeps what it acknowledged."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import state.embedded_redis as embedded
from state.embedded_redis import EmbeddedRedis, EmbeddedRedisError

ROOT = Path(__file__).parents[2]
PARENT = """
import sys
from pathlib import Path
from state.embedded_redis import EmbeddedRedis
opened = EmbeddedRedis(Path(sys.argv[1]))
opened.client.set("city", "北京")
print(opened.pid, flush=True)
sys.stdin.read()
"""


def servers(folder: Path) -> list[int]:
    """The processes that work in `folder`, as the system tells them."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            if os.readlink(entry / "cwd") == os.path.realpath(folder):
                found.append(int(entry.name))
        except OSError:  # it ended meanwhile, or is another user's
            continue
    return found


def orphan(folder: Path) -> int:
    """The pid of a server whose parent wrote one key and was killed."""
    command = [sys.executable, "-c", PARENT, str(folder)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    return pid


def setting(opened: EmbeddedRedis, name: str) -> str:
    """One setting of the running server."""
    ((_, value),) = opened.client.config_get(name).items()
    return value.decode() if isinstance(value, bytes) else str(value)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for a server; what a failed test leaves running is ended by its pid."""
    path = tmp_path / "redis"
    path.mkdir()
    yield path
    for pid in servers(path):
        os.kill(pid, signal.SIGKILL)


def test_it_keeps_what_was_written_across_a_close(folder: Path) -> None:
    with EmbeddedRedis(folder) as opened:
        opened.client.set("a", "1")
        assert servers(folder) == [opened.pid]
    assert servers(folder) == []
    with EmbeddedRedis(folder) as opened:
        assert opened.client.get("a") == b"1"
    opened.close()
    assert list(folder.glob("*.rdb")) == []


def test_it_listens_on_a_private_socket_only_and_syncs_before_it_acknowledges(folder: Path) -> None:
    with EmbeddedRedis(folder) as opened:
        assert setting(opened, "port") == "0"
        assert setting(opened, "save") == ""
        assert setting(opened, "appendonly") == "yes"
        assert setting(opened, "appendfsync") == "always"
        assert opened.socket.stat().st_mode & 0o077 == 0


def test_the_server_of_a_killed_parent_is_taken_over(folder: Path) -> None:
    pid = orphan(folder)
    assert servers(folder) == [pid]
    with EmbeddedRedis(folder) as opened:
        assert opened.pid == pid
        assert opened.client.get("city") == "北京".encode()
        assert servers(folder) == [pid]
    assert servers(folder) == []


def test_connections_of_the_earlier_owner_are_cut(folder: Path) -> None:
    """What the dead parent had sent and the server had not read must not be carried out later."""
    earlier = EmbeddedRedis(folder)
    connection = earlier.client.client_id()
    with EmbeddedRedis(folder) as opened:
        assert opened.pid == earlier.pid
        assert connection not in {int(client["id"]) for client in opened.client.client_list()}
    earlier.close()


@pytest.mark.parametrize("lost", [["redis.sock"], ["redis.sock", "redis.pid"]])
def test_an_orphan_that_cannot_be_reached_is_never_joined_by_a_second_server(
    folder: Path, lost: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_STOPPING_SECONDS", 3.0)
    monkeypatch.setattr(embedded, "_ANSWER_SECONDS", 0.5)
    pid = orphan(folder)
    for name in lost:
        (folder / name).unlink()
    if "redis.pid" in lost:
        with pytest.raises(EmbeddedRedisError, match="fuser"):
            EmbeddedRedis(folder)
        assert servers(folder) == [pid]
    else:
        with EmbeddedRedis(folder) as opened:
            assert opened.pid != pid
            assert servers(folder) == [opened.pid]
            assert opened.client.get("city") == "北京".encode()


def test_an_orphan_that_hangs_is_ended_and_its_data_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_STOPPING_SECONDS", 0.5)
    monkeypatch.setattr(embedded, "_ANSWER_SECONDS", 0.5)
    pid = orphan(folder)
    os.kill(pid, signal.SIGSTOP)
    with EmbeddedRedis(folder) as opened:
        assert servers(folder) == [opened.pid] != [pid]
        assert opened.client.get("city") == "北京".encode()


def test_an_orphan_with_other_settings_is_replaced(folder: Path) -> None:
    pid = orphan(folder)
    with EmbeddedRedis(folder) as opened:
        opened.client.config_set("appendfsync", "everysec")
        again = EmbeddedRedis(folder)
        assert again.pid != pid
        assert again.client.get("city") == "北京".encode()
        again.close()


def test_a_pid_file_that_names_another_process_ends_nothing(folder: Path) -> None:
    (folder / "redis.pid").write_text(str(os.getpid()))
    with EmbeddedRedis(folder) as opened:
        assert opened.client.ping()


def test_a_killed_server_keeps_every_acknowledged_write(folder: Path) -> None:
    opened = EmbeddedRedis(folder)
    for n in range(50):
        opened.client.set(f"k{n}", n)
    os.kill(opened.pid, signal.SIGKILL)
    opened.close()
    with EmbeddedRedis(folder) as again:
        assert again.client.dbsize() == 50


def test_a_torn_end_of_the_file_is_dropped(folder: Path) -> None:
    with EmbeddedRedis(folder) as opened:
        opened.client.set("whole", "1")
        with opened.client.pipeline(transaction=True) as together:
            together.set("torn", "2")
            together.set("too", "3")
            together.execute()
    aof = folder / "appendonly.aof"
    aof.write_bytes(aof.read_bytes()[:-20])
    with EmbeddedRedis(folder) as opened:
        assert opened.client.keys() == [b"whole"]  # a transaction is kept whole or not at all


def test_a_damaged_file_is_told_with_the_servers_own_words(folder: Path) -> None:
    with EmbeddedRedis(folder) as opened:
        for n in range(20):
            opened.client.set(f"k{n}", "value")
    aof = folder / "appendonly.aof"
    body = aof.read_bytes()
    aof.write_bytes(body[:200] + b"nonsense" + body[200:])
    with pytest.raises(EmbeddedRedisError, match=r"ended with code 1.*Bad file format.*backup"):
        EmbeddedRedis(folder)
    assert servers(folder) == []


@pytest.mark.parametrize("name", ["long " + "x" * 120, "数据 'of' \"mine\""])
def test_any_path_will_do(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with EmbeddedRedis(folder) as opened:
        opened.client.set("a", "1")
        assert len(os.fsencode(opened.socket)) <= 100
    with EmbeddedRedis(folder) as opened:
        assert opened.client.get("a") == b"1"
    assert (folder / "appendonly.aof").exists()


def test_a_long_paths_socket_lies_in_a_private_folder_and_no_other_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    with tempfile.TemporaryDirectory() as short:
        monkeypatch.setattr(tempfile, "tempdir", short)
        with EmbeddedRedis(folder) as opened:
            private = opened.socket.parent
            assert private.parent == Path(short)
            assert private.stat().st_mode & 0o777 == 0o700
        private.chmod(0o755)
        with pytest.raises(EmbeddedRedisError, match="not a private folder"):
            EmbeddedRedis(folder)
        private.rmdir()
        private.symlink_to(tmp_path)
        with pytest.raises(EmbeddedRedisError, match="not a private folder"):
            EmbeddedRedis(folder)
