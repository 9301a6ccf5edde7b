"""How `stet serve` is reached, and whom it lets in."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.command_line.failures import Exit, fail
from query_service.http_access import Access, Open, is_loopback
from state.audit import audit_to


@dataclass(frozen=True, slots=True)
class Serving:
    """What `stet serve` is told of its callers. `tenant`: of a request that names none."""

    host: str
    port: int
    tenant: str | None
    behind_gateway: bool = False
    audit_log: Path | None = None


def access_to(client: Any, of: Serving, listener: socket.socket) -> Access:
    """Whom a service on `listener` lets in; opens its audit log. `client` is of the Redis with the keys.

    Fails where everybody who reaches the host would be let in.
    """
    audit_to(of.audit_log, goes_on=_goes_on())
    if of.behind_gateway:
        return Access.over(client, Open.GATEWAY)
    own = is_loopback(listener.getsockname()[0])
    access = Access.over(client, Open.LOOPBACK if own else Open.NOBODY)
    # Looked at now, so that it is known should Redis go away before the first request.
    has_keys = access.keys is not None and access.keys.any()
    if not own and not has_keys:
        fail(
            f"{of.host} can be reached from other machines, and there is no key yet: make one (`stet keys "
            "create --tenant T --scope ingest --scope read`), or give --behind-gateway where a gateway "
            "before it authenticates callers and sets X-Stet-Tenant",
            Exit.USAGE,
        )
    return access


def _goes_on() -> bool:
    """Whether requests are answered that the audit log could not be told of. Fails where neither is said."""
    told = os.environ.get("STET_AUDIT_ON_FAILURE", "refuse")
    if told not in ("refuse", "continue"):
        fail(f"STET_AUDIT_ON_FAILURE is one of refuse, continue, not {told!r}", Exit.USAGE)
    return told == "continue"
