"""Who may ask what: the one place that decides the tenant and the scopes of a request (DESIGN §7).

With a key both are the key's: no header and no body changes them. Without one a request is served only where
that was chosen: on loopback as long as no key was ever made, or behind a gateway that authenticates.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import ConfigDict

from query_service.caller import ANYTHING, Caller, Scope
from query_service.caller_address import address_of
from query_service.http_caller import require
from query_service.http_models import Outgoing
from query_service.http_problems import ProblemError
from query_service.wrong_keys import LIMIT, WrongKeys
from state.api_keys import ApiKey, ApiKeys
from state.pacing import Line, pace

TENANT_HEADER = "X-Stet-Tenant"
MAKE_ONE = "`stet keys create` makes one"


class Open(Enum):
    """To whom the service is open without a key."""

    NOBODY = "nobody"
    LOOPBACK = "loopback"  # as long as no key was ever made
    GATEWAY = "gateway"  # whoever comes was authenticated already, and keys are not looked at


class RequestLimit:
    """Holds each key to its requests a minute, over all processes on one Redis."""

    def __init__(self, client: Any) -> None:
        self._line = Line(client)

    def wait(self, key: ApiKey) -> float:
        """Seconds until this key may ask again; 0: now, and this request is counted."""
        if not key.per_minute:
            return 0.0
        turn = self._line.take(f"stet:limit:key:{key.id}", pace(key.per_minute), 0.0, 0.0)
        return 0.0 if turn.taken else turn.wait


@dataclass(frozen=True, slots=True)
class Access:
    """The rule of one service. The others are None where it looks at no keys."""

    open_to: Open
    keys: ApiKeys | None = None
    limit: RequestLimit | None = None
    wrong: WrongKeys | None = None

    @classmethod
    def over(cls, client: Any, open_to: Open) -> "Access":
        """The rule over an installation's Redis."""
        if open_to is Open.GATEWAY:
            return cls(open_to)
        return cls(open_to, ApiKeys(client), RequestLimit(client), WrongKeys(client))

    def caller(self, request: Request, token: str | None, named: Callable[[], str]) -> Caller:
        """Who sends a request with this token, if any; `named` gives the tenant that the request names.

        Raises ProblemError: 400, 401, 403 (another tenant, or another site's page) or 429.
        """
        if self.keys is None:
            return Caller(named(), ANYTHING)
        if token is None:
            if self.open_to is Open.NOBODY or self.keys.any():
                raise ProblemError(401, f"Send a key: `Authorization: Bearer stet_…` ({MAKE_ONE}).")
            _refuse_other_sites(request)
            return Caller(named(), ANYTHING)
        key = self._holder(self.keys, token, address_of(request.scope) or "")
        request.state.key = key.id
        wait = self.limit.wait(key) if self.limit is not None else 0.0
        if wait:
            told = f"This key may ask {key.per_minute} times a minute: wait as long as Retry-After says."
            raise ProblemError(429, told, retry_after=math.ceil(wait))
        if request.headers.get(TENANT_HEADER) is not None and named() != key.tenant:
            raise ProblemError(403, f"This key is not for the tenant that {TENANT_HEADER} names.")
        return Caller(key.tenant, frozenset(scope for scope in Scope if scope in key.scopes))

    def _holder(self, keys: ApiKeys, token: str, address: str) -> ApiKey:
        """The key of a token. Raises ProblemError: 401 where it is none, 429 after too many such."""
        wait = self.wrong.wait(address, token) if self.wrong is not None else 0
        key = keys.holder(token) if not wait else None
        if self.wrong is not None and not wait:
            if key is None:
                wait = self.wrong.was_wrong(address, token)
            else:
                self.wrong.was_right(address, token)
        if wait:
            told = f"This address sent {LIMIT} wrong keys within a minute: wait as long as Retry-After says."
            raise ProblemError(429, told, retry_after=wait)
        if key is None:
            raise ProblemError(401, "This key is none, or was revoked.")
        return key


