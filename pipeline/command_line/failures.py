"""How a command fails: one line on standard error and a documented exit code, never a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import NoReturn

import redis.exceptions
import typer

from pipeline.rejected import RejectedDamaged
from query_service.ask import UnknownSubject
from state.data_folder import DataFolderError
from state.embedded_redis import EmbeddedRedisError
from state.encoder import EncoderError
from state.graph_change import Fenced
from state.message_log import LogError
from state.note_points import NoteStoreError


class Exit(IntEnum):
    """Exit codes, as the README documents them."""

    USAGE = 2  # an argument is wrong; typer's own code for it
    UNKNOWN = 3  # no such subject, event or tenant
    FOLDER = 4  # the data folder cannot be used: missing, locked, foreign, another encoder
    NOTHING_READ = 5  # the input has no message that could be read
    STORE = 6  # a store failed or went away
    INTERRUPTED = 130


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
    (Fenced, Exit.STORE),
    (redis.exceptions.RedisError, Exit.STORE),
    (OSError, Exit.STORE),
)

_KNOWN: tuple[type[BaseException], ...] = (KeyboardInterrupt, *(kind for kind, _ in _CODES))


def fail(message: str, code: Exit) -> NoReturn:
    raise CommandError(message, code)


@contextmanager
def told() -> Iterator[None]:
    """Turns what a command may fail with into one line and an exit code; lets faults of ours through."""
    try:
        yield
    except CommandError as error:
        _exit(str(error), error.code)
    except UnknownSubject as error:
        _exit(f"nothing was ever said by or about the subject {str(error)!r} in this tenant", Exit.UNKNOWN)
    except KeyboardInterrupt:
        _exit("stopped; what was read is kept, and the same command goes on from there", Exit.INTERRUPTED)
    except BaseException as error:
        cause = root_of(error)
        for kind, code in _CODES:
            if isinstance(cause, kind):
                _exit(" ".join(str(cause).split()) or type(cause).__name__, code)
        raise


def root_of(error: BaseException) -> BaseException:
    """The first known cause in a chain: the dataflow wraps what its steps raise."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, _KNOWN):
            return seen
        seen = seen.__cause__ or seen.__context__
    return error


def _exit(message: str, code: Exit) -> NoReturn:
    print(f"stet: {message}", file=sys.stderr)
    raise typer.Exit(int(code))
