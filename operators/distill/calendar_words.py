"""The English words of the calendar, as patterns and as numbers."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"), ("february", "feb"), ("march", "mar"), ("april", "apr"),
            ("may",), ("june", "jun"),
            ("july", "jul"), ("august", "aug"), ("september", "sept", "sep"), ("october", "oct"),
            ("november", "nov"), ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"), ("tuesday", "tues", "tue"), ("wednesday", "wed"), ("thursday",
            "thurs", "thur", "thu"),
            ("friday", "fri"), ("saturday", "sat"), ("sunday", "sun"),
        )
    )
    for name in names
}  # fmt: skip
AMBIGUOUS_MONTHS = frozenset({"may", "march", "mar", "jan", "jun", "sep", "dec"})
AMBIGUOUS_WEEKDAYS = frozenset({"sat", "sun", "wed", "mon", "thu", "fri", "tue"})
SEASON_WORDS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
HOLIDAYS = {
    "new year's day": (1, 1), "new year's eve": (12, 31), "valentine's day": (2, 14), "halloween": (10, 31),
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "boxing day": (12, 26),
}  # fmt: skip

_DOT = r"(?:\.(?= ?\d))?"
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    rf"|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b{_DOT})(?![A-Za-z])"
)
WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    rf"|(?:mon|tues|tue|wed|thurs|thur|thu|fri|sat|sun)\b{_DOT})(?![A-Za-z])"
)
UNIT = r"(?:minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|weekends?|months?|quarters?|years?|fortnights?)\b"
PART = r"(?:early |late )?(?:morning|afternoon|evening|night|noon|lunchtime)\b"


def month_number(word: str) -> int:
    return MONTHS[word.casefold().rstrip(".")]


def weekday_number(word: str) -> int:
    return WEEKDAYS[word.casefold().rstrip(".")]
