"""Times as people and programs write them at the rim."""

from datetime import UTC, datetime


def parse_moment(text: str) -> datetime:
    """An RFC 3339 time with an offset, or a date (its first moment in UTC). Raises ValueError."""
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is no time: write it like 2026-03-05T12:00:00Z or 2026-03-05") from None
    if at.tzinfo is None:
        if len(text.strip()) != len("2026-03-05"):
            raise ValueError(f"{text!r} has no zone: add Z or an offset such as +08:00")
        at = at.replace(tzinfo=UTC)
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{text!r} is beyond the years 1 to 9999 in UTC") from None
