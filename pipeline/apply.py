"""Applies batches of messages: many subjects' revisions in lock-step, one round trip a step for all of them.

Order of writing: the vectors first, then each subject's graph in one atomic write. A crash in between leaves
notes without a graph entry, which a replay of the same messages completes; never the reverse.
"""

import gc
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from operators.revise import Revision, Rules, revise
from pipeline.applied import Applied, Arrived, Failed
from pipeline.encoding import Encoded, Encoding
from pipeline.settle import Settled
from state.graph_change import GraphWriter, Overtaken
from state.graph_reads import Read, ReadMessages, fetch
from state.model import Message, Op, Subject
from state.notes import Encoder, Note, NoteStore, Vector, note_text

Timed = Callable[[Literal["redis", "qdrant"], str], AbstractContextManager[None]]


def untimed(store: Literal["redis", "qdrant"], operation: str) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Stores:
    """Where a batch is written to. `client` is the Redis client that `writer` writes with; `timed` measures a
    call, by store and operation."""

    client: Any
    writer: GraphWriter
    notes: NoteStore
    encoder: Encoder
    timed: Timed = untimed


_YOUNG = 100_000
"""New objects after which the interpreter looks for cycles. A batch makes some hundred thousand that live
until it is written and are in no cycle: at Python's own 700, that search takes a tenth of the time."""

Running = Generator[Sequence[Read[Any]], None, Revision | None]


class Applies(Protocol):
    """Applies batches of messages to the stores."""

    def apply(self, batch: Sequence[Arrived]) -> Applied:
        """Applies a batch in log order within each subject."""
        ...

    def write_settled(self, settled: Sequence[Settled]) -> Applied:
        """Writes what came of a model's answers."""
        ...


class Applier:
    """Applies batches to the stores. One at a time: a subject has one writer."""

    def __init__(self, stores: Stores, rules: Rules, clock: Callable[[], datetime]) -> None:
        self._stores, self._rules, self._clock = stores, rules, clock
        self._encoding = Encoding(stores.encoder)
        young, *older = gc.get_threshold()
        if 0 < young < _YOUNG:  # 0: someone has switched the collector off
            gc.set_threshold(_YOUNG, *older)

    def apply(self, batch: Sequence[Arrived]) -> Applied:
        """Applies a batch in log order within each subject; the encoder works while the graph is revised.

        Raises what the stores raise (they are away: try the batch again, nothing of it is lost), `Fenced`,
        `Overtaken`, and what the encoder raises for all texts.
        """
        by_subject: dict[Subject, list[Arrived]] = {}
        for arrived in batch:
            by_subject.setdefault(arrived.message.subject, []).append(arrived)
        stored = stored_as_is(self._stores.client, batch)
        encoding = self._encoding.begin(
            [
                note_text(a.message)
                for i, a in enumerate(batch)
                if i not in stored and a.message.op is Op.UPSERT
            ]
        )
        revisions, broken = self._revise(by_subject)
        vectors = self._all_encoded(revisions, encoding.result())
        fit: list[Revision] = []
        unfit: list[Revision] = []
        for revision in revisions:
            (unfit if _unfit(revision, vectors) else fit).append(revision)
        self._write(fit, vectors)
        singly: list[Revision] = []
        failed: list[Failed] = []
        for subject in (*broken, *(r.change.subject for r in unfit)):
            done, failing = self._one_by_one(by_subject[subject], vectors)
            singly.extend(done)
            failed.extend(failing)
        unfit_offsets = {f.arrived.received.offset for f in failed}
        return Applied(
            len(batch),
            tuple(r.change for r in (*fit, *singly)),
            tuple(failed),
            tuple(a.received.offset for a in batch if a.received.offset not in unfit_offsets),
            tuple(by_subject),
        )

    def write_settled(self, settled: Sequence[Settled]) -> Applied:
        """Writes the revisions, which change no message and no note; where a subject was written since they
        were worked out, works them out again from the answers that are remembered. Raises as `apply` does.

        A subject whose revision raises is left out: it goes on waiting, and its next settle meets the fault.
        """
        revisions = [one.revision for one in settled if one.revision is not None]
        try:
            self._write(revisions, {})
        except Overtaken:
            begun = {s.subject: revise(s.subject, (), self._rules, self._clock(), s.turns) for s in settled}
            revisions, _ = self._revised(begun)
            self._write(revisions, {})
        return Applied(
            0, tuple(r.change for r in revisions), (), subjects=tuple(one.subject for one in settled)
        )

    def _one_by_one(self, arrived: Sequence[Arrived], known: Encoded) -> tuple[list[Revision], list[Failed]]:
        """Applies a subject's messages singly, so that one that cannot be processed fails alone."""
        done: list[Revision] = []
        failed: list[Failed] = []
        for one in arrived:
            revisions, broken = self._revise({one.message.subject: [one]})
            vectors = self._all_encoded(revisions, known)
            errors = [*broken.values(), *(name for r in revisions for name in _unfit(r, vectors))]
            if errors:
                failed.append(Failed(one, "; ".join(errors)))
                continue
            self._write(revisions, vectors)
            done.extend(revisions)
        return done, failed

    def _all_encoded(self, revisions: Sequence[Revision], known: Encoded) -> Encoded:
        """The vectors of all texts that `revisions` put into the note store."""
        texts = dict.fromkeys(note_text(m) for revision in revisions for m in revision.upserted)
        missing = [text for text in texts if text not in known]
        return {**known, **self._encoding.encode(missing)} if missing else known

    def _revise(
        self, by_subject: Mapping[Subject, Sequence[Arrived]]
    ) -> tuple[list[Revision], dict[Subject, str]]:
        """Revises all subjects; the second part tells which raised what."""
        now = self._clock()
        pairs = {s: [(a.message, a.received.offset) for a in arrived] for s, arrived in by_subject.items()}
        return self._revised({s: revise(s, of, self._rules, now) for s, of in pairs.items()})

    def _revised(self, begun: Mapping[Subject, Running]) -> tuple[list[Revision], dict[Subject, str]]:
        """Runs revisions, step by step together; the second part tells which raised what."""
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

        for subject, running in begun.items():
            advance(subject, running)
        while waiting:
            with self._stores.timed("redis", "read"):
                fetch(self._stores.client, [(subject, reads) for subject, (_, reads) in waiting.items()])
            for subject, (running, _) in list(waiting.items()):
                advance(subject, running)
        return done, broken

    def _write(self, revisions: Sequence[Revision], vectors: Encoded) -> None:
        notes = [_note(m, vectors) for revision in revisions for m in revision.upserted]
        with self._stores.timed("qdrant", "write"):
            if notes:
                self._stores.notes.upsert(notes)
            for revision in revisions:
                if revision.deleted:
                    self._stores.notes.delete(revision.change.subject, revision.deleted)
        with self._stores.timed("redis", "write"):
            self._stores.writer.write([revision.change for revision in revisions])


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


def _unfit(revision: Revision, vectors: Encoded) -> list[str]:
    """The names of what the encoder raised for texts of this revision."""
    found = (vectors[note_text(message)] for message in revision.upserted)
    return [type(error).__name__ for error in found if isinstance(error, Exception)]


def _note(message: Message, vectors: Encoded) -> Note:
    """The note of a message; raises the encoder's error where its text has no vector."""
    vector = vectors[note_text(message)]
    if isinstance(vector, Exception):
        raise vector
    return note_of(message, vector)


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
