"""Errors as RFC 9457 problem details: what was wrong and what to do, never a trace and never message text."""

import redis.exceptions
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from query_service.plain_faults import faults
from state.note_points import NoteStoreError

MEDIA_TYPE = "application/problem+json"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    413: "Content too large",
    415: "Unsupported media type",
    422: "Unprocessable content",
    429: "Too many requests",
    500: "Internal error",
    501: "No model",
    502: "No answer from the model",
    503: "Not available",
    504: "No answer in time",
}


STORES_AWAY: tuple[type[Exception], ...] = (redis.exceptions.RedisError, NoteStoreError)
"""What a read raises when a store is away or failing."""


class ProblemError(Exception):
    """Ends a request with `status`; `detail` is for the caller, `extra` are further members of the object.

    `retry_after`: the seconds after which it may be sent again (for 503: one, where none is given).
    """

    def __init__(
        self,
        status: int,
        detail: str,
        extra: dict[str, object] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.extra = extra or {}
        self.retry_after = 1 if retry_after is None and status == 503 else retry_after

    def body(self) -> dict[str, object]:
        """The problem's object."""
        return {**_body(self.status, self.detail), **self.extra}


def problem(status: int, detail: str) -> JSONResponse:
    """The response of one problem. 503 asks the caller to try again in a second."""
    headers = {"Retry-After": "1"} if status == 503 else None
    return JSONResponse(_body(status, detail), status, headers=headers, media_type=MEDIA_TYPE)


def _body(status: int, detail: str) -> dict[str, object]:
    return {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}


def unknown_subject() -> ProblemError:
    """The answer where a subject has nothing in the tenant."""
    return ProblemError(404, "Nothing was ever said by or about this subject in this tenant.")


def install(app: FastAPI) -> None:
    """Makes every error of `app` a problem."""
    app.add_exception_handler(ProblemError, _told)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    for away in STORES_AWAY:
        app.add_exception_handler(away, _away)
    app.add_exception_handler(Exception, _unexpected)


async def _told(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(error.body(), error.status, headers=headers, media_type=MEDIA_TYPE)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = problem(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_allowed(request)))
    return answer


def _allowed(request: Request) -> set[str]:
    """The methods of all routes that have the path: an id may have slashes, so that several can."""
    return {method for method in METHODS if _has_route(request, method)}


def _has_route(request: Request, method: str) -> bool:
    scope = {**request.scope, "method": method, "path_params": {}}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return problem(422, faults([dict(e) for e in error.errors()]))


async def _away(_: Request, error: Exception) -> JSONResponse:
    return problem(503, f"A store is away ({type(error).__name__}): try again, and see /readyz.")


async def _unexpected(_: Request, error: Exception) -> JSONResponse:
    return problem(500, "The server failed to answer. The failure is in its log.")
