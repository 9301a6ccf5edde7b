"""Streams to test, on servers that others share or that are the test's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.broker import Topics
from tests.servers.redis_server import RedisServer
from tests.stream.stream import Stream, Where


@pytest.fixture
def opened(tmp_path: Path, kafka: Topics, tenant: str) -> Iterator[Callable[[str, str], Stream]]:
    """Makes a stream on the shared broker, and on a Redis and a Qdrant by their addresses."""
    streams: list[Stream] = []

    def make(redis: str, qdrant: str) -> Stream:
        streams.append(Stream(tmp_path, Where(kafka.bootstrap, redis, qdrant), tenant))
        return streams[-1]

    yield make
    for stream in streams:
        stream.close()
        topics = stream.kafka.topics
        kafka.delete([topics.messages, topics.rejected, topics.changes])


@pytest.fixture
def stream(opened: Callable[[str, str], Stream], own_redis: RedisServer, qdrant_url: str) -> Stream:
    """A stream on the shared broker and the shared Qdrant, with a Redis of its own."""
    return opened(own_redis.url, qdrant_url)
