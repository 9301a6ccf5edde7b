"""What a caller must be allowed."""

from query_service.caller import Caller, Scope
from query_service.http_problems import ProblemError


def require(caller: Caller, scope: Scope) -> None:
    """Raises the problem 403 where the caller lacks the scope."""
    if scope not in caller.scopes:
        raise ProblemError(403, f"This needs the scope {scope}.")
