"""The production mode's stores: Redis, Qdrant and Kafka servers (DESIGN §5), with the encoder beside them.

with Servers.open(Addresses(redis="redis://localhost", qdrant="http://localhost:6333")) as stet:
    stet.graph, stet.notes, stet.encoder  # to ask
"""

import json
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import Any, Self

from confluent_kafka.admin import AdminClient
from prometheus_client import CollectorRegistry

from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import Kafka
from pipeline.metrics import Metrics, Store
from pipeline.running import DEFAULT_ENCODER
from pipeline.store_pulse import Check, StorePulse
from state.encoder import EncoderError
from state.encoder_process import encoder_beside
from state.graph_store import RedisGraph
from state.notes import Encoder, NoteStore
from state.notes_qdrant import QdrantNoteStore
from state.notes_qdrant import connect as connect_qdrant
from state.redis_client import connect as connect_redis

_ENCODER = "stet:encoder"
_QUICK = 2
"""Seconds that a store may take to answer whether it is there."""


class NotNamed(ValueError):
    """A server is needed of which no address was given; the text says which."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the servers are; what a command does not need may be absent."""

    redis: str
    qdrant: str | None = None
    kafka: Kafka | None = None


class Servers:
    """Connections to the servers. What costs time to open is opened when it is first used."""

    def __init__(self, addresses: Addresses, encoder: str | None) -> None:
        """Connects to Redis; use `open`. Raises RedisUnusable."""
        self._held = ExitStack()
        self.addresses = addresses
        self._encoder_name = encoder
        self.client: Any = connect_redis(addresses.redis)
        self._held.callback(self.client.close)
        self.graph = RedisGraph(self.client)
        self.metrics = Metrics(CollectorRegistry())

    @classmethod
    def open(cls, addresses: Addresses, *, encoder: str | None = None) -> Self:
        """Connects. `encoder` names the encoder of a new installation; another one than its notes come from
        is refused when vectors are needed. Raises RedisUnusable."""
        return cls(addresses, encoder)

    @cached_property
    def encoder(self) -> Encoder:
        """Begins to load the encoder. Raises EncoderError, also where the notes come from another one."""
        held = self.client.get(_ENCODER)
        mark = json.loads(held) if held else None
        name = self._encoder_name or (mark["name"] if mark else DEFAULT_ENCODER)
        encoder = self._held.enter_context(encoder_beside(name))
        ours = {"name": encoder.name, "dimension": encoder.dimension}
        self.client.set(_ENCODER, json.dumps(ours), nx=True)
        mark = json.loads(self.client.get(_ENCODER))
        if mark != ours:
            raise EncoderError(
                f"the notes come from the encoder {mark['name']} ({mark['dimension']} numbers), not from "
                f"{encoder.name} ({encoder.dimension}): use that one, or a new installation"
            )
        return encoder

    @cached_property
    def notes(self) -> NoteStore:
        """Connects to Qdrant and makes its collection. Raises NotNamed, NoteStoreError, EncoderError."""
        if self.addresses.qdrant is None:
            raise NotNamed("no Qdrant is named: give --qdrant http://host:6333 (or STET_QDRANT)")
        store = QdrantNoteStore(connect_qdrant(self.addresses.qdrant), self.encoder.dimension)
        self._held.callback(store.close)
        return store

    @property
    def kafka(self) -> Kafka:
        """Raises NotNamed."""
        if self.addresses.kafka is None:
            raise NotNamed("no Kafka is named: give --kafka host:9092 (or STET_KAFKA)")
        return self.addresses.kafka

    @cached_property
    def producer(self) -> KafkaProducer:
        """Raises KafkaUnusable."""
        producer = KafkaProducer(self.kafka)
        self._held.callback(producer.close)
        self.metrics.stream.watch_queue("producer", lambda: producer.depth)
        return producer

    def watch(self, kafka: bool) -> StorePulse:
        """Begins to ask the stores whether they are there, Kafka too where that matters. Once a process."""
        client = connect_redis(self.addresses.redis, timeout=_QUICK)
        self._held.callback(client.close)
        checks: dict[Store, Check] = {"redis": lambda: client.ping()}
        if self.addresses.qdrant is not None:
            qdrant = connect_qdrant(self.addresses.qdrant, timeout=_QUICK)
            self._held.callback(qdrant.close)
            checks["qdrant"] = lambda: qdrant.info()
        if kafka:
            admin = AdminClient(self.kafka.config())
            checks["kafka"] = lambda: admin.list_topics(self.kafka.topics.messages, timeout=_QUICK)
        pulse = StorePulse(checks, self.metrics.stores.up)
        self._held.callback(pulse.close)
        return pulse

    def close(self) -> None:
        """Closes what was opened. Closing twice is no error."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
