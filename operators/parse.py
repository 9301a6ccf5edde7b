"""Raw bytes to a `Message`, or to the reason why not (DESIGN §2, §4): the only way a message comes in.

The JSON is checked by a strict pydantic model that admits no unknown field. Of a key that is given twice the
last counts. A rejection names the field at fault and never quotes what the message says.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from state.model import Message, Op, Role, Subject

MAX_ID_CHARACTERS = 256
"""The longest tenant, subject, conversation, id, speaker and reply_to, in code points."""
MAX_CONTENT_BYTES = 64 * 1024
"""The longest content, in UTF-8."""
MAX_METADATA_BYTES = 64 * 1024
"""The longest metadata, as canonical JSON in UTF-8."""
MAX_REVISION = 2**53 - 1
"""The greatest revision: the greatest integer that every JSON reader and Redis's scripts keep exact."""


class Reason(StrEnum):
    """Why a record was rejected. The codes are stored and counted: they are never renamed."""

    INVALID_UTF8 = "invalid_utf8"
    MALFORMED_JSON = "malformed_json"
    NOT_AN_OBJECT = "not_an_object"
    WRONG_ROW = "wrong_row"
    MISSING_FIELD = "missing_field"
    EXTRA_FIELD = "extra_field"
    WRONG_TYPE = "wrong_type"
    UNKNOWN_ROLE = "unknown_role"
    UNKNOWN_OP = "unknown_op"
    BAD_TIME = "bad_time"
    BAD_REVISION = "bad_revision"
    EMPTY_ID = "empty_id"
    ID_TOO_LONG = "id_too_long"
    CONTROL_CHARACTER = "control_character"
    EMPTY_CONTENT = "empty_content"
    CONTENT_TOO_LARGE = "content_too_large"
    METADATA_TOO_LARGE = "metadata_too_large"
    WRONG_TENANT = "wrong_tenant"
    LINE_TOO_LONG = "line_too_long"  # given by the reader of a file, which cut the line
    TRUNCATED_GZIP = "truncated_gzip"  # given by the reader of a file, whose compressed data ends or breaks
    ERASED = "erased"  # given by the message log: the record's subject was forgotten
    PROCESSING_FAILED = "processing_failed"  # given by the dataflow: the message is sound, but a step raised


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a record is no message. `detail` is one line that names the field, without the message's text."""

    reason: Reason
    detail: str


_Name = Annotated[str, Field(max_length=MAX_ID_CHARACTERS)]


class _Row(BaseModel):
    """The message contract as JSON. The fields with an empty default are required of an upsert."""

    # Caching values costs twice the parse: texts and ids seldom repeat.
    model_config = ConfigDict(strict=True, extra="forbid", cache_strings="keys")

    tenant: _Name
    subject: _Name
    id: _Name
    sent_at: str
    conversation: _Name = ""
    role: Role = Role.USER
    speaker: _Name = ""
    content: str = ""
    reply_to: _Name | None = None
    op: Op = Op.UPSERT
    revision: Annotated[int, Field(ge=0, le=MAX_REVISION)] | None = None
    metadata: dict[str, Any] | None = None


_UPSERT_NEEDS = frozenset({"conversation", "role", "speaker", "content"})
_OTHER_ROWS = frozenset({"kind", "task"})  # the marks of an exported row and of a row of gold labels
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_RFC3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
    r"(?P<offset>[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?",
    re.ASCII,
)
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)

_REASON_OF_ERROR: Mapping[str, Reason] = MappingProxyType(
    {
        "model_type": Reason.NOT_AN_OBJECT,
        "missing": Reason.MISSING_FIELD,
        "extra_forbidden": Reason.EXTRA_FIELD,
        "string_too_long": Reason.ID_TOO_LONG,
        "greater_than_equal": Reason.BAD_REVISION,
        "less_than_equal": Reason.BAD_REVISION,
    }
)
# Of several faults the first in this order is told: the reason does not hang on the order of the keys.
_PRECEDENCE = {reason: place for place, reason in enumerate(Reason)}


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
        row = _Row.model_validate_json(raw)
    except ValidationError as error:
        return _why_invalid(raw, error)
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


def _fault_of(row: _Row, tenant: str | None) -> Rejected | None:
    """What a well-formed row breaks of the contract beyond the types of its fields."""
    is_upsert = row.op is Op.UPSERT
    if is_upsert and not _UPSERT_NEEDS.issubset(row.model_fields_set):
        absent = min(_UPSERT_NEEDS - row.model_fields_set)
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


