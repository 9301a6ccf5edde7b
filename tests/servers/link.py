"""A network link that can be cut and mended: a TCP proxy in front of any server."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self

from tests.servers.port import HOST, Port

_BYTES = 65536
_SECONDS = 10.0


class Link:
    """Passes bytes between clients of `address` and a server on this machine, from entering to leaving.

    A cut link refuses new connections and has dropped the ones it had. The other end may be named later, by
    `to`: a broker must know the link's address when it starts, and the link the broker's.
    """

    def __init__(self, to: int | None = None) -> None:
        """`to` is the server's port."""
        self.to = to
        self._port = Port()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="link", daemon=True)
        self._server: asyncio.Server | None = None
        self._carried: set[asyncio.StreamWriter] = set()

    @property
    def port(self) -> int:
        return self._port.number

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    def cut(self) -> None:
        """Returns once no connection is left. Cutting twice is no error."""
        self._run(self._cut())

    def mend(self) -> None:
        """Returns once connections are taken again. Mending a whole link is no error."""
        self._run(self._mend())

    def __enter__(self) -> Self:
        self._thread.start()
        self.mend()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._port.give_back()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(_SECONDS)

    async def _mend(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._carry, HOST, self.port)

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        # One that was just accepted may still be on its way to the server.
        while self._carried or len(asyncio.all_tasks()) > 1:
            for writer in self._carried:
                writer.transport.abort()
            await asyncio.sleep(0.001)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._carried.add(writer)
        try:
            with contextlib.suppress(OSError):
                far_reader, far_writer = await asyncio.open_connection(HOST, self.to)
                self._carried.add(far_writer)
                try:
                    await asyncio.gather(_pass(reader, far_writer), _pass(far_reader, writer))
                finally:
                    far_writer.transport.abort()
                    self._carried.discard(far_writer)
        finally:
            writer.transport.abort()
            self._carried.discard(writer)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Passes bytes on until one side ends, and ends the other side's writing too."""
    while chunk := await reader.read(_BYTES):
        writer.write(chunk)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
