"""What a service answers to its client: an object of a known shape, or why it refused."""

from collections.abc import Mapping
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

M = TypeVar("M", bound=BaseModel)


class StetError(Exception):
    """A request was refused. `status` is HTTP's, `detail` says what to do, and `problem` is the whole of the
    RFC 9457 problem; `retry_after` is in seconds, where the service says so."""

    def __init__(
        self, status: int, detail: str, problem: Mapping[str, Any], retry_after: float | None = None
    ) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail
        self.problem = problem
        self.retry_after = retry_after


class NotKnown(StetError):
    """404: there is nothing of this subject, or no such event."""


def read(shape: type[M], response: httpx.Response) -> M:
    """The answer; fields that a newer service has besides are left out. Raises StetError."""
    try:
        return shape.model_validate_json(response.content, extra="ignore")
    except ValidationError as error:
        told = f"the answer is no {shape.__name__}: is this Stet's service, and of this version?"
        raise StetError(response.status_code, told, {}) from error


def refusal(response: httpx.Response) -> StetError:
    """The error that a response tells of."""
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    told = problem if isinstance(problem, dict) else {}
    wait = response.headers.get("retry-after", "")
    kind = NotKnown if response.status_code == 404 else StetError
    detail = str(told.get("detail") or response.reason_phrase)
    return kind(response.status_code, detail, told, float(wait) if wait.isdecimal() else None)
