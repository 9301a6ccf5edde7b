"""The one dependency that tells a route who calls: the tenant and the scopes."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends

from query_service.caller import ANYTHING, Caller, Scope
from query_service.http_problems import ProblemError


def caller_of_tenant(tenant_of: Callable[..., str]) -> Callable[..., Caller]:
    """The caller of a request whose tenant `tenant_of` names: it may do anything, as there are no keys."""

    def caller(tenant: Annotated[str, Depends(tenant_of)]) -> Caller:
        return Caller(tenant, ANYTHING)

    return caller


def require(caller: Caller, scope: Scope) -> None:
    """Raises the problem 403 where the caller lacks the scope."""
    if scope not in caller.scopes:
        raise ProblemError(403, f"This needs the scope {scope}.")
