"""A service is up at once, and ready when a question need not wait for the encoder."""

import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from numpy.typing import NDArray

from pipeline.command_line.serving import EmbeddedService
from pipeline.embedded import Embedded
from pipeline.encoder_loading import EncoderLoading
from query_service.http_app import create_app
from state.encoder import EncoderError
from state.hashing_encoder import HashingEncoder

DEADLINE = 60.0


class Slow(HashingEncoder):
    """An encoder that is loaded when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded = threading.Event()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        assert self.loaded.wait(DEADLINE)
        return super().encode(texts)


class Unloadable(HashingEncoder):
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EncoderError("the weights in /home/ann are damaged")


@pytest.fixture
def slow() -> Iterator[Slow]:
    encoder = Slow()
    yield encoder
    encoder.loaded.set()


def until_ready(client: TestClient) -> None:
    deadline = time.monotonic() + DEADLINE
    while client.get("/readyz").status_code != 200:
        assert time.monotonic() < deadline, client.get("/readyz").text
        time.sleep(0.01)


def test_a_service_is_up_before_the_encoder_is_loaded_and_ready_after_it(tmp_path: Path, slow: Slow) -> None:
    with Embedded.open(tmp_path / "data", encoder="hashing", create=True) as stet:
        stet.encoder = slow
        client = TestClient(create_app(EmbeddedService(stet, "acme")))
        assert client.get("/healthz").status_code == 200
        waiting = client.get("/readyz")
        assert (waiting.status_code, waiting.json()["reasons"]) == (503, ["the encoder is being loaded"])
        slow.loaded.set()
        until_ready(client)


def test_an_encoder_that_cannot_be_loaded_is_told_to_the_log_and_readiness_tells_its_kind_only() -> None:
    told: list[str] = []
    failed = threading.Event()

    def hear(line: str) -> None:
        told.append(line)
        failed.set()

    loading = EncoderLoading(Unloadable(), hear)
    assert failed.wait(DEADLINE)
    assert told == ["the encoder cannot be loaded: the weights in /home/ann are damaged"]
    (reason,) = loading.reasons()
    assert "EncoderError" in reason
    assert "weights" not in reason
