"""What every system of a run is, and what all of them share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Protocol

from evaluation.corpus import by_subject
from evaluation.questions import Asked
from operators.derive import in_place
from query_service.token_counts import TokenCounts
from state.model import Message, Subject
from state.notes import Encoder, Note, NoteStore, Vector, note_text

SEARCHED = 100
"""Hits that a search gives to a baseline."""


@dataclass(frozen=True, slots=True)
class Found:
    """`ranked`: message ids, best first, each once. `contexts`: by budget, the text that a model would be
    given, of at most so many tokens; a message's line begins with its id in brackets."""

    ranked: tuple[str, ...]
    contexts: Mapping[int, str]


class System(Protocol):
    """Reads the messages of a set once, then finds the evidence for questions."""

    @property
    def name(self) -> str:
        """As tables and JSON call it."""
        ...

    def ask(self, asked: Asked, budgets: Sequence[int]) -> Found:
        """The evidence for a question, from messages sent by `asked.as_of` alone, and a context for each of
        `budgets`. The same question gives the same answer."""
        ...


class Ground:
    """The messages of a set with one encoder, one token counter and one note store for all systems."""

    def __init__(self, messages: Sequence[Message], encoder: Encoder, notes: NoteStore) -> None:
        """Encodes every message, and fills `notes`."""
        self.encoder = encoder
        self.notes = notes
        self.count = TokenCounts(encoder.count_tokens)
        self.said: Mapping[Subject, Sequence[Message]] = {
            subject: in_place(group) for subject, group in by_subject(messages).items()
        }
        self.vectors: dict[Subject, dict[str, Vector]] = {}
        for subject, group in self.said.items():
            rows = encoder.encode([note_text(one) for one in group])
            self.vectors[subject] = {one.id: row for one, row in zip(group, rows, strict=True)}
            notes.upsert([_note(one, self.vectors[subject][one.id]) for one in group])

    @cached_property
    def messages(self) -> Mapping[Subject, Mapping[str, Message]]:
        """Messages by id."""
        return {subject: {one.id: one for one in group} for subject, group in self.said.items()}

    def by_then(self, subject: Subject, until: datetime | None) -> list[Message]:
        """The subject's messages in order, as far as they were sent."""
        return [one for one in self.said[subject] if until is None or one.sent_at <= until]

    def vector(self, text: str) -> Vector:
        """A question's vector."""
        vector: Vector = self.encoder.encode([text])[0]
        return vector


def _note(one: Message, vector: Vector) -> Note:
    return Note(one.subject, one.id, one.conversation, one.speaker, one.sent_at, note_text(one), vector)
