"""`stet mcp`: the tools for agents, over standard input and output."""

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
    TopicPrefix,
)
from query_service.caller import ANYTHING, Scope


def mcp(
    tenant: Annotated[
        str | None,
        typer.Option(
            "--tenant",
            envvar="STET_TENANT",
            help="Whose memory the tools work on; optional where the folder has one tenant only.",
        ),
    ] = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    encoder: EncoderName = None,
    audit_log: AuditLog = None,
    scope: Annotated[
        list[Scope] | None,
        typer.Option("--scope", help="What the agent may do, repeated for several; without it, everything."),
    ] = None,
) -> None:
    """An MCP server for agents over standard input and output; `stet serve` has the same tools at /mcp."""
    scopes = frozenset(scope) if scope else ANYTHING
    with told():
        if redis is None:
            if kafka is not None or qdrant is not None:
                fail("--kafka and --qdrant go with --redis: name all three, or none", Exit.USAGE)
            from pipeline.command_line.mcp_serving import Agent, serve_folder

            serve_folder(data_dir, encoder, Agent(tenant, scopes, audit_log))
        else:
            from pipeline.command_line.mcp_serving import Agent, serve_servers
            from pipeline.command_line.opening import addresses

            serve_servers(
                addresses(redis, qdrant, kafka, topic_prefix), encoder, Agent(tenant, scopes, audit_log)
            )
