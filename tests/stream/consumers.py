"""Those who follow a stream from outside: a consumer of evidence.changes, and a reader of the graph."""

import json
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from redis.exceptions import RedisError

from state.graph import SubjectView
from state.model import Subject
from tests.stream.stream import Stream, rows
from tests.stream.topics import Record

Thing = tuple[str, str, str]
"""Subject, kind, id."""


class Follower:
    """Applies the records of evidence.changes as they come, but for those it has seen: `things` is what it
    holds in the end, and `versions` what it was told of each subject, in the order of first sight. A record
    without a value says that its subject was forgotten: all that is held of it goes, what was seen too."""

    def __init__(self) -> None:
        self.things: dict[Thing, Any] = {}
        self.versions: dict[str, list[int]] = {}
        self.repeated = 0
        self.forgotten: set[str] = set()
        self._seen: dict[Thing, int] = {}

    def follow(self, records: Iterable[Record]) -> Self:
        for record in records:
            if record.value:
                self._take(json.loads(record.value))
            else:
                self._forget(record.key.decode().split("/", 1)[1])
        return self

    def _forget(self, subject: str) -> None:
        self.forgotten.add(subject)
        self.versions.pop(subject, None)
        for held in (self.things, self._seen):
            for thing in [thing for thing in held if thing[0] == subject]:
                del held[thing]

    def _take(self, told: dict[str, Any]) -> None:
        thing = (told["subject"], told["kind"], told["id"])
        versions = self.versions.setdefault(told["subject"], [])
        if told["version"] not in versions[-1:] and told["version"] > max(versions, default=0):
            versions.append(told["version"])
        if self._seen.get(thing, 0) >= told["version"]:
            self.repeated += 1
            return
        self._seen[thing] = told["version"]
        if told["op"] == "delete":
            self.things.pop(thing, None)
        else:
            self.things[thing] = told["value"]


def assert_told(stream: Stream, by_model: bool = False) -> Follower:
    """Whoever follows evidence.changes has just what the export has, and missed no version. With a model a
    write may change nothing that is published: that no turn waits any more."""
    follower = Follower().follow(stream.changes())
    assert follower.things == published(stream.export())
    for subject, versions in follower.versions.items():
        first = versions[0] if subject in follower.forgotten else 1
        assert by_model or versions == list(range(first, first + len(versions))), subject
    return follower


def published(export: bytes) -> dict[Thing, Any]:
    """What of an export is published too: messages, events and the edges between events."""
    found: dict[Thing, Any] = {}
    hierarchy = {"belongs_to", "contains", "belongs_to_topic", "topic_contains"}
    for row in rows(export):
        thing = (row["subject"], row["kind"], row["id"])
        if row["kind"] == "message":
            found[thing] = {name: value for name, value in row.items() if name != "kind"}
        elif row["kind"] == "event":
            asked = ("kind", "id", "subject", "session", "topic", "valid")
            found[thing] = {name: value for name, value in row.items() if name not in asked}
        elif row["kind"] == "edge" and row["type"] not in hierarchy:
            found[thing] = {
                name: value for name, value in row.items() if name not in ("kind", "id", "subject")
            }
    return found


class Reader:
    """Reads a subject again and again while it is entered, and keeps in `lost` what was there once and
    then was not, or was there without what it is drawn from."""

    def __init__(self, stream: Stream, subject: Subject) -> None:
        self._stream, self._subject = stream, subject
        self.lost: list[str] = []
        self.reads = 0
        self._held: frozenset[str] = frozenset()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._read, name="reader", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _read(self) -> None:
        with self._stream.graph() as graph:
            while not self._ended.wait(0.02):
                try:
                    view = graph.everything(self._subject)
                except RedisError:
                    continue  # it is away just now
                found = things_of(view) if view is not None else frozenset()
                self.lost.extend(sorted(self._held - found))
                self.lost.extend(torn(view) if view is not None else ())
                self._held |= found
                self.reads += 1


def things_of(view: SubjectView) -> frozenset[str]:
    """The ids of its messages, events and edges."""
    messages = {message.id for message in view.messages}
    return frozenset(messages) | {event.id for event in view.events} | {edge.id for edge in view.edges}


def torn(view: SubjectView) -> list[str]:
    """The events that a view has without a message that they are drawn from."""
    messages = {message.id for message in view.messages}
    return [event.id for event in view.events if not messages.issuperset(event.sources)]
