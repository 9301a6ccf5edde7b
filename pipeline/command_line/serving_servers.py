"""`stet serve` on servers: questions from Redis and Qdrant, messages to Kafka."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry

from pipeline.command_line.answering import named_model
from pipeline.command_line.failures import warn
from pipeline.command_line.listening import listening
from pipeline.command_line.run_http import run_http
from pipeline.command_line.serving_access import Serving, access_to
from pipeline.encoder_loading import EncoderLoading
from pipeline.kafka_feed import message_records
from pipeline.kafka_producer import RecordRefused
from pipeline.kafka_settings import KafkaUnusable, ensure_topics
from pipeline.patience import BrokerAway
from pipeline.server_forgetting import ImpossibleName, ask_to_forget, wait_until_forgotten
from pipeline.servers import Addresses, Servers
from query_service.http_app import Unavailable, create_app
from query_service.intake import Underway
from state.forget_receipt import Receipt, nothing_of
from state.model import Message, Subject

ACKNOWLEDGED = 10.0
"""Seconds that the brokers have to acknowledge the messages of a request."""
FORGOTTEN = 20.0
"""Seconds that a request to forget waits for a worker to have done it."""


class ServerService:
    """What the HTTP application is given: the servers, and Kafka as the way in."""

    def __init__(self, servers: Servers, tenant: str | None) -> None:
        self._servers, self._tenant = servers, tenant
        # Opened here, so that what is wrong with one of them shows at the start.
        self._has_topics = False
        try:
            self._make_topics()
        except KafkaUnusable as error:
            warn(f"{error}; questions are answered, messages are refused until it is there")
        self.reader, self.notes, self.encoder = servers.graph, servers.notes, servers.encoder
        self._loading = EncoderLoading(self.encoder, warn)
        self._producer, self._pulse = servers.producer, servers.watch(kafka=False)

    @property
    def registry(self) -> CollectorRegistry:
        return self._servers.metrics.registry

    @property
    def tenant(self) -> str | None:
        """The tenant given at the start; with none, each request names its own."""
        return self._tenant

    def accept(self, messages: Sequence[Message]) -> None:
        """Returns once the brokers have acknowledged all. Raises `Unavailable` otherwise: some may be written
        then, and sending all again changes nothing of these."""
        records = message_records(messages, self._servers.kafka.topics.messages)
        try:
            self._make_topics()
            self._producer.send(records, ACKNOWLEDGED)
        except (BrokerAway, KafkaUnusable, RecordRefused) as error:
            raise Unavailable(f"Kafka did not take them all ({error})") from error

    def forget(self, subject: Subject) -> Receipt:
        """Writes down that the subject is to be forgotten, and waits until a worker has done it. Raises
        `Underway` where that takes long, and `Unavailable` where it may not be written down."""
        try:
            self._make_topics()
            topics = self._servers.kafka.topics
            request = ask_to_forget(self._producer, topics, subject, ACKNOWLEDGED)
        except ImpossibleName:
            return nothing_of(subject)
        except (BrokerAway, KafkaUnusable, RecordRefused) as error:
            raise Unavailable(f"Kafka did not take it ({error})") from error
        done = wait_until_forgotten(self._servers.client, subject, request, FORGOTTEN)
        if done is None:
            raise Underway("it is written down, and done when a worker comes to it")
        return done.receipt

    def _make_topics(self) -> None:
        if not self._has_topics:
            ensure_topics(self._servers.kafka)
            self._has_topics = True

    def ready(self) -> Sequence[str]:
        """Why questions cannot be answered now. Kafka is not asked: without it they can be."""
        away = [f"{store} does not answer ({kind})" for store, kind in self._pulse.faults().items()]
        return [*away, *self._loading.reasons()]


def serve(addresses: Addresses, encoder: str | None, of: Serving) -> None:
    """Serves until a signal, then stops in order and returns. Fails where the address cannot be had."""
    with (
        listening(of.host, of.port) as listener,
        Servers.open(addresses, encoder=encoder) as servers,
        named_model(servers) as model,
    ):
        access = access_to(servers.client, of, listener)
        service = ServerService(servers, of.tenant)
        application = create_app(service, model=model, forget=service.forget, access=access)
        run_http(application, listener)
