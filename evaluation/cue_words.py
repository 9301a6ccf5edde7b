"""What update detection is measured against: a turn changes something where it says a cue word."""

import re

_CUES = re.compile(
    r"\b(?:actually|instead|rather|chang(?:e|ed|ing)|switch|different|another|other (?:one|options?)|"
    r"make (?:it|that)|no longer|never ?mind|cancel(?:led)?|mov(?:e|ed) (?:it|that)|correction|i meant|"
    r"anything else|something else|what about|how about|not that one|sorry)\b"
    r"|改成|改为|改到|换成|换到|取消|不要了|其实|算了|另外一个|别的|更正",
    re.IGNORECASE,
)


def has_cue(text: str) -> bool:
    """Whether a text says that something changes."""
    return _CUES.search(text) is not None
