"""Which brokers, how to log in, and what the topics are called (DESIGN §7).

Secrets come from the environment only:

    STET_KAFKA_SECURITY    plaintext (default), ssl, sasl_plaintext or sasl_ssl
    STET_KAFKA_MECHANISM   of sasl: PLAIN, SCRAM-SHA-256 (default) or SCRAM-SHA-512
    STET_KAFKA_USERNAME    and STET_KAFKA_PASSWORD
    STET_KAFKA_CA          file of the certificate authority, where it is not the system's
"""

import os
import ssl
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

PARTITIONS = 16
"""Of a topic that is made: the most processes that can share its work."""
_SECONDS = 10.0
_WEEK = {"retention.ms": str(7 * 24 * 3_600_000)}
_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_FOR_EVER = {"retention.ms": "-1", "retention.bytes": "-1"}


class KafkaUnusable(RuntimeError):
    """The brokers or a topic cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The three topics; all are keyed by `tenant/subject`."""

    messages: str = "conversation.messages"
    rejected: str = "conversation.rejected"
    changes: str = "evidence.changes"

    @classmethod
    def prefixed(cls, prefix: str) -> "Topics":
        """The topics of one of several installations on the same brokers."""
        names = cls()
        return cls(prefix + names.messages, prefix + names.rejected, prefix + names.changes)


@dataclass(frozen=True, slots=True)
class Kafka:
    """Brokers (`host:port,host:port`) and topics."""

    brokers: str
    topics: Topics = Topics()

    def config(self) -> dict[str, str | int | float | bool]:
        """What every client of librdkafka is given. Raises KafkaUnusable where a setting is wrong."""
        return {
            "bootstrap.servers": self.brokers,
            "client.id": "stet",
            # Its own lines on standard error have another form, and what matters of them is told by us.
            "log_level": "2",
            "reconnect.backoff.max.ms": "2000",
            **_security(os.environ),
        }


def _security(environment: Mapping[str, str]) -> dict[str, str]:
    protocol = environment.get("STET_KAFKA_SECURITY", "plaintext").lower()
    if protocol not in ("plaintext", "ssl", "sasl_plaintext", "sasl_ssl"):
        raise KafkaUnusable(
            f"STET_KAFKA_SECURITY is {protocol!r}: give plaintext, ssl, sasl_plaintext or sasl_ssl"
        )
    config = {"security.protocol": protocol}
    if authority := environment.get("STET_KAFKA_CA"):
        config["ssl.ca.location"] = _certificates(authority)
    if protocol.startswith("sasl"):
        missing = [n for n in ("STET_KAFKA_USERNAME", "STET_KAFKA_PASSWORD") if not environment.get(n)]
        if missing:
            raise KafkaUnusable(f"STET_KAFKA_SECURITY is {protocol}, so {' and '.join(missing)} must be set")
        mechanism = environment.get("STET_KAFKA_MECHANISM", "SCRAM-SHA-256").upper()
        if mechanism not in _MECHANISMS:
            raise KafkaUnusable(f"STET_KAFKA_MECHANISM is {mechanism!r}: give {' or '.join(_MECHANISMS)}")
        config |= {
            "sasl.mechanism": mechanism,
            "sasl.username": environment["STET_KAFKA_USERNAME"],
            "sasl.password": environment["STET_KAFKA_PASSWORD"],
        }
    return config


def _certificates(file: str) -> str:
    try:
        ssl.create_default_context(cafile=file)
    except OSError as error:
        raise KafkaUnusable(
            f"STET_KAFKA_CA is {file!r}, which cannot be read as certificates ({error.strerror})"
        ) from error
    return file


def ensure_topics(kafka: Kafka, partitions: int = PARTITIONS) -> int:
    """Makes the topics that are absent; the number of partitions of the messages' topic.

    Explicitly, since a broker that makes a topic at its first record gives it one partition, which bounds the
    work to one process for ever. What came in is kept until someone decides for how long: what is stored is
    made from it, and a broker's own limit would drop it after a week. Raises KafkaUnusable.
    """
    admin = AdminClient(kafka.config())
    found = _partitions(admin, kafka)
    wanted = {
        kafka.topics.messages: _FOR_EVER,
        kafka.topics.rejected: {"retention.ms": "-1", "max.message.bytes": str(2 * 1024 * 1024)},
        kafka.topics.changes: _WEEK,
    }
    absent = [
        NewTopic(name, num_partitions=partitions, config=config)
        for name, config in wanted.items()
        if name not in found
    ]
    if absent:
        for name, made in admin.create_topics(absent, request_timeout=_SECONDS).items():
            _settle(name, made)
        found = _partitions(admin, kafka)
    return found.get(kafka.topics.messages, partitions)


def _settle(name: str, made: "Future[None]") -> None:
    try:
        made.result(timeout=2 * _SECONDS)
    except KafkaException as error:
        if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:  # another process made it meanwhile
            raise KafkaUnusable(
                f"the topic {name} is absent and cannot be made ({error.args[0].str()}): make it, with as "
                "many partitions as processes will ever share its work"
            ) from error


def _partitions(admin: AdminClient, kafka: Kafka) -> dict[str, int]:
    """Of the topics that there are, how many partitions each has."""
    try:
        told = admin.list_topics(timeout=_SECONDS)
    except KafkaException as error:
        raise KafkaUnusable(
            f"no broker of {kafka.brokers} answers: start it, or correct the address, STET_KAFKA_SECURITY "
            f"or the login ({error.args[0].str()})"
        ) from error
    names = (kafka.topics.messages, kafka.topics.rejected, kafka.topics.changes)
    return {n: len(told.topics[n].partitions) for n in names if n in told.topics and not told.topics[n].error}
