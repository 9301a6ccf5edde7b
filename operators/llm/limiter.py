"""Requests and tokens a minute, shared by all processes that ask one endpoint (in Redis)."""

import math
from typing import Any

from operators.llm.endpoint import Endpoint
from state.graph_keys import limit_key
from state.identity import digest
from state.pacing import Line, Turn, pace

__all__ = ["Limiter", "Turn"]

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


class Limiter:
    """Hands out places. `client` is the graph's: one server or a cluster; each call is one script on one key.

    In no minute do more requests begin than the endpoint's limit; of tokens it may be one call's more, since
    a call larger than what is left must go some time. Without limits only `pause` holds calls back.
    """

    def __init__(self, client: Any, endpoint: Endpoint) -> None:
        self._key = limit_key(digest(endpoint.base_url, endpoint.model, endpoint.key))
        self._a_request = pace(endpoint.requests_per_minute)
        self._a_token = pace(endpoint.tokens_per_minute)
        self._line = Line(client)
        self._give_back = client.register_script(_GIVE_BACK)
        self._pause = client.register_script(_PAUSE)

    def take(self, tokens: int, most: float) -> Turn:
        """A place for a call of about so many tokens, if its turn comes within `most` seconds."""
        return self._line.take(self._key, self._a_request, tokens * self._a_token, most)

    def settle(self, taken: int, used: int) -> None:
        """Corrects the count of a call that was let through for `taken` tokens and used `used`."""
        if self._a_token and used != taken:
            self._give_back([self._key], [(taken - used) * self._a_token])

    def pause(self, seconds: float) -> None:
        """The endpoint asked for a pause: no further place comes before it is over."""
        self._pause([self._key], [math.ceil(seconds * 1000)])
