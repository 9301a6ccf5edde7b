"""The names of a tenant's subjects, in order, so that a page of them costs what it shows.

Earlier versions kept them in a set, which has no order. The first look at a tenant's names moves them over,
and so does each one after a writer of an earlier version was at work.
"""

from collections.abc import Sequence
from typing import Any

from state.graph_keys import names_key, subjects_key
from state.model import Subject

_PAGE = """
if redis.call('EXISTS', KEYS[2]) == 1 then
  for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do redis.call('ZADD', KEYS[1], 0, name) end
  redis.call('DEL', KEYS[2])
end
return redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])
"""
_ALL = -1


class SubjectNames:
    """`client` answers bytes; one server or a cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._page = client.register_script(_PAGE)

    def every(self, tenant: str) -> Sequence[str]:
        """All names, sorted (1 round trip, proportional to them)."""
        return self._between(tenant, "-", "+", _ALL)

    def page(self, tenant: str, limit: int, starts_with: str = "", after: str = "") -> Sequence[str]:
        """The first names that start so and come after that one, sorted (1). The work grows with `limit`, and
        with the logarithm of how many there are."""
        if limit < 1:
            return ()
        first = f"({after}" if after >= starts_with and after else f"[{starts_with}"
        # No text has the byte 0xff, so this comes after all that start so.
        last = b"(" + starts_with.encode() + b"\xff" if starts_with else "+"
        return self._between(tenant, first, last, limit)

    def _between(self, tenant: str, first: str, last: str | bytes, limit: int) -> Sequence[str]:
        keys = [names_key(tenant), subjects_key(tenant)]
        return tuple(name.decode() for name in self._page(keys=keys, args=[first, last, limit]))


def forget_name(client: Any, subject: Subject) -> bool:
    """Takes a name out; whether the tenant has any other."""
    kept = (names_key(subject.tenant), subjects_key(subject.tenant))
    client.zrem(kept[0], subject.name)
    client.srem(kept[1], subject.name)
    return bool(client.exists(*kept))
