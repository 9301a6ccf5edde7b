"""The turns that a model has still to be asked about, and those that it was asked about in vain.

A turn waits from the write that finds its answer lacking to the write that finds it there; both are the
graph's own writes (`state.graph_change`), so a crash forgets no turn. A turn is parked when asking failed: it
goes on waiting, with the reason and the time before which it is not asked about again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from state.graph_keys import TENANTS, SubjectKeys, waiting_key
from state.model import Subject
from state.ordering import message_of

_PAGE = 200
"""Places that are read at a time."""

# A turn that was answered or deleted meanwhile is not parked any more.
_PARK = """
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then redis.call('HSET', KEYS[2], ARGV[i + 1], ARGV[1]) end
end
return 1
"""


# A turn that was deleted, or moved by an edit, since its place was read would wait there for ever.
_MARK = """
local marked = 0
for i = 1, #ARGV, 2 do
  local raw = redis.call('HGET', KEYS[3], ARGV[i + 1])
  local record = raw and cjson.decode(raw)
  if record and record.place == ARGV[i] and record.message.op ~= 'delete' then
    redis.call('ZADD', KEYS[1], 0, ARGV[i])
    redis.call('HDEL', KEYS[2], ARGV[i + 1])
    marked = marked + 1
  end
end
return marked
"""


@dataclass(frozen=True, slots=True)
class Parked:
    """Why a turn got no answer: a reason code, how often it was asked about since it last got on, and the
    time (seconds since 1970) before which it is not asked about again."""

    reason: str
    attempts: int
    not_before: float


@dataclass(frozen=True, slots=True)
class Due:
    """What of a subject may be asked about now.

    `turns` are places, earliest first; `parked` those of them that failed before, by message id. `left`
    counts the turns that could be asked about beyond these, `passed_over` those that are parked, and
    `next_at` is when the first of them may be asked about (None: none is parked).
    """

    turns: tuple[str, ...]
    parked: Mapping[str, Parked]
    left: int
    next_at: float | None
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many turns wait, and how many of them are parked, by reason."""

    waiting: int
    parked: Mapping[str, int]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Parked).decode


class Waiting:
    """Reads what waits and parks what failed. `client` answers bytes; one server or a cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def due(self, subject: Subject, limit: int, now: float) -> Due:
        """The first `limit` turns that wait and are not parked beyond `now`.

        O(limit + parked) beside the logarithm of what waits.
        """
        keys = SubjectKeys(subject)
        parked = {i.decode(): _decode(raw) for i, raw in self._client.hgetall(keys.parked).items()}
        later = {i: p.not_before for i, p in parked.items() if p.not_before > now}
        turns: list[str] = []
        total, after = 0, "-"
        while len(turns) < limit:
            page = [
                place.decode()
                for place in self._client.zrange(keys.waiting, after, "+", bylex=True, offset=0, num=_PAGE)
            ]
            turns += [place for place in page if message_of(place) not in later]
            if len(page) < _PAGE:
                break
            after = f"({page[-1]}"
        total = int(self._client.zcard(keys.waiting))
        chosen = tuple(turns[:limit])
        ids = {message_of(place) for place in chosen}
        return Due(
            turns=chosen,
            parked={i: p for i, p in parked.items() if i in ids},
            left=max(0, total - len(later) - len(chosen)),
            next_at=min(later.values(), default=None),
            passed_over=len(later),
        )

    def park(self, subject: Subject, places: Iterable[str], why: Parked) -> None:
        """Says of turns that wait that they got no answer. Those that wait no longer are left alone."""
        arguments = [part for place in places for part in (place, message_of(place))]
        if arguments:
            keys = SubjectKeys(subject)
            self._client.eval(_PARK, 2, keys.waiting, keys.parked, _encode(why), *arguments)

    def mark(self, subject: Subject, places: Sequence[str]) -> None:
        """Lets turns wait that have answers, so that they are asked about again as far as an answer lacks.
        One that is parked may be asked about at once. A place that is no live turn's any more is left out.

        They wait before their subject is in the index: `settled` in between takes it out of there. A crash in
        between is made good by marking them again.
        """
        keys, marked = SubjectKeys(subject), 0
        for at in range(0, len(places), _PAGE):
            arguments = [part for place in places[at : at + _PAGE] for part in (place, message_of(place))]
            marked += self._client.eval(_MARK, 3, keys.waiting, keys.parked, keys.message, *arguments)
        if marked:
            self._client.sadd(waiting_key(subject.tenant), subject.name)

    def subjects(self) -> list[Subject]:
        """The subjects of which turns may wait, of all tenants, sorted."""
        found: list[Subject] = []
        for tenant in sorted(raw.decode() for raw in self._client.smembers(TENANTS)):
            names = sorted(raw.decode() for raw in self._client.smembers(waiting_key(tenant)))
            found += [Subject(tenant, name) for name in names]
        return found

    def unparked(self, subjects: Sequence[Subject]) -> list[int]:
        """How many turns of each wait without being parked, be it beyond now or not."""
        found: list[int] = []
        for at in range(0, len(subjects), _PAGE):
            pipe = self._client.pipeline(transaction=False)
            for subject in subjects[at : at + _PAGE]:
                keys = SubjectKeys(subject)
                pipe.zcard(keys.waiting)
                pipe.hlen(keys.parked)
            replies = list(map(int, pipe.execute()))
            found += [total - parked for total, parked in zip(replies[::2], replies[1::2], strict=True)]
        return found

    def settled(self, subject: Subject) -> None:
        """Takes a subject from those of which turns may wait, unless one does: it is looked up after it was
        taken out, so that none which begins to wait meanwhile is lost."""
        index = waiting_key(subject.tenant)
        self._client.srem(index, subject.name)
        if self._client.zcard(SubjectKeys(subject).waiting):
            self._client.sadd(index, subject.name)

    def counts(self, subjects: Iterable[Subject]) -> Counts:
        """What waits of these subjects together."""
        pipe = self._client.pipeline(transaction=False)
        for subject in subjects:
            keys = SubjectKeys(subject)
            pipe.zcard(keys.waiting)
            pipe.hvals(keys.parked)
        replies = pipe.execute()
        reasons = Counter(_decode(raw).reason for values in replies[1::2] for raw in values)
        return Counts(sum(map(int, replies[::2])), dict(sorted(reasons.items())))

    def forget(self, subject: Subject) -> None:
        """Drops all that waits of a subject."""
        keys = SubjectKeys(subject)
        self._client.delete(keys.waiting, keys.parked)
        self._client.srem(waiting_key(subject.tenant), subject.name)
