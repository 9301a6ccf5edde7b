"""What is answered where something was taken back."""

from datetime import datetime

from query_service.http_models import Outgoing


class DeletedOut(Outgoing):
    """The receipt of one message's deletion, which is durable."""

    tenant: str
    subject: str
    message: str
    deleted_at: datetime


class UnderwayOut(Outgoing):
    """A subject will be forgotten: that is durable, and done when a worker comes to it."""

    tenant: str
    subject: str
    detail: str


class ForgottenOut(Outgoing):
    """What was removed of a subject, by store. `records` are those of the message log, which counts each
    edit; `rejected` those of the rejected stream; `answers` what a model had answered."""

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
