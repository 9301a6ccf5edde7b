"""Whose a record is, also where it is no message: by its fields, or by the name that it has in quotes."""

import json
import re
from collections.abc import Collection, Mapping

from operators.parse import parse, serialise
from state.model import Message, Op, Subject

_ESCAPES = re.compile(rb"(?:\\u[0-9a-fA-F]{4})+")


def fields_in(raw: bytes, *names: str) -> tuple[str, ...] | None:
    """These fields of a record, in order; None where one is no text, or the record cannot be read."""
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    found = [row.get(name) for name in names] if isinstance(row, dict) else [None]
    texts = tuple(value for value in found if isinstance(value, str))
    return texts if len(texts) == len(names) else None


def subject_in(raw: bytes) -> Subject | None:
    """The subject that a record's fields name; None where they name none, or cannot be read."""
    named = fields_in(raw, "tenant", "subject")
    return Subject(*named) if named is not None else None


def spelt_out(raw: bytes) -> bytes:
    """The bytes with JSON's escapes of single characters undone, of text that is no whole JSON too."""
    return _ESCAPES.sub(lambda found: _spelt_out(found[0]), raw)


def _spelt_out(escapes: bytes) -> bytes:
    text: str = json.loads(b'"' + escapes + b'"')
    return text.encode(errors="surrogatepass")


class Mentions:
    """Knows the records of one subject: its messages, and what is no message but has its name in quotes."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._name = json.dumps(subject.name, ensure_ascii=False).encode()
        self._escaped = json.dumps(subject.name).encode()

    def in_record(self, raw: bytes) -> bool:
        """Whether a record is the subject's."""
        # A backslash may spell the name in any of JSON's ways; most records have none, and need no parsing.
        has_name = self._name in raw or self._escaped in raw
        if not has_name and b"\\u" not in raw:
            return False
        whose = subject_in(raw)
        if whose is not None:
            return whose == self._subject
        return has_name or self._name in spelt_out(raw)


class MentionsMessages:
    """Knows the records of some messages, their edits and copies too, but not the bare records that delete
    them; and what is no message but has such a subject's name and one of its ids in quotes."""

    def __init__(self, messages: Mapping[Subject, Collection[str]]) -> None:
        self._ids = {(s.tenant, s.name): frozenset(ids) for s, ids in messages.items()}
        self._mentions = [(Mentions(s), [_quoted(one) for one in ids]) for s, ids in messages.items()]

    def in_record(self, raw: bytes) -> bool:
        """Whether a record is one of the messages."""
        named = fields_in(raw, "tenant", "subject", "id")
        if named is not None:
            tenant, subject, message = named
            return message in self._ids.get((tenant, subject), frozenset()) and not _only_deletes(raw)
        return any(
            said.in_record(raw) and any(form in raw for forms in quoted for form in forms)
            for said, quoted in self._mentions
        )


def _quoted(text: str) -> tuple[bytes, bytes]:
    return json.dumps(text).encode(), json.dumps(text, ensure_ascii=False).encode()


def _only_deletes(raw: bytes) -> bool:
    message = parse(raw)
    return isinstance(message, Message) and message.op is Op.DELETE and serialise(message) == raw
