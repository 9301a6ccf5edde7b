"""Wrong keys over HTTP: how many of them an address may send, and what that means for right ones."""

from collections.abc import Callable
from itertools import count

import httpx
import pytest
from fastapi.testclient import TestClient
from redis import Redis

from query_service.http_access import Access, Open
from query_service.http_app import create_app
from query_service.wrong_keys import LIMIT, SECONDS, WrongKeys
from state.api_keys import ApiKeys
from tests.query_service.test_http_app import NOW, Runtime
from tests.query_service.worlds import piano, stores

STATE = "/v1/subjects/conv/1/state"
numbers = count()


def guess() -> str:
    return f"stet_0123456789ab_{next(numbers):043}"


@pytest.fixture
def key(redis: Redis) -> Callable[[], str]:
    return lambda: ApiKeys(redis).create("shop", ["read"], NOW)[1]


@pytest.fixture
def serve(redis: Redis) -> Callable[..., Callable[[str], httpx.Response]]:
    """A service that a caller at an address can send a key to."""
    held = stores(piano())

    def start(address: str = "192.0.2.7") -> Callable[[str], httpx.Response]:
        runtime = Runtime(held.reader, held.notes, held.encoder)
        app = create_app(runtime, lambda: NOW, access=Access.over(redis, Open.NOBODY))
        client = TestClient(app, client=(address, 4711))
        return lambda key: client.get(STATE, headers={"Authorization": f"Bearer {key}"})

    return start


def test_after_some_wrong_keys_an_address_has_to_wait(
    serve: Callable[..., Callable[[str], httpx.Response]], key: Callable[[], str]
) -> None:
    send = serve()
    assert [send(guess()).status_code for _ in range(LIMIT)] == [401] * LIMIT
    refused = send(guess())
    assert (refused.status_code, refused.headers["content-type"]) == (429, "application/problem+json")
    assert 1 <= int(refused.headers["retry-after"]) <= SECONDS
    assert refused.json()["title"] == "Too many requests"
    right = send(key())
    assert (right.status_code, right.json()) == (429, refused.json())


def test_the_limit_is_of_all_services_on_one_redis_and_of_one_address(
    serve: Callable[..., Callable[[str], httpx.Response]], key: Callable[[], str]
) -> None:
    for send in (serve(), serve()):
        for _ in range(LIMIT // 2):
            send(guess())
    assert serve()(key()).status_code == 429
    assert serve("192.0.2.8")(key()).status_code == 200


def test_a_key_that_was_right_from_there_goes_on_until_it_is_revoked(
    serve: Callable[..., Callable[[str], httpx.Response]], key: Callable[[], str], redis: Redis
) -> None:
    send, mine = serve(), key()
    assert send(mine).status_code == 200
    for _ in range(LIMIT + 1):
        send(guess())
    assert send(mine).status_code == 200
    ApiKeys(redis).revoke(mine.split("_")[1], NOW)
    assert [send(mine).status_code for _ in range(2)] == [429, 429]


def test_what_is_sent_without_a_key_is_no_wrong_key(
    serve: Callable[..., Callable[[str], httpx.Response]], key: Callable[[], str], redis: Redis
) -> None:
    held = stores(piano())
    runtime = Runtime(held.reader, held.notes, held.encoder)
    client = TestClient(create_app(runtime, lambda: NOW, access=Access.over(redis, Open.NOBODY)))
    key()
    assert {client.get(STATE).status_code for _ in range(LIMIT + 2)} == {401}


def test_wrong_keys_are_forgiven_after_a_while(redis: Redis) -> None:
    wrong = WrongKeys(redis)
    for _ in range(LIMIT):
        assert wrong.was_wrong("192.0.2.7", guess()) == 0
    assert wrong.wait("192.0.2.7", guess()) > 0
    (name,) = redis.keys("stet:limit:wrong:*")
    assert 0 < redis.ttl(name) <= SECONDS
    redis.delete(name)
    assert wrong.wait("192.0.2.7", guess()) == 0


def test_those_that_come_at_once_are_counted_too(redis: Redis) -> None:
    wrong = WrongKeys(redis)
    assert [wrong.wait("192.0.2.7", guess()) for _ in range(LIMIT + 1)] == [0] * (LIMIT + 1)
    waits = [wrong.was_wrong("192.0.2.7", guess()) for _ in range(LIMIT + 1)]
    assert waits[:LIMIT] == [0] * LIMIT
    assert waits[LIMIT] > 0


@pytest.mark.parametrize(
    ("first", "second", "one"),
    [
        ("2001:db8::1", "2001:db8::ffff:0:0:2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("a", "b", False),
    ],
)
def test_an_address_stands_for_its_network_where_one_caller_has_all_of_it(
    redis: Redis, first: str, second: str, one: bool
) -> None:
    wrong = WrongKeys(redis)
    for _ in range(LIMIT):
        wrong.was_wrong(first, guess())
    assert (wrong.wait(second, guess()) > 0) is one
