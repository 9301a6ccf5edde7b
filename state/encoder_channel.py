"""What an encoder's process and the process that it works for say to each other, over one socket.

Each message is its length in eight bytes and then MessagePack. The other side's end is the end of the stream.
"""

import socket
import threading
from dataclasses import dataclass
from typing import TypeVar

import msgspec

Said = TypeVar("Said")

LOADED = 0
"""The number of the first reply, which nobody asked for: the model is loaded, or cannot be."""
_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Request:
    """Texts to encode; None asks for the model's tokenizer. `number` is the reply's."""

    number: int
    texts: list[str] | None


@dataclass(frozen=True, slots=True)
class Reply:
    """`payload` has float32 rows, or the tokenizer as JSON; where `error` says what went wrong, nothing.

    `unfit` tells an error that the texts may be to blame for from one of the encoder.
    """

    number: int
    dimension: int = 0
    payload: bytes = b""
    error: str = ""
    unfit: bool = False


class Channel:
    """One end. `send` may be called from any thread, `receive` from one."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._sending = threading.Lock()

    def send(self, said: Request | Reply) -> None:
        """Raises OSError where the other side is gone, UnicodeEncodeError for half a surrogate pair."""
        body = msgspec.msgpack.encode(said)
        with self._sending:
            self._end.sendall(len(body).to_bytes(_LENGTH))
            self._end.sendall(body)

    def receive(self, kind: type[Said]) -> Said | None:
        """The next message, or None where the other side is gone, were it amid a message."""
        length = self._exactly(_LENGTH)
        body = None if length is None else self._exactly(int.from_bytes(length))
        return None if body is None else msgspec.msgpack.decode(body, type=kind)

    def close(self) -> None:
        """Ends the stream for both sides; a `receive` that waits gives None."""
        try:
            self._end.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the other side was faster

    def _exactly(self, size: int) -> bytearray | None:
        body = bytearray(size)
        view = memoryview(body)
        while view:
            try:
                got = self._end.recv_into(view)
            except ConnectionError:
                return None
            if not got:
                return None
            view = view[got:]
        return body
