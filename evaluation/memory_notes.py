"""A note store in memory by brute force, and an encoder that remembers: for evaluation, where the store and
the encoder would otherwise take most of the time."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from state.lexicon import idf, sparse, sparse_query
from state.model import Subject
from state.notes import Encoder, Hit, Note, Vector

PLACES = 6


class MemoryNotes:
    """`NoteStore` over dictionaries. A search looks at every note of the subject."""

    def __init__(self) -> None:
        self._notes: dict[Subject, dict[str, Note]] = defaultdict(dict)
        self._weights: dict[Subject, dict[str, dict[int, float]]] = defaultdict(dict)

    def upsert(self, notes: Sequence[Note]) -> None:
        for note in notes:
            terms, values = sparse(note.content)
            self._notes[note.subject][note.message] = note
            self._weights[note.subject][note.message] = dict(zip(terms, values, strict=True))

    def delete(self, subject: Subject, messages: Iterable[str]) -> None:
        for message in messages:
            self._notes[subject].pop(message, None)
            self._weights[subject].pop(message, None)

    def _live(self, subject: Subject, until: datetime | None) -> list[Note]:
        return [n for n in self._notes[subject].values() if until is None or n.sent_at <= until]

    def dense(
        self, subject: Subject, vector: Vector, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        notes = self._live(subject, until)
        if not notes:
            return []
        scores = np.stack([note.vector for note in notes]) @ vector
        return _best(((n.message, float(s)) for n, s in zip(notes, scores, strict=True)), limit)

    def lexical(
        self, subject: Subject, text: str, limit: int, until: datetime | None = None
    ) -> Sequence[Hit]:
        notes = self._live(subject, until)
        weights = self._weights[subject]
        asked, _ = sparse_query(text)
        held = Counter(term for note in notes for term in asked if term in weights[note.message])
        worth = {term: idf(len(notes), held[term]) for term in asked}
        scored = (
            (note.message, sum(worth[t] * weights[note.message].get(t, 0.0) for t in asked)) for note in notes
        )
        return _best(((message, score) for message, score in scored if score > 0), limit)

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