def _fault_of_names(row: _Row, is_upsert: bool) -> Rejected | None:
    names = (row.tenant, row.subject, row.id, row.conversation, row.speaker, row.reply_to or "")
    # One search over all of them, since nearly every row passes.
    if _CONTROL.search("".join(names)) is not None:
        return _first_name(row, Reason.CONTROL_CHARACTER, "has a control character or a line break", names)
    required = names[:5] if is_upsert else names[:3]
    if not all(map(str.strip, required)) or (row.reply_to is not None and not row.reply_to.strip()):
        return _first_name(row, Reason.EMPTY_ID, "is empty or only white space", names)
    return None


def _first_name(row: _Row, reason: Reason, what: str, names: tuple[str, ...]) -> Rejected:
    labels = ("tenant", "subject", "id", "conversation", "speaker", "reply_to")
    is_at_fault = _CONTROL.search if reason is Reason.CONTROL_CHARACTER else (lambda name: not name.strip())
    label = next(label for label, name in zip(labels, names, strict=True) if is_at_fault(name))
    return Rejected(reason, f"{label} {what}")


def _why_invalid(raw: bytes, error: ValidationError) -> Rejected:
    faults = error.errors(include_url=False, include_input=False)
    if faults[0]["type"] == "json_invalid":
        return _why_unreadable(raw, faults[0])
    told = [_told(fault) for fault in faults]
    first = min(told, key=lambda fault: (_PRECEDENCE[fault.reason], fault.detail))
    if first.reason is Reason.MISSING_FIELD or _lacks_upsert_fields(raw):
        other = _mark_of_another_row(faults)
        if other is not None:
            return Rejected(Reason.WRONG_ROW, f"the object has {other} and lacks fields of a message")
    return first


def _lacks_upsert_fields(raw: bytes) -> bool:
    row = json.loads(raw)
    return isinstance(row, dict) and row.get("op") != Op.DELETE and not _UPSERT_NEEDS.issubset(row)


def _mark_of_another_row(faults: list[ErrorDetails]) -> str | None:
    extra = {str(fault["loc"][0]) for fault in faults if fault["type"] == "extra_forbidden"}
    return min(extra & _OTHER_ROWS, default=None)


def _told(fault: ErrorDetails) -> Rejected:
    kind = fault["type"]
    field = str(fault["loc"][0]) if fault["loc"] else ""
    if kind == "enum":
        reason = Reason.UNKNOWN_ROLE if field == "role" else Reason.UNKNOWN_OP
        allowed = ", ".join(Role if field == "role" else Op)
        return Rejected(reason, f"{field} is none of {allowed}")
    reason = _REASON_OF_ERROR.get(kind, Reason.WRONG_TYPE)
    match reason:
        case Reason.NOT_AN_OBJECT:
            return Rejected(reason, "the JSON is not an object")
        case Reason.MISSING_FIELD:
            return Rejected(reason, f"{field} is missing")
        case Reason.EXTRA_FIELD:
            # A field's name is the sender's text too: it is told only where it looks like a name.
            shown = field if _PLAIN_NAME.fullmatch(field) else "a field with an unusual name"
            return Rejected(reason, f"{shown} is not a field of a message")
        case Reason.ID_TOO_LONG:
            return Rejected(reason, f"{field} is longer than {MAX_ID_CHARACTERS} characters")
        case Reason.BAD_REVISION:
            return Rejected(reason, f"revision is not within 0 and {MAX_REVISION}")
        case _:
            return Rejected(reason, f"{field} has the wrong type: {fault['msg']}")


def _why_unreadable(raw: bytes, fault: ErrorDetails) -> Rejected:
    """Bytes that are no JSON to the strict parser: bad UTF-8, a lone surrogate, or bad syntax."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return Rejected(Reason.INVALID_UTF8, f"the bytes are not UTF-8 at byte {error.start}")
    if _has_lone_surrogate(raw):
        return Rejected(Reason.INVALID_UTF8, "an escape such as \\ud800 is half of a surrogate pair")
    return Rejected(Reason.MALFORMED_JSON, str(fault["msg"]))


def _has_lone_surrogate(raw: bytes) -> bool:
    """Whether a lenient parser reads `raw`, and finds text in it that UTF-8 cannot say."""
    try:
        lenient = json.loads(raw)
    except (ValueError, RecursionError):
        return False
    try:
        json.dumps(lenient, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except RecursionError:
        return False
    return False
