"""Stores and brokers that go away while messages come in, and come back (DESIGN I5).

Each is away until the worker has said so, and for STET_AWAY seconds more (10 to see long outages).
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.fixtures import LinkedBroker
from tests.servers.qdrant_server import QdrantServer
from tests.servers.redis_server import RedisServer
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream, Where
from tests.stream.traffic import conversation, lines, poison
from tests.stream.worker_process import Worker, wait_for

AWAY = float(os.environ.get("STET_AWAY", "0"))
LONG = 600.0
ROWS = 8 * 100
FIRST = ROWS // 2


def fill(stream: Stream) -> None:
    """Half of what is said: the rest comes while a store is away, which is then missed by any worker."""
    stream.feed(lines(conversation(stream.tenant, 8, 100)[:FIRST]))
    wait_for(lambda: stream.stored() > 0, "the first message")


def fill_up(stream: Stream) -> None:
    rows = conversation(stream.tenant, 8, 100)
    stream.feed(lines(rows[FIRST:]) + b"".join(line + b"\n" for line in poison(rows[0]).values()))


def at_work(stream: Stream) -> Worker:
    worker = stream.worker()
    worker.wait_until_ready()
    return worker


def missed(worker: Worker, store: str) -> None:
    """Returns when it has said so, and is not ready for that reason."""
    wait_for(lambda: f"stet: {store} is away" in worker.said or not worker.running, f"a word of {store}")
    assert worker.running, worker.said
    wait_for(lambda: any(store in reason for reason in worker.reasons() or []), "a reason")
    time.sleep(AWAY)


def assert_went_on(stream: Stream, worker: Worker, store: str) -> None:
    wait_for(lambda: stream.stored() == ROWS, "the last message")
    worker.wait_until_ready()
    assert worker.terminate() == 0, worker.said
    assert f"stet: {store} is back" in worker.said
    assert "Traceback" not in worker.said
    stream.finish()
    stream.assert_whole()
    assert_told(stream)


def test_redis_hangs_then_is_killed_and_comes_back_with_its_log(
    stream: Stream, own_redis: RedisServer
) -> None:
    worker = at_work(stream)
    fill(stream)
    own_redis.pause()
    fill_up(stream)
    missed(worker, "redis")
    own_redis.kill()
    time.sleep(AWAY)
    own_redis.start()
    assert_went_on(stream, worker, "redis")


def test_redis_takes_no_writes_for_want_of_memory_then_of_replicas(
    stream: Stream, own_redis: RedisServer
) -> None:
    worker = at_work(stream)
    fill(stream)
    with own_redis.client() as client:
        client.config_set("maxmemory", "1mb")
        fill_up(stream)
        missed(worker, "redis")
        client.config_set("min-replicas-to-write", 1)
        client.config_set("maxmemory", 0)
        wait_for(lambda: any("NOREPLICAS" in reason for reason in worker.reasons() or []), "another reason")
        time.sleep(AWAY)
        client.config_set("min-replicas-to-write", 0)
    assert_went_on(stream, worker, "redis")


def test_qdrant_refuses_then_hangs(
    opened: Callable[[str, str], Stream], own_redis: RedisServer, own_qdrant: QdrantServer
) -> None:
    stream = opened(own_redis.url, own_qdrant.url)
    worker = at_work(stream)
    fill(stream)
    own_qdrant.unavailable(LONG)
    fill_up(stream)
    missed(worker, "qdrant")
    own_qdrant.hang(LONG)
    timed_out = "qdrant does not answer (ResponseHandlingException)"
    wait_for(lambda: timed_out in (worker.reasons() or []), "another reason")
    time.sleep(AWAY)
    own_qdrant.mend()
    assert_went_on(stream, worker, "qdrant")


@pytest.fixture
def linked(
    tmp_path: Path, linked_broker: LinkedBroker, own_redis: RedisServer, qdrant_url: str, tenant: str
) -> Iterator[Stream]:
    stream = Stream(tmp_path, Where(linked_broker.broker.bootstrap, own_redis.url, qdrant_url), tenant)
    yield stream
    stream.close()


def test_the_broker_is_away_while_the_worker_reads_then_while_it_publishes(
    linked: Stream, linked_broker: LinkedBroker, own_redis: RedisServer
) -> None:
    worker = at_work(linked)
    linked_broker.link.cut()
    wait_for(lambda: any("kafka" in reason for reason in worker.reasons() or []), "a reason")
    time.sleep(AWAY)
    linked_broker.link.mend()
    worker.wait_until_ready()
    fill(linked)
    # What it has read is not stored, and so not published, before the broker is away.
    own_redis.pause()
    fill_up(linked)
    missed(worker, "redis")
    linked_broker.link.cut()
    own_redis.resume()
    missed(worker, "kafka")
    linked_broker.link.mend()
    assert_went_on(linked, worker, "kafka")
