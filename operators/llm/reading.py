"""Reads a model's reply with distrust: the answer is found in it and mended, or it is said what is wrong.

Thoughts, code fences, text around the object and an echoed schema are passed over; quotes, commas and types
that are wrong in a way that leaves no doubt are mended. An object that is not closed is never closed here:
what is missing in it would be lost without a word.
"""

import json
from collections.abc import Iterator
from typing import Any

import json_repair
from pydantic import ValidationError

from operators.llm.aloud import answers_begun, without_thinking
from operators.llm.ask import T
from operators.llm.failure import Failure

_TOLD, _LONGEST = 5, 300
_MENDED = 40_000
"""Characters that are mended of one reply at most: mending may take time in the square of them."""
_BROKEN = 200
"""Objects of one reply at most that are no JSON: to find each takes time in the length of the reply."""
_decode = json.JSONDecoder(parse_constant=lambda name: None).raw_decode  # NaN is no number that was said


class Unreadable(Exception):
    """No answer of the shape is in the reply.

    The text says for the model what is wrong, and may hold words of the reply: it is not logged.
    """

    def __init__(self, reason: Failure, says: str) -> None:
        super().__init__(says)
        self.reason = reason


def read_answer(text: str, shape: type[T]) -> T:
    """The answer that the reply holds: the last object in it that fits `shape`, where there are several.

    Raises Unreadable: EMPTY, TRUNCATED (an object is not closed) or MALFORMED.
    """
    said = without_thinking(text)
    for begun in answers_begun(text):
        try:
            return _read(begun, shape)
        except Unreadable:
            if text.lstrip().startswith(
                begun[:1]
            ):  # no thought is before it: within, there is no other answer
                raise
    if not said:
        raise Unreadable(Failure.EMPTY, "it has no text")
    return _read(said, shape)


def _read(said: str, shape: type[T]) -> T:
    answer: T | None = None
    wrong = "it has no JSON object"
    try:
        for value in _objects(said):
            try:
                answer = _fitting(value, shape)
            except ValidationError as error:
                wrong = _what_is_wrong(error)
    except RecursionError:
        raise Unreadable(Failure.MALFORMED, "its JSON is nested too deeply") from None
    if answer is None:
        raise Unreadable(Failure.MALFORMED, wrong)
    return answer


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects of a text, in order."""
    at = text.find("{")
    mendable, broken = _MENDED, 0
    while at >= 0:
        try:
            value, end = _decode(text, at)
        except ValueError:  # no JSON, or a number of more digits than are read
            broken += 1
            if broken > _BROKEN:
                raise Unreadable(Failure.MALFORMED, "it has more braces than an answer") from None
            end = _closed(text, at)
            mendable -= end - at
            value = _mended(text[at:end]) if mendable >= 0 else None
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)


def _mended(text: str) -> Any:
    try:
        return json_repair.loads(text) or None
    except RecursionError:
        raise
    except Exception:  # noqa: BLE001 - what it does with a text that no one foresaw is not ours to say
        return None


def _closed(text: str, at: int) -> int:
    """Where the object that begins at `at` ends, by its brackets outside of strings. Raises Unreadable."""
    depth, quoted, escaped = 0, False, False
    for i in range(at, len(text)):
        sign = text[i]
        if quoted:
            quoted, escaped = escaped or sign != '"', sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if not depth:
                return i + 1
    raise Unreadable(Failure.TRUNCATED, "its JSON object is not closed")


def _fitting(value: dict[str, Any], shape: type[T]) -> T:
    """`value` in the shape, if need be with types mended ("3" for 3). Raises ValidationError."""
    inner = value.get("properties")
    if isinstance(inner, dict) and "properties" not in shape.model_fields:
        value = inner  # a schema that was filled in instead of followed
    # Half of a character, as a reply has where it was cut, is read as a sign that nobody wrote.
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    try:
        return shape.model_validate_json(text)
    except ValidationError:
        return shape.model_validate_json(text, strict=False)


def _what_is_wrong(error: ValidationError) -> str:
    told = error.errors(include_input=False, include_url=False)[:_TOLD]
    return "; ".join(f"{'.'.join(map(str, one['loc']))[:_LONGEST]}: {one['msg'][:_LONGEST]}" for one in told)
