"""Retention by age: which messages of a tenant are older than it keeps them."""

from collections.abc import Callable, Mapping
from datetime import datetime

from operators.deletion import deletion
from operators.parse import Rejected
from state.graph import GraphReader
from state.model import Message, Subject


def older_messages(
    graph: GraphReader,
    tenant: str,
    before: datetime,
    told: Callable[[float], None] = lambda part: None,
) -> dict[Subject, tuple[str, ...]]:
    """By subject, the ids of the live messages that were sent before then; one without any is left out.

    Reads the subjects whole, one at a time. What is not processed yet is for the next time.
    """
    found: dict[Subject, tuple[str, ...]] = {}
    subjects = graph.subjects(tenant)
    for done, subject in enumerate(subjects):
        told(done / len(subjects))
        view = graph.everything(subject)
        ids = () if view is None else tuple(m.id for m in view.messages if m.sent_at < before)
        if ids:
            found[subject] = ids
    return found


def deletions(messages: Mapping[Subject, tuple[str, ...]], at: datetime) -> list[Message]:
    """The records that delete these messages, which are known."""
    made = [deletion(subject, one, at) for subject, ids in messages.items() for one in ids]
    return [one for one in made if not isinstance(one, Rejected)]
