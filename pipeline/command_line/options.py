"""The options that several commands share."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from operators.moments import parse_moment
from pipeline.command_line.failures import Exit, fail

DataDir = Annotated[
    Path, typer.Option("--data-dir", envvar="STET_DATA_DIR", help="The data folder.", show_default=True)
]
Tenant = Annotated[
    str | None,
    typer.Option(
        "--tenant", envvar="STET_TENANT", help="The tenant; optional where the folder has one only."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for machines.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="What held at this time: 2026-03-05T12:00:00Z or 2026-03-05.")
]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="What had been recorded by this time.")]
EncoderName = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        envvar="STET_ENCODER",
        help="Encoder of a new data folder: minilm (default), a name or a path.",
    ),
]
RedisUrl = Annotated[
    str | None,
    typer.Option(
        "--redis", envvar="STET_REDIS", help="Redis or Redis Cluster, instead of a data folder: redis://host."
    ),
]
QdrantUrl = Annotated[
    str | None, typer.Option("--qdrant", envvar="STET_QDRANT", help="Qdrant, with --redis: http://host:6333.")
]
KafkaBrokers = Annotated[
    str | None, typer.Option("--kafka", envvar="STET_KAFKA", help="Kafka brokers: host:9092,host:9092.")
]
TopicPrefix = Annotated[
    str,
    typer.Option(
        "--topic-prefix", envvar="STET_TOPIC_PREFIX", help="Put before the names of the Kafka topics."
    ),
]
AuditLog = Annotated[
    Path | None,
    typer.Option(
        "--audit-log",
        envvar="STET_AUDIT_LOG",
        help="File that tells who read, wrote, deleted or changed keys, as JSON lines; - is standard output "
        "(of commands that answer there, standard error).",
    ),
]
HERE = Path(".stet")


def moment(option: str, text: str | None) -> datetime | None:
    """The time of an option. Fails with the usage code where it is none."""
    if text is None:
        return None
    try:
        return parse_moment(text)
    except ValueError as error:
        fail(f"{option}: {error}", Exit.USAGE)
