"""What a revision has read of its subject's records, and what it reads when it needs more."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from operators.steps import Steps
from state.graph_reads import ReadEvents, ReadTurns
from state.model import Message
from state.records import EventRecord, TurnRecord

_NOTHING = TurnRecord()


@dataclass(slots=True)
class Held:
    """Records by id. `absent` are events that were looked for and are not there."""

    messages: dict[str, Message]
    turns: dict[str, TurnRecord] = field(default_factory=dict)
    events: dict[str, EventRecord] = field(default_factory=dict)
    absent: set[str] = field(default_factory=set)

    def need_turns(self, ids: Iterable[str]) -> Steps[None]:
        """Reads those of these turns that were not read yet; one that is not there is an empty one."""
        wanted = [i for i in dict.fromkeys(ids) if i not in self.turns]
        if not wanted:
            return
        read = ReadTurns(wanted)
        yield [read]
        self.turns.update((i, read.found.get(i, TurnRecord())) for i in wanted)

    def need_events(self, ids: Iterable[str]) -> Steps[None]:
        """Reads those of these events that were not looked for yet."""
        wanted = [i for i in dict.fromkeys(ids) if i not in self.events and i not in self.absent]
        if not wanted:
            return
        read = ReadEvents(wanted)
        yield [read]
        self.events.update(read.found)
        self.absent.update(i for i in wanted if i not in read.found)

    def turn(self, turn: str) -> TurnRecord:
        """What the store has of a turn."""
        return self.turns.get(turn, _NOTHING)
