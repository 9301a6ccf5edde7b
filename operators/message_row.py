"""The message contract as a row of JSON (DESIGN §2): its fields, its limits, and why a row may break it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from state.model import Op, Role

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
    BAD_CONTROL = "bad_control"  # given by the dataflow: a record that asks for something, but not rightly
    PROCESSING_FAILED = "processing_failed"  # given by the dataflow: the message is sound, but a step raised


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a record is no message. `detail` is one line that names the field, without the message's text."""

    reason: Reason
    detail: str


_Name = Annotated[str, Field(max_length=MAX_ID_CHARACTERS)]


class Row(BaseModel):
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


UPSERT_NEEDS = frozenset({"conversation", "role", "speaker", "content"})
"""What an upsert must give besides the fields that every row must."""
