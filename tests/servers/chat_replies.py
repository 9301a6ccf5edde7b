"""What a `ChatServer` does with a request: one small value a behaviour."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Asked:
    """One request, as it came."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def content(self) -> str:
        """What the question is about: the first message that is not the system's."""
        return str(self.body["messages"][1]["content"])

    @property
    def last(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def schema_name(self) -> str | None:
        given = self.body.get("response_format", {}).get("json_schema")
        return str(given["name"]) if given else None

    @property
    def records(self) -> list[dict[str, Any]]:
        """The quoted data, one object a line."""
        return [json.loads(line) for line in self.content.splitlines() if line.startswith("{")]


@dataclass(frozen=True)
class Says:
    """A reply with this text; a function says what it is from the request."""

    text: str | Callable[[Asked], str]
    finish: str = "stop"
    counts: bool = True
    refusal: str | None = None

    def of(self, asked: Asked) -> str:
        return self.text if isinstance(self.text, str) else self.text(asked)


@dataclass(frozen=True)
class Fails:
    """An HTTP error."""

    status: int
    message: str = "told to fail"
    code: str | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Sends:
    """HTTP 200 with a body that is not what it should be."""

    body: bytes


@dataclass(frozen=True)
class Cuts:
    """Begins the reply and cuts the connection; of a streamed one after so many pieces."""

    text: str = "a text that nobody gets whole"
    pieces: int = 1


@dataclass(frozen=True)
class Hangs:
    """Answers nothing until the server is closed."""


@dataclass(frozen=True)
class Drips:
    """Sends a blank every so many seconds and never an end; a streamed reply drips pieces."""

    every: float = 0.02


@dataclass(frozen=True)
class Raw:
    """Sends these bytes in the place of a reply, and then `again` every so many seconds without end."""

    begins: bytes
    again: bytes = b""
    every: float = 0.02


Does: TypeAlias = Says | Fails | Sends | Cuts | Hangs | Drips | Raw


def streamed(*events: bytes) -> Raw:
    """A streamed reply of these events' data, whole."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    return Raw(head + b"".join(b"data: " + event + b"\n\n" for event in events))


def limited(seconds: str) -> Fails:
    """429, to be tried again after so many seconds or at that date."""
    return Fails(429, "slow down", "rate_limit_exceeded", (("Retry-After", seconds),))
