"""Whose data a command reads: always one tenant's."""

from pipeline.command_line.failures import Exit, fail
from pipeline.command_line.notices import mention_lost_notes, mention_waiting
from pipeline.embedded import Embedded, utc_now
from query_service.ask import Asker


def tenant_of(stet: Embedded, named: str | None) -> str:
    """The tenant to read: the one named, or the only one there is. Fails where that is none or unsettled."""
    mention_waiting(stet)
    tenants = stet.graph.tenants()
    if not tenants:
        fail("nothing was ingested into this data folder yet", Exit.UNKNOWN)
    if named is not None:
        if named not in tenants:
            fail(f"there is no tenant {named} in this data folder", Exit.UNKNOWN)
        return named
    if len(tenants) > 1:
        listed = ", ".join(tenants[:5]) + (", …" if len(tenants) > 5 else "")
        fail(f"several tenants are here ({listed}): name one with --tenant", Exit.USAGE)
    return tenants[0]


def opened_asker(stet: Embedded) -> Asker:
    """Asks the stores of an open folder."""
    mention_lost_notes(stet)
    return Asker(stet.graph, stet.notes, stet.encoder, utc_now)
