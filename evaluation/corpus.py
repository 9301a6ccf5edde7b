"""Reads conversation sets: messages as JSON lines (plain or `.gz`), gold labels as JSON (lines)."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from state.model import Message, Op, Role, Subject

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
"""Where the sets lie beside a checkout; nothing of them is part of it."""


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSON-lines file, `.gz` or plain. Raises FileNotFoundError with the path."""
    if not path.exists():
        raise FileNotFoundError(f"no such set: {path} (give its folder with --data)")
    with (
        gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as f
    ):
        for line in f:
            if line.strip():
                yield json.loads(line)


def message(row: Mapping[str, Any]) -> Message:
    """One row as a message. Sets are trusted: a missing field raises KeyError."""
    metadata = row.get("metadata")
    return Message(
        subject=Subject(row["tenant"], row["subject"]),
        conversation=row["conversation"],
        id=row["id"],
        role=Role(row["role"]),
        speaker=row["speaker"],
        content=row["content"],
        sent_at=datetime.fromisoformat(row["sent_at"]).astimezone(UTC),
        reply_to=row.get("reply_to"),
        op=Op(row.get("op", "upsert")),
        revision=row.get("revision"),
        metadata=json.dumps(metadata, ensure_ascii=False, sort_keys=True) if metadata is not None else None,
    )


def by_subject(messages: Iterable[Message]) -> dict[Subject, list[Message]]:
    """Messages grouped by subject, in the order of first appearance."""
    grouped: dict[Subject, list[Message]] = {}
    for item in messages:
        grouped.setdefault(item.subject, []).append(item)
    return grouped
