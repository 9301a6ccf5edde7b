"""What an agent's tools work on: one installation's stores, and the ways in and out."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from query_service.ask import Asker
from query_service.intake import Accept, Forget
from query_service.next_turn import NextTurn
from state.graph import GraphReader


@dataclass(frozen=True, slots=True)
class Memory:
    """All of it may be used from several threads at once. `forget` is None where it cannot be done while the
    service runs."""

    reader: GraphReader
    asker: Asker
    turns: NextTurn
    accept: Accept
    now: Callable[[], datetime]
    forget: Forget | None = None
