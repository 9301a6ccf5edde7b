"""How a command fails: one line on standard error and a documented exit code, never a traceback."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

import msgspec
import redis.exceptions
import typer

from operators.llm.endpoint import EndpointInvalid, endpoint_from
from operators.llm.failure import BudgetSpent, CallFailed
from pipeline.command_line.stopping import Stopped, at_once
from pipeline.command_line.terminal import clean
from pipeline.kafka_settings import KafkaUnusable
from pipeline.patience import BrokerAway, StoppedWaiting
from pipeline.recovery_store import RecoveryHeld, RecoveryUnusable
from pipeline.rejected import RejectedDamaged
from query_service.unknown_subject import UnknownSubject
from state.data_folder import DataFolderError
from state.embedded_redis import EmbeddedRedisError
from state.encoder import EncoderError
from state.graph_change import Fenced
from state.message_log import LogError
from state.note_points import NoteStoreError
from state.redis_client import RedisUnusable


class Exit(IntEnum):
    """Exit codes, as docs/commands.md has them. A signal that stops a command gives 128 + its number."""

    USAGE = 2  # an argument is wrong; typer's own code for it
    UNKNOWN = 3  # no such subject, event or tenant
    FOLDER = 4  # the data or recovery folder cannot be used: missing, locked, damaged, another encoder
    NOTHING_READ = 5  # the input has no message that could be read
    STORE = 6  # a store failed or went away, or the output could not be written
    FENCED = 7  # a newer worker writes the same graph
    MODEL = 8  # the model gave no answer
    BUDGET = 9  # the tenant's tokens of the day are spent
    INTERRUPTED = 130  # Ctrl-C
    OUTPUT_CLOSED = 141  # whoever read the output went away
    TERMINATED = 143


class CommandError(Exception):
    """A command cannot go on; `str()` is the one line that says why and what to do."""

    def __init__(self, message: str, code: Exit) -> None:
        super().__init__(message)
        self.code = code


_CODES: tuple[tuple[type[BaseException], Exit], ...] = (
    (DataFolderError, Exit.FOLDER),
    (EncoderError, Exit.FOLDER),
    (EmbeddedRedisError, Exit.STORE),
    (LogError, Exit.STORE),
    (NoteStoreError, Exit.STORE),
    (RejectedDamaged, Exit.STORE),
    (RecoveryHeld, Exit.STORE),
    (RecoveryUnusable, Exit.FOLDER),
    (RedisUnusable, Exit.STORE),
    (KafkaUnusable, Exit.STORE),
    (BrokerAway, Exit.STORE),
    (StoppedWaiting, Exit.STORE),
    (Fenced, Exit.STORE),
    (redis.exceptions.RedisError, Exit.STORE),
    (msgspec.DecodeError, Exit.STORE),
    (OSError, Exit.STORE),
    (EndpointInvalid, Exit.USAGE),
    (BudgetSpent, Exit.BUDGET),
    (CallFailed, Exit.MODEL),
)

_KNOWN: tuple[type[BaseException], ...] = (Stopped, KeyboardInterrupt, *(kind for kind, _ in _CODES))


def fail(message: str, code: Exit) -> NoReturn:
    raise CommandError(message, code)


def warn(message: str) -> None:
    """One line on standard error; the command goes on. What would steer a terminal is shown as its escape."""
    print(f"stet: {clean(message)}", file=sys.stderr, flush=True)


@contextmanager
def told(after_stop: str = "") -> Iterator[None]:
    """Turns what a command may fail with into one line and an exit code; lets faults of ours through.

    `after_stop` says what a command that a signal stopped leaves behind.
    """
    try:
        with at_once():
            yield
            sys.stdout.flush()
    except CommandError as error:
        _exit(str(error), error.code)
    except UnknownSubject as error:
        _exit(f"nothing was ever said by or about the subject {str(error)!r} in this tenant", Exit.UNKNOWN)
    except BrokenPipeError:
        _exit(None, Exit.OUTPUT_CLOSED)
    except BaseException as error:
        cause = root_of(error)
        if isinstance(cause, Stopped):
            _exit("; ".join(filter(None, (str(cause), after_stop))), cause.code)
        if isinstance(cause, KeyboardInterrupt):
            _exit("; ".join(filter(None, ("stopped", after_stop))), Exit.INTERRUPTED)
        for kind, code in _CODES:
            if isinstance(cause, kind):
                _exit(line_of(cause), code)
        raise


def exit_of(error: BaseException) -> int:
    """The exit code that an error ends a command with under `told`; 1 for a fault of ours."""
    if isinstance(error, CommandError):
        return int(error.code)
    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, UnknownSubject):
        return Exit.UNKNOWN
    if isinstance(error, BrokenPipeError):
        return Exit.OUTPUT_CLOSED
    cause = root_of(error)
    if isinstance(cause, Stopped):
        return cause.code
    if isinstance(cause, KeyboardInterrupt):
        return Exit.INTERRUPTED
    return next((int(code) for kind, code in _CODES if isinstance(cause, kind)), 1)


def code_of(error: BaseException) -> Exit:
    """The exit code of what a command may fail with. Raises `error` where it is a fault of ours."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return code
    raise error


def root_of(error: BaseException) -> BaseException:
    """The first known cause in a chain, or its beginning: the dataflow wraps what its steps raise."""
    seen = error
    while not isinstance(seen, _KNOWN) and (before := seen.__cause__ or seen.__context__) is not None:
        seen = before
    return seen


def check_input(file: str) -> None:
    """Fails unless `file` ("-" is standard input) can be read; a pipe that has a name can."""
    if file == "-":
        return
    path = Path(file)
    if not path.exists():
        fail(f"there is no file {file}", Exit.NOTHING_READ)
    if path.is_dir():
        fail(f"{file} is a folder: name a file in it", Exit.NOTHING_READ)
    if not os.access(path, os.R_OK):
        fail(f"{file} cannot be read: check its permissions", Exit.NOTHING_READ)


def line_of(error: BaseException) -> str:
    """The one line that says what went wrong, and of a model which was asked."""
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        advice = "; free some space and try again" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        return f"{error.strerror}{where}{advice}"
    if isinstance(error, msgspec.DecodeError):
        return (
            "a stored record cannot be read: the data folder is damaged, or from another version of stet; "
            f"restore it from a backup, or ingest again into a new folder ({error})"
        )
    line = " ".join(str(error).split()) or type(error).__name__
    return (
        f"{line}{_asked()}" if isinstance(error, CallFailed) and not isinstance(error, BudgetSpent) else line
    )


def _asked() -> str:
    """Whom the command asked: most often it is the address or the name that is wrong. No secret is in it."""
    endpoint = endpoint_from(os.environ)
    return f"; asked was {endpoint.base_url}#{endpoint.model}" if endpoint else ""


def _exit(message: str | None, code: int) -> NoReturn:
    _give_up_output()
    if message is not None:
        warn(message)
    raise typer.Exit(int(code))


def _give_up_output() -> None:
    """Writes what standard output still holds; where that fails it goes nowhere, or the interpreter would
    try again at its end and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
