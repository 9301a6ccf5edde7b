"""The servers that other tests run on: each starts, works, bears a pause, and is gone afterwards."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
import redis as redis_client
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from redis.cluster import RedisCluster as ClusterClient

from state.model import Subject
from state.note_points import NoteStoreError
from state.notes import Note
from state.notes_qdrant import COLLECTION, QdrantNoteStore, connect
from tests.servers import broker, redis_server
from tests.servers.broker import Broker, Topics
from tests.servers.fixtures import LinkedBroker
from tests.servers.link import Link
from tests.servers.port import Port
from tests.servers.process import Server, ServerFailed
from tests.servers.qdrant_server import QdrantServer
from tests.servers.redis_cluster import RedisCluster
from tests.servers.redis_server import RedisServer

DIMENSION = 4
ANN = Subject("shop", "ann")
MINUTE = 60.0

needs_broker = pytest.mark.skipif(broker.absent() is not None, reason=broker.absent() or "")
needs_redis = pytest.mark.skipif(redis_server.absent() is not None, reason=redis_server.absent() or "")
KINDS = [
    pytest.param(Broker, marks=needs_broker),
    pytest.param(RedisServer, marks=needs_redis),
    QdrantServer,
]


def produced(bootstrap: str, topic: str, text: str, seconds: float = 10.0) -> bool:
    """Whether the broker acknowledges a message within the time."""
    acknowledged: list[bool] = []

    def report(error: object, _: object) -> None:
        acknowledged.append(error is None)

    settings = {"bootstrap.servers": bootstrap, "message.timeout.ms": int(seconds * 1000), "log_level": 0}
    with Producer(settings) as producer:
        producer.produce(topic, text.encode(), partition=0, on_delivery=report)
        producer.flush(seconds + 5)
    return acknowledged == [True]


def consumed(bootstrap: str, topic: str) -> list[str]:
    """The first message of a topic's first partition."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topic})
    try:
        consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
        return [str(message.value() or b"", "utf-8") for message in consumer.consume(1, timeout=20)]
    finally:
        consumer.close()


def note(message: str, text: str = "blue chairs 蓝色的椅子") -> Note:
    vector = np.array([1, 0, 0, 0], np.float32)
    return Note(ANN, message, "c1", "Ann", datetime(2026, 3, 1, tzinfo=UTC), text, vector)


