"""What several tests share: a real Redis, and the labelled conversations where they are at hand."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from redis import Redis

from state.embedded_redis import EmbeddedRedis

pytest_plugins = ["tests.servers.fixtures"]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

settings.register_profile(
    "stet", deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
settings.load_profile("stet")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """One embedded Redis for the whole run; tests that write use `redis`, which empties it first."""
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis(redis_server: EmbeddedRedis) -> Redis:
    redis_server.client.flushall()
    return redis_server.client


@pytest.fixture(scope="session")
def conversations() -> Path:
    """The folder of labelled conversations, which is kept outside the project."""
    if not DATA.is_dir():
        pytest.skip("the labelled conversations (../shared/data) are not at hand")
    return DATA
