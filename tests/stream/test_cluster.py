"""The graph on a Redis Cluster of three nodes."""

from collections.abc import Callable

from tests.servers.redis_cluster import RedisCluster
from tests.stream.consumers import assert_told
from tests.stream.stream import Stream
from tests.stream.traffic import conversation, lines, unruly
from tests.stream.worker_process import wait_for


def test_a_node_is_killed_and_comes_back(
    opened: Callable[[str, str], Stream], own_redis_cluster: RedisCluster, qdrant_url: str
) -> None:
    stream = opened(own_redis_cluster.url, qdrant_url)
    rows = conversation(stream.tenant, 8, 60)
    stream.feed(lines(unruly(rows, seed=11)))
    stream.finish()
    stream.assert_whole({})
    worker = stream.worker(recovery="another")
    worker.wait_until_ready()
    own_redis_cluster.nodes[1].kill()
    stream.feed(lines(conversation(stream.tenant, 8, 120)[len(rows) :]))
    wait_for(lambda: "redis is away" in worker.said, "a word of it")
    wait_for(lambda: any("redis" in reason for reason in worker.reasons() or []), "a reason")
    own_redis_cluster.nodes[1].start()
    own_redis_cluster.wait_until_whole()
    worker.wait_until_ready()
    wait_for(lambda: "redis is back" in worker.said, "a word of it")
    assert worker.terminate() == 0, worker.said
    stream.finish(recovery="another")
    stream.assert_whole({})
    assert_told(stream)
