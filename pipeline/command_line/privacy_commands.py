"""`stet forget`: takes everything that was said by or about a subject out of the stores."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.command_line.auditing import Act, audited
from pipeline.command_line.failures import Exit, fail, told, warn
from pipeline.command_line.options import (
    HERE,
    AuditLog,
    DataDir,
    Json,
    KafkaBrokers,
    QdrantUrl,
    RedisUrl,
    Tenant,
    TopicPrefix,
)
from pipeline.command_line.output import print_json
from pipeline.command_line.terminal import clean
from query_service.unknown_subject import UnknownSubject
from state.forget_receipt import Receipt
from state.model import Subject

if TYPE_CHECKING:
    from pipeline.embedded import Embedded

AFTER_STOP = "what is removed stays removed; the rest goes when the folder is next opened"
AFTER_STOP_ON_SERVERS = "what is written down is done by a worker, whether this command waits or not"


def forget(
    subject: Annotated[str, typer.Argument(help="Whom or what to forget.")],
    message: Annotated[
        list[str] | None, typer.Option("--message", help="Only this message, by id; may be repeated.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    tenant: Tenant = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="On servers: until a worker has done it.")
    ] = True,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=0, help="Seconds to wait for a worker at most.")
    ] = 120.0,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Removes all of a subject from the data folder or the servers, for good, and says what was removed; with
    --message, only what was said in it and drawn from it."""
    if redis is None:
        with told(AFTER_STOP), audited("delete", "forget", audit_log) as act:
            if kafka is not None:
                fail("--kafka and --qdrant go with --redis: name all three, or none", Exit.USAGE)
            messages = tuple(dict.fromkeys(message or ()))
            _tell(_in_folder(subject, messages, yes, data_dir, tenant, act), as_json, {}, messages)
        return
    with told(AFTER_STOP_ON_SERVERS), audited("delete", "forget", audit_log) as act:
        if message:
            fail(
                "--message is for data folders; on servers, delete it with DELETE or an op delete", Exit.USAGE
            )
        from pipeline.command_line.forgetting_servers import Asked, forget_on_servers
        from pipeline.command_line.opening import addresses

        of = addresses(redis, qdrant, kafka, topic_prefix)
        if tenant is None:
            fail("name the tenant: --tenant (or STET_TENANT)", Exit.USAGE)
        whom = act.about(Subject(tenant, subject))
        if not yes:
            _ask_whether(whom)
        done = forget_on_servers(Asked(of, whom, time_limit if wait else None))
        if done is None:
            act.tell(done=False)
            written = {"tenant": tenant, "subject": subject, "done": False}
            print_json(written) if as_json else print("written down: a worker forgets it when it comes to it")
            return
        where = {"partition": done.partition, "before_offset": done.offset}
        kept = {"kafka_keeps": {"topic": of.kafka.topics.messages if of.kafka else "", **where}}
        _tell(done.receipt, as_json, kept)
        if not as_json:
            print(
                f"Kafka keeps what was said until its retention ends: partition {done.partition} of "
                f"{kept['kafka_keeps']['topic']}, below offset {done.offset} (deploy/README.md, Privacy)"
            )


def _in_folder(
    subject: str, messages: tuple[str, ...], yes: bool, data_dir: Path, tenant: str | None, act: Act
) -> Receipt:
    from pipeline.command_line.tenancy import tenant_of
    from pipeline.embedded import Embedded

    with Embedded.open(data_dir) as stet:
        # A tenant that is named need not be known: all of its records may have been rejected.
        whom = act.about(Subject(tenant or tenant_of(stet, None), subject))
        if not yes:
            _ask_whether(whom, len(messages))
        if messages:
            act.tell(messages=len(messages))
            return _messages_forgotten(stet, whom, messages)
        return stet.forget(whom, warn)


def _messages_forgotten(stet: "Embedded", whom: Subject, messages: tuple[str, ...]) -> Receipt:
    from pipeline.forgetting import ImpossibleMessage

    try:
        receipt = stet.forget_messages({whom: messages}, warn).receipt(whom.tenant, whom.name)
    except ImpossibleMessage as error:
        fail(f"no message can have this id ({error})", Exit.USAGE)
    if receipt.is_empty:
        fail(f"no such message of {whom.name} was found; should it come, it is not kept", Exit.UNKNOWN)
    return receipt


def _tell(receipt: Receipt, as_json: bool, more: dict[str, Any], messages: tuple[str, ...] = ()) -> None:
    if receipt.is_empty:
        raise UnknownSubject(receipt.subject)
    if as_json:
        print_json({**asdict(receipt), **more})
        return
    what = f"messages {', '.join(messages)} of {receipt.subject}" if messages else receipt.subject
    print(clean(f"forgotten: {what} (tenant {receipt.tenant})"))
    for name, count in asdict(receipt).items():
        if isinstance(count, int) and not (more and name in _OF_FOLDERS):
            print(f"  {count:>9,}  {_NAMED.get(name, name)}")


_OF_FOLDERS = ("records", "rejected")
_NAMED = {
    "records": "records of the message log, edits and repetitions included",
    "rejected": "records of the rejected stream",
    "answers": "answers of a model",
}


def _ask_whether(whom: Subject, messages: int = 0) -> None:
    if not sys.stdin.isatty():
        fail("this cannot be undone: give --yes", Exit.USAGE)
    what = f"{messages} messages" if messages else "all"
    typer.confirm(f"Remove {what} of {whom.name} (tenant {whom.tenant}) for good?", abort=True)
