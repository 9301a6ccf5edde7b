"""Forgets a subject in a data folder: nothing of what it said or is known of it is left in any file.

What is to be forgotten is written down first, and the note is taken away last, so that what a crash cut short
is finished when the folder is next opened.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.rejected import RejectedStream
from state.durable import sync_directory
from state.forget_receipt import Receipt
from state.graph_forgetting import forget_graph, rewrite_log
from state.message_log import MessageLog
from state.model import EdgeType, Subject
from state.notes_edge import EdgeNoteStore

_NOTE = "forgetting.json"


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
    _write(note, subject)
    told("erasing it from the message log")
    spoken_of = _Mentions(subject)
    records = places.log.erase(lambda record: spoken_of.in_record(record.raw))
    rejected = places.rejected.erase(lambda record: spoken_of.in_record(record.raw))
    told("removing its graph")
    counts = forget_graph(places.client, subject)
    told("removing its notes")
    notes = places.notes.count(subject)
    places.notes.forget(subject)
    told("writing the stores' files anew")
    rewrite_log(places.client)
    places.notes.compact()
    note.unlink()
    sync_directory(places.folder)
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


def unfinished(folder: Path) -> Subject | None:
    """The subject that was being forgotten when the folder was last open; None where that was finished."""
    try:
        row = json.loads((folder / _NOTE).read_bytes())
    except FileNotFoundError:
        return None
    return Subject(row["tenant"], row["subject"])


def _write(note: Path, subject: Subject) -> None:
    draft = note.with_suffix(".new")
    with draft.open("w", encoding="utf-8") as file:
        json.dump({"tenant": subject.tenant, "subject": subject.name}, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(note)
    sync_directory(note.parent)


class _Mentions:
    """Knows the records of one subject: its messages, and what is no message but has its name in quotes."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._name = json.dumps(subject.name, ensure_ascii=False).encode()
        self._escaped = json.dumps(subject.name).encode()

    def in_record(self, raw: bytes) -> bool:
        # A backslash may spell the name in any of JSON's ways; most records have none, and need no parsing.
        has_name = self._name in raw or self._escaped in raw
        if not has_name and b"\\u" not in raw:
            return False
        try:
            row = json.loads(raw)
        except (ValueError, RecursionError):
            return has_name
        if not isinstance(row, dict) or not {"tenant", "subject"} <= row.keys():
            return has_name
        return (row["tenant"], row["subject"]) == (self._subject.tenant, self._subject.name)
