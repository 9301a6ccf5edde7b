"""What a recogniser found in a text: a value that does not yet know when the text was sent."""

from dataclasses import dataclass

from operators.distill.spans import ValueKind
from operators.distill.times import When


@dataclass(frozen=True, slots=True)
class Finding:
    """A value at [start, end) of the text; a time has `when` in place of a canonical text."""

    kind: ValueKind
    start: int
    end: int
    canonical: str
    when: When | None = None
