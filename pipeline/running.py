"""What a run of the dataflow has in both modes: its rules, its clock, its epochs, its place among writers."""

from datetime import UTC, datetime, timedelta
from typing import Any

from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules

DEFAULT_ENCODER = "minilm"
EPOCH = timedelta(seconds=1)
"""How often offsets are snapshotted: what is read again after a kill at most."""
RULES = Rules(DISTILLER, RELATER)
_WRITERS = "stet:writers"


def utc_now() -> datetime:
    return datetime.now(UTC)


def next_fence(client: Any) -> int:
    """A number higher than that of whoever wrote before; each process takes one at its start."""
    return int(client.incr(_WRITERS))
