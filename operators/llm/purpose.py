"""What a model is asked for."""

from enum import StrEnum


class Purpose(StrEnum):
    """What a call is for; calls, tokens and failures are counted by it."""

    DISTILL = "distill"
    RELATE = "relate"
    ANSWER = "answer"
