"""Since when something holds, where a clause says so: "from 1 December", "effective March 1", 自12月1日起."""

import re
from collections.abc import Sequence
from datetime import datetime

from operators.distill.spans import TypedValue, ValueKind
from operators.distill.values import find_values
from state.model import Precision

_BEFORE = re.compile(
    r"(?:\b(?:from|starting|beginning|effective|commencing|as of|as from|with effect from"
    r"|in effect from|valid from"
    r"|takes? effect|taking effect|will take effect|into effect|kicks? in|(?:starts"
    r"|begins) (?=on|from))(?: from| as of| on| in)?(?: the)? ?"
    r"|(?:自从|自|从|于)\s?)$",
    re.IGNORECASE | re.ASCII,
)
_INSIDE = re.compile(r"from ", re.IGNORECASE)
_AFTER = re.compile(r"\s?(?:\b(?:onwards?|on(?=[.,;!?]|$)|forward)\b)", re.IGNORECASE)
_HAN_AFTER = re.compile(r"\s?(?:起|开始|之后|以后|生效|后)")
_HAN_LONE_AFTER = re.compile(r"\s?(?:起|开始生效|开始执行|生效)")
_LOOK_BACK = 40


def effective_from(clause_text: str, values: Sequence[TypedValue], sent_at: datetime) -> datetime | None:
    """The start of the first date that the clause explicitly names as the one from which it holds, or None.

    `values`: those of the clause, with spans in `clause_text`, or empty to have them found here. Only dates
    with bounds count: never a vague or recurring time, a clock alone or a range ("from 3 to 5 May").
    """
    values = values or find_values(clause_text, sent_at)
    for value in values:
        occurs = value.occurs
        if value.kind not in (ValueKind.DATE, ValueKind.DATETIME) or occurs is None or occurs.start is None:
            continue
        if occurs.precision in (Precision.VAGUE, Precision.RECURRING) or "/" in value.canonical:
            continue
        before = clause_text[max(0, value.start - _LOOK_BACK) : value.start]
        cue = _BEFORE.search(before)
        if cue is not None and not _counts(values, value.start - len(cue.group())):
            if cue.group().strip() in ("从", "自", "自从", "于") and not _HAN_AFTER.match(
                clause_text, value.end
            ):
                continue
            if not re.match(r" ?(?:to|until|till|-|–)\b", clause_text[value.end : value.end + 8]):
                return occurs.start
        elif _HAN_LONE_AFTER.match(clause_text, value.end) or _AFTER.match(clause_text, value.end):
            return occurs.start
    return None


def _counts(values: Sequence[TypedValue], pos: int) -> bool:
    """Whether a duration ends at `pos`: "two weeks from 5 October" tells of a stay, not of a change."""
    return any(value.kind is ValueKind.DURATION and 0 <= pos - value.end <= 1 for value in values)
