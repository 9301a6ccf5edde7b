"""What is wrong with what was sent, in words for whoever sent it."""

from collections.abc import Mapping, Sequence

_OURS = ("Value error, ", "Assertion failed, ")
"""What the library puts before a sentence that is whole without it."""
_MOST = 5


def in_words(told: object) -> str:
    """The library's sentence about one fault, without its own names for kinds of error."""
    text = str(told)
    for ours in _OURS:
        text = text.removeprefix(ours)
    return text


def faults(errors: Sequence[Mapping[str, object]], whole: str = "") -> str:
    """Validation errors in one line: where and what, without the input itself, which may be message text.
    `whole` names the place of an error that is about no field."""
    told = []
    for error in errors[:_MOST]:
        place = error.get("loc")
        where = ".".join(str(part) for part in place) if isinstance(place, tuple) else ""
        said = in_words(error.get("msg"))
        told.append(f"{where or whole}: {said}" if where or whole else said)
    return "; ".join(told)
