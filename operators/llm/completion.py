"""What an endpoint sends as a chat completion, whole or in pieces, read with distrust."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from operators.llm.failure import CallFailed, Failure

B = TypeVar("B", bound=BaseModel)

_COUNTABLE = 100_000_000
_NO_COMPLETION = "the reply is no chat completion"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the text, whether it was cut for want of room, and the tokens read and written, where
    the server counts them."""

    text: str
    cut: bool
    read: int | None
    written: int | None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    choices: list[_Choice] = Field(min_length=1)
    usage: Any = None


class _Delta(BaseModel):
    content: str | None = None


class _Part(BaseModel):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Chunk(BaseModel):
    choices: list[_Part] | None = None
    usage: Any = None
    error: Any = None


def read_completion(body: bytes) -> Reply:
    """The reply that a body holds. Raises CallFailed (SERVER, DECLINED)."""
    completion = _valid(_Completion, body)
    choice = completion.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise CallFailed(Failure.DECLINED, "the model declined to answer")
    read, written = _counted(completion.usage)
    return Reply(choice.message.content or "", choice.finish_reason == "length", read, written)


def read_pieces(body: Iterable[bytes]) -> Iterator[str | Reply]:
    """The text of a streamed reply (server-sent events) as it comes, and last the whole.

    Raises CallFailed (SERVER, DECLINED; CONNECTION where it ends and was not said to be whole).
    """
    text: list[str] = []
    finish, usage, data = None, None, b""
    for data in _events(body):
        if data == b"[DONE]":
            finish = finish or "stop"
            break
        chunk = _valid(_Chunk, data)
        if chunk.error is not None:
            raise CallFailed(Failure.SERVER, "the endpoint broke off with an error")
        usage = chunk.usage or usage
        for part in (chunk.choices or ())[:1]:
            finish = part.finish_reason or finish
            if part.delta is not None and part.delta.content:
                text.append(part.delta.content)
                yield part.delta.content
    if finish == "content_filter":
        raise CallFailed(Failure.DECLINED, "the model declined to answer")
    if not data:
        raise CallFailed(Failure.SERVER, _NO_COMPLETION)
    if finish is None and text:
        raise CallFailed(Failure.CONNECTION, "the reply ended before it was whole")
    yield Reply("".join(text), finish == "length", *_counted(usage))


def _events(body: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each event, those of several lines joined."""
    data: list[bytes] = []
    for line in _lines(body):
        if line.startswith(b"data:"):
            data.append(line[5:].strip())
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data:
        yield b"\n".join(data)


def _lines(body: Iterable[bytes]) -> Iterator[bytes]:
    begun: list[bytes] = []
    for part in body:
        first, *others = part.split(b"\n")
        begun.append(first)
        for line in others:
            yield b"".join(begun).rstrip(b"\r")
            begun = [line]
    yield b"".join(begun).rstrip(b"\r")


def _valid(model: type[B], body: bytes) -> B:
    try:
        return model.model_validate_json(body)
    except ValidationError:
        return _valid_once_mended(model, body)


def _valid_once_mended(model: type[B], body: bytes) -> B:
    """Raises CallFailed where it is no completion then either."""
    try:
        return model.model_validate_json(_mended(body))
    except (ValidationError, ValueError, RecursionError):
        raise CallFailed(Failure.SERVER, _NO_COMPLETION) from None


def _mended(body: bytes) -> bytes:
    """The same JSON without bytes and halves of characters that are no text. Raises ValueError."""
    value = json.loads(body.decode("utf-8", "replace"))
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _counted(usage: Any) -> tuple[int | None, int | None]:
    """Tokens read and written; None for a number that cannot be one of tokens. Zero is what servers give
    that do not count."""
    counts = usage if isinstance(usage, dict) else {}
    return _tokens(counts.get("prompt_tokens")), _tokens(counts.get("completion_tokens"))


def _tokens(count: Any) -> int | None:
    plausible = isinstance(count, int) and not isinstance(count, bool) and 0 < count < _COUNTABLE
    return count if plausible else None
