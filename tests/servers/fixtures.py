"""Servers as fixtures. A plugin: `tests/conftest.py` names it.

**Shared ones are addresses**, started once in a run (once a worker under pytest-xdist), with room of its own
for each test. They take no faults, since they may be a real server's:

* `kafka`: `kafka.bootstrap`, and `kafka.create(partitions)` for topics that are deleted after the test.
* `redis_url`, `redis_cluster_url`: write under `tenant`, which no other test has.
* `qdrant_url`, with `qdrant_collection`, a name that no other test has and that is deleted after the test.

**Own ones are processes**, of one test alone: `own_broker`, `own_redis`, `own_redis_cluster`, `own_qdrant`.
They may be paused, resumed, killed and started again. `linked_broker` is a broker behind a link that can be
cut, and `link_to` makes a link to any port. `chat` speaks the chat-completions protocol, in the test's own
process: what it answers is the test's to say. When a test fails, the ends of the logs of its own servers are
in its report.

Where a part is absent, the test is skipped with what to install. These variables name real servers, on which
the shared fixtures run then, and tests that are marked for it run only then:

    STET_TEST_KAFKA    bootstrap servers             @pytest.mark.real_kafka
    STET_TEST_REDIS    redis://host:port/db          @pytest.mark.real_redis
    STET_TEST_QDRANT   http://host:6333              @pytest.mark.real_qdrant

STET_TEST_MODEL=1 runs what asks a real small model (`small_model`); it takes minutes.
"""

import contextlib
import os
import uuid
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.servers import broker, redis_server, small_model
from tests.servers.broker import Broker, Topics
from tests.servers.chat_server import ChatServer
from tests.servers.link import Link
from tests.servers.process import Server
from tests.servers.qdrant_server import QdrantServer
from tests.servers.redis_cluster import RedisCluster
from tests.servers.redis_server import RedisServer
from tests.servers.small_model import SmallModel

KAFKA, REDIS, QDRANT = "STET_TEST_KAFKA", "STET_TEST_REDIS", "STET_TEST_QDRANT"
MODEL = "STET_TEST_MODEL"
_MARKS = {"real_kafka": KAFKA, "real_redis": REDIS, "real_qdrant": QDRANT}


class LinkedBroker(NamedTuple):
    """A broker whose clients all come through the link."""

    broker: Broker
    link: Link


def pytest_configure(config: pytest.Config) -> None:
    for mark, variable in _MARKS.items():
        config.addinivalue_line("markers", f"{mark}: needs a real server, which {variable} names")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark, variable in _MARKS.items():
        if item.get_closest_marker(mark) and not os.environ.get(variable):
            pytest.skip(f"{variable} names no real server")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            for server in value if isinstance(value, LinkedBroker) else [value]:
                if isinstance(server, Server | RedisCluster):
                    report.sections.append((f"log of {name}", server.log()))
    return report


@pytest.fixture
def tenant() -> str:
    """A tenant that no other test has."""
    return f"tenant-{uuid.uuid4().hex}"


@pytest.fixture(scope="session")
def kafka_bootstrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    given = os.environ.get(KAFKA)
    if given:
        yield given
        return
    _need(broker.absent())
    with Broker(tmp_path_factory.mktemp("broker")) as server:
        yield server.bootstrap


@pytest.fixture
def kafka(kafka_bootstrap: str) -> Iterator[Topics]:
    """The shared Kafka, and topics on it for this test."""
    topics = Topics(kafka_bootstrap)
    yield topics
    topics.clear()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The shared Redis 7. It is never emptied: write under `tenant`."""
    given = os.environ.get(REDIS)
    if given:
        yield given
        return
    _need(redis_server.absent())
    with RedisServer(tmp_path_factory.mktemp("redis-7")) as server:
        yield server.url


@pytest.fixture(scope="session")
def redis_cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The first node of the shared Redis Cluster. It is never emptied: write under `tenant`."""
    _need(redis_server.absent())
    with RedisCluster(tmp_path_factory.mktemp("redis-cluster")) as cluster:
        yield cluster.url


@pytest.fixture(scope="session")
def qdrant_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The shared Qdrant, or what speaks its REST interface."""
    given = os.environ.get(QDRANT)
    if given:
        yield given
        return
    with QdrantServer(tmp_path_factory.mktemp("qdrant")) as server:
        yield server.url


@pytest.fixture
def qdrant_collection(qdrant_url: str) -> Iterator[str]:
    """The name of a collection for this test; the test makes it."""
    name = f"stet-test-{uuid.uuid4().hex}"
    yield name
    httpx.delete(f"{qdrant_url}/collections/{name}")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A chat-completions server of this test's own: `chat.always`, `chat.next`, `chat.requests`."""
    with ChatServer() as server:
        yield server


@pytest.fixture(scope="session", name="small_model")
def real_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallModel]:
    """A real model behind a real server, where STET_TEST_MODEL is set."""
    if not os.environ.get(MODEL):
        pytest.skip(f"a real model is asked where {MODEL}=1")
    _need(small_model.absent())
    with SmallModel(tmp_path_factory.mktemp("small-model")) as server:
        yield server


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Broker]:
    """A broker of this test's own; `own_broker.topics.create()` makes topics on it."""
    _need(broker.absent())
    with Broker(_folder(tmp_path, "own-broker")) as server:
        yield server


@pytest.fixture
def linked_broker(tmp_path: Path) -> Iterator[LinkedBroker]:
    """A broker of this test's own behind a link: `link.cut()` makes it unreachable."""
    _need(broker.absent())
    with Link() as link, Broker(_folder(tmp_path, "linked-broker"), link.address) as server:
        link.to = server.port
        yield LinkedBroker(server, link)


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis 7 of this test's own: after `kill` and `start` it has its AOF's data again."""
    _need(redis_server.absent())
    with RedisServer(_folder(tmp_path, "own-redis")) as server:
        yield server


@pytest.fixture
def own_redis_cluster(tmp_path: Path) -> Iterator[RedisCluster]:
    """A cluster of this test's own, some seconds to start."""
    _need(redis_server.absent())
    with RedisCluster(_folder(tmp_path, "own-redis-cluster")) as cluster:
        yield cluster


@pytest.fixture
def own_qdrant(tmp_path: Path) -> Iterator[QdrantServer]:
    """A Qdrant interface of this test's own, which can be told to answer 503 or to hang."""
    with QdrantServer(_folder(tmp_path, "own-qdrant")) as server:
        yield server


@pytest.fixture
def link_to() -> Iterator[Callable[[int], Link]]:
    """Makes links to servers' ports, open until the test ends."""
    with contextlib.ExitStack() as links:
        yield lambda port: links.enter_context(Link(port))


def _need(absent: str | None) -> None:
    if absent:
        pytest.skip(absent)


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder
