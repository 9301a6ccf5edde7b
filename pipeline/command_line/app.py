"""The command line, `stet`: the one place that sees both the pipeline and the query service (DESIGN §7)."""

import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.command_line.agent_commands import mcp
from pipeline.command_line.failures import Exit, check_input, fail, told
from pipeline.command_line.forest_commands import context, forest
from pipeline.command_line.key_commands import keys
from pipeline.command_line.model_commands import redistill, waiting
from pipeline.command_line.options import (
    HERE,
    AsOf,
    AuditLog,
    DataDir,
    EncoderName,
    Json,
    KafkaBrokers,
    QdrantUrl,
    RedisUrl,
    Tenant,
    TopicPrefix,
    moment,
)
from pipeline.command_line.output import Commands, print_json
from pipeline.command_line.privacy_commands import forget
from pipeline.command_line.question_commands import answer, ask, cost
from pipeline.command_line.retention_commands import retain
from pipeline.command_line.stopping import when_ready
from state.model import Subject

app = typer.Typer(
    name="stet",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

# Set before the encoder's libraries are imported: their bars and notes are not this command's output.
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
RESUMES = "nothing is lost: give the same command again to finish"


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"stet {version('stet-memory')}")
        raise typer.Exit


@app.callback()
def stet(
    told_version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Conversation memory that knows which facts still stand."""


@app.command()
def ingest(
    file: Annotated[str, typer.Argument(help="JSONL messages, plain or gzipped; - reads standard input.")],
    data_dir: DataDir = HERE,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    encoder: EncoderName = None,
    as_json: Json = False,
) -> None:
    """Takes a file of messages through the whole dataflow, to its end; with --kafka, writes it to Kafka."""
    if kafka is not None:
        with told():
            from pipeline.command_line.feeding import feed

            feed(file, kafka, topic_prefix, as_json)
        return
    with told(after_stop=RESUMES):
        from operators.llm.endpoint import endpoint_from
        from pipeline.command_line.notices import ready_to_write
        from pipeline.command_line.progress import showing
        from pipeline.embedded import Embedded
        from pipeline.ingest import append_all, message_records, process

        check_input(file)
        endpoint_from(os.environ)  # what is wrong with it shows before anything is read
        begun = time.monotonic()
        with Embedded.open(data_dir, encoder=encoder, create=True) as stet, showing(not as_json) as progress:
            ready_to_write(stet)
            appended = append_all(stet, message_records(file, progress))
            with when_ready() as stop:
                summary = process(stet, appended, progress, begun, stop)
            stop.settle()
        _tell(summary, as_json)
        if not summary.messages:
            fail(f"{file} has no message that could be read", Exit.NOTHING_READ)


@app.command("replay-rejected")
def replay_rejected(
    data_dir: DataDir = HERE,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    as_json: Json = False,
) -> None:
    """Feeds the rejected records again, after what was wrong has been put right."""
    if kafka is not None:
        with told():
            from pipeline.command_line.feeding import feed_again

            feed_again(kafka, topic_prefix, as_json)
        return
    with told(after_stop=RESUMES):
        from pipeline.command_line.notices import ready_to_write
        from pipeline.command_line.progress import showing
        from pipeline.embedded import Embedded
        from pipeline.ingest import process

        begun = time.monotonic()
        with Embedded.open(data_dir) as stet, showing(not as_json) as progress:
            ready_to_write(stet)
            with when_ready() as stop:
                appended = stet.rejected.replay(stet.append)
                summary = process(stet, appended, progress, begun, stop)
            stop.settle()
        _tell(summary, as_json)


def _tell(summary: Any, as_json: bool) -> None:
    from pipeline.command_line.answers import summary_text

    if as_json:
        print_json(summary.as_json())
    else:
        print(summary_text(summary))


@app.command("repair-notes")
def repair_notes(
    data_dir: DataDir = HERE, redis: RedisUrl = None, qdrant: QdrantUrl = None, as_json: Json = False
) -> None:
    """Makes notes again that were lost, or that a backup lacks. No worker should run meanwhile."""
    with told(after_stop=RESUMES):
        from pipeline.command_line.opening import opened
        from pipeline.command_line.progress import showing
        from pipeline.note_repair import make_missing_notes

        with opened(data_dir, redis, qdrant) as stet, showing(not as_json) as progress:
            made = make_missing_notes(stet, lambda part: progress("subjects", part))
        if as_json:
            print_json({"made": made})
        else:
            print(f"{made:,} notes made again")


app.command()(ask)
app.command()(answer)
app.command()(context)
app.command()(forest)
app.command()(cost)
app.command()(forget)
app.command()(retain)
app.command()(mcp)
app.command()(waiting)
app.command()(redistill)
app.add_typer(keys, name="keys")


@app.command()
def state(
    subject: Annotated[str, typer.Argument(help="Whose facts.")],
    as_of: AsOf = None,
    history: Annotated[bool, typer.Option("--history", help="Also what was replaced, and by what.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Also the events' ids, for `stet why`.")] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    as_json: Json = False,
) -> None:
    """The facts that stand, grouped by what they are about."""
    with told():
        from pipeline.command_line.answers import plain, state_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.running import utc_now
        from query_service.ask import UnknownSubject
        from query_service.state_view import view_state

        at = moment("--as-of", as_of)
        with opened(data_dir, redis) as stet:
            view = stet.graph.everything(Subject(tenant_of(stet, tenant), subject))
        if view is None:
            raise UnknownSubject(subject)
        shown = view_state(view, at or utc_now(), history)
        if as_json:
            print_json(plain(shown))
        else:
            print(state_text(shown, ids=ids))


@app.command()
def why(
    event: Annotated[str, typer.Argument(help="An event's id, as state, ask and export give it.")],
    as_of: AsOf = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    as_json: Json = False,
) -> None:
    """Why an event stands or does not, step by step, and what depends on it."""
    with told():
        from pipeline.command_line.answers import plain, why_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.running import utc_now
        from query_service.why import explain_event

        at = moment("--as-of", as_of)
        with opened(data_dir, redis) as stet:
            whose = tenant_of(stet, tenant)
            subject = stet.graph.subject_of_event(whose, event)
            shown = subject and explain_event(stet.graph, subject, event, at or utc_now())
        if not shown:
            fail(f"the tenant {whose} has no event {event}", Exit.UNKNOWN)
        if as_json:
            print_json(plain(shown))
        else:
            print(why_text(shown))


@app.command()
def export(
    subject: Annotated[
        str | None, typer.Argument(help="One subject; all of the tenant's without it.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Give `valid` as of this time, not of the newest message.")
    ] = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
) -> None:
    """Everything as canonical JSON lines: equal graphs give equal bytes."""
    with told():
        from operators.rows import merged, rows
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from query_service.ask import UnknownSubject

        at = moment("--as-of", as_of)
        out = sys.stdout.buffer
        with opened(data_dir, redis) as stet:
            whose = tenant_of(stet, tenant)
            subjects = [Subject(whose, subject)] if subject is not None else stet.graph.subjects(whose)
            views = [view for one in subjects if (view := stet.graph.everything(one)) is not None]
        if subject is not None and not views:
            raise UnknownSubject(subject)
        for row in merged(rows(view, at) for view in views):
            out.write(row.line().encode() + b"\n")
        out.flush()


@app.command()
def subjects(
    data_dir: DataDir = HERE, redis: RedisUrl = None, tenant: Tenant = None, as_json: Json = False
) -> None:
    """The subjects of the tenant, and the tenants there are."""
    with told():
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of

        with opened(data_dir, redis) as stet:
            tenants = list(stet.graph.tenants())
            whose = tenant_of(stet, tenant)
            names = [subject.name for subject in stet.graph.subjects(whose)]
        if as_json:
            print_json({"tenant": whose, "tenants": tenants, "subjects": names})
        else:
            print("\n".join(names))


@app.command()
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


@app.command()
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


if __name__ == "__main__":
    app()
