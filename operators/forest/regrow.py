"""Regrows a conversation's forest from where its messages changed until it is as it was (DESIGN §4).

The state after every 16th turn and after the last one is kept, as a mark. A message at the end is one step
from the last mark. One that comes late, changes or goes is decided on again from the mark before it, and the
turns after it, until the state is that of a mark that was kept: from there on nothing would change.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from operators.forest.checkpoint import packed, readable
from operators.forest.grow import Placement, step
from operators.forest.interface import Decider
from operators.forest.state import EMPTY, State
from operators.steps import Steps, together
from state.graph_change import IndexChange, MarkChange
from state.graph_reads import ReadGuided, ReadMessages
from state.model import Message
from state.ordering import AFTER_ALL, message_of
from state.place_reads import ReadMarkBefore, ReadMarks, ReadSaid
from state.records import Answered, Mark

EVERY = 16
"""Turns between two marks that are kept: what is decided on again, at least, where a message comes late."""
SPAN = 64
"""Turns that are read at a time."""


@dataclass(frozen=True, slots=True)
class Regrown:
    """What became of one conversation: where the turns that were decided on hang, by message id, their
    places, and the marks that come and go."""

    placements: Mapping[str, Placement]
    places: Mapping[str, str]
    marks: MarkChange


def regrow(
    changed: Mapping[str, IndexChange],
    messages: Mapping[str, Message],
    decider: Decider,
    guide: dict[str, Answered | None] | None = None,
) -> Steps[dict[str, Regrown]]:
    """By conversation, what becomes of it where the places of `changed` come and go.

    `messages` has those that come. The work is a step a new message; for a late one, bounded by how far its
    effect is felt. With a `guide`, which `decider` looks into, it is filled with what was answered of the
    other turns that are decided on; a turn whose answer is other than it was counts as one that comes.
    """
    conversations = list(changed)
    walks = [_Walk(name, changed[name], messages, decider, guide).run() for name in conversations]
    found = yield from together(walks)
    return dict(zip(conversations, found, strict=True))


@dataclass(slots=True)
class _Walk:
    """One conversation's regrowth under way."""

    conversation: str
    changed: IndexChange
    given: Mapping[str, Message]
    decider: Decider
    guide: dict[str, Answered | None] | None
    placements: dict[str, Placement] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    old: dict[str, Mark] = field(default_factory=dict)
    new: dict[str, Mark] = field(default_factory=dict)
    state: State = EMPTY
    since: int = 0
    """Turns since the last mark that is kept."""

    def run(self) -> Steps[Regrown]:
        first = min((*self.changed.added, *self.changed.removed))
        before = ReadMarkBefore(self.conversation, first)
        yield [before]
        cursor = ""
        known = readable(before.found.state) if before.found is not None else None
        if before.found is not None and known is not None:
            cursor, self.since, self.state = before.found.place, before.found.since, known
        at_end = yield from self._on_from(cursor)
        if at_end and self.since:
            last = max(self.places.values(), default="")
            if last:
                self._mark(last)
        if cursor and before.found is not None and before.found.since and self.new:
            self.old[cursor] = before.found  # it was kept as the last one only
        return Regrown(self.placements, self.places, self._marks())

    def _on_from(self, cursor: str) -> Steps[bool]:
        """Decides on the turns after `cursor`; whether that went on to the conversation's end."""
        gone = set(self.changed.removed)
        while True:
            said = ReadSaid(self.conversation, cursor, before=0, after=SPAN)
            yield [said]
            is_last = len(said.found) < SPAN
            bound = AFTER_ALL if is_last else said.found[-1]
            added = (place for place in self.changed.added if cursor < place <= bound)
            live = sorted({*said.found, *added} - gone)
            messages, marks = self._needed(live), ReadMarks(self.conversation, cursor, bound)
            guided = self._guided(live)
            yield [messages, marks, *guided]
            if self.guide is not None:
                self.guide |= {i: told.answered for read in guided for i, told in read.found.items()}
            texts = {i: record.message for i, record in messages.found.items()}
            if self._walked(live, {**texts, **self.given}, marks.found):
                return False
            if is_last:
                return True
            cursor = bound

    def _needed(self, live: Iterable[str]) -> ReadMessages:
        ids = (message_of(place) for place in live)
        return ReadMessages([i for i in ids if i not in self.given])

    def _guided(self, live: Iterable[str]) -> list[ReadGuided]:
        if self.guide is None:
            return []
        return [ReadGuided([i for i in map(message_of, live) if i not in self.guide])]

    def _walked(self, live: list[str], texts: Mapping[str, Message], marks: Mapping[str, Mark]) -> bool:
        """Takes these turns in; whether the state met one that was kept, past all that changed."""
        until = max((*self.changed.added, *self.changed.removed))
        self.old.update(marks)
        for place in live:
            turn = message_of(place)
            self.state, self.placements[turn] = step(self.state, texts[turn], self.decider)
            self.places[turn] = place
            self.since += 1
            held = marks.get(place)
            if held is not None and place >= until and held.state == packed(self.state):
                self._keep_from(place)
                return True
            if self.since >= EVERY:
                self.since = 0
                self._mark(place)
        return False

    def _keep_from(self, place: str) -> None:
        """The marks from here on stay as they are."""
        for held in [p for p in self.old if p >= place]:
            del self.old[held]

    def _mark(self, place: str) -> None:
        self.new[place] = Mark(place, self.since, packed(self.state))

    def _marks(self) -> MarkChange:
        """Of marks that are as they were, neither comes nor goes."""
        added = [mark for place, mark in sorted(self.new.items()) if mark != self.old.get(place)]
        removed = [place for place, mark in sorted(self.old.items()) if mark != self.new.get(place)]
        return MarkChange(tuple(added), tuple(removed))
