"""Whose data a command reads: always one tenant's."""

from typing import Protocol

from pipeline.command_line.failures import Exit, fail
from pipeline.command_line.notices import mention_lost_notes, mention_waiting
from pipeline.command_line.opening import Opened
from pipeline.embedded import Embedded
from pipeline.running import utc_now
from query_service.ask import Asker
from state.model import Subject


def tenant_of(stet: Opened, named: str | None) -> str:
    """The tenant to read: the one named, or the only one there is. Fails where that is none or unsettled."""
    if isinstance(stet, Embedded):
        mention_waiting(stet)
    tenants = stet.graph.tenants()
    if not tenants:
        fail(f"nothing was ingested into {_here(stet)} yet", Exit.UNKNOWN)
    if named is not None:
        if named not in tenants:
            fail(f"there is no tenant {named} in {_here(stet)}", Exit.UNKNOWN)
        return named
    if len(tenants) > 1:
        listed = ", ".join(tenants[:5]) + (", …" if len(tenants) > 5 else "")
        fail(f"several tenants are here ({listed}): name one with --tenant", Exit.USAGE)
    return tenants[0]


class Row(Protocol):
    """A row of a batch file, as far as it says whom it is about."""

    subject: str
    tenant: str | None


def of_row(stet: Opened, row: Row, named: str | None) -> Subject:
    """Whom a row is about; `named` is the tenant of one that names none."""
    return Subject(tenant_of(stet, row.tenant or named), row.subject)


def _here(stet: Opened) -> str:
    return "this data folder" if isinstance(stet, Embedded) else "this Redis"


def opened_asker(stet: Opened) -> Asker:
    """Asks the stores that are open."""
    if isinstance(stet, Embedded):
        mention_lost_notes(stet)
    return Asker(stet.graph, stet.notes, stet.encoder, utc_now)
