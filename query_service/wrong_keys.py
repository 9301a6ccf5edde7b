"""Holds an address to so many wrong keys a minute, over all processes on one Redis.

    stet:limit:wrong:ADDRESS    string  how many wrong keys came from there in this minute

Once they are spent no key of that address is looked at, right or wrong, so the answer and the time it takes
tell nothing of any. But for keys that were right from there before: whoever shares an address with a caller
that has lost its key goes on.
"""

import hashlib
import threading
from ipaddress import IPv6Address, ip_address
from typing import Any

LIMIT = 20
"""Wrong keys of one address in a minute."""
SECONDS = 60
_REMEMBERED = 4_096
_COUNT = """
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('TTL', KEYS[1])}
"""


class WrongKeys:
    """What was refused, by address. `client` is the graph's: one server or a cluster. Any number of threads
    may share it."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._count = client.register_script(_COUNT)
        self._right: dict[tuple[str, bytes], None] = {}
        self._lock = threading.Lock()

    def wait(self, address: str, token: str) -> int:
        """Seconds for which this token, sent from this address, is not looked at; 0: it may be.

        Costs a round trip, and none where the token was right from there before.
        """
        with self._lock:
            if _seen(address, token) in self._right:
                return 0
        count = self._client.get(_key(address))
        return self._left(address) if count is not None and int(count) >= LIMIT else 0

    def was_right(self, address: str, token: str) -> None:
        """The token was one of a key."""
        with self._lock:
            self._right[_seen(address, token)] = None
            while len(self._right) > _REMEMBERED:
                del self._right[next(iter(self._right))]

    def was_wrong(self, address: str, token: str) -> int:
        """The token was none, or of a key that was revoked. Seconds to wait where that was one too many, as
        it is where several came at once; else 0."""
        with self._lock:
            self._right.pop(_seen(address, token), None)
        count, left = self._count(keys=[_key(address)], args=[SECONDS])
        return max(1, int(left)) if int(count) > LIMIT else 0

    def _left(self, address: str) -> int:
        return max(1, int(self._client.ttl(_key(address))))


def _seen(address: str, token: str) -> tuple[str, bytes]:
    """No token is kept, only what it can be known by."""
    return _network(address), hashlib.sha256(token.encode()).digest()


def _key(address: str) -> str:
    return f"stet:limit:wrong:{_network(address)}"


def _network(address: str) -> str:
    """The address, or of IPv6 the half that names a network: whoever has one has all addresses in it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{IPv6Address(int(found) >> 64 << 64)}/64"
