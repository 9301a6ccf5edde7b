"""Applies batches of messages: many subjects' revisions in lock-step, one round trip a step for all of them.

Order of writing: the vectors first, then each subject's graph in one atomic write. A crash in between leaves
notes without a graph entry, which a replay of the same messages completes; never the reverse.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from operators.revise import Revision, Rules, revise
from pipeline.received import Received
from state.graph_change import GraphWriter, SubjectChange
from state.graph_reads import Read, ReadMessages, fetch
from state.model import Message, Subject
from state.notes import Encoder, Note, NoteStore, Vector, note_text


@dataclass(frozen=True, slots=True)
class Arrived:
    """A parsed message, the record it came in and, where it was encoded ahead, its vector."""

    message: Message
    received: Received
    vector: Vector | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A message whose revision raised; it goes to the rejected stream and the flow goes on."""

    arrived: Arrived
    error: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What a batch did: of `received` messages, those that are in no change were there already.

    `offsets` are those of the messages that did not fail.
    """

    received: int
    changes: tuple[SubjectChange, ...]
    failed: tuple[Failed, ...]
    offsets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stores:
    """Where a batch is written to. `client` is the Redis client that `writer` writes with."""

    client: Any
    writer: GraphWriter
    notes: NoteStore
    encoder: Encoder


Running = Generator[Sequence[Read[Any]], None, Revision | None]


def stored_as_is(client: Any, batch: Sequence[Arrived]) -> frozenset[int]:
    """Which of a batch (by index) are stored just as they are, so that they need no vector (1 round trip)."""
    ids: dict[Subject, list[str]] = {}
    for arrived in batch:
        ids.setdefault(arrived.message.subject, []).append(arrived.message.id)
    reads = {subject: ReadMessages(dict.fromkeys(wanted)) for subject, wanted in ids.items()}
    fetch(client, [(subject, [read]) for subject, read in reads.items()])
    found = (reads[a.message.subject].found.get(a.message.id) for a in batch)
    return frozenset(
        i
        for i, (a, record) in enumerate(zip(batch, found, strict=True))
        if record and record.message == a.message
    )


class Applier:
    """Applies batches to the stores. One at a time: a subject has one writer."""

    def __init__(self, stores: Stores, rules: Rules, clock: Callable[[], datetime]) -> None:
        self._stores, self._rules, self._clock = stores, rules, clock

    def apply(self, batch: Sequence[Arrived]) -> Applied:
        """Applies a batch in log order within each subject.

        Raises what the stores raise (they are away: try the batch again, nothing of it is lost) and `Fenced`.
        """
        by_subject: dict[Subject, list[Arrived]] = {}
        for arrived in batch:
            by_subject.setdefault(arrived.message.subject, []).append(arrived)
        revisions, broken = self._revise(by_subject)
        singly: list[Revision] = []
        failed: list[Failed] = []
        for subject in broken:
            done, unfit = self._one_by_one(by_subject[subject])
            singly.extend(done)
            failed.extend(unfit)
        vectors = {(a.message.subject, a.message.id, note_text(a.message)): a.vector for a in batch}
        self._write(revisions, vectors)
        unfit_offsets = {f.arrived.received.offset for f in failed}
        return Applied(
            len(batch),
            tuple(r.change for r in (*revisions, *singly)),
            tuple(failed),
            tuple(a.received.offset for a in batch if a.received.offset not in unfit_offsets),
        )

    def _one_by_one(self, arrived: Sequence[Arrived]) -> tuple[list[Revision], list[Failed]]:
        """Applies a subject's messages singly, so that one that cannot be processed fails alone."""
        done: list[Revision] = []
        failed: list[Failed] = []
        for one in arrived:
            revisions, broken = self._revise({one.message.subject: [one]})
            if broken:
                failed.append(Failed(one, "; ".join(broken.values())))
            self._write(
                revisions, {(one.message.subject, one.message.id, note_text(one.message)): one.vector}
            )
            done.extend(revisions)
        return done, failed

    def _revise(
        self, by_subject: Mapping[Subject, Sequence[Arrived]]
    ) -> tuple[list[Revision], dict[Subject, str]]:
        """Runs all subjects' revisions, step by step together; the second part tells which raised what."""
        now = self._clock()
        waiting: dict[Subject, tuple[Running, Sequence[Read[Any]]]] = {}
        done: list[Revision] = []
        broken: dict[Subject, str] = {}

        def advance(subject: Subject, running: Running) -> None:
            try:
                waiting[subject] = (running, next(running))
            except StopIteration as finished:
                waiting.pop(subject, None)
                if finished.value is not None:
                    done.append(finished.value)
            except Exception as error:  # noqa: BLE001 - a fault in one subject's data must not stop the others
                waiting.pop(subject, None)
                broken[subject] = f"{type(error).__name__}"

        for subject, arrived in by_subject.items():
            pairs = [(a.message, a.received.offset) for a in arrived]
            advance(subject, revise(subject, pairs, self._rules, now))
        while waiting:
            fetch(self._stores.client, [(subject, reads) for subject, (_, reads) in waiting.items()])
            for subject, (running, _) in list(waiting.items()):
                advance(subject, running)
        return done, broken

    def _write(
        self,
        revisions: Sequence[Revision],
        vectors: Mapping[tuple[Subject, str, str], Vector | None],
    ) -> None:
        messages = [m for revision in revisions for m in revision.upserted]
        ready = {m: vectors.get((m.subject, m.id, note_text(m))) for m in messages}
        missing = [m for m, vector in ready.items() if vector is None]
        if missing:
            ready.update(
                zip(missing, self._stores.encoder.encode([note_text(m) for m in missing]), strict=True)
            )
        notes = [note_of(m, vector) for m, vector in ready.items() if vector is not None]
        if notes:
            self._stores.notes.upsert(notes)
        for revision in revisions:
            if revision.deleted:
                self._stores.notes.delete(revision.change.subject, revision.deleted)
        self._stores.writer.write([revision.change for revision in revisions])


def note_of(message: Message, vector: Vector) -> Note:
    """The note of a message, whose `note_text` the encoder gave `vector` for."""
    return Note(
        subject=message.subject,
        message=message.id,
        conversation=message.conversation,
        speaker=message.speaker,
        sent_at=message.sent_at,
        content=note_text(message),
        vector=vector,
    )
