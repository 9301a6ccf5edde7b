"""An encoder in a process of its own, so that its work and that of this process hold up each other's
interpreter no more: each has one, and cores to run on.

This process then imports no torch. The vectors are the same: the child is `state.encoder` behind a socket.
"""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from state.encoder import EncoderError, MiniLmEncoder
from state.encoder_channel import LOADED, Channel, Reply, Request
from state.hashing_encoder import hashing_named
from state.notes import Encoder

_ENDING_SECONDS = 2.0
_LAST_WORDS = 4096


class EncodingFailed(Exception):
    """The encoder raised for these texts; the text names the error. One of them may be unfit."""


@contextlib.contextmanager
def encoder_beside(name: str = "minilm") -> Iterator[Encoder]:
    """The encoder that `encoder_named` gives for `name`, in a process of its own that ends with the context;
    the hashing encoder stays here, since it takes less time than sending texts. Raises EncoderError."""
    hashing = hashing_named(name)
    if hashing is not None:
        yield hashing
        return
    encoder = EncoderProcess(name)
    try:
        yield encoder
    finally:
        encoder.close()


class EncoderProcess:
    """An `Encoder` whose model is in a child process. It is loaded while the caller goes on.

    Calls may come from any thread and share the child: between two mini-batches of one call others have
    their turn. A child that dies is started again, once for each call that waited for it. Raises EncoderError
    where it dies again, or where the model cannot be loaded; EncodingFailed for what else the encoder raises.
    """

    def __init__(self, model: str) -> None:
        """Starts the child; waits for it only where the model's dimension is not known here."""
        self.name = model
        self._here = MiniLmEncoder() if model == "minilm" else None
        self._counting: Tokenizer | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._child = _Child(model)
        try:
            self.dimension = self._here.dimension if self._here else self._ask([]).dimension
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The child's process id; another one once it was started again."""
        return self._child.pid

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length, in the order of `texts`."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        reply = self._ask(list(texts))
        return np.frombuffer(reply.payload, np.float32).reshape(len(texts), reply.dimension).copy()

    def count_tokens(self, text: str) -> int:
        """How many tokens `text` has, untruncated, counted in this process."""
        if self._here is not None:
            return self._here.count_tokens(text)
        if self._counting is None:
            self._counting = Tokenizer.from_str(self._ask(None).payload.decode())
        return len(self._counting.encode(text, add_special_tokens=False).ids)

    def close(self) -> None:
        """Ends the child and waits until it is gone; calls that wait raise EncoderError. Closing twice is no
        error."""
        with self._changing:
            self._closed = True
            self._child.end()

    def _ask(self, texts: list[str] | None) -> Reply:
        for _ in range(2):
            child = self._running()
            reply = child.ask(texts)
            if reply is not None:
                return _checked(reply)
        how = child.end()
        if self._closed:
            raise EncoderError("the encoder is closed")
        raise EncoderError(f"the encoder's process ended twice over the same texts ({how})")

    def _running(self) -> "_Child":
        with self._changing:
            if self._closed:
                raise EncoderError("the encoder is closed")
            if self._child.gone:
                self._child.end()
                self._child = _Child(self.name)
            return self._child


class _Child:
    """One child process, from its start to its end."""

    def __init__(self, model: str) -> None:
        self._end, theirs = socket.socketpair()
        # Not this process's standard error, which may show progress; it is read where the child dies.
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `end`
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "state.encoder_child", str(theirs.fileno()), model],
                    stdin=subprocess.DEVNULL,
                    stdout=self._words,
                    stderr=self._words,
                    pass_fds=[theirs.fileno()],
                    env=_environment(),
                    start_new_session=True,  # Ctrl-C is this process's to handle
                )
            except OSError as error:
                self._end.close()
                self._words.close()
                raise EncoderError(f"the encoder's process cannot be started ({error.strerror})") from error
        self.pid = self._process.pid
        self.gone = False
        self._ended = ""
        self._channel = Channel(self._end)
        self._numbers = itertools.count(LOADED + 1)
        self._unloadable = ""
        self._waiting: dict[int, Future[Reply | None]] = {}
        self._state = threading.Lock()
        self._ending = threading.Lock()
        self._listener = threading.Thread(target=self._listen, name="stet-encoder-replies", daemon=True)
        self._listener.start()

    def ask(self, texts: list[str] | None) -> Reply | None:
        """The reply, or None where the child ended before it. Raises EncoderError where it has no model."""
        answer: Future[Reply | None] = Future()
        with self._state:
            if self.gone:
                return None
            number = next(self._numbers)
            self._waiting[number] = answer
        try:
            with contextlib.suppress(OSError):  # the child is gone: the listener sees that too, and answers
                self._channel.send(Request(number, texts))
            reply = answer.result()
        finally:
            with self._state:
                self._waiting.pop(number, None)
        if reply is None and self._unloadable:
            raise EncoderError(self._unloadable)
        return reply

    def end(self) -> str:
        """Ends the child, waits until it is gone, and says how it ended. Twice is no error."""
        with self._ending:
            if not self._ended:
                self._channel.close()
                try:
                    self._process.wait(_ENDING_SECONDS)
                except subprocess.TimeoutExpired:
                    self._process.kill()
                    self._process.wait()
                self._listener.join()
                self._end.close()
                self._ended = self._how_it_ended()
                self._words.close()
            return self._ended

    def _listen(self) -> None:
        try:
            while (reply := self._channel.receive(Reply)) is not None:
                if reply.number == LOADED:
                    self._unloadable = reply.error
                    continue
                with self._state:
                    answer = self._waiting.pop(reply.number, None)
                if answer is not None:  # None: who asked was interrupted
                    answer.set_result(reply)
        finally:
            with self._state:
                self.gone = True
                left = list(self._waiting.values())
            for answer in left:
                answer.set_result(None)

    def _how_it_ended(self) -> str:
        code = self._process.returncode
        if code < 0:
            how = f"killed by {signal.Signals(-code).name}"
            if code == -signal.SIGKILL:
                how += ", perhaps since memory ran out"
        else:
            how = f"exit code {code}"
        self._words.seek(max(0, self._words.seek(0, os.SEEK_END) - _LAST_WORDS))
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        return f"{how}; it last wrote: {lines[-1]}" if lines else how


def _checked(reply: Reply) -> Reply:
    if not reply.error:
        return reply
    raise EncodingFailed(reply.error) if reply.unfit else EncoderError(reply.error)


def _environment() -> dict[str, str]:
    """This process's, with its own places to import from: the child must find the same code."""
    places = [place or os.getcwd() for place in sys.path]
    return {"TOKENIZERS_PARALLELISM": "false", **os.environ, "PYTHONPATH": os.pathsep.join(places)}
