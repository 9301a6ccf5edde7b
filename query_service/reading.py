"""What one question has read of its subject's graph, so that no step reads a thing again."""

from collections.abc import Iterable

from query_service.known import EventReader
from state.graph import Around, GraphReader, Spot, StoredEvent
from state.model import Message, Subject
from state.ordering import message_place


class Reading:
    """The reads of one question, each for what is not there yet; the rest is answered from memory.

    `known` are the events read so far, `messages` the live messages, `stated` the event ids by message, and
    `around` what lies around a message. `round_trips` counts the reads that went to the store. `events` tells
    events as they were known at the asked time; `reader` everything else. Not shared between threads.
    """

    def __init__(self, reader: GraphReader, events: EventReader, subject: Subject) -> None:
        self.subject = subject
        self.known: dict[str, StoredEvent] = {}
        self.messages: dict[str, Message] = {}
        self.stated: dict[str, tuple[str, ...]] = {}
        self.around: dict[str, Around] = {}
        self.round_trips = 0
        self._reader = reader
        self._events = events
        self._sought: set[str] = set()

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

    def read_stated(self, ids: Iterable[str]) -> None:
        """Puts into `stated` what messages state: () for one that states nothing."""
        missing = [name for name in dict.fromkeys(ids) if name not in self.stated]
        if missing:
            found = self._reader.events_of(self.subject, missing)
            self.stated.update((name, found.get(name, ())) for name in missing)
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
