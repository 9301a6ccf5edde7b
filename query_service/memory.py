"""What an agent's tools work on: one installation's stores, and the ways in and out."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from query_service.ask import Asker
from query_service.intake import Accept, Forget
from query_service.next_turn import NextTurn
from state.graph import GraphReader

READ_WITHIN = 20.0
"""Seconds that a tool waits until what was taken can be read: above what loading the encoder takes."""


@dataclass(frozen=True, slots=True)
class Memory:
    """All of it may be used from several threads at once. `forget` is None where it cannot be done while the
    service runs. `read_within`: the seconds that a tool waits until what it took can be read."""

    reader: GraphReader
    asker: Asker
    turns: NextTurn
    accept: Accept
    now: Callable[[], datetime]
    forget: Forget | None = None
    read_within: float = READ_WITHIN
