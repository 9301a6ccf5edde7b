"""What an endpoint means by refusing a request."""

import re
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from operators.llm.failure import CallFailed, Failure

_STATUS = {
    401: Failure.AUTH,
    403: Failure.AUTH,
    404: Failure.UNKNOWN_MODEL,
    408: Failure.DEADLINE,
    413: Failure.TOO_LONG,
    429: Failure.RATE_LIMITED,
}
_TOO_LONG = re.compile(r"context[_ ](?:length|window|size)|too long|maximum context")
_FILTERED = re.compile(r"content[_ ](?:filter|policy)")
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_READ = 4_000
_LONGEST = 86_400.0


def failure_of(error: openai.APIStatusError, now: float) -> CallFailed:
    """The failure, with what is safe to show: a server's own words may repeat the question or the key."""
    status = error.status_code
    reason = _STATUS.get(status) or _by_range(status) or _of_its_words(words_of(error))
    code = error.code if isinstance(error.code, str) and _CODE.fullmatch(error.code) else None
    says = f"the endpoint answers HTTP {status}" + (f" ({code})" if code else "")
    if status < 400:
        says += ", a redirect, which is not followed: name the address itself in STET_LLM"
    return CallFailed(reason, says, retry_after(error.response.headers, now))


def words_of(error: openai.APIStatusError) -> str:
    """What the server says of it, in lower case: to be searched and not to be shown."""
    return f"{error.code} {error.param} {error.message}"[:_READ].lower()


def retry_after(headers: Any, now: float) -> float | None:
    """Seconds from `now` (since the epoch) after which the server wants to be asked again, if it says so."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        given = headers.get(name, "")
        seconds = float(given) / unit if _NUMBER.fullmatch(given) else _until(given, now)
        if seconds is not None:
            return max(0.0, min(seconds, _LONGEST))
    return None


def _until(date: str, now: float) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp() - now
    except (ValueError, OverflowError, TypeError):
        return None


def _by_range(status: int) -> Failure | None:
    """A redirect is not followed: what is named is not where the model is."""
    if status < 400:
        return Failure.UNKNOWN_MODEL
    return Failure.SERVER if status >= 500 else None


def _of_its_words(said: str) -> Failure:
    if _TOO_LONG.search(said):
        return Failure.TOO_LONG
    return Failure.DECLINED if _FILTERED.search(said) else Failure.REJECTED
