"""A note store in memory by brute force, and an encoder that remembers: for evaluation, where the store and
the encoder would otherwise take most of the time."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from state.lexicon import idf, sparse, sparse_query
from state.model import Message, Subject
from state.notes import Encoder, Hit, Note, Vector, note_text

PLACES = 6


class MemoryNotes:
    """`NoteStore` over dictionaries. A dense search looks at every note of the subject, a lexical one at
    those that have a term of the question."""

    def __init__(self) -> None:
        self._notes: dict[Subject, dict[str, Note]] = defaultdict(dict)
        self._weights: dict[Subject, dict[int, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
        self._rows: dict[Subject, tuple[list[Note], NDArray[np.float32]]] = {}

    def upsert(self, notes: Sequence[Note]) -> None:
        for note in notes:
            self.delete(note.subject, [note.message])
            self._notes[note.subject][note.message] = note
            for term, value in zip(*sparse(note.content), strict=True):
                self._weights[note.subject][term][note.message] = value

    def delete(self, subject: Subject, messages: Iterable[str]) -> None:
        for message in messages:
            note = self._notes[subject].pop(message, None)
            if note is not None:
                self._rows.pop(subject, None)
                for term in sparse(note.content)[0]:
                    del self._weights[subject][term][message]

    def forget(self, subject: Subject) -> None:
        self.delete(subject, list(self._notes[subject]))

    def _matrix(self, subject: Subject) -> tuple[list[Note], NDArray[np.float32]]:
        """A subject's notes and their vectors, stacked once a change."""
        if subject not in self._rows or len(self._rows[subject][0]) != len(self._notes[subject]):
            notes = list(self._notes[subject].values())
            self._rows[subject] = notes, np.stack([note.vector for note in notes])
        return self._rows[subject]

    def dense(
        self, subject: Subject, vector: Vector, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        if not self._notes[subject]:
            return []
        notes, rows = self._matrix(subject)
        found = zip(notes, (rows @ vector).tolist(), strict=True)
        return _best(((n.message, s) for n, s in found if until is None or n.sent_at <= until), limit)

    def lexical(
        self, subject: Subject, text: str, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        notes = self._notes[subject]
        live = notes.keys() if until is None else {name for name, n in notes.items() if n.sent_at <= until}
        scores: dict[str, float] = defaultdict(float)
        for term in sparse_query(text)[0]:
            held = [(name, w) for name, w in self._weights[subject].get(term, {}).items() if name in live]
            worth = idf(len(live), len(held))
            for name, weight in held:
                scores[name] += worth * weight
        return _best(((name, score) for name, score in scores.items() if score > 0), limit)

    def vectors(self, subject: Subject, messages: Iterable[str]) -> Mapping[str, Vector]:
        notes = self._notes[subject]
        return {message: notes[message].vector for message in messages if message in notes}

    def nearness(self, subject: Subject, vector: Vector, messages: Iterable[str]) -> Mapping[str, float]:
        found = self.vectors(subject, messages)
        return {message: round(float(held @ vector), PLACES) for message, held in found.items()}

    def count(self, subject: Subject | None = None) -> int:
        if subject is not None:
            return len(self._notes[subject])
        return sum(len(notes) for notes in self._notes.values())

    def close(self) -> None:
        """Nothing is held open."""


def _best(scored: Iterable[tuple[str, float]], limit: int) -> list[Hit]:
    hits = [Hit(message, round(score, PLACES)) for message, score in scored]
    return sorted(hits, key=lambda hit: (-hit.score, hit.message))[:limit]


def noted(messages: Sequence[Message], encoder: Encoder) -> MemoryNotes:
    """The notes of these messages, each with the vector of its text."""
    notes = MemoryNotes()
    vectors = encoder.encode([note_text(one) for one in messages])
    notes.upsert(
        [
            Note(one.subject, one.id, one.conversation, one.speaker, one.sent_at, note_text(one), vector)
            for one, vector in zip(messages, vectors, strict=True)
        ]
    )
    return notes


class RememberingEncoder:
    """An encoder whose vectors are kept in a file of `folder`, by the digest of the text.

    The file names the encoder. Texts are encoded in the order of their length, so that a batch has little
    padding. `save` writes what is new.
    """

    def __init__(self, encoder: Encoder, folder: Path | None) -> None:
        self._encoder = encoder
        self.name = encoder.name
        self.dimension = encoder.dimension
        self._file = folder / f"vectors-{digest_of(encoder.name)}.npz" if folder is not None else None
        self._held: dict[str, Vector] = {}
        self._fresh = False
        if self._file is not None and self._file.exists():
            with np.load(self._file) as stored:
                self._held = dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        keys = [digest_of(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._held}
        if missing:
            order = sorted(missing, key=lambda key: (len(missing[key]), key))
            vectors = self._encoder.encode([missing[key] for key in order])
            self._held.update(zip(order, vectors, strict=True))
            self._fresh = True
        return np.stack([self._held[key] for key in keys])

    def count_tokens(self, text: str) -> int:
        return self._encoder.count_tokens(text)

    def save(self) -> None:
        """Writes the vectors to the file, where there is one and there is anything new."""
        if self._file is None or not self._fresh:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        keys = sorted(self._held)
        np.savez(self._file, keys=np.array(keys), vectors=np.stack([self._held[key] for key in keys]))


def digest_of(text: str) -> str:
    """A short name of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
