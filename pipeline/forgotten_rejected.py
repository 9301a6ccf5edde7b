"""Which rejected records are of subjects that were forgotten after they were said, and are not fed again.

Whoever asks for a subject to be forgotten writes the same record to the rejected topic too. It lies behind
what was rejected before, so it stays as long as that does.
"""

from confluent_kafka import Message as KafkaMessage

from pipeline.kafka_record import received_of
from pipeline.mentions import Mentions, subject_in
from pipeline.stream_forgetting import Order, order_of
from state.model import Subject


class ForgottenSubjects:
    """The subjects that were forgotten, and when last, in milliseconds since 1970."""

    def __init__(self) -> None:
        self._at: dict[Subject, int] = {}
        self._mentions: dict[Subject, Mentions] = {}

    def take(self, record: KafkaMessage) -> None:
        """Notes what a record of the rejected topic asks for, if it asks for anything."""
        received = received_of(record)
        order = order_of(received) if received.control else None
        if isinstance(order, Order):
            subject = order.subject
            self._at[subject] = max(received.written, self._at.get(subject, 0))
            self._mentions[subject] = Mentions(subject)

    def has(self, record: KafkaMessage, said: int) -> bool:
        """Whether a rejected record, which was first written then, is of a subject that was forgotten since.
        Proportional to the subjects forgotten where its own cannot be read."""
        raw = record.value() or b""
        subject = subject_in(raw)
        if subject is not None:
            return self._at.get(subject, -1) >= said
        return any(at >= said and self._mentions[one].in_record(raw) for one, at in self._at.items())
