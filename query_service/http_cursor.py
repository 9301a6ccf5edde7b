"""Cursors: where a page of a list ended, as text that a caller sends back as it came."""

import base64

from query_service.http_problems import ProblemError


def sealed(*parts: str) -> str:
    """A cursor that says `parts`: text that survives an address."""
    return base64.urlsafe_b64encode("\x1e".join(parts).encode()).decode().rstrip("=")


def opened(cursor: str, parts: int) -> list[str]:
    """What a cursor says. Raises ProblemError 422 where it is none of `parts` parts."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        said = base64.b64decode(padded, altchars=b"-_", validate=True).decode().split("\x1e")
    except ValueError as error:
        raise no_cursor() from error
    if len(said) != parts:
        raise no_cursor()
    return said


def no_cursor() -> ProblemError:
    """The answer to what is no cursor."""
    return ProblemError(422, "query.cursor: not a cursor of this list: begin again without one")
