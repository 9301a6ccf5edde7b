"""The records of `evidence.changes`: one JSON object a thing that a write changed.

    {"tenant", "subject", "version", "kind", "id", "op", "value"}

`kind` is message, event or edge; `op` is upsert or delete, and a delete has no `value`. `value` has the
fields of the export's row, but for those that tell a time asked about (`valid`) or the hierarchy: an event's
`holds` says when it stands. `version` counts the writes of the subject from 1: a record that was seen with
this version or a higher one may be left out, for after a crash records are sent again. All records of a
subject are keyed alike, so that they come in order of `version`.

A record without a value says that the subject of its key was forgotten: all that is held of it is dropped,
the versions that were seen too. What comes after it, with any version, is new.
"""

import json
from collections.abc import Iterator
from typing import Any

from operators.parse import serialise
from operators.rows import edge_fields, event_fields
from state.graph_change import SubjectChange
from state.model import Op


def change_lines(change: SubjectChange) -> str:
    """The records of one write, a line each; empty where nothing was changed that is published."""
    head = {
        "tenant": change.subject.tenant,
        "subject": change.subject.name,
        "version": change.version + 1,
    }
    return "\n".join(
        json.dumps({**head, **told}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for told in (*_messages(change), *_events(change), *_edges(change))
    )


def _messages(change: SubjectChange) -> Iterator[dict[str, Any]]:
    for i, record in change.messages.items():
        if record.message.op is Op.DELETE:
            yield _deleted("message", i)
        else:
            yield _upserted("message", i, json.loads(serialise(record.message)))


def _events(change: SubjectChange) -> Iterator[dict[str, Any]]:
    for i in change.shifted:
        record = change.events[i]
        if record is not None:
            yield _upserted("event", i, event_fields(record.event, record.timeline))
    for i in change.gone_events:
        yield _deleted("event", i)


def _edges(change: SubjectChange) -> Iterator[dict[str, Any]]:
    for edge in change.new_edges:
        yield _upserted("edge", edge.id, edge_fields(edge))
    for edge in change.gone_edges:
        yield _deleted("edge", edge.id)


def _upserted(kind: str, identity: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "id": identity, "op": "upsert", "value": value}


def _deleted(kind: str, identity: str) -> dict[str, Any]:
    return {"kind": kind, "id": identity, "op": "delete"}
