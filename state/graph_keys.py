"""The names of Redis keys. All keys of a subject share one hash tag, so they lie in one cluster slot.

    stet:{tenant/subject}:message       hash   message id → MessageRecord (live or tombstone)
    stet:{tenant/subject}:turn          hash   message id → TurnRecord
    stet:{tenant/subject}:event         hash   event id → EventRecord
    stet:{tenant/subject}:places        zset   places of all live messages, in lexical order
    stet:{tenant/subject}:spoken        zset   conversation, scored by the time of its last message
    stet:{tenant/subject}:said:CONV     zset   places of one conversation's live messages
    stet:{tenant/subject}:starts:CONV   zset   those of them that start a session
    stet:{tenant/subject}:tree:ROOT     zset   places of one topic's turns
    stet:{tenant/subject}:recent        zset   topics, scored by the time of their last turn
    stet:{tenant/subject}:marks:CONV    zset   the forest's state after some of a conversation's turns
    stet:{tenant/subject}:filed:KEY     zset   places of the events filed under a gate or name key
    stet:{tenant/subject}:counts        hash   how many messages, sessions, events and edges by type
    stet:{tenant/subject}:answers       hash   what a model was asked (`state.ledger`) → its answer
    stet:{tenant/subject}:shown         hash   message id → which of those answers were given with it in view
    stet:{tenant/subject}:waiting       zset   places of the turns that a model has still to be asked about
    stet:{tenant/subject}:parked        hash   message id → why a model gave no answer (`state.waiting`)
    stet:{tenant/subject}:fence         string the number of the newest writer
    stet:{tenant/subject}:version       string how many writes the subject has had
    stet:{tenant/subject}:outbox        list   "version changes" of each write that is not published yet
    stet:forgotten:{SLOT}:DIGEST        hash   of a subject that was forgotten lately (`state.forgotten`)
    stet:receipt:REQUEST                string what was removed when a subject was forgotten

    stet:tenants                        set    tenants
    stet:names:{tenant}                 zset   subjects of a tenant, in lexical order
    stet:subjects:{tenant}              set    the same as earlier versions wrote it (`state.subject_names`)
    stet:waiting:{tenant}               set    subjects of a tenant that have turns waiting
    stet:homes:{tenant}:BUCKET          hash   event id → subject, spread over buckets
    stet:spend:{tenant}:DAY             hash   calls to a model and their tokens, by purpose and model
    stet:limit:ENDPOINT                 hash   when the next call to a model is due

A zset of places has all scores 0, so its members sort as texts (`state.ordering`).
"""

from binascii import crc_hqx
from datetime import date
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count
from urllib.parse import quote

from state.model import Subject

TENANTS = "stet:tenants"
_SLOTS = 16_384
"""Slots of a Redis Cluster, which a hash tag's CRC16 chooses from."""


@cache
def _tags() -> tuple[str, ...]:
    """A hash tag for each slot. Made once a process, in less than a tenth of a second."""
    found: dict[int, str] = {}
    for number in count():
        found.setdefault(crc_hqx(b"%d" % number, 0) % _SLOTS, str(number))
        if len(found) == _SLOTS:
            return tuple(found[slot] for slot in range(_SLOTS))
    raise AssertionError("numbers do not end")


@lru_cache(maxsize=4_096)
def _safe(name: str) -> str:
    """Percent-encodes what could close a hash tag or imitate a separator."""
    return quote(name, safe="-_.~@+= ")


class SubjectKeys:
    """The key names of one subject."""

    __slots__ = (
        "_prefix", "answers", "counts", "event", "fence", "message", "outbox", "parked", "places", "recent",
        "shown", "spoken", "turn", "version", "waiting",
    )  # fmt: skip

    def __init__(self, subject: Subject) -> None:
        self._prefix = f"stet:{{{_safe(subject.tenant)}/{_safe(subject.name)}}}:"
        self.message = self._prefix + "message"
        self.turn = self._prefix + "turn"
        self.event = self._prefix + "event"
        self.places = self._prefix + "places"
        self.spoken = self._prefix + "spoken"
        self.recent = self._prefix + "recent"
        self.counts = self._prefix + "counts"
        self.answers = self._prefix + "answers"
        self.shown = self._prefix + "shown"
        self.waiting = self._prefix + "waiting"
        self.parked = self._prefix + "parked"
        self.fence = self._prefix + "fence"
        self.version = self._prefix + "version"
        self.outbox = self._prefix + "outbox"

    @property
    def forgotten(self) -> str:
        """The one key about a subject that lies in its slot and does not have its name."""
        tag = self._prefix[len("stet:{") : -len("}:")].encode()
        return f"stet:forgotten:{{{_tags()[crc_hqx(tag, 0) % _SLOTS]}}}:{sha256(tag).hexdigest()}"

    def said(self, conversation: str) -> str:
        return f"{self._prefix}said:{conversation}"

    def starts(self, conversation: str) -> str:
        return f"{self._prefix}starts:{conversation}"

    def tree(self, root: str) -> str:
        return f"{self._prefix}tree:{root}"

    def marks(self, conversation: str) -> str:
        return f"{self._prefix}marks:{conversation}"

    def filed(self, key: str) -> str:
        return f"{self._prefix}filed:{key}"


def names_key(tenant: str) -> str:
    return f"stet:names:{{{_safe(tenant)}}}"


def subjects_key(tenant: str) -> str:
    return f"stet:subjects:{{{_safe(tenant)}}}"


def waiting_key(tenant: str) -> str:
    return f"stet:waiting:{{{_safe(tenant)}}}"


def home_key(tenant: str, event: str) -> str:
    """The bucket of one event id: 4,096 a tenant, so that no hash grows large and none is a hot slot."""
    return f"stet:homes:{{{_safe(tenant)}:{event[3:6]}}}"


def spend_key(tenant: str, day: date) -> str:
    """What one tenant's calls to models took on one day."""
    return f"stet:spend:{{{_safe(tenant)}}}:{day.isoformat()}"


def receipt_key(request: str) -> str:
    """What was removed for one request to forget."""
    return f"stet:receipt:{request}"


def limit_key(endpoint: str) -> str:
    """The shared limit of calls to an endpoint; `endpoint` is a digest."""
    return f"stet:limit:{endpoint}"
