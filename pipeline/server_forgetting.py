"""Asks an installation on servers to forget a subject, and waits until a worker has done it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pipeline.kafka_producer import KafkaProducer
from pipeline.kafka_settings import Topics
from pipeline.stream_forgetting import order_record
from state.forget_receipt import Receipt
from state.forgotten import receipt
from state.model import Subject

_LOOK = 0.1
_TOLD_EVERY = 5.0


class ImpossibleName(ValueError):
    """No message can have this subject."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a worker removed. Kafka keeps what was said: in `partition` of the messages' topic, below
    `offset`."""

    receipt: Receipt
    partition: int
    offset: int


def ask_to_forget(producer: KafkaProducer, topics: Topics, subject: Subject, seconds: float) -> str:
    """Writes down that the subject is to be forgotten, durably; the name of the request.

    To the rejected topic too: what was rejected of it is not fed again then (`pipeline.forgotten_rejected`).

    Raises BrokerAway where it may not be written; to ask again does no harm. Raises ImpossibleName where no
    message can have such a subject.
    """
    request = uuid4().hex
    try:
        records = [order_record(subject, request, one) for one in (topics.rejected, topics.messages)]
    except ValueError as error:
        raise ImpossibleName(subject.name) from error
    producer.send(records, seconds)
    return request


def wait_until_forgotten(
    client: Any,
    subject: Subject,
    request: str,
    seconds: float,
    told: Callable[[float], None] = lambda waited: None,
) -> Done | None:
    """What was removed, once it is; None where that is not within `seconds`. `told` is given how long it has
    taken, now and then. Raises what Redis raises."""
    begun = time.monotonic()
    tell_at = _TOLD_EVERY
    while (found := receipt(client, request)) is None:
        waited = time.monotonic() - begun
        if waited >= seconds:
            return None
        if waited >= tell_at:
            told(waited)
            tell_at += _TOLD_EVERY
        time.sleep(min(_LOOK, seconds - waited))
    counts = {name: count for name, count in found.items() if name not in ("partition", "offset")}
    # What Kafka keeps is none of what was removed.
    removed = Receipt(subject.tenant, subject.name, **counts, records=0, rejected=0)
    return Done(removed, found["partition"], found["offset"])
