"""`stet ask` and `stet answer`: the commands that answer questions."""

from typing import Annotated

import typer

from pipeline.command_line.auditing import audited
from pipeline.command_line.failures import Exit, check_input, fail, told
from pipeline.command_line.options import (
    HERE,
    AsOf,
    AuditLog,
    DataDir,
    Json,
    KnownAt,
    QdrantUrl,
    RedisUrl,
    Tenant,
    moment,
)
from pipeline.command_line.output import print_json
from state.model import Subject

Whom = Annotated[str | None, typer.Argument(help="Whom or what the question is about.")]
Asked = Annotated[str | None, typer.Argument(help="The question.")]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch", help="JSONL rows {subject, question, as_of?, budget?, qid?}; - is standard input."
    ),
]
Budget = Annotated[int | None, typer.Option("--budget", min=1, help="Tokens of the context.")]


def ask(
    subject: Whom = None,
    question: Asked = None,
    batch: Batch = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    budget: Budget = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Answers a question with the evidence that stands, and the paths that prove it."""
    with told(), audited("read", "ask", audit_log) as act:
        from pipeline.command_line.answers import answer_json, answer_text
        from pipeline.command_line.ask_batch import asking
        from pipeline.command_line.batch import answer_file
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import of_row, opened_asker, tenant_of

        at, known = moment("--as-of", as_of), moment("--known-at", known_at)
        _check(subject, question, batch)
        with opened(data_dir, redis, qdrant) as stet:
            asker = opened_asker(stet)
            if batch is not None:
                answer_file(batch, asking(asker, lambda one: act.one_of_many(of_row(stet, one, tenant))))
                return
            whom = act.about(Subject(tenant_of(stet, tenant), subject or ""))
            answer = asker.ask(whom, question or "", as_of=at, known_at=known, budget=budget)
            if as_json:
                print_json(answer_json(answer))
            else:
                print(answer_text(answer, stet.graph, whom))


def answer(
    subject: Whom = None,
    question: Asked = None,
    batch: Batch = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    budget: Budget = None,
    stream: Annotated[bool, typer.Option("--stream", help="Print it while it is written.")] = False,
    with_context: Annotated[
        bool, typer.Option("--context", help="With --json or --batch, the text that it is drawn from too.")
    ] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Answers a question in words, by the model that STET_LLM names, citing messages."""
    with told(), audited("read", "answer", audit_log) as act:
        from pipeline.command_line.answer_batch import answering
        from pipeline.command_line.answering import needed_model
        from pipeline.command_line.batch import answer_file
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import of_row, opened_asker, tenant_of
        from pipeline.command_line.written_answer import WrittenText, written_json
        from query_service.answer import Answerer, Inquiry

        at, known = moment("--as-of", as_of), moment("--known-at", known_at)
        _check(subject, question, batch)
        if batch is not None and stream:
            fail("--stream is for one question: leave it out with --batch", Exit.USAGE)
        with opened(data_dir, redis, qdrant) as stet, needed_model(stet) as model:
            answerer = Answerer(opened_asker(stet), model)
            if batch is not None:
                whose = lambda one: act.one_of_many(of_row(stet, one, tenant))  # noqa: E731
                answer_file(batch, answering(answerer, whose, with_context))
                return
            whom = act.about(Subject(tenant_of(stet, tenant), subject or ""))
            inquiry = Inquiry(whom, question or "", at, known, budget)
            text = WrittenText(stet.graph, whom)
            for piece in answerer.stream(inquiry) if stream else [answerer.answer(inquiry)]:
                if isinstance(piece, str):
                    _piece(piece, as_json)
                elif as_json:
                    print_json(written_json(piece, with_context))
                else:
                    print(text.after_stream(piece) if stream else text.whole(piece))


def _piece(piece: str, as_json: bool) -> None:
    from pipeline.command_line.terminal import clean

    if as_json:
        print_json({"token": piece})
    else:
        print("\n".join(map(clean, piece.split("\n"))), end="", flush=True)


def _check(subject: str | None, question: str | None, batch: str | None) -> None:
    """Fails unless there is one question, or a file of them that can be read."""
    if question is not None and not question.strip():
        fail("the question is empty", Exit.USAGE)
    with_question = subject is not None and question is not None
    if (batch is None) != with_question:
        fail("give SUBJECT and QUESTION, or --batch FILE", Exit.USAGE)
    if batch is not None:
        check_input(batch)


def cost(
    since: Annotated[
        str | None, typer.Option("--since", help="From this day (UTC) on; without it, the last 30 days.")
    ] = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    as_json: Json = False,
) -> None:
    """What calls to a model took: calls and tokens by tenant, purpose and model."""
    with told():
        from pipeline.command_line.costs import costs, costs_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of

        first = moment("--since", since)
        with opened(data_dir, redis) as stet:
            tenants = [tenant_of(stet, tenant)] if tenant is not None else list(stet.graph.tenants())
            found = costs(stet.client, tenants, first.date() if first is not None else None)
        if as_json:
            print_json(found.as_json())
        else:
            print(costs_text(found))
