"""The body of a request: how much of it is read, for how long, and as what."""

import asyncio
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from query_service.http_problems import ProblemError
from query_service.plain_faults import faults

MAX_QUESTION_BODY = 64 * 1024
"""Bytes of a body that asks something."""
BODY_SECONDS = 30.0
"""How long a body may take to come, to its last byte."""
B = TypeVar("B", bound=BaseModel)


async def body_of(request: Request, limit: int) -> bytes:
    """The request's body. Raises ProblemError: 413 as soon as it is known to be too long, whatever its
    Content-Length says, 408 where it does not come, 400 where it breaks off."""
    too_large = ProblemError(413, f"The body is longer than {limit} bytes: send it in several requests.")
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > limit:
        raise too_large
    received = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                received += chunk
                if len(received) > limit:
                    raise too_large
    except ClientDisconnect as error:
        raise ProblemError(400, "The body ended before it was whole.") from error
    except TimeoutError as error:
        raise ProblemError(408, f"The body was not here within {BODY_SECONDS:g} seconds.") from error
    return bytes(received)


async def read_body(request: Request, shape: type[B]) -> B:
    """The body as a `shape`. Raises ProblemError: 413, or 422 with what is wrong and without the input."""
    raw = await body_of(request, MAX_QUESTION_BODY)
    try:
        body = shape.model_validate_json(raw)
    except ValidationError as error:
        told = error.errors(include_url=False, include_input=False, include_context=False)
        raise ProblemError(422, faults([dict(fault) for fault in told])) from error
    about(request, getattr(body, "subject", None))
    return body


def about(request: Request, subject: str | None) -> None:
    """Tells the audit log whom the request is about, where the path does not."""
    request.state.subject = subject


def body_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """What OpenAPI is told of a body that the route reads itself."""
    told = {"application/json": {"schema": shape.model_json_schema()}}
    return {"requestBody": {"required": True, "content": told}}
