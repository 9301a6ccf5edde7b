"""The order in which things were said, as texts that sort (ω of DESIGN §3).

A message's place depends only on the message: its time, then its id with numbers compared as numbers, so
that two runs over the same set of messages agree whatever the arrival order. Code points sort as their
UTF-8 bytes do, so Redis's lexicographic ranges and Python's comparison give one order.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache

SEPARATOR = "\x1f"
AFTER_ALL = ":"
"""Sorts after every place: places start with a digit of a year."""
_DIGITS = re.compile(r"\d+", re.ASCII)


def time_key(moment: datetime) -> str:
    """`moment` as a fixed-width UTC text with microseconds. Raises ValueError if it is naive."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone has no place in the order")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")


def natural_key(identifier: str) -> str:
    """`identifier` with every run of digits prefixed by its length: `t/9` sorts before `t/10`."""

    def widen(run: re.Match[str]) -> str:
        digits = run[0].lstrip("0") or "0"
        return f"{len(digits):03d}{digits}"

    return _DIGITS.sub(widen, identifier)


@lru_cache(maxsize=4_096)
def message_place(sent_at: datetime, message_id: str) -> str:
    """Where a message stands in its subject: (sent_at, id in natural order, id).

    Remembered: it is asked for each time a message is sorted, distilled or stored."""
    return SEPARATOR.join((time_key(sent_at), natural_key(message_id), message_id))


def event_place(message: str, clause: int, event_id: str) -> str:
    """ω of an event: its last source's place, its clause's index in that message, its id."""
    return f"{message}{SEPARATOR}{clause:04d}{SEPARATOR}{event_id}"


def home_of(place: str) -> str:
    """The message's place in an event's place."""
    return place.rsplit(SEPARATOR, 2)[0]


def message_of(place: str) -> str:
    """The message id in a message's or an event's place."""
    return place.split(SEPARATOR, 3)[2]


def event_of(place: str) -> str:
    """The event id in an event's place."""
    return place.rsplit(SEPARATOR, 1)[1]


def time_of(place: str) -> datetime:
    """The time that a place starts with."""
    return datetime.strptime(place[:26], "%Y-%m-%dT%H:%M:%S.%f").replace(tzinfo=UTC)
