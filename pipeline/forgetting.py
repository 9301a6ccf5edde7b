"""Forgets a subject in a data folder, or some of its messages: nothing of what was said, or is known from it,
is left in any file.

What is to be forgotten is written down first, and the note is taken away last, so that what a crash cut short
is finished when the folder is next opened.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.mentions import Mentions, MentionsMessages
from pipeline.rejected import RejectedRecord, RejectedStream
from state.durable import sync_directory
from state.forget_receipt import Receipt
from state.graph_forgetting import forget_graph, held_of, rewrite_log
from state.ledger import Ledger
from state.message_log import MessageLog
from state.model import EdgeType, Subject
from state.notes_edge import EdgeNoteStore

_NOTE = "forgetting.json"
_COUNTED = ("messages", "sessions", "topics", "events", "notes", "answers")


class ImpossibleMessage(ValueError):
    """No message can have this id."""


@dataclass(frozen=True, slots=True)
class Removed:
    """What went with messages: of each thing in the graph, by name, and records of the log and the rejected
    stream."""

    held: Mapping[str, int]
    records: int
    rejected: int

    def receipt(self, tenant: str, name: str) -> Receipt:
        """As a receipt for this subject."""
        return Receipt(
            tenant=tenant,
            subject=name,
            **{kind: self.held.get(kind, 0) for kind in _COUNTED},
            edges=sum(self.held.get(kind.value, 0) for kind in EdgeType),
            records=self.records,
            rejected=self.rejected,
        )


@dataclass(frozen=True, slots=True)
class Places:
    """Where a data folder keeps what was said. Nothing else reads or writes the subject meanwhile."""

    folder: Path
    log: MessageLog
    rejected: RejectedStream
    client: Any
    notes: EdgeNoteStore


def forget(places: Places, subject: Subject, told: Callable[[str], None] = lambda line: None) -> Receipt:
    """Removes the subject from every file of the folder; one that is unknown is no error.

    The log goes first: were it last, a crash would let what it holds be processed anew. `told` is given a
    line a step. Reads the whole log, writes the notes and the graph's file anew: O(all that is stored).
    Raises what the stores raise; the next opening of the folder finishes then.
    """
    note = places.folder / _NOTE
    _write(note, {"tenant": subject.tenant, "subject": subject.name})
    told("erasing it from the message log")
    spoken_of = Mentions(subject)
    records = places.log.erase(lambda record: spoken_of.in_record(record.raw))
    rejected = places.rejected.erase(lambda record: spoken_of.in_record(record.raw))
    told("removing its graph")
    counts = forget_graph(places.client, subject)
    told("removing its notes")
    notes = places.notes.count(subject)
    places.notes.forget(subject)
    _rewrite(places, told)
    _forget_note(note)
    return Receipt(
        tenant=subject.tenant,
        subject=subject.name,
        messages=counts.get("messages", 0),
        sessions=counts.get("sessions", 0),
        topics=counts.get("topics", 0),
        events=counts.get("events", 0),
        edges=sum(counts.get(kind.value, 0) for kind in EdgeType),
        notes=notes,
        answers=counts.get("answers", 0),
        records=records,
        rejected=rejected,
    )


def forget_messages(
    places: Places,
    messages: Mapping[Subject, Collection[str]],
    delete: Callable[[], None],
    told: Callable[[str], None] = lambda line: None,
) -> Removed:
    """Removes messages by subject, what was drawn from them, and their bytes from every file.

    `delete` writes their deletion to the log and has it processed, which derives the rest anew. What stays of
    a message is the record of its deletion, with its id: a copy that comes later is not taken. With the
    deletion go the answers of a model that were given with one in view, and here those of which that is not
    told. Safe to repeat; costs what `forget` does.
    """
    note = places.folder / _NOTE
    _write(note, {"messages": [[s.tenant, s.name, list(ids)] for s, ids in messages.items()]})
    before = _held(places, messages)
    told("deleting the messages, and deriving the rest anew")
    delete()
    told("erasing them from the message log")
    named = MentionsMessages(messages)
    records = places.log.erase(lambda record: named.in_record(record.raw))
    rejected = places.rejected.erase(lambda record: named.in_record(record.raw))
    for subject in messages:
        Ledger(places.client).drop_untold(subject)
    after = _held(places, messages)
    _rewrite(places, told)
    _forget_note(note)
    return Removed(before - after, records, rejected)


def _held(places: Places, subjects: Iterable[Subject]) -> Counter[str]:
    total: Counter[str] = Counter()
    for subject in subjects:
        total.update(held_of(places.client, subject))
        total["notes"] += places.notes.count(subject)
    return total


def _rewrite(places: Places, told: Callable[[str], None]) -> None:
    told("writing the stores' files anew")
    rewrite_log(places.client)
    places.notes.compact()


def unfinished(folder: Path) -> Subject | Mapping[Subject, Sequence[str]] | None:
    """The subject, or the messages by subject, that were being forgotten when the folder was last open; None
    where that was finished."""
    try:
        row = json.loads((folder / _NOTE).read_bytes())
    except FileNotFoundError:
        return None
    if "messages" in row:
        return {Subject(tenant, name): ids for tenant, name, ids in row["messages"]}
    return Subject(row["tenant"], row["subject"])


def _forget_note(note: Path) -> None:
    note.unlink()
    sync_directory(note.parent)


def _write(note: Path, row: Mapping[str, Any]) -> None:
    draft = note.with_suffix(".new")
    with draft.open("w", encoding="utf-8") as file:
        json.dump(row, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(note)
    sync_directory(note.parent)


def forget_rejected(log: MessageLog, rejected: RejectedStream, records: Iterable[RejectedRecord]) -> int:
    """Erases rejected records from the stream and from the message log; how many of the stream.

    The log goes first, so that what a crash cut short is found in the stream, and finished, the next time.
    Reads both whole.
    """
    known = {(one.raw, one.origin, one.attempt) for one in records}
    if not known:
        return 0
    log.erase(lambda record: (record.raw, record.origin, record.attempt) in known)
    return rejected.erase(lambda record: (record.raw, record.origin, record.attempt) in known)
