"""One request to an OpenAI-compatible endpoint, and what it brings: a reply, or why there is none."""

import contextlib
import json
import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain
from typing import Any, TypeAlias, TypeVar
from urllib.parse import parse_qsl

import httpx2
import openai
from openai import Omit, OpenAI, pydantic_function_tool
from openai.types.chat import ChatCompletionMessageParam
from pydantic import BaseModel

from operators.llm.completion import Reply, read_completion, read_pieces
from operators.llm.dialect import Dialect, first_dialect, simpler
from operators.llm.endpoint import Endpoint, Output
from operators.llm.failure import CallFailed, Failure
from operators.llm.line import LARGEST, Bounds, held, held_client
from operators.llm.refused_request import failure_of, words_of

R = TypeVar("R")
Talk: TypeAlias = Sequence[ChatCompletionMessageParam]

_NOT_UNDERSTOOD = frozenset({Failure.REJECTED, Failure.UNKNOWN_MODEL})
_SHAPE = (
    "Answer with one JSON object that fits this JSON schema, with its values filled in, and with nothing "
    "before or after it:\n"
)


class Chat:
    """Sends requests to one endpoint. Its methods may be called from several threads.

    It learns what the server takes of the protocol (`operators.llm.dialect`) and asks so from then on. It
    makes no request again for another reason, and logs no text. Everything it raises is a CallFailed whose
    cause is hidden, since that holds the request.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._any_output = endpoint.output is Output.AUTO
        self._dialect = first_dialect(endpoint.output)
        self._client = OpenAI(
            base_url=endpoint.base_url,
            api_key=endpoint.key or "none",
            default_query=dict(parse_qsl(endpoint.query)),
            max_retries=0,
            http_client=held_client(endpoint.deadline),
        )
        self._login: dict[str, Any] = {} if endpoint.key else {"extra_headers": {"Authorization": Omit()}}
        # What they log of a request depends on their version, and an address may hold a key.
        for name in ("openai", "httpx2"):
            logging.getLogger(name).setLevel(logging.WARNING)

    def reply(self, talk: Talk, shape: type[BaseModel], room: int, tell_schema: bool = False) -> Reply:
        """The reply to `talk`, in the shape as far as the server holds to it. Raises CallFailed.

        `tell_schema` puts the schema into words even where the server is given it otherwise.
        """
        schema = _schema(shape)
        return self._understood(
            lambda dialect: self._reply(_request(dialect, talk, room, schema, shape.__name__, tell_schema))
        )

    def pieces(self, talk: Talk, room: int) -> Iterator[str | Reply]:
        """The reply's text as it comes, and last the whole; no shape is asked for. Raises CallFailed.

        The request is sent when the first piece is asked for.
        """
        first, others = self._understood(lambda dialect: self._open(_streamed(dialect, talk, room)))
        with contextlib.closing(others):
            yield from read_pieces(chain((first,), others))

    def _understood(self, send: Callable[[Dialect], R]) -> R:
        """What `send` returns for the first dialect that the server takes, which is kept."""
        dialect = self._dialect
        while True:
            try:
                found = send(dialect)
            except openai.APIStatusError as error:
                failed = failure_of(error, time.time())
                understood = failed.reason not in _NOT_UNDERSTOOD and error.status_code != 501
                understood = understood or error.status_code < 400
                less = None if understood else self._less(dialect, error)
                if less is None:
                    raise failed from None
                dialect = less
            else:
                self._dialect = dialect
                return found

    def _less(self, dialect: Dialect, error: openai.APIStatusError) -> Dialect | None:
        said = words_of(error)
        about_output = error.status_code != 404 or "response_format" in said
        return simpler(dialect, said, self._any_output and about_output)

    def _reply(self, request: dict[str, Any]) -> Reply:
        with contextlib.closing(self._parts(request)) as parts:
            return read_completion(b"".join(parts))

    def _open(self, request: dict[str, Any]) -> tuple[bytes, Generator[bytes, None, None]]:
        """The first part of the reply's body, and the others."""
        parts = self._parts(request)
        return next(parts, b""), parts

    def _parts(self, request: dict[str, Any]) -> Generator[bytes, None, None]:
        """The parts of the reply's body as they come, none after its time or beyond its size.

        Between two of them the thread may send other requests, which have bounds of their own.
        """
        bounds = Bounds(time.monotonic() + self._endpoint.deadline)
        create = self._client.chat.completions.with_streaming_response.create
        with contextlib.ExitStack() as stack, _failures_of_the_line():
            with held(bounds):
                response = stack.enter_context(create(model=self._endpoint.model, **request, **self._login))
                body = response.iter_bytes()
            left = LARGEST
            while True:
                with held(bounds):
                    part = next(body, None)
                if part is None:
                    return
                left -= len(part)
                if left < 0:
                    raise CallFailed(Failure.SERVER, "the reply is too large to be an answer")
                yield part


@cache
def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape as a schema that strict servers take."""
    return pydantic_function_tool(shape)["function"]["parameters"]


@contextmanager
def _failures_of_the_line() -> Iterator[None]:
    """Turns what goes wrong on the way into CallFailed. A refusal (APIStatusError) is left as it is."""
    try:
        yield
    except openai.APIStatusError:
        raise
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise CallFailed(Failure.DEADLINE, "the endpoint did not answer in time") from None
    except (openai.APIConnectionError, httpx2.HTTPError, httpx2.StreamError):
        raise CallFailed(Failure.CONNECTION, "the connection failed or was cut") from None
    except (openai.OpenAIError, ValueError, RecursionError):  # an error's own body may be of any form
        raise CallFailed(Failure.SERVER, "the reply is no chat completion") from None


def _request(
    dialect: Dialect, talk: Talk, room: int, schema: dict[str, Any], name: str, tell_schema: bool
) -> dict[str, Any]:
    request = _plain(dialect, talk, room)
    if dialect.output is Output.SCHEMA:
        held_to = {"name": name, "schema": schema, "strict": True}
        request["response_format"] = {"type": "json_schema", "json_schema": held_to}
    elif dialect.output is Output.JSON:
        request["response_format"] = {"type": "json_object"}
    if tell_schema or dialect.output is not Output.SCHEMA:
        words = _SHAPE + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        first, *others = talk
        request["messages"] = [{**first, "content": f"{first['content']}\n\n{words}"}, *others]
    return request


def _streamed(dialect: Dialect, talk: Talk, room: int) -> dict[str, Any]:
    request = {**_plain(dialect, talk, room), "stream": True}
    if dialect.usage_in_stream:
        request["stream_options"] = {"include_usage": True}
    return request


def _plain(dialect: Dialect, talk: Talk, room: int) -> dict[str, Any]:
    request: dict[str, Any] = {"messages": list(talk), dialect.room: room}
    if dialect.temperature:
        request["temperature"] = 0
    return request
