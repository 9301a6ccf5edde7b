"""Who calls, as far as the service must know: whose data they may see, and what they may do with it."""

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """What a caller may do."""

    INGEST = "ingest"  # give messages, and take single ones back
    READ = "read"
    ADMIN = "admin"  # forget subjects


@dataclass(frozen=True, slots=True)
class Caller:
    """One tenant's caller. Nothing that a request says elsewhere changes the tenant."""

    tenant: str
    scopes: frozenset[Scope]


ANYTHING = frozenset(Scope)
