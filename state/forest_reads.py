"""Reads of the forest: `GraphReader`'s calls about trees, branches and the turns above a turn, from Redis."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from state.graph import Hanging, TreeEnds
from state.graph_keys import SubjectKeys
from state.graph_reads import ReadHung, fetch
from state.model import Subject
from state.ordering import AFTER_ALL, message_of
from state.place_reads import ReadMarkBefore
from state.records import Hung, decode_hung

LONGEST_LINE = 1_000
"""Turns that one walk goes up at most: a script holds the server while it runs."""

# Goes from a turn to its parent and on, in one round trip: a walk of its own for each would be one a turn.
_LINE = """
local found, at = {}, ARGV[1]
for i = 1, tonumber(ARGV[2]) do
  local raw = redis.call('HGET', KEYS[1], at)
  if not raw then break end
  found[#found + 1], found[#found + 2] = at, raw
  at = cjson.decode(raw).parent
  if type(at) ~= 'string' then break end
end
return found
"""


class ForestReads:
    """The part of a `GraphReader` that reads the forest. `client` answers bytes."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._line = client.register_script(_LINE)

    def hanging(self, subject: Subject, turns: Iterable[str]) -> Mapping[str, Hanging]:
        read = ReadHung(dict.fromkeys(turns))
        fetch(self._client, [(subject, [read])])
        return {turn: _hanging(hung) for turn, hung in read.found.items()}

    def line(self, subject: Subject, turn: str, limit: int) -> Mapping[str, Hanging]:
        wanted = min(limit, LONGEST_LINE)
        if wanted < 1:
            return {}
        found = self._line(keys=[SubjectKeys(subject).turn], args=[turn, wanted])
        return {
            name.decode(): _hanging(decode_hung(raw))
            for name, raw in zip(found[::2], found[1::2], strict=True)
        }

    def branch_end(self, subject: Subject, head: str, limit: int) -> Sequence[str]:
        return along_branch(self.line(subject, head, limit))

    def heads(self, subject: Subject, roots: Iterable[str], among: int) -> Mapping[str, Mapping[str, str]]:
        wanted = tuple(dict.fromkeys(roots))
        turns = self._last(subject, wanted, among)
        hung = self.hanging(subject, [turn for last in turns.values() for turn in last])
        return {
            root: newest_by_branch((turn, hung[turn]) for turn in last if turn in hung)
            for root, last in turns.items()
        }

    def _last(self, subject: Subject, roots: Sequence[str], limit: int) -> dict[str, tuple[str, ...]]:
        """By topic, its last turns, latest first; topics without one are left out."""
        if limit < 1 or not roots:
            return {}
        here, pipe = SubjectKeys(subject), self._client.pipeline(transaction=False)
        for root in roots:
            pipe.zrevrange(here.tree(root), 0, limit - 1)
        return {root: _turns(found) for root, found in zip(roots, pipe.execute(), strict=True) if found}

    def tree_ends(self, subject: Subject, roots: Iterable[str], turns: int) -> Mapping[str, TreeEnds]:
        wanted = tuple(dict.fromkeys(roots))
        if turns < 1 or not wanted:
            return {}
        here, pipe = SubjectKeys(subject), self._client.pipeline(transaction=False)
        for root in wanted:
            pipe.zcard(here.tree(root))
            pipe.zrange(here.tree(root), 0, turns - 1)
            pipe.zrange(here.tree(root), -turns, -1)
        found = pipe.execute()
        return {
            root: TreeEnds(size, _turns(first), _turns(last))
            for root, size, first, last in zip(wanted, found[::3], found[1::3], found[2::3], strict=True)
            if size
        }

    def recent_topics(
        self, subject: Subject, limit: int, before: tuple[datetime, str] | None = None
    ) -> Sequence[str]:
        if limit < 1:
            return ()
        key = SubjectKeys(subject).recent
        if before is None:
            return tuple(root.decode() for root in self._client.zrevrange(key, 0, limit - 1))
        last = (before[0].timestamp(), before[1].encode())
        at = self._client.zcount(key, f"({last[0]!r}", "+inf")
        found: list[str] = []
        while len(found) < limit:
            some = self._client.zrevrange(key, at, at + limit - 1, withscores=True)
            found += [root.decode() for root, spoken in some if (spoken, root) < last]
            if len(some) < limit:
                break
            at += limit
        return tuple(found[:limit])

    def forest_state(self, subject: Subject, conversation: str | None = None) -> tuple[str, str] | None:
        if conversation is None:
            last = self._client.zrevrange(SubjectKeys(subject).spoken, 0, 0)
            if not last:
                return None
            conversation = last[0].decode()
        read = ReadMarkBefore(conversation, AFTER_ALL)
        fetch(self._client, [(subject, [read])])
        return None if read.found is None else (conversation, read.found.state)


def along_branch(line: Mapping[str, Hanging]) -> tuple[str, ...]:
    """The turns at the start of a line that lie on one branch with its first one."""
    branch = next((at.branch for at in line.values()), "")
    return tuple(turn for turn, _ in itertools.takewhile(lambda one: one[1].branch == branch, line.items()))


def newest_by_branch(turns: Iterable[tuple[str, Hanging]]) -> dict[str, str]:
    """The first turn of each branch among `turns`, which come latest first."""
    heads: dict[str, str] = {}
    for turn, at in turns:
        heads.setdefault(at.branch, turn)
    return heads


def _turns(places: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(message_of(place.decode()) for place in places)


def _hanging(hung: Hung) -> Hanging:
    summary = hung.answered.summary if hung.answered is not None else ""
    return Hanging(hung.parent, hung.branch, hung.topic, hung.refers_to, hung.events, summary)
