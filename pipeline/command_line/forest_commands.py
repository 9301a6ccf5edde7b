"""`stet context` and `stet forest`: the commands about topics."""

from typing import Annotated

import typer

from pipeline.command_line.auditing import audited
from pipeline.command_line.failures import Exit, check_input, fail, told
from pipeline.command_line.options import HERE, AuditLog, DataDir, Json, QdrantUrl, RedisUrl, Tenant
from pipeline.command_line.output import print_json
from state.model import Subject


def context(
    subject: Annotated[str | None, typer.Argument(help="Whose conversation goes on.")] = None,
    message: Annotated[str | None, typer.Argument(help="What is said next; it is not stored.")] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch",
            help="JSONL rows {subject, message, conversation?, budget?, qid?}; - is standard input.",
        ),
    ] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="Which one; else the one spoken in last.")
    ] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help="Tokens of the context.")] = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """What the next turn of a conversation needs: its path, other topics in brief, and what stands."""
    with told(), audited("read", "context", audit_log) as act:
        from pipeline.command_line.answers import plain
        from pipeline.command_line.batch import answer_file
        from pipeline.command_line.context_batch import selecting
        from pipeline.command_line.forest_text import context_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import of_row, tenant_of
        from pipeline.running import utc_now
        from query_service.next_turn import NextTurn

        if message is not None and not message.strip():
            fail("the message is empty", Exit.USAGE)
        if (batch is None) != (subject is not None and message is not None):
            fail("give SUBJECT and MESSAGE, or --batch FILE", Exit.USAGE)
        if batch is not None:
            check_input(batch)
        with opened(data_dir, redis, qdrant) as stet:
            turns = NextTurn(stet.graph, stet.notes, stet.encoder, utc_now)
            if batch is not None:
                whose = lambda one: act.one_of_many(of_row(stet, one, tenant))  # noqa: E731
                answer_file(batch, selecting(turns, whose))
                return
            whom = act.about(Subject(tenant_of(stet, tenant), subject or ""))
            found = turns.context(whom, message or "", budget, conversation)
        if as_json:
            print_json(plain(found))
        else:
            print(context_text(found))


def forest(
    subject: Annotated[str, typer.Argument(help="Whose topics.")],
    topics: Annotated[int, typer.Option("--topics", min=1, max=200, help="So many, latest first.")] = 20,
    turns: Annotated[int, typer.Option("--turns", min=1, max=500, help="So many of each, the last.")] = 60,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """The topics of a subject as trees: how they branch, where they are taken up again, what they mention."""
    with told(), audited("read", "forest", audit_log) as act:
        from pipeline.command_line.answers import plain
        from pipeline.command_line.forest_text import forest_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from query_service.forest_view import view_forest
        from query_service.unknown_subject import UnknownSubject

        with opened(data_dir, redis) as stet:
            whom = act.about(Subject(tenant_of(stet, tenant), subject))
            view = view_forest(stet.graph, whom, topics, turns)
        if view is None:
            raise UnknownSubject(subject)
        if as_json:
            print_json(plain(view))
        else:
            print(forest_text(view))
