"""What one question has read of its subject's graph, so that no step reads a thing again."""

from collections.abc import Iterable

from query_service.known import EventReader
from state.graph import Around, GraphReader, Hanging, Spot, StoredEvent
from state.model import Message, Subject
from state.ordering import message_place


class Reading:
    """The reads of one question, each for what is not there yet; the rest is answered from memory.

    `known` are the events read so far, `messages` the live messages, `stated` the event ids by message,
    `around` what lies around a message, `hanging` where turns hang, and `topics` the last turns of topics.
    `round_trips` counts the reads that went to the store. `events` tells
    events as they were known at the asked time; `reader` everything else. Not shared between threads.
    """

    def __init__(self, reader: GraphReader, events: EventReader, subject: Subject) -> None:
        self.subject = subject
        self.known: dict[str, StoredEvent] = {}
        self.messages: dict[str, Message] = {}
        self.stated: dict[str, tuple[str, ...]] = {}
        self.around: dict[str, Around] = {}
        self.hanging: dict[str, Hanging] = {}
        self.topics: dict[str, tuple[str, ...]] = {}
        self.round_trips = 0
        self._reader = reader
        self._events = events
        self._sought: set[str] = set()
        self._looked_for: set[str] = set()

    def read_events(self, names: Iterable[str]) -> None:
        """Puts events into `known`; one that is not to be had is not sought twice."""
        missing = [name for name in dict.fromkeys(names) if name not in self._sought]
        if missing:
            self._sought.update(missing)
            self.known.update(self._events.events(self.subject, missing))
            self.round_trips += 1

    def read_messages(self, ids: Iterable[str]) -> None:
        """Puts messages into `messages`, and what they state into `stated`."""
        missing = [name for name in dict.fromkeys(ids) if name not in self.messages]
        if missing:
            for name, told in self._reader.told(self.subject, missing).items():
                self.messages[name] = told.message
                self.stated[name] = told.events
            self.round_trips += 1

    def read_hanging(self, ids: Iterable[str]) -> None:
        """Puts into `hanging` where turns hang, and into `stated` what they state: () for nothing."""
        missing = [name for name in dict.fromkeys(ids) if name not in self._looked_for]
        if missing:
            self._looked_for.update(missing)
            self.hanging.update(self._reader.hanging(self.subject, missing))
            for name in missing:
                self.stated[name] = self.hanging[name].events if name in self.hanging else ()
            self.round_trips += 1

    def read_topics(self, roots: Iterable[str], turns: int) -> None:
        """Puts into `topics` the last `turns` turns of topics; the same `turns` at each call."""
        missing = [root for root in dict.fromkeys(roots) if root not in self.topics]
        if missing:
            for root, ends in self._reader.tree_ends(self.subject, missing, turns).items():
                self.topics[root] = ends.last
            self.round_trips += 1

    def read_around(self, spots: Iterable[Spot], reach: int) -> None:
        """Puts into `around` what lies at most `reach` messages from each; the same `reach` at each call."""
        missing = [spot for spot in spots if spot.message not in self.around]
        if missing:
            self.around.update(self._reader.around(self.subject, missing, reach))
            self.round_trips += 1


def spot_of_message(message: Message) -> Spot:
    """Where a message stands."""
    return Spot(message.id, message.conversation, message_place(message.sent_at, message.id))
