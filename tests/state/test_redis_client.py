"""A client of the graph's Redis: what cannot be used is refused with what to do, and no password is shown."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import redis
from redis.exceptions import TimeoutError

from state.redis_client import PASSWORD_VARIABLE, RedisUnusable, connect, shown
from tests.servers.redis_cluster import RedisCluster
from tests.servers.redis_server import RedisServer, absent

pytestmark = pytest.mark.skipif(absent() is not None, reason=absent() or "")

SECRET = "geheim"


class Guarded(RedisServer):
    """A Redis that asks for a password once it runs."""

    def guard(self) -> None:
        with self.client() as client:
            client.config_set("requirepass", SECRET)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with Guarded(tmp_path_factory.mktemp("guarded")) as server:
        server.guard()
        yield server


@pytest.fixture(autouse=True)
def no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)


def refusal(url: str) -> str:
    with pytest.raises(RedisUnusable) as raised:
        connect(url)
    return str(raised.value)


class TestAddress:
    @pytest.mark.parametrize(
        "url", ["localhost:6379", "http://localhost", "redis://host:port", "redis://host:99999", "redis://[::1",
                "", "redis://host?no_such_option=1", "unix:///tmp/redis.sock"],
    )  # fmt: skip
    def test_that_is_none_is_told_with_one_that_is(self, url: str) -> None:
        told = refusal(url)
        assert told.startswith(url.partition("?")[0])
        assert "give redis://host:6379" in told

    def test_where_nothing_listens_is_told(self) -> None:
        told = refusal("redis://127.0.0.1:1/0")
        assert "redis://127.0.0.1:1/0 does not answer: start it, or correct the address" in told

    def test_of_a_host_that_there_is_not_is_told(self) -> None:
        assert "does not answer" in refusal("redis://no.such.host.invalid")

    def test_chooses_the_database(self, own_redis: RedisServer) -> None:
        with connect(f"redis://{own_redis.address}/3") as third, connect(own_redis.url) as first:
            third.set("城市", "杭州")
            assert (third.get("城市"), first.get("城市")) == ("杭州".encode(), None)


class TestPassword:
    def test_comes_from_the_environment(self, guarded: Guarded, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
        with connect(guarded.url) as client:
            assert client.ping()

    def test_in_the_address_counts_too(self, guarded: Guarded) -> None:
        with connect(f"redis://:{SECRET}@{guarded.address}/0") as client:
            assert client.ping()

    def test_that_is_missing_is_asked_for(self, guarded: Guarded) -> None:
        assert f"refuses the login: correct {PASSWORD_VARIABLE}" in refusal(guarded.url)

    @pytest.mark.parametrize("user", ["", "nobody"])
    def test_that_is_wrong_is_told_and_not_shown(
        self, guarded: Guarded, monkeypatch: pytest.MonkeyPatch, user: str
    ) -> None:
        monkeypatch.setenv(PASSWORD_VARIABLE, "falsch")
        told = refusal(f"redis://{user}@{guarded.address}/0" if user else guarded.url)
        assert f"refuses the login: correct {PASSWORD_VARIABLE}" in told
        assert "falsch" not in told
        assert "noch-falscher" not in refusal(f"redis://:noch-falscher@{guarded.address}")

    def test_that_nobody_asks_for_does_no_harm(
        self, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
        with connect(own_redis.url) as client:
            assert client.ping()

    def test_of_a_user_with_too_few_rights_says_so(
        self, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with own_redis.client() as client:
            client.execute_command("ACL", "SETUSER", "reader", "on", f">{SECRET}", "~*", "+get")
        monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
        assert "give the user more rights" in refusal(f"redis://reader@{own_redis.address}")

    @pytest.mark.parametrize(
        "url",
        [
            f"redis://:{SECRET}@127.0.0.1:1",
            f"redis://stet:a@b:{SECRET}@127.0.0.1:1",
            f"redis://:{SECRET}/half@127.0.0.1:1",
            f"redis://:half/{SECRET}@127.0.0.1:1",
            f"redis://:half?{SECRET}@127.0.0.1:1",
            f"redis://127.0.0.1:1?password={SECRET}",
            f"rediss://:{SECRET}@127.0.0.1:1/0",
            f":{SECRET}@127.0.0.1:1",
            f"http://:{SECRET}@127.0.0.1:1",
        ],
    )
    def test_is_in_no_message_wherever_it_was_put(self, url: str) -> None:
        assert SECRET not in refusal(url)
        assert SECRET not in shown(url)

    def test_leaves_the_rest_of_the_address_to_be_seen(self) -> None:
        assert shown(f"rediss://stet:{SECRET}@host:6380/2") == "rediss://host:6380/2"
        assert shown("redis://host") == "redis://host"


class TestMemory:
    def test_a_server_that_would_drop_keys_is_refused(self, own_redis: RedisServer) -> None:
        with own_redis.client() as client:
            client.config_set("maxmemory-policy", "allkeys-lru")
            connect(own_redis.url).close()  # without a limit it drops nothing
            client.config_set("maxmemory", "100mb")
            told = refusal(own_redis.url)
            assert "allkeys-lru" in told
            assert "set it to noeviction" in told
            client.config_set("maxmemory-policy", "noeviction")
            connect(own_redis.url).close()


class TestSilence:
    def test_of_a_paused_server_ends_in_a_timeout(self, own_redis: RedisServer) -> None:
        with connect(own_redis.url, timeout=0.2) as client:
            own_redis.pause()
            with pytest.raises(TimeoutError):
                client.get("a")
            own_redis.resume()
            assert client.get("a") is None

    def test_is_not_answered_by_asking_again(self, own_redis: RedisServer) -> None:
        """What the server does with a call that timed out it does once: the client did not repeat it."""
        with connect(own_redis.url, timeout=0.2) as client:
            own_redis.pause()
            with pytest.raises(TimeoutError):
                client.incr("calls")
            own_redis.resume()
            assert sum_when_done(client, ["calls"]) == 1

    def test_at_the_start_is_told(self, own_redis: RedisServer) -> None:
        own_redis.pause()
        with pytest.raises(RedisUnusable, match="does not answer"):
            connect(own_redis.url, timeout=0.2)

    def test_of_a_server_ends_when_it_was_started_again(self, own_redis: RedisServer) -> None:
        with connect(own_redis.url) as client:
            client.set("城市", "杭州")
            own_redis.kill()
            with pytest.raises(redis.ConnectionError):
                client.get("城市")
            own_redis.start()
            assert client.get("城市") == "杭州".encode()


def sum_when_done(client: Any, keys: Sequence[str]) -> int:
    """The counters' sum once the server has done what it was sent while it was paused."""
    deadline = time.monotonic() + 20
    while (total := sum(int(client.get(key) or 0) for key in keys)) == 0:
        assert time.monotonic() < deadline
    return total


class TestCluster:
    def test_is_found_by_itself_from_one_node(self, redis_cluster_url: str, tenant: str) -> None:
        with connect(redis_cluster_url) as client:
            keys = [f"{{{tenant}/{n}}}" for n in range(30)]
            for key in keys:
                client.set(key, key, ex=60)
            assert [client.get(key) for key in keys] == [key.encode() for key in keys]
            assert len({client.get_node_from_key(key).name for key in keys}) == 3

    def test_a_node_that_is_silent_is_asked_once_and_the_others_answer(
        self, own_redis_cluster: RedisCluster
    ) -> None:
        silent = own_redis_cluster.nodes[1]
        with connect(own_redis_cluster.url, timeout=0.2) as client:
            at = {key: client.get_node_from_key(key).port for key in map(str, range(30))}
            there = next(key for key, port in at.items() if port == silent.port)
            elsewhere = next(key for key, port in at.items() if port != silent.port)
            client.get(there)  # over the connection that is silent then
            silent.pause()
            with pytest.raises(TimeoutError):
                client.incr(there)
            assert client.incr(elsewhere) == 1
            silent.resume()
            own_redis_cluster.wait_until_whole()
            assert sum_when_done(client, [there]) == 1
