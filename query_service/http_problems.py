"""Errors as RFC 9457 problem details: what was wrong and what to do, never a trace and never message text."""

from collections.abc import Sequence

import redis.exceptions
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from state.note_points import NoteStoreError

MEDIA_TYPE = "application/problem+json"
TITLES = {
    400: "Bad request",
    404: "Not found",
    405: "Method not allowed",
    413: "Content too large",
    415: "Unsupported media type",
    422: "Unprocessable content",
    500: "Internal error",
    503: "Not available",
}


STORES_AWAY: tuple[type[Exception], ...] = (redis.exceptions.RedisError, NoteStoreError)
"""What a read raises when a store is away or failing."""


class ProblemError(Exception):
    """Ends a request with `status`; `detail` is for the caller, `extra` are further members of the object."""

    def __init__(self, status: int, detail: str, extra: dict[str, object] | None = None) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.extra = extra or {}


def problem(status: int, detail: str, extra: dict[str, object] | None = None) -> JSONResponse:
    """The response of one problem. 503 asks the caller to try again in a second."""
    body = {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}
    headers = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse({**body, **(extra or {})}, status, headers=headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Makes every error of `app` a problem."""
    app.add_exception_handler(ProblemError, _told)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    for away in STORES_AWAY:
        app.add_exception_handler(away, _away)
    app.add_exception_handler(Exception, _unexpected)


def faults(errors: Sequence[dict[str, object]]) -> str:
    """Validation errors in one line: where and what, without the input itself, which may be message text."""
    told = []
    for error in errors[:5]:
        place = error.get("loc")
        where = ".".join(str(part) for part in place) if isinstance(place, tuple) else ""
        told.append(f"{where}: {error.get('msg')}" if where else str(error.get("msg")))
    return "; ".join(told)


async def _told(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return problem(error.status, error.detail, error.extra)


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail))


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return problem(422, faults([dict(e) for e in error.errors()]))


async def _away(_: Request, error: Exception) -> JSONResponse:
    return problem(503, f"A store is away ({type(error).__name__}): try again, and see /readyz.")


async def _unexpected(_: Request, error: Exception) -> JSONResponse:
    return problem(500, "The server failed to answer. The failure is in its log.")
