"""Why bytes are no row of the message contract: the one fault that is told, of all that the model found."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from operators.message_row import MAX_ID_CHARACTERS, MAX_REVISION, UPSERT_NEEDS, Reason, Rejected
from state.model import Op, Role

_OTHER_ROWS = frozenset({"kind", "task"})  # the marks of an exported row and of a row of gold labels
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


def why_invalid(raw: bytes, error: ValidationError) -> Rejected:
    """The fault to tell of `raw`, which the model of a row refused with `error`. Linear in len(raw)."""
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
    return isinstance(row, dict) and row.get("op") != Op.DELETE and not UPSERT_NEEDS.issubset(row)


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
