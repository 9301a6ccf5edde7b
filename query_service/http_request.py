"""What a request says besides its path: whose data it is about, and its body."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import Header, Request
from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect

from query_service.http_problems import ProblemError, faults

TENANT_HEADER = "X-Stet-Tenant"
MAX_QUESTION_BODY = 64 * 1024
"""Bytes of a body that asks something."""
B = TypeVar("B", bound=BaseModel)


def tenant_of_request(only: Callable[[], str | None]) -> Callable[..., str]:
    """A dependency that gives the tenant: the header's, or what `only` answers where there is none.

    A header that comes twice is refused: behind a proxy that adds its own, the client would choose.
    """

    def tenant(request: Request, x_stet_tenant: Annotated[str | None, Header(max_length=1024)] = None) -> str:
        if len(request.headers.getlist(TENANT_HEADER)) > 1:
            raise ProblemError(400, f"The header {TENANT_HEADER} comes more than once: send one.")
        named = _as_utf8(x_stet_tenant) if x_stet_tenant is not None else only()
        if named is None or not named.strip():
            raise ProblemError(400, f"Name the tenant in the header {TENANT_HEADER}.")
        return named

    return tenant


def _as_utf8(header: str) -> str:
    """A header's bytes come as Latin-1 characters, whatever the client meant by them."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


async def body_of(request: Request, limit: int) -> bytes:
    """The request's body; 413 as soon as it is known to be too long, whatever its Content-Length says."""
    too_large = ProblemError(413, f"The body is longer than {limit} bytes: send it in several requests.")
    told = request.headers.get("content-length", "")
    if told.isdecimal() and int(told) > limit:
        raise too_large
    received = bytearray()
    try:
        async for chunk in request.stream():
            received += chunk
            if len(received) > limit:
                raise too_large
    except ClientDisconnect as error:
        raise ProblemError(400, "The body ended before it was whole.") from error
    return bytes(received)


async def read_body(request: Request, shape: type[B]) -> B:
    """The body as a `shape`. Raises ProblemError: 413, or 422 with what is wrong and without the input."""
    raw = await body_of(request, MAX_QUESTION_BODY)
    try:
        return shape.model_validate_json(raw)
    except ValidationError as error:
        told = error.errors(include_url=False, include_input=False, include_context=False)
        raise ProblemError(422, faults([dict(fault) for fault in told])) from error


def body_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """What OpenAPI is told of a body that the route reads itself."""
    return {"requestBody": {"content": {"application/json": {"schema": shape.model_json_schema()}}}}
