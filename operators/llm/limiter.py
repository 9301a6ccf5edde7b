"""Requests and tokens a minute, shared by all processes that ask one endpoint (in Redis)."""

import math
from dataclasses import dataclass
from typing import Any

from operators.llm.endpoint import Endpoint
from state.graph_keys import limit_key
from state.identity import digest

_BURST = 5_000
_MINUTE = 60_000 + _BURST
"""Milliseconds over which a minute's quota is spread. After a lull, what falls due within `_BURST` may go at
once; spread like this, no window of 60 s has more than the quota all the same."""

# Each limit keeps one number: when, at its even pace, the next call would be due. A call takes its place in
# the line and is told how long to wait for it, so nobody polls and nobody is overtaken. (The `limits` package
# has no such line, takes no client of ours, and cannot give tokens back.) Times are the server's, in ms.
_TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 'requests', 'tokens', 'paused')
local costs = {tonumber(ARGV[1]), tonumber(ARGV[2])}
local burst, most = tonumber(ARGV[3]), tonumber(ARGV[4])
local start = math.max(now, tonumber(kept[3] or 0))
for i = 1, 2 do
  if costs[i] > 0 and kept[i] then start = math.max(start, tonumber(kept[i]) - burst) end
end
local wait = math.ceil(start - now)
if wait > most then return -wait end
local last = 0
for i, name in ipairs({'requests', 'tokens'}) do
  if costs[i] > 0 then
    local due = math.max(start, tonumber(kept[i] or 0)) + costs[i]
    redis.call('HSET', KEYS[1], name, string.format('%.3f', due))
    last = math.max(last, due)
  end
end
if last > 0 then redis.call('PEXPIRE', KEYS[1], math.ceil(math.max(last, start) - now) + 60000) end
return wait
"""

_GIVE_BACK = """
local due = redis.call('HGET', KEYS[1], 'tokens')
if due then redis.call('HSET', KEYS[1], 'tokens', string.format('%.3f', due - ARGV[1])) end
"""

_PAUSE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local until_ = math.max(now + ARGV[1], tonumber(redis.call('HGET', KEYS[1], 'paused') or 0))
redis.call('HSET', KEYS[1], 'paused', string.format('%.3f', until_))
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), math.ceil(until_ - now) + 60000))
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """A place in the line: whether it was `taken`, and how long to wait for it.

    Where it was not, `wait` is how long it would have been.
    """

    taken: bool
    wait: float


class Limiter:
    """Hands out places. `client` is the graph's: one server or a cluster; each call is one script on one key.

    In no minute do more requests begin than the endpoint's limit; of tokens it may be one call's more, since
    a call larger than what is left must go some time. Without limits only `pause` holds calls back.
    """

    def __init__(self, client: Any, endpoint: Endpoint) -> None:
        self._key = limit_key(digest(endpoint.base_url, endpoint.model, endpoint.key))
        self._a_request = _pace(endpoint.requests_per_minute)
        self._a_token = _pace(endpoint.tokens_per_minute)
        self._take = client.register_script(_TAKE)
        self._give_back = client.register_script(_GIVE_BACK)
        self._pause = client.register_script(_PAUSE)

    def take(self, tokens: int, most: float) -> Turn:
        """A place for a call of about so many tokens, if its turn comes within `most` seconds."""
        costs = [self._a_request, tokens * self._a_token]
        wait = int(self._take([self._key], [*costs, _BURST, math.floor(most * 1000)]))
        return Turn(wait >= 0, abs(wait) / 1000)

    def settle(self, taken: int, used: int) -> None:
        """Corrects the count of a call that was let through for `taken` tokens and used `used`."""
        if self._a_token and used != taken:
            self._give_back([self._key], [(taken - used) * self._a_token])

    def pause(self, seconds: float) -> None:
        """The endpoint asked for a pause: no further place comes before it is over."""
        self._pause([self._key], [math.ceil(seconds * 1000)])


def _pace(a_minute: int) -> float:
    return _MINUTE / a_minute if a_minute else 0.0
