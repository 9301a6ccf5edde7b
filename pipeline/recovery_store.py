"""Bytewax's recovery store, which remembers how far the log was processed."""

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bytewax.recovery import (
    InconsistentPartitionsError,
    MissingPartitionsError,
    NoPartitionsError,
    RecoveryConfig,
    init_db_dir,
)

from state.durable import sync_directory

_STORE = "offsets"
_FAULTS = (InconsistentPartitionsError, MissingPartitionsError, NoPartitionsError)


class RecoveryUnusable(Exception):
    """The recovery store cannot be read or written; the message is one line that says what to do."""


class RecoveryHeld(Exception):
    """Another process has the recovery store open; one that is about to end may let go of it."""


@contextmanager
def recovery_in(folder: Path, partitions: int = 1, process: int = 0) -> Iterator[RecoveryConfig]:
    """The store in `folder`, made with so many partitions if need be: that number stays, and is the most
    processes that can share it. `process` is which of a set this is.

    Raises `RecoveryHeld` where a process of that number has it open (offsets of two sets mixed could not be
    read again), `RecoveryUnusable` where it is damaged or a run within fails for the store.
    """
    store = folder / _STORE
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _owned(folder / f"process-{process}.lock", process):
        if not store.exists():
            _make(store, partitions)
        yield from _opened(store)


@contextmanager
def _owned(lock: Path, process: int) -> Iterator[None]:
    """Holds a file that the system lets go of however this process ends."""
    with lock.open("ab") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RecoveryHeld(
                f"another worker has {lock.parent} open as its process {process}: give each set of workers a "
                "folder of its own, or start one set with more --processes"
            ) from error
        yield


def _opened(store: Path) -> Iterator[RecoveryConfig]:
    _check(store)
    try:
        yield RecoveryConfig(store)
    except (RuntimeError, *_FAULTS) as error:
        # A failure of the store's SQLite comes as a panic that names the engine's source file.
        if not isinstance(error, _FAULTS) and "src/recovery.rs" not in str(error):
            raise
        raise _unusable(store) from error


def _unusable(store: Path) -> RecoveryUnusable:
    return RecoveryUnusable(
        f"{store} cannot be read or written; check its permissions and the free space; if it is damaged, "
        "delete it: the log is read again from its beginning, which changes nothing that is stored"
    )


def _check(store: Path) -> None:
    """Raises where a partition cannot be used: of several processes' engines none says so."""
    for part in store.glob("part-*.sqlite3"):
        if not os.access(part, os.R_OK | os.W_OK):
            raise _unusable(store)
        try:
            with closing(sqlite3.connect(part)) as opened:
                answer = opened.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            raise _unusable(store) from error
        if answer != ("ok",):
            raise _unusable(store)


def _make(store: Path, partitions: int) -> None:
    """Makes the store in one step: half of one, left by a kill, could never be opened."""
    draft = Path(tempfile.mkdtemp(prefix=f"{_STORE}.new-", dir=store.parent))
    init_db_dir(draft, partitions)
    try:
        draft.rename(store)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not store.exists():  # or else another process of the same set was sooner
            raise
    sync_directory(store.parent)
