"""A free port that stays the taker's own while its server is killed and started again."""

import errno
import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path

HOST = "127.0.0.1"
# Below the ports that systems take for outgoing connections: one of those could otherwise sit on a server's
# port between its kill and its restart.
_LOWEST, _HIGHEST = 18_000, 30_000
_TRIES = 200


class Port:
    """A port on loopback that was free when it was taken.

    A locked file keeps it from other test processes until it is given back, or until this process ends. A
    stranger may still bind it before the server does: whoever starts a server looks whether it answers, and
    takes another port where it does not.
    """

    def __init__(self) -> None:
        folder = Path(tempfile.gettempdir()) / f"stet-test-ports-{os.getuid()}"
        folder.mkdir(exist_ok=True)
        for _ in range(_TRIES):
            self.number = random.SystemRandom().randint(_LOWEST, _HIGHEST)
            self._lock = os.open(folder / str(self.number), os.O_CREAT | os.O_RDWR, 0o600)
            if _locked(self._lock) and _free(self.number):
                return
            os.close(self._lock)
        raise OSError(errno.EADDRINUSE, f"no free port found on {HOST} in {_TRIES} tries")

    def give_back(self) -> None:
        os.close(self._lock)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _free(number: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind((HOST, number))
        except OSError:
            return False
    return True
