"""Keys: only who has the whole token is let in, and nothing that is stored lets anybody in."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from redis.exceptions import ConnectionError

from state.api_keys import KEYS, ApiKeys
from state.redis_client import connect

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


@pytest.fixture(params=["embedded", "cluster"])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "embedded":
        yield request.getfixturevalue("redis")
        return
    found = connect(request.getfixturevalue("redis_cluster_url"))
    found.delete(KEYS)
    yield found
    found.close()


def test_a_token_gives_its_key(client: Any) -> None:
    keys = ApiKeys(client)
    made, token = keys.create("商店", ["read", "ingest"], NOW, "the shop's agent", 60)
    assert keys.holder(token) == made
    assert (made.tenant, made.scopes, made.per_minute) == ("商店", ("ingest", "read"), 60)


def test_what_is_stored_lets_nobody_in(client: Any) -> None:
    made, token = ApiKeys(client).create("acme", ["read"], NOW)
    stored = client.hget(KEYS, made.id).decode()
    secret = token.rpartition("_")[2] if token.count("_") == 2 else token[18:]
    assert secret not in stored
    assert ApiKeys(client).holder(f"stet_{made.id}_{made.digest[:43]}") is None


def test_no_other_token_is_a_key(client: Any) -> None:
    keys = ApiKeys(client)
    (first, one), (_, two) = (keys.create("acme", ["read"], NOW) for _ in range(2))
    changed = one[:-1] + ("A" if one[-1] != "A" else "B")
    for token in (
        "",
        "stet_",
        first.id,
        changed,
        one[:18] + two[18:],
        one + "x",
        one.upper(),
        f" {one}",
        "é",
    ):
        assert keys.holder(token) is None


def test_a_revoked_key_is_none_and_still_listed(client: Any) -> None:
    keys = ApiKeys(client)
    assert not keys.any()
    (first, one), (second, two) = (keys.create("acme", ["read"], at) for at in (NOW, LATER))
    revoked = keys.revoke(first.id, LATER)
    assert revoked is not None
    assert (revoked.revoked_at, revoked.digest) == (LATER, "")
    assert keys.holder(one) is None
    assert keys.holder(two) == second
    assert [key.id for key in keys.listed()] == [first.id, second.id]
    assert keys.revoke(first.id, LATER + timedelta(hours=1)) == revoked
    assert keys.revoke("0" * 12, LATER) is None


def test_revoking_the_last_key_opens_nothing(client: Any) -> None:
    keys = ApiKeys(client)
    made, _ = keys.create("acme", ["read"], NOW)
    keys.revoke(made.id, LATER)
    assert keys.any()
    assert keys.holder(f"stet_{made.id}_") is None


class Away:
    """A client of a Redis that goes away."""

    def __init__(self, client: Any) -> None:
        self.client, self.gone = client, False

    def hlen(self, name: str) -> int:
        if self.gone:
            raise ConnectionError("gone")
        return int(self.client.hlen(name))


@pytest.mark.parametrize("made", [False, True])
def test_while_redis_is_away_it_is_as_it_was(client: Any, made: bool) -> None:
    if made:
        ApiKeys(client).create("acme", ["read"], NOW)
    known, unknown = Away(client), Away(client)
    keys = ApiKeys(known)
    assert keys.any() is made
    known.gone = unknown.gone = True
    assert keys.any() is made
    with pytest.raises(ConnectionError):
        ApiKeys(unknown).any()
