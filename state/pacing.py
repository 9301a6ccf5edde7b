"""Limits a minute that all processes share: a line in Redis in which each call takes its place."""

import math
from dataclasses import dataclass
from typing import Any

BURST = 5_000
_MINUTE = 60_000 + BURST
"""Milliseconds over which a minute's quota is spread. After a lull, what falls due within `BURST` may go at
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


@dataclass(frozen=True, slots=True)
class Turn:
    """A place in the line: whether it was `taken`, and how long to wait for it.

    Where it was not, `wait` is how long it would have been.
    """

    taken: bool
    wait: float


class Line:
    """Hands out places. `client`: the graph's, of a server or a cluster; a call is one script on one key."""

    def __init__(self, client: Any) -> None:
        self._take = client.register_script(_TAKE)

    def take(self, key: str, requests: float, tokens: float, most: float) -> Turn:
        """The next place under `key`, if its turn comes within `most` seconds.

        `requests` and `tokens` are the milliseconds that the call takes of either pace (`pace`); 0: no limit.
        """
        wait = int(self._take([key], [requests, tokens, BURST, math.floor(most * 1000)]))
        return Turn(wait >= 0, abs(wait) / 1000)


def pace(a_minute: int) -> float:
    """The milliseconds that one of so many a minute takes; 0 where there is no limit."""
    return _MINUTE / a_minute if a_minute else 0.0
