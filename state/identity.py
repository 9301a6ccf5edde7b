"""Ids that come from content: the same thing has the same id in every run (DESIGN §2)."""

import hashlib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from state.model import EdgeType, Subject

_HEX = 24  # 96 bits: a collision among 10^9 events has a chance of about 10^-11


def digest(*parts: str) -> str:
    """A short hex digest of a tuple of texts; unlike texts that join alike have unlike digests."""
    body = "\x00".join([f"{len(p)}:{p}" for p in parts])
    return hashlib.sha256(body.encode()).hexdigest()[:_HEX]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=16_384)
def normalised(text: str) -> str:
    """`text` in NFKC, case-folded, with runs of white space as one space.

    Remembered: names and attributes are compared again and again with each other."""
    return _folded(text)


def event_id(subject: Subject, sources: Iterable[str], description: str) -> str:
    """Hash of the sources and the normalised description, within one tenant's subject."""
    return "ev-" + digest(subject.tenant, subject.name, *sorted(sources), _folded(description))


def edge_id(kind: EdgeType, source: str, target: str) -> str:
    """Hash of (type, source, target). The ends of a `contradicts` edge may be given either way round."""
    if kind is EdgeType.CONTRADICTS:
        source, target = sorted((source, target))
    return "ed-" + digest(kind.value, source, target)


def session_id(subject: Subject, conversation: str, first_message: str) -> str:
    """Hash of the conversation and its first message."""
    return "se-" + digest(subject.tenant, subject.name, conversation, first_message)
