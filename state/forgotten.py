"""Forgets a subject in a graph that goes on being written: by its one writer, under its fence, in steps that
a crash may cut short anywhere and that are repeated then.

What is kept for KEPT seconds is a hash under a digest of the subject, in the subject's own slot and so in the
same append-only file as what was removed:

    begun      place in the log of the record that asked for it
    found      what there was of the subject, as JSON
    fence      the newest writer's number, and the subject's version: what a writer that has fallen behind,
    version    or an answer on its way, is still held to
    place      as `begun`, once all is removed
    written    when that record was written, in milliseconds since 1970
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from redis.exceptions import ResponseError

from state.graph_change import meant
from state.graph_forgetting import forget_graph, held_of
from state.graph_keys import SubjectKeys, receipt_key
from state.model import Subject

KEPT = 3600
"""Seconds. Longer than any question to a model, and than a restart, takes."""

# Moves the version on: a change that was worked out before is refused from here on. A repeat keeps what was
# found the first time.
_BEGIN = """
local fence = tonumber(redis.call('GET', KEYS[1]) or redis.call('HGET', KEYS[3], 'fence') or '0')
if tonumber(ARGV[1]) < fence then return redis.error_reply('FENCED ' .. fence) end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[3], 'fence', ARGV[1])
redis.call('EXPIRE', KEYS[3], ARGV[4])
if redis.call('HGET', KEYS[3], 'begun') == ARGV[2] then return redis.call('HGET', KEYS[3], 'found') end
local version = tonumber(redis.call('GET', KEYS[2]) or redis.call('HGET', KEYS[3], 'version') or '0')
local after = string.format('%.0f', version + 1)
redis.call('SET', KEYS[2], after)
redis.call('HDEL', KEYS[3], 'place', 'written')
redis.call('HSET', KEYS[3], 'begun', ARGV[2], 'found', ARGV[3], 'version', after)
return ARGV[3]
"""

# Once more, since what was read while the keys went is not to be written or remembered either. An entry
# without text in the outbox says that the subject was forgotten.
_FINISH = """
local fence = tonumber(redis.call('GET', KEYS[1]) or redis.call('HGET', KEYS[3], 'fence') or '0')
if tonumber(ARGV[1]) < fence then return redis.error_reply('FENCED ' .. fence) end
local version = tonumber(redis.call('GET', KEYS[2]) or redis.call('HGET', KEYS[3], 'version') or '0')
local after = string.format('%.0f', version + 1)
redis.call('DEL', unpack(KEYS, 1, 2))
redis.call('DEL', unpack(KEYS, 4))
redis.call('RPUSH', KEYS[4], after .. ' ')
redis.call('HSET', KEYS[3], 'fence', ARGV[1], 'version', after)
redis.call('HSET', KEYS[3], 'begun', ARGV[2], 'place', ARGV[2], 'written', ARGV[3])
redis.call('EXPIRE', KEYS[3], ARGV[4])
return 1
"""


@dataclass(frozen=True, slots=True)
class Mark:
    """A subject was forgotten at this place of the log, by a record written then (ms); `found` is what there
    was of it."""

    place: int
    written: int
    found: Mapping[str, int]


def marks(client: Any, subjects: Iterable[Subject]) -> dict[Subject, Mark]:
    """Which of these subjects were forgotten lately, to the end of it (1 round trip)."""
    asked = tuple(dict.fromkeys(subjects))
    pipe = client.pipeline(transaction=False)
    for subject in asked:
        pipe.hmget(SubjectKeys(subject).forgotten, "place", "written", "found")
    replies = pipe.execute() if asked else []
    return {
        subject: Mark(int(place), int(written), msgspec.json.decode(found))
        for subject, (place, written, found) in zip(asked, replies, strict=True)
        if place is not None
    }


def unmark(client: Any, subjects: Iterable[Subject]) -> None:
    """Lets the record that asked for it be carried out again, should it come again."""
    for subject in subjects:
        client.hdel(SubjectKeys(subject).forgotten, "begun", "place", "written")


def leave_receipt(client: Any, request: str, told: Mapping[str, int]) -> None:
    """Says what was removed, to whoever asked for it, for KEPT seconds. It has no name in it."""
    client.set(receipt_key(request), msgspec.json.encode(told), ex=KEPT)


def receipt(client: Any, request: str) -> Mapping[str, int] | None:
    """What was removed for this request; None where that is not done yet, or was too long ago."""
    held = client.get(receipt_key(request))
    told: Mapping[str, int] | None = None if held is None else msgspec.json.decode(held)
    return told


class Removal:
    """One forgetting. Its steps in order: `begin`, `remove`, `finish`; each may be repeated.

    Each raises Fenced where a newer writer has been there, and what Redis raises.
    """

    def __init__(self, client: Any, subject: Subject, fence: int, place: int, written: int) -> None:
        self._client, self._subject = client, subject
        self._fence, self._place, self._written = fence, place, written
        self._keys = SubjectKeys(subject)

    def begin(self, notes: int) -> Mapping[str, int]:
        """What there is of the subject, or was when this was first begun; `notes` is added to it."""
        keys = self._keys
        found = msgspec.json.encode({**held_of(self._client, self._subject), "notes": notes})
        held = self._run(_BEGIN, (keys.fence, keys.version, keys.forgotten), self._place, found, KEPT)
        told: Mapping[str, int] = msgspec.json.decode(held)
        return told

    def remove(self) -> None:
        """Takes out all but what the subject's writers are held to. O(keys of the server)."""
        keys = self._keys
        forget_graph(self._client, self._subject, (keys.fence, keys.version, keys.outbox))

    def finish(self) -> None:
        """Takes out the rest, leaves the mark, and has it published, in one atomic write."""
        keys = self._keys
        names = (
            keys.fence,
            keys.version,
            keys.forgotten,
            keys.outbox,
            keys.answers,
            keys.shown,
            keys.waiting,
            keys.parked,
        )
        self._run(_FINISH, names, self._place, self._written, KEPT)

    def _run(self, script: str, keys: tuple[str, ...], *arguments: Any) -> Any:
        try:
            return self._client.eval(script, len(keys), *keys, self._fence, *arguments)
        except ResponseError as error:
            raise meant(error) from error
