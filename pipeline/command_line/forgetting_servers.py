"""`stet forget` on servers: writes down what is asked for, and waits for the worker that does it."""

from dataclasses import dataclass

from pipeline.command_line.failures import Exit, fail, warn
from pipeline.kafka_settings import ensure_topics
from pipeline.server_forgetting import Done, ImpossibleName, ask_to_forget, wait_until_forgotten
from pipeline.servers import Addresses, Servers
from query_service.unknown_subject import UnknownSubject
from state.model import Subject

ACKNOWLEDGED = 30.0
"""Seconds that the brokers have to acknowledge the record."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Whom to forget where, and for how many seconds to wait for it; None: not at all."""

    at: Addresses
    whom: Subject
    seconds: float | None


def forget_on_servers(asked: Asked) -> Done | None:
    """What was removed; None where that was not waited for.

    Fails where no worker has done it in time. Raises UnknownSubject where no message can have such a subject,
    BrokerAway, KafkaUnusable, and what Redis raises.
    """
    with Servers.open(asked.at) as servers:
        ensure_topics(servers.kafka)
        try:
            request = ask_to_forget(servers.producer, servers.kafka.topics, asked.whom, ACKNOWLEDGED)
        except ImpossibleName as error:
            raise UnknownSubject(asked.whom.name) from error
        if asked.seconds is None:
            return None
        warn("written down in Kafka; waiting for a worker to come to it")
        done = wait_until_forgotten(servers.client, asked.whom, request, asked.seconds, _waits)
    if done is None:
        fail(
            f"no worker has come to it in {asked.seconds:g} seconds: it is written down, and done when one "
            "does; look whether a worker runs, and how far behind it is",
            Exit.STORE,
        )
    return done


def _waits(seconds: float) -> None:
    warn(f"waiting for {seconds:.0f} seconds")
