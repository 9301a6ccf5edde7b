"""The answer in a reply that comes piece by piece: its text as it grows, and the whole reply at its end."""

import json
import re

from operators.llm.reading import Unreadable, read_answer
from query_service.answer_ask import Reply

_OPENING = re.compile(r"\s*(?:```[a-zA-Z]*(?=[\s{])\s*)?(?=[^\s`])")
_MEMBER = re.compile(r'"answer"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
"""The first half of a character that JSON writes as two."""


class ReplyStream:
    """Reads a reply as a model writes it: one JSON object, or, where it does not keep to that, plain text."""

    def __init__(self) -> None:
        self._text = ""
        self._plain: bool | None = None
        self._at: int | None = None
        """Up to where the text has been given out; None before the answer begins."""

    def take(self, piece: str) -> str:
        """Adds a piece; what it adds to the answer's text, or ''."""
        self._text += piece
        if self._at is None and not self._begun():
            return ""
        assert self._at is not None
        if self._plain:
            given, self._at = self._text[self._at :], len(self._text)
            return given
        whole = _WHOLE.match(self._text, self._at)
        told = whole[0] if whole is not None else ""
        half = _HALF.search(told)
        told = told[: half.start()] if half is not None else told
        self._at += len(told)
        return _unescaped(told)

    def reply(self) -> Reply | None:
        """The reply once all pieces are there; None where the text is none: empty, cut off or of another
        form."""
        if self._plain:
            text = self._text.strip()
            return Reply(answer=text, citations=[], abstained=False) if text else None
        try:
            return read_answer(self._text, Reply)
        except Unreadable:
            return None

    def _begun(self) -> bool:
        """Whether the answer's text has begun; sets where."""
        opening = _OPENING.match(self._text)
        if opening is None:
            return False
        if self._plain is None:
            self._plain = self._text[opening.end()] != "{"
        if self._plain:
            self._at = opening.end()
            return True
        member = _MEMBER.search(self._text)
        if member is not None:
            self._at = member.end()
        return member is not None


def _unescaped(told: str) -> str:
    text: str = json.loads(f'"{told}"', strict=False)
    return text.encode("utf-8", "replace").decode()
