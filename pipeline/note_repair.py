"""Notes that were lost (a folder removed, an older backup, a power cut), made again from the graph."""

from collections.abc import Callable
from typing import Protocol

from pipeline.apply import note_of
from state.graph_store import RedisGraph
from state.model import Subject
from state.notes import Encoder, NoteStore, note_text

_BATCH = 256


class Stores(Protocol):
    """What a repair reads and writes."""

    @property
    def graph(self) -> RedisGraph: ...
    @property
    def notes(self) -> NoteStore: ...
    @property
    def encoder(self) -> Encoder: ...


def missing_notes(stet: Stores, waiting: int = 0) -> int:
    """At least how many live messages have no note, as the totals tell (2 round trips and one a tenant).

    `waiting` are the messages of the log that are not processed yet. A note is written before its message and
    deleted before it: only what is not processed to its end may lack one, and that is made up for when it is.
    """
    subjects = _subjects(stet)
    live = stet.graph.counts(subjects).get("messages", 0) if subjects else 0
    return max(0, live - waiting - stet.notes.count()) if live else 0


def make_missing_notes(stet: Stores, progress: Callable[[float], None] = lambda part: None) -> int:
    """Encodes and writes the notes that live messages lack, and says how many.

    Reads whole the subjects that have too few, one at a time. May be cut short and repeated. No worker should
    run: a message that it edits meanwhile may keep the note of its old text.
    """
    made = 0
    subjects = _subjects(stet)
    for done, subject in enumerate(subjects):
        progress(done / len(subjects))
        if stet.notes.count(subject) < stet.graph.counts([subject]).get("messages", 0):
            made += _make_for(stet, subject)
    return made


def _subjects(stet: Stores) -> list[Subject]:
    return [subject for tenant in stet.graph.tenants() for subject in stet.graph.subjects(tenant)]


def _make_for(stet: Stores, subject: Subject) -> int:
    view = stet.graph.everything(subject)
    messages = view.messages if view is not None else ()
    made = 0
    for at in range(0, len(messages), _BATCH):
        batch = messages[at : at + _BATCH]
        held = stet.notes.vectors(subject, [message.id for message in batch])
        lacking = [message for message in batch if message.id not in held]
        if not lacking:
            continue
        vectors = stet.encoder.encode([note_text(message) for message in lacking])
        stet.notes.upsert([note_of(m, vector) for m, vector in zip(lacking, vectors, strict=True)])
        made += len(lacking)
    return made
