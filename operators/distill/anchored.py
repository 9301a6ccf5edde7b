"""A text's typed values whatever the day it was sent: their places and kinds, read once a text."""

from functools import lru_cache

from operators.distill.spans import TypedValue, ValueKind
from operators.distill.values import ANY_DAY, find_values

TIMES = (ValueKind.DATE, ValueKind.TIME, ValueKind.DATETIME)


@lru_cache(maxsize=2_048)
def anchored_values(text: str) -> tuple[TypedValue, ...]:
    """The values of `text` by place, none within or across another. Not to be used: `occurs`, `canonical`."""
    kept: list[TypedValue] = []
    for value in sorted(find_values(text, ANY_DAY), key=lambda v: (v.start, v.start - v.end)):
        if not kept or value.start >= kept[-1].end:
            kept.append(value)
    return tuple(kept)


def timed(text: str) -> bool:
    """Whether the text has a date or a clock time, so that it must be resolved against its day."""
    return any(value.kind in TIMES for value in anchored_values(text))
