"""What a command reads from: a data folder, or servers where `--redis` names one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.command_line.failures import Exit, fail
from pipeline.embedded import Embedded
from pipeline.kafka_settings import Kafka, Topics
from pipeline.servers import Addresses, NotNamed, Servers

Opened = Embedded | Servers


@contextmanager
def opened(data_dir: Path, redis: str | None, qdrant: str | None = None) -> Iterator[Opened]:
    """The stores that a command reads. Raises what opening them raises.

    Fails on a Redis that nothing was ever written to: a question asked too early would settle, by the encoder
    that it takes, which one the notes are made with.
    """
    if redis is None:
        with Embedded.open(data_dir) as folder:
            yield folder
    else:
        with Servers.open(Addresses(redis, qdrant)) as servers:
            if not servers.graph.tenants():
                fail("nothing was ingested into this Redis yet", Exit.UNKNOWN)
            try:
                yield servers
            except NotNamed as error:
                fail(str(error), Exit.USAGE)


def addresses(redis: str | None, qdrant: str | None, kafka: str | None, prefix: str) -> Addresses:
    """All servers of the production mode. Fails where one is not named."""
    missing = [
        option
        for option, given in (("--redis", redis), ("--qdrant", qdrant), ("--kafka", kafka))
        if not given
    ]
    if redis is None or qdrant is None or kafka is None or missing:
        fail(f"name the servers: {', '.join(missing)} (or STET_REDIS, STET_QDRANT, STET_KAFKA)", Exit.USAGE)
    return Addresses(redis, qdrant, brokers(kafka, prefix))


def brokers(kafka: str, prefix: str) -> Kafka:
    return Kafka(kafka, Topics.prefixed(prefix))
