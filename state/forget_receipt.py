"""What was removed when a subject was forgotten."""

from dataclasses import dataclass

from state.model import Subject


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was removed, by store. `records` are those of the message log, which counts each edit; `rejected`
    those of the rejected stream; `answers` what a model had answered."""

    tenant: str
    subject: str
    messages: int
    sessions: int
    topics: int
    events: int
    edges: int
    notes: int
    answers: int
    records: int
    rejected: int

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing of the subject in any store."""
        return not (
            self.messages
            or self.sessions
            or self.topics
            or self.events
            or self.edges
            or self.notes
            or self.answers
            or self.records
            or self.rejected
        )


def nothing_of(subject: Subject) -> Receipt:
    """Of a subject of which there is nothing."""
    return Receipt(subject.tenant, subject.name, 0, 0, 0, 0, 0, 0, 0, 0, 0)
