"""Streams to test, on servers that others share or that are the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.broker import Topics
from tests.servers.redis_server import RedisServer
from tests.stream.stream import Stream, Where


@pytest.fixture
def stream(
    tmp_path: Path, kafka: Topics, own_redis: RedisServer, qdrant_url: str, tenant: str
) -> Iterator[Stream]:
    """A stream on the shared broker and the shared Qdrant, with a Redis of its own."""
    held = Stream(tmp_path, Where(kafka.bootstrap, own_redis.url, qdrant_url), tenant)
    yield held
    held.close()
    kafka.delete(list(names_of(held)))


def names_of(stream: Stream) -> tuple[str, str, str]:
    topics = stream.kafka.topics
    return topics.messages, topics.rejected, topics.changes
