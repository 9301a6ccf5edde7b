"""The shared limit: what it lets through and when, on one server and on a cluster."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from operators.llm.endpoint import Endpoint
from operators.llm.limiter import Limiter, Turn
from state.redis_client import connect

FOR_EVER = 1e6


@pytest.fixture(params=["embedded", "server", "cluster"])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "embedded":
        yield request.getfixturevalue("redis")
        return
    url = request.getfixturevalue("redis_url" if request.param == "server" else "redis_cluster_url")
    found = connect(url)
    yield found
    found.close()


def limiter(client: Any, requests: int = 0, tokens: int = 0, model: str | None = None) -> Limiter:
    endpoint = Endpoint(
        "https://h/v1", model or uuid4().hex, requests_per_minute=requests, tokens_per_minute=tokens
    )
    return Limiter(client, endpoint)


def waits(turns: list[Turn]) -> list[float]:
    assert all(turn.taken for turn in turns)
    return [turn.wait for turn in turns]


def in_any_minute(begins: list[float], costs: list[int]) -> int:
    """The most that begins within any 60 s. The calls come a moment apart, so a moment is left out."""
    return max(
        sum(cost for at, cost in zip(begins, costs, strict=True) if first <= at < first + 59.5)
        for first in begins
    )


def test_without_limits_nobody_waits(client: Any) -> None:
    free = limiter(client)
    assert waits([free.take(10_000, 0.0) for _ in range(100)]) == [0.0] * 100


def test_no_minute_has_more_requests_than_the_limit(client: Any) -> None:
    busy = limiter(client, requests=30)
    begins = waits([busy.take(1, FOR_EVER) for _ in range(100)])
    assert begins == sorted(begins)
    assert begins[0] == 0.0
    assert 27 <= in_any_minute(begins, [1] * 100) <= 30


def test_after_a_lull_some_go_at_once(client: Any) -> None:
    rested = limiter(client, requests=600)
    assert waits([rested.take(1, FOR_EVER) for _ in range(20)]) == [0.0] * 20


def test_no_minute_has_more_tokens_than_the_limit_and_one_call(client: Any) -> None:
    busy = limiter(client, tokens=10_000)
    costs = [700, 50, 2_000, 10, 1_000] * 12
    begins = waits([busy.take(cost, FOR_EVER) for cost in costs])
    assert 8_000 <= in_any_minute(begins, costs) <= 12_000


def test_a_call_larger_than_a_minutes_tokens_goes_and_the_next_waits_for_it(client: Any) -> None:
    busy = limiter(client, tokens=1_000)
    assert busy.take(3_000, 0.0) == Turn(True, 0.0)
    assert busy.take(1, FOR_EVER).wait > 120


def test_both_limits_hold_together(client: Any) -> None:
    busy = limiter(client, requests=60, tokens=1_000)
    costs = [100] * 30
    begins = waits([busy.take(cost, FOR_EVER) for cost in costs])
    assert in_any_minute(begins, costs) <= 1_100
    assert in_any_minute(begins, [1] * 30) <= 60


def test_a_turn_that_comes_too_late_is_not_taken(client: Any) -> None:
    busy = limiter(client, requests=1)
    assert busy.take(1, 0.0).taken
    late = busy.take(1, 30.0)
    assert not late.taken
    assert late.wait > 30.0
    assert busy.take(1, FOR_EVER).wait <= late.wait, "the turn that was not taken holds up the next"


def test_tokens_that_were_not_used_are_given_back(client: Any) -> None:
    busy = limiter(client, tokens=1_000)
    busy.take(1_000, 0.0)
    before = busy.take(1, FOR_EVER).wait
    busy.settle(taken=1_000, used=100)
    assert busy.take(1, FOR_EVER).wait < before - 40


def test_tokens_beyond_the_estimate_are_made_up_for(client: Any) -> None:
    busy = limiter(client, tokens=1_000)
    busy.take(10, 0.0)
    busy.settle(taken=10, used=1_010)
    assert busy.take(1, FOR_EVER).wait > 50


def test_a_pause_holds_for_all_who_ask_the_endpoint_with_or_without_limits(client: Any) -> None:
    for requests in (0, 600):
        model = uuid4().hex
        one, other = limiter(client, requests, model=model), limiter(client, requests, model=model)
        one.pause(30)
        one.pause(5)
        assert 25 < other.take(1, FOR_EVER).wait <= 30
        assert not other.take(1, 20.0).taken


def test_endpoints_do_not_share(client: Any) -> None:
    limiter(client, requests=1).take(1, 0.0)
    assert limiter(client, requests=1).take(1, 0.0).taken


def test_processes_that_ask_at_once_get_turns_of_their_own(redis: Redis) -> None:
    model = uuid4().hex
    several = [limiter(redis, requests=60, model=model) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        turns = list(pool.map(lambda one: [one.take(1, FOR_EVER) for _ in range(25)], several))
    begins = sorted(waits([turn for some in turns for turn in some]))
    assert in_any_minute(begins, [1] * 100) <= 60


def test_what_is_kept_goes_away_by_itself(redis: Redis) -> None:
    limiter(redis, requests=600, tokens=1_000).take(100, 0.0)
    limiter(redis).pause(10)
    limiter(redis).take(100, 0.0)
    names = redis.keys("stet:limit:*")
    assert len(names) == 2
    assert all(0 < redis.pttl(name) < 200_000 for name in names)
