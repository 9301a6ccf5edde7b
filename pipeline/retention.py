"""Retention by age: which messages and rejected records of a tenant are older than it keeps them."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from operators.deletion import deletion
from operators.moments import parse_moment
from operators.parse import Rejected
from pipeline.mentions import fields_in, spelt_out
from pipeline.rejected_record import RejectedRecord
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


@dataclass(frozen=True, slots=True)
class OldRejected:
    """Rejected records that are older: those of the tenant, and how many more of which it cannot be told
    whose they are."""

    theirs: tuple[RejectedRecord, ...]
    nobodys: int


def older_rejected(
    records: Iterable[RejectedRecord], tenant: str, before: datetime, is_only_tenant: bool
) -> OldRejected:
    """What was refused before then, or says that it was sent before then. A record whose tenant cannot be
    read is the tenant's where it has that name in quotes, or where there is no other tenant."""
    quoted = json.dumps(tenant, ensure_ascii=False).encode()
    theirs: list[RejectedRecord] = []
    nobodys = 0
    for record in records:
        if record.rejected_at >= before and not _was_sent(record.raw, before):
            continue
        named = _text_of(record.raw, "tenant")
        if named == tenant or (named is None and (is_only_tenant or quoted in spelt_out(record.raw))):
            theirs.append(record)
        elif named is None:
            nobodys += 1
    return OldRejected(tuple(theirs), nobodys)


def _was_sent(raw: bytes, before: datetime) -> bool:
    try:
        sent = parse_moment(_text_of(raw, "sent_at") or "")
        return sent < before
    except (ValueError, OverflowError):
        return False


def _text_of(raw: bytes, field: str) -> str | None:
    """A field of a record that has it as text."""
    found = fields_in(raw, field)
    return found[0] if found is not None else None
