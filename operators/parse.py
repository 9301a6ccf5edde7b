"""Raw bytes to a `Message`, or to the reason why not (DESIGN §2, §4): the only way a message comes in.

The JSON is checked by a strict pydantic model that admits no unknown field. Of a key that is given twice the
last counts. A rejection names the field at fault and never quotes what the message says.
"""

import hashlib
import json
import re
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from operators.invalid_row import why_invalid
from operators.message_row import (
    MAX_CONTENT_BYTES,
    MAX_ID_CHARACTERS,
    MAX_METADATA_BYTES,
    MAX_REVISION,
    UPSERT_NEEDS,
    Reason,
    Rejected,
    Row,
)
from state.model import Message, Op, Subject

__all__ = [
    "MAX_CONTENT_BYTES",
    "MAX_ID_CHARACTERS",
    "MAX_METADATA_BYTES",
    "MAX_REVISION",
    "Reason",
    "Rejected",
    "content_digest",
    "parse",
    "same_message",
    "serialise",
]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RFC3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
    r"(?P<offset>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)


def parse(raw: bytes, tenant: str | None = None) -> Message | Rejected:
    """The message that `raw` says, or why it is none; with `tenant`, any other tenant's is `wrong_tenant`.

    `raw` is one JSON object in UTF-8. An upsert needs tenant, subject, conversation, id, role, speaker,
    content and sent_at; a delete needs tenant, subject, id and sent_at, and its content is not kept.
    `sent_at` is RFC 3339 with an offset, and becomes UTC; fractions beyond microseconds are cut; leap seconds
    cannot be told in UTC datetimes and are `bad_time`. Names and ids have no control characters. Content may
    have any character, NUL included; an escaped lone surrogate is no character and is `invalid_utf8`.
    Linear in len(raw). Raises nothing for any bytes.
    """
    try:
        row = Row.model_validate_json(raw)
    except ValidationError as error:
        return why_invalid(raw, error)
    sent_at = _moment(row.sent_at)
    if isinstance(sent_at, Rejected):
        return sent_at
    fault = _fault_of(row, tenant)
    if fault is not None:
        return fault
    metadata = None if row.metadata is None else _canonical_metadata(row.metadata)
    if isinstance(metadata, Rejected):
        return metadata
    return Message(
        subject=Subject(row.tenant, row.subject),
        conversation=row.conversation,
        id=row.id,
        role=row.role,
        speaker=row.speaker,
        content=row.content if row.op is Op.UPSERT else "",
        sent_at=sent_at,
        reply_to=row.reply_to,
        op=row.op,
        revision=row.revision,
        metadata=metadata,
    )


def serialise(message: Message) -> bytes:
    """`message` as canonical JSON: keys sorted, no spaces, UTF-8, absent fields left out, the time with `Z`.

    For every message that `parse` can give, parse(serialise(m)) == m. Raises ValueError for a time without a
    zone.
    """
    if message.sent_at.tzinfo is None:
        raise ValueError("sent_at has no zone: a message's time is UTC")
    moment = message.sent_at.astimezone(UTC).replace(tzinfo=None)
    row: dict[str, object] = {
        "tenant": message.subject.tenant,
        "subject": message.subject.name,
        "conversation": message.conversation,
        "id": message.id,
        "role": message.role.value,
        "speaker": message.speaker,
        "content": message.content,
        "sent_at": moment.isoformat() + "Z",
    }
    if message.op is not Op.UPSERT:
        row["op"] = message.op.value
    if message.reply_to is not None:
        row["reply_to"] = message.reply_to
    if message.revision is not None:
        row["revision"] = message.revision
    if message.metadata is not None:
        row["metadata"] = json.loads(message.metadata)
    return _canonical(row).encode()


def content_digest(message: Message) -> str:
    """SHA-256, in hex, of the canonical JSON of `message`."""
    return hashlib.sha256(serialise(message)).hexdigest()


def same_message(one: Message, other: Message) -> bool:
    """Whether two messages say the same in every field, whatever the zone or key order they came in."""
    return serialise(one) == serialise(other)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _canonical_metadata(metadata: dict[str, Any]) -> str | Rejected:
    try:
        text = _canonical(metadata)
    except ValueError:
        return Rejected(Reason.WRONG_TYPE, "metadata has a number that JSON cannot hold (NaN or infinite)")
    if _utf8_longer_than(text, MAX_METADATA_BYTES):
        return Rejected(
            Reason.METADATA_TOO_LARGE, f"metadata is longer than {MAX_METADATA_BYTES} bytes of UTF-8"
        )
    return text


def _utf8_longer_than(text: str, limit: int) -> bool:
    if len(text) > limit:
        return True
    return len(text) * 4 > limit and not text.isascii() and len(text.encode()) > limit


def _moment(text: str) -> datetime | Rejected:
    shape = _RFC3339.fullmatch(text)
    if shape is None:
        return Rejected(
            Reason.BAD_TIME, "sent_at is not an RFC 3339 time such as 2025-01-31T09:00:00Z, or cannot be"
        )
    if shape["offset"] is None:
        return Rejected(Reason.BAD_TIME, "sent_at has no offset: add Z or one such as +08:00")
    try:
        return datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return Rejected(Reason.BAD_TIME, "sent_at is no date of the calendar between years 1 and 9999 UTC")


def _fault_of(row: Row, tenant: str | None) -> Rejected | None:
    """What a well-formed row breaks of the contract beyond the types of its fields."""
    is_upsert = row.op is Op.UPSERT
    if is_upsert and not UPSERT_NEEDS.issubset(row.model_fields_set):
        absent = min(UPSERT_NEEDS - row.model_fields_set)
        return Rejected(Reason.MISSING_FIELD, f"{absent} is missing")
    fault = _fault_of_names(row, is_upsert)
    if fault is not None:
        return fault
    if is_upsert and (not row.content or row.content.isspace()):
        return Rejected(Reason.EMPTY_CONTENT, "content is empty or only white space")
    if _utf8_longer_than(row.content, MAX_CONTENT_BYTES):
        return Rejected(
            Reason.CONTENT_TOO_LARGE, f"content is longer than {MAX_CONTENT_BYTES} bytes of UTF-8"
        )
    if tenant is not None and row.tenant != tenant:
        return Rejected(Reason.WRONG_TENANT, "tenant is not the one that this input belongs to")
    return None


def _fault_of_names(row: Row, is_upsert: bool) -> Rejected | None:
    names = (row.tenant, row.subject, row.id, row.conversation, row.speaker, row.reply_to or "")
    # One search over all of them, since nearly every row passes.
    if _CONTROL.search("".join(names)) is not None:
        return _first_name(row, Reason.CONTROL_CHARACTER, "has a control character or a line break", names)
    required = names[:5] if is_upsert else names[:3]
    if not all(map(str.strip, required)) or (row.reply_to is not None and not row.reply_to.strip()):
        return _first_name(row, Reason.EMPTY_ID, "is empty or only white space", names)
    return None


def _first_name(row: Row, reason: Reason, what: str, names: tuple[str, ...]) -> Rejected:
    labels = ("tenant", "subject", "id", "conversation", "speaker", "reply_to")
    is_at_fault = _CONTROL.search if reason is Reason.CONTROL_CHARACTER else (lambda name: not name.strip())
    label = next(label for label, name in zip(labels, names, strict=True) if is_at_fault(name))
    return Rejected(reason, f"{label} {what}")