def gone(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return True
    return False


class TestProcesses:
    @pytest.mark.parametrize("kind", KINDS)
    def test_bears_a_pause_and_a_kill_and_is_gone_afterwards(
        self, kind: Callable[[Path], Server], tmp_path: Path
    ) -> None:
        with kind(tmp_path) as server:
            first, port = server.pid, server.port
            server.pause()
            assert not server.answers()
            server.resume()
            assert server.answers()
            server.kill()
            assert gone(first)
            assert not server.running
            server.start()
            assert server.port == port
            assert server.answers()
            last = server.pid
        assert gone(last)

    @pytest.mark.parametrize("kind", KINDS)
    def test_one_that_is_left_paused_by_a_failing_test_is_gone_too(
        self, kind: Callable[[Path], Server], tmp_path: Path
    ) -> None:
        pids: list[int] = []

        def fail(server: Server) -> None:
            pids.append(server.pid)
            server.pause()
            raise LookupError

        with pytest.raises(LookupError), kind(tmp_path) as server:
            fail(server)
        assert gone(pids[0])

    @pytest.mark.parametrize("kind", KINDS)
    def test_where_another_was_faster_on_its_port_it_takes_another_port(
        self, kind: Callable[[Path], Server], tmp_path: Path
    ) -> None:
        with Link() as stranger:
            server = kind(tmp_path)
            server.take_ports = lambda: None  # type: ignore[method-assign]
            server._ports[0].give_back()
            server._ports = [stranger._port]
            with pytest.raises(ServerFailed, match="ended before it answered"):
                server.start()
            stranger._port = Port()
            del server.take_ports
            with server:
                assert server.answers()

    def test_no_port_is_taken_twice(self) -> None:
        ports = [Port() for _ in range(50)]
        assert len({port.number for port in ports}) == 50
        for port in ports:
            port.give_back()


class TestBroker:
    def test_a_topic_has_the_partitions_asked_for_and_takes_messages(self, kafka: Topics) -> None:
        topic = kafka.create(partitions=3)
        assert kafka.partitions(topic) == 3
        assert produced(kafka.bootstrap, topic, "你好")
        assert consumed(kafka.bootstrap, topic) == ["你好"]

    def test_the_topics_that_a_test_made_are_deleted(self, kafka: Topics) -> None:
        others = Topics(kafka.bootstrap)
        topic, deleted, other = kafka.create(), kafka.create(), others.create()
        kafka.delete([deleted])
        kafka.clear()
        assert [kafka.partitions(name) for name in (topic, deleted, other)] == [0, 0, 1]
        others.clear()

    def test_its_topics_are_gone_after_a_restart(self, own_broker: Broker) -> None:
        topics = own_broker.topics
        topic = topics.create(partitions=2)
        own_broker.kill()
        own_broker.start()
        assert topics.partitions(topic) == 0
        assert topics.create(partitions=2, name=topic) == topic
        assert topics.partitions(topic) == 2

    def test_what_was_sent_while_it_paused_arrives_afterwards(self, own_broker: Broker) -> None:
        topic = own_broker.topics.create()
        with Producer({"bootstrap.servers": own_broker.bootstrap}) as producer:
            own_broker.pause()
            producer.produce(topic, b"later")
            assert producer.flush(0.5) == 1
            own_broker.resume()
            assert producer.flush(20) == 0
        assert consumed(own_broker.bootstrap, topic) == ["later"]

    def test_behind_a_cut_link_it_cannot_be_reached(self, linked_broker: LinkedBroker) -> None:
        server, link = linked_broker
        assert server.bootstrap == link.address
        topic = server.topics.create()
        link.cut()
        assert not produced(server.bootstrap, topic, "lost", seconds=0.5)
        link.mend()
        assert produced(server.bootstrap, topic, "sent")
        assert consumed(server.bootstrap, topic) == ["sent"]


class TestRedis:
    def test_what_it_acknowledged_survives_a_kill(self, own_redis: RedisServer) -> None:
        with own_redis.client() as client:
            client.set("城市", "杭州")
            own_redis.kill()
            with pytest.raises(redis_client.ConnectionError):
                client.get("城市")
            own_redis.start()
            assert client.get("城市") == "杭州".encode()

    def test_a_client_of_a_paused_one_times_out(self, own_redis: RedisServer) -> None:
        own_redis.pause()
        with own_redis.client(timeout=0.2) as client, pytest.raises(redis_client.TimeoutError):
            client.ping()

    def test_the_shared_one_is_redis_7_or_newer(self, redis_url: str, tenant: str) -> None:
        with redis_client.from_url(redis_url) as client:
            assert int(client.info("server")["redis_version"].split(".")[0]) >= 7
            assert client.set(tenant, "1", nx=True, ex=60)


class TestRedisCluster:
    def test_the_slots_lie_on_three_masters(self, redis_cluster_url: str, tenant: str) -> None:
        with ClusterClient.from_url(redis_cluster_url) as client:
            assert len(client.get_primaries()) == 3
            keys = [f"{{{tenant}/{n}}}" for n in range(30)]
            for key in keys:
                client.set(key, key, ex=60)
            assert [client.get(key) for key in keys] == [key.encode() for key in keys]
            assert len({client.get_node_from_key(key) for key in keys}) == 3

    def test_it_is_whole_again_after_a_kill_and_a_pause(self, own_redis_cluster: RedisCluster) -> None:
        first, second, _ = own_redis_cluster.nodes
        with own_redis_cluster.client() as client:
            client.set("a", "1")
            client.set("b", "2")
            client.set("c", "3")
            first.kill()
            second.pause()
            second.resume()
            first.start()
            own_redis_cluster.wait_until_whole()
            assert [client.get(key) for key in "abc"] == [b"1", b"2", b"3"]
        pids = [node.pid for node in own_redis_cluster.nodes]
        own_redis_cluster.__exit__(None, None, None)
        assert all(map(gone, pids))


class TestQdrant:
    def test_two_clients_share_one_store(self, qdrant_url: str, qdrant_collection: str) -> None:
        with (
            QdrantNoteStore(connect(qdrant_url), DIMENSION, qdrant_collection) as writer,
            QdrantNoteStore(connect(qdrant_url), DIMENSION, qdrant_collection) as reader,
        ):
            writer.upsert([note("m1")])
            assert [hit.message for hit in reader.lexical(ANN, "椅子", 5)] == ["m1"]

    def test_it_answers_503_until_it_is_mended(self, own_qdrant: QdrantServer) -> None:
        with QdrantNoteStore(connect(own_qdrant.url), DIMENSION) as store:
            own_qdrant.unavailable(MINUTE)
            with pytest.raises(NoteStoreError, match="503"):
                store.upsert([note(f"m{n}") for n in range(300)])
            with pytest.raises(NoteStoreError, match="does not answer"):
                connect(own_qdrant.url)
            own_qdrant.mend()
            assert store.count() == 0

    def test_it_hangs_until_it_is_mended_and_then_does_what_it_was_asked(
        self, own_qdrant: QdrantServer
    ) -> None:
        with QdrantNoteStore(connect(own_qdrant.url, timeout=1), DIMENSION) as store:
            own_qdrant.hang(MINUTE)
            with pytest.raises(NoteStoreError, match="timed out"):
                store.upsert([note("m1")])
            own_qdrant.mend()
            deadline = time.monotonic() + MINUTE
            while store.count() != 1:
                assert time.monotonic() < deadline, "the hanging request was never served"

    def test_what_the_engine_refuses_has_the_codes_of_a_server(self, own_qdrant: QdrantServer) -> None:
        client = connect(own_qdrant.url)
        with QdrantNoteStore(client, DIMENSION) as store:
            client.delete_collection(COLLECTION)
            with pytest.raises(NoteStoreError, match="404"):
                store.count()

    def test_with_ids_only_it_counts_by_owner_and_finds_nothing(self, tmp_path: Path) -> None:
        with (
            QdrantServer(tmp_path, ids_only=True) as server,
            QdrantNoteStore(connect(server.url), DIMENSION) as store,
        ):
            store.upsert([note(f"m{n}") for n in range(600)])
            store.upsert([note("m1", "again")])
            assert store.count() == store.count(ANN) == 600
            assert store.count(Subject("shop", "ben")) == 0
            assert store.lexical(ANN, "chairs", 5) == []
            assert store.vectors(ANN, ["m1"]) == {}
            store.delete(ANN, ["m1", "never"])
            assert store.count(ANN) == 599
            store.forget(ANN)
            assert store.count() == 0


class TestLink:
    def test_it_drops_what_it_carried_refuses_and_can_be_mended(
        self, own_redis: RedisServer, link_to: Callable[[int], Link]
    ) -> None:
        link = link_to(own_redis.port)
        retries = redis_client.retry.Retry(redis_client.backoff.NoBackoff(), 0)
        with redis_client.Redis(port=link.port, retry=retries) as client:
            client.set("a", "x" * 1_000_000)
            link.cut()
            link.cut()
            with pytest.raises(redis_client.ConnectionError):
                client.get("a")
            link.mend()
            link.mend()
            assert client.get("a") == b"x" * 1_000_000

    def test_a_server_that_is_gone_is_gone_behind_the_link_too(
        self, own_redis: RedisServer, link_to: Callable[[int], Link]
    ) -> None:
        link = link_to(own_redis.port)
        own_redis.kill()
        retries = redis_client.retry.Retry(redis_client.backoff.NoBackoff(), 0)
        with (
            redis_client.Redis(port=link.port, retry=retries) as client,
            pytest.raises(redis_client.ConnectionError),
        ):
            client.ping()
