"""Which model is asked, where, and within what limits: the settings of STET_LLM…"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

ADDRESS, KEY = "STET_LLM", "STET_LLM_KEY"
N = TypeVar("N", int, float)


class EndpointInvalid(ValueError):
    """A setting is wrong; the text names it, says what to do, and holds no secret."""


class Output(StrEnum):
    """How an answer's shape is asked for."""

    AUTO = "auto"  # the first of the following that the server takes
    SCHEMA = "schema"  # the server holds the answer to a JSON schema
    JSON = "json"  # the server holds it to be JSON; the prompt tells the schema
    TEXT = "text"  # the prompt alone tells the schema


class OnFailure(StrEnum):
    """What becomes of a turn that no answer can be had for."""

    PARK = "park"  # it waits, is counted and shown, and is tried again later
    RULES = "rules"  # the rules read it


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one OpenAI-compatible address. Zero in a limit means that there is none.

    `deadline`, in seconds, is for one request from its sending to the reply's last byte; a request is not
    made again once twice that has passed since the first. `in_flight` is how many requests of this process
    may be open at once. `key` and `query` may be secrets and are not in the repr.
    """

    base_url: str
    model: str
    key: str = field(default="", repr=False)
    query: str = field(default="", repr=False)
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    daily_tokens: int = 0
    deadline: float = 60.0
    in_flight: int = 32
    quiet: float = 60.0
    on_failure: OnFailure = OnFailure.PARK
    output: Output = Output.AUTO


def endpoint_from(environ: Mapping[str, str]) -> Endpoint | None:
    """The endpoint that the variables name, or None where STET_LLM is absent or empty.

    Raises EndpointInvalid.
    """
    address = environ.get(ADDRESS, "").strip()
    if not address:
        return None
    found = _split(address)
    return Endpoint(
        base_url=_base(found),
        model=_model(found),
        key=_key(environ.get(KEY, "").strip()),
        query=found.query,
        requests_per_minute=_number(environ, "STET_LLM_REQUESTS_PER_MINUTE", 0, least=0),
        tokens_per_minute=_number(environ, "STET_LLM_TOKENS_PER_MINUTE", 0, least=0),
        daily_tokens=_number(environ, "STET_LLM_DAILY_TOKENS", 0, least=0),
        deadline=_number(environ, "STET_LLM_DEADLINE", 60.0, least=0.1),
        in_flight=_number(environ, "STET_LLM_IN_FLIGHT", 32, least=1),
        quiet=_number(environ, "STET_LLM_QUIET", 60.0, least=0.0),
        on_failure=_choice(environ, "STET_LLM_ON_FAILURE", OnFailure.PARK),
        output=_choice(environ, "STET_LLM_OUTPUT", Output.AUTO),
    )


def _split(address: str) -> SplitResult:
    # What cannot be read is not repeated: it may hold a key.
    wrong = f"{ADDRESS} is no address of a model: give https://host/v1#model-name"
    try:
        found = urlsplit(address)
        reachable = found.scheme in ("http", "https") and found.hostname and found.port != 0
    except ValueError:
        reachable = None
    if not reachable:
        raise EndpointInvalid(wrong)
    if found.username is not None or found.password is not None:
        raise EndpointInvalid(
            f"{ADDRESS} holds a login: put the key into {KEY}, and leave it out of the address"
        )
    return found


def _base(found: SplitResult) -> str:
    return f"{found.scheme}://{found.netloc}{found.path.rstrip('/')}"


def _model(found: SplitResult) -> str:
    model = unquote(found.fragment).strip()
    if not model or not model.isprintable():
        raise EndpointInvalid(f"{ADDRESS} names no model: put it after a #, as in https://host/v1#model-name")
    return model


def _key(key: str) -> str:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise EndpointInvalid(f"{KEY} holds signs that no key has: copy it again")
    return key


def _number(environ: Mapping[str, str], name: str, default: N, least: N) -> N:
    given = environ.get(name, "").strip()
    if not given:
        return default
    kind = type(default)
    try:
        number = kind(given)
    except ValueError:
        number = None
    if number is None or not math.isfinite(number) or number < least:
        whole = "a whole number" if kind is int else "a number"
        raise EndpointInvalid(f"{name} is {given[:40]!r}: give {whole} of at least {least:g}")
    return number


C = TypeVar("C", bound=StrEnum)


def _choice(environ: Mapping[str, str], name: str, default: C) -> C:
    given = environ.get(name, "").strip().lower()
    kind = type(default)
    known = [member.value for member in kind]
    if given and given not in known:
        raise EndpointInvalid(f"{name} is {given[:40]!r}: give one of {', '.join(known)}")
    return kind(given) if given else default
