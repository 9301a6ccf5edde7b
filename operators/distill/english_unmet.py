"""Whether an English text says that what was asked for cannot be had."""

import re

_SIGNS = ("not ", "n't", "n’t", "unfort", "unab", "unavail", "unsucc", "fail", "no ", "full", "taken", "sold")
"""What each turn of phrase has one of; to look for them is cheap."""
_UNMET = re.compile(
    r"\bunfortunately\b|\bunavailable\b|\bunable to\b|\bunsuccessful|\bfully booked\b|\bsold out\b|"
    r"\b(?:is|are|was|were)(?:n[’']t| not) (?:currently |longer )?(?:available|possible|free)\b|"
    r"\b(?:is|are) (?:already )?(?:taken|full|booked up)\b|"
    r"\b(?:could|can|did|does|do|was|were|have|has|would)(?:n[’']t| ?not)(?: \w+)? (?:able|find|book|make|"
    r"offer|accommodate|do|get|reserve|schedule|complete|process|work|successful|have)\b|"
    r"\b(?:has|have|is|was)(?: also)? failed\b|\bfailed to\b|\bthere (?:is|are|were|was) no\b|"
    r"\bno (?:\w+ ){0,2}(?:available|free|open|left|matching|availability|openings?)\b",
    re.IGNORECASE,
)
"""Only turns of phrase that every trade shares."""


def unmet(text: str) -> bool:
    """Whether the text says so. A cheap look comes first."""
    low = text.casefold()
    return any(sign in low for sign in _SIGNS) and _UNMET.search(text) is not None