def caller_of_request(
    access: Access, only: Callable[[], str | None], unnamed: str | None = None
) -> Callable[..., Caller]:
    """The dependency that gives the caller. `only` is the tenant of an open service's request that names
    none; where that is None too, `unnamed` stands for it, or the request is refused (400)."""
    bearer = HTTPBearer(auto_error=False, scheme_name="key", description=f"A key: {MAKE_ONE}.")

    def caller(
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
        x_stet_tenant: Annotated[
            str | None,
            Header(
                min_length=1,
                max_length=1024,
                pattern=r"\S",
                description="The tenant, where the service is open. With a key it is the key's.",
            ),
        ] = None,
    ) -> Caller:
        for name in (TENANT_HEADER, "Authorization"):
            if len(request.headers.getlist(name)) > 1:
                # Behind a proxy that adds its own, the client would choose.
                raise ProblemError(400, f"The header {name} comes more than once: send one.")
        token = credentials.credentials if credentials is not None else None
        found = access.caller(request, token, lambda: _named(x_stet_tenant, only, unnamed))
        request.state.tenant = found.tenant or None
        return found

    return caller


def tenant_with(scope: Scope, caller_of: Callable[..., Caller]) -> Callable[..., str]:
    """The dependency that gives the tenant of a caller who has the scope. Raises ProblemError (403)."""

    def tenant(caller: Annotated[Caller, Depends(caller_of)]) -> str:
        require(caller, scope)
        return caller.tenant

    return tenant


class WhoAmI(Outgoing):
    """Who the service takes the sender for. `tenant` is null where none is named yet; `key` is the key's id,
    null where the service is open."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"tenant": "acme", "scopes": ["read"], "key": "0a1b2c3d4e5f"}}
    )

    tenant: str | None
    scopes: list[Scope]
    key: str | None


def access_routes(access: Access, only: Callable[[], str | None]) -> APIRouter:
    """The route that tells callers who they are."""
    router = APIRouter(tags=["access"])
    caller_of = caller_of_request(access, only, unnamed="")

    @router.get("/v1/whoami")
    def whoami(request: Request, caller: Annotated[Caller, Depends(caller_of)]) -> WhoAmI:
        """The tenant and the scopes of the key that this is sent with; any scope will do."""
        held = sorted(caller.scopes)
        return WhoAmI(tenant=caller.tenant or None, scopes=held, key=getattr(request.state, "key", None))

    return router


def metrics_allowed(access: Access, only: Callable[[], str | None]) -> Callable[..., None]:
    """The dependency of what tells of all tenants together: where keys are asked for, one with `admin`."""
    caller_of = caller_of_request(access, only, unnamed="")

    def allowed(caller: Annotated[Caller, Depends(caller_of)]) -> None:
        require(caller, Scope.ADMIN)

    return allowed


def _named(header: str | None, only: Callable[[], str | None], unnamed: str | None) -> str:
    named = _as_utf8(header) if header is not None else only()
    if named is not None and named.strip():
        return named
    if unnamed is None:
        raise ProblemError(400, f"Name the tenant in the header {TENANT_HEADER}.")
    return unnamed


def _as_utf8(header: str) -> str:
    """A header's bytes come as Latin-1 characters, whatever the client meant by them."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _refuse_other_sites(request: Request) -> None:
    """A page of another site can make a browser on this machine send requests here, under a name of its own
    that it has point to 127.0.0.1, or without being let to read the answer."""
    told = request.headers.get("host", "").lower()
    if not is_loopback(_host_in(f"//{told}") or ""):
        raise ProblemError(
            403, f"Without a key this is served to this machine alone, by its name: 127.0.0.1 ({MAKE_ONE})."
        )
    origin = request.headers.get("origin")
    if origin is not None and origin.lower().partition("://")[2] != told:
        raise ProblemError(403, f"Without a key no other site's page is served ({MAKE_ONE}).")


def _host_in(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own, and no other's."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
