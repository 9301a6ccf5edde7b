"""How far the log is processed without a gap, kept in Redis beside what was made of it.

Bytewax's recovery store says where to go on; this says what the graph has. They differ only where one of the
two was lost or came from a backup, and then the smaller one holds: the log is read again from there, and what
is stored already does not change.
"""

from collections.abc import Callable, Iterable
from typing import Any

KEY = "stet:log:processed"


def processed_in(client: Any) -> int:
    """The offset below which every record was applied or refused, as Redis has it (1 round trip)."""
    return int(client.get(KEY) or 0)


class LogProgress:
    """Follows the records of one run from the source to the sinks. Used by the dataflow's one worker."""

    def __init__(self, client: Any, told: Callable[[str], None] = lambda line: None) -> None:
        """`told` is given a line where what was processed once is processed again."""
        self._client, self._told = client, told
        self._kept = processed_in(client)
        self._under_way: dict[int, None] = {}
        self._next = 0

    def begin(self, recorded: int) -> int:
        """Where to begin, if the recovery store says `recorded`."""
        start = min(recorded, self._kept)
        if start < recorded:
            self._told(
                f"the graph lacks what was made of messages {start} to {recorded} of the log (lost, or from "
                "an older backup): it is made again from the log"
            )
        self._next = start
        return start

    def read(self, offsets: Iterable[int]) -> None:
        """These are handed to the dataflow, in rising order."""
        for offset in offsets:
            self._under_way[offset] = None
            self._next = offset + 1

    def done(self, offsets: Iterable[int]) -> None:
        """These are stored or refused, durably. Raises what Redis raises."""
        for offset in offsets:
            self._under_way.pop(offset, None)
        reached = next(iter(self._under_way), self._next)
        if reached > self._kept:
            self._client.set(KEY, reached)
            self._kept = reached
