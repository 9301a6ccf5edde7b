"""Notes that were lost (a folder removed, an older backup, a power cut), made again from the graph."""

from pipeline.apply import note_of
from pipeline.embedded import Embedded
from state.model import Subject
from state.notes import note_text

_BATCH = 256


def missing_notes(stet: Embedded) -> int:
    """At least how many live messages have no note, as the totals tell (2 round trips and one a tenant).

    A note is written before its message and deleted before it: only what is not processed to its end may lack
    one, and that is made up for when it is.
    """
    subjects = _subjects(stet)
    live = stet.graph.counts(subjects).get("messages", 0) if subjects else 0
    return max(0, live - stet.waiting() - stet.notes.count()) if live else 0


def make_missing_notes(stet: Embedded) -> int:
    """Encodes and writes the notes that live messages lack, and says how many.

    Reads whole the subjects that have too few, one at a time. May be cut short and repeated.
    """
    made = 0
    for subject in _subjects(stet):
        if stet.notes.count(subject) < stet.graph.counts([subject]).get("messages", 0):
            made += _make_for(stet, subject)
    return made


def _subjects(stet: Embedded) -> list[Subject]:
    return [subject for tenant in stet.graph.tenants() for subject in stet.graph.subjects(tenant)]


def _make_for(stet: Embedded, subject: Subject) -> int:
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
