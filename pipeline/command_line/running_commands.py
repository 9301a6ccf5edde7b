"""`stet serve` and `stet worker`: the commands that run until they are stopped."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.command_line.failures import Exit, fail, told
from pipeline.command_line.options import (
    HERE,
    AuditLog,
    DataDir,
    EncoderName,
    KafkaBrokers,
    QdrantUrl,
    RedisUrl,
    Tenant,
    TopicPrefix,
)


def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8080,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    encoder: EncoderName = None,
    tenant: Tenant = None,
    behind_gateway: Annotated[
        bool,
        typer.Option("--behind-gateway", help="Believe every request: a gateway has authenticated it."),
    ] = False,
    audit_log: AuditLog = None,
) -> None:
    """The query service over HTTP; it also takes messages. The explorer is at /explore."""
    with told():
        from pipeline.command_line.serving_access import Serving

        of = Serving(host, port, tenant, behind_gateway, audit_log)
        if redis is None:
            if kafka is not None or qdrant is not None:
                fail("--kafka and --qdrant go with --redis: name all three, or none", Exit.USAGE)
            from pipeline.command_line.serving import serve as run

            run(data_dir, encoder, of)
        else:
            from pipeline.command_line.opening import addresses
            from pipeline.command_line.serving_servers import serve as run_on_servers

            run_on_servers(addresses(redis, qdrant, kafka, topic_prefix), encoder, of)


def worker(
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    recovery_dir: Annotated[
        Path, typer.Option("--recovery-dir", envvar="STET_RECOVERY_DIR", help="All processes share it.")
    ] = Path(".stet-worker"),
    recovery_partitions: Annotated[
        int,
        typer.Option(
            "--recovery-partitions",
            min=1,
            max=1024,
            help="Of a new folder; the most processes.",
        ),
    ] = 16,
    partitions: Annotated[
        int, typer.Option("--partitions", min=1, max=1024, help="Partitions of a topic that has to be made.")
    ] = 16,
    processes: Annotated[
        int, typer.Option("--processes", min=1, max=256, help="How many to run on this host, and watch.")
    ] = 1,
    addresses: Annotated[
        str, typer.Option("--addresses", help="Of all processes, in one order: host:port,host:port.")
    ] = "",
    process_id: Annotated[int, typer.Option("--process-id", min=0, help="Which of them this is.")] = 0,
    health_host: Annotated[str, typer.Option("--health-host")] = "127.0.0.1",
    health_port: Annotated[
        int, typer.Option("--health-port", min=0, max=65535, help="/healthz, /readyz and /metrics.")
    ] = 9090,
    to_end: Annotated[bool, typer.Option("--to-end", help="Stop at what the topic holds now.")] = False,
    encoder: EncoderName = None,
    follow_stdin: Annotated[bool, typer.Option("--follow-stdin", hidden=True)] = False,
) -> None:
    """The dataflow on Kafka, Redis and Qdrant servers. SIGTERM stops it in order."""
    with told():
        from pipeline.command_line.opening import addresses as servers
        from pipeline.command_line.working import Health, Set, work, work_together
        from pipeline.worker import Settings

        if processes > 1 and addresses:
            fail("give --processes for one host, or --addresses and --process-id for several", Exit.USAGE)
        health = Health(health_host, health_port)
        named = tuple(filter(None, addresses.split(",")))
        settings = Settings(recovery_dir, recovery_partitions, partitions, named, process_id, to_end)
        of = servers(redis, qdrant, kafka, topic_prefix)
        if processes > 1:
            work_together(Set(processes, of, settings, encoder, health))
        else:
            work(of, settings, encoder, health, follow_stdin)
