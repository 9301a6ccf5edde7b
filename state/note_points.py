"""What both note stores write: one schema of points, their ids, and the order of an answer.

A point is one note. It has the vectors `dense` (cosine) and `lexical` (BM25 weights without the idf, see
`state.lexicon.sparse`) and this payload:

    tenant, subject, owner, message, conversation, speaker   texts
    sent_at                                                  whole microseconds since 1970, UTC

The terms of `lexical` are hashed anew for each owner (`state.lexicon.salted`).

`owner` joins tenant and subject without ambiguity; it is the one field that every read filters by, and is
indexed as the tenant key. The message's text is not stored.

BM25 is exact within a subject: the engine applies the idf at query time and takes its document frequencies
from the points that the search itself admits (the owner's, sent at or before `until`). So no tenant's text,
and nothing said later than the asked time, moves a ranking. Measured on Edge, that costs about 1 ms over a
subject of 2,000 notes, whatever the size of the store.
"""

import hashlib
import uuid
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from state.model import Subject
from state.notes import Hit, Note

DENSE = "dense"
LEXICAL = "lexical"
OWNER = "owner"
SENT_AT = "sent_at"
MESSAGE = "message"

_NAMESPACE = uuid.UUID("6f0c1a52-8a0e-5b7e-9d3f-2f6b1b6f5a11")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SLACK = 16
_MOST_TIES = 4096
PLACES = 6


class NoteStoreError(RuntimeError):
    """The note store cannot be opened, read or written; the text says what to do."""


def owner_of(subject: Subject) -> str:
    """Tenant and subject as one text; unlike subjects have unlike owners, whatever characters they hold."""
    return f"{len(subject.tenant)}:{subject.tenant}/{subject.name}"


def point_id(subject: Subject, message: str) -> str:
    """The UUIDv5 of (tenant, subject, message)."""
    name = f"{len(subject.name)}:{owner_of(subject)}/{message}"
    # What `uuid.uuid5` does, without its object: a question asks for dozens of ids.
    digest = bytearray(hashlib.sha1(_NAMESPACE.bytes + name.encode(), usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def micros(moment: datetime) -> int:
    """`moment` in whole microseconds since 1970. Raises ValueError if it is naive."""
    if moment.tzinfo is None:
        raise ValueError("a note's time needs a zone: give sent_at and until in UTC")
    return (moment - _EPOCH) // _MICROSECOND


def payload(note: Note) -> dict[str, str | int]:
    """The payload of a note, in the engine's own form."""
    return {
        "tenant": note.subject.tenant,
        "subject": note.subject.name,
        OWNER: owner_of(note.subject),
        MESSAGE: note.message,
        "conversation": note.conversation,
        "speaker": note.speaker,
        SENT_AT: micros(note.sent_at),
    }


def latest(notes: Iterable[Note], dimension: int) -> Sequence[tuple[str, Note]]:
    """Notes by point id, of two with one id the later, in order of first appearance.

    Raises ValueError where a vector has not `dimension` numbers: nothing is written then.
    """
    found: dict[str, Note] = {}
    for note in notes:
        if note.vector.shape != (dimension,):
            raise ValueError(
                f"a note's vector has shape {note.vector.shape}, but the store keeps {dimension} numbers: "
                "use the encoder that the store was made with, or a new store"
            )
        found[point_id(note.subject, note.message)] = note
    return list(found.items())


def best(fetch: Callable[[int], Iterable[Hit]], limit: int) -> Sequence[Hit]:
    """The `limit` best hits of a search, best first, ties by message id.

    `fetch(n)` answers the engine's n best. Scores are rounded to 6 places, so that the last bits of a vector
    (which depend on the batch it was encoded in) order nothing. Engines cut a run of equal scores anywhere;
    so more is asked for until the run that crosses `limit` is whole. Past 4,096 equal hits the cut is the
    engine's, which keeps the work bounded.
    """
    if limit <= 0:
        return []
    asked = limit + _SLACK
    while True:
        hits = [Hit(hit.message, round(hit.score, PLACES)) for hit in fetch(asked)]
        hits.sort(key=lambda hit: (-hit.score, hit.message))
        whole = len(hits) < asked or hits[-1].score < hits[limit - 1].score
        if whole or asked >= limit + _MOST_TIES:
            return hits[:limit]
        asked = min(asked * 4, limit + _MOST_TIES)
