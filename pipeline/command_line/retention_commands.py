"""`stet retain`: deletes what a tenant keeps no longer, by age."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

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

AFTER_STOP = "give the same command again to finish"
_BATCH = 500


def retain(
    days: Annotated[int, typer.Option("--days", min=0, help="How many days messages are kept.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    qdrant: QdrantUrl = None,
    kafka: KafkaBrokers = None,
    topic_prefix: TopicPrefix = "",
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Deletes the tenant's messages that are older, and what was drawn from them. May be repeated."""
    with told(AFTER_STOP), audited("read" if dry_run else "delete", "retain", audit_log) as act:
        if tenant is None:
            fail("name the tenant: --tenant (or STET_TENANT)", Exit.USAGE)
        act.of(tenant)
        act.tell(days=days)
        if redis is None:
            if kafka is not None:
                fail("--kafka and --qdrant go with --redis: name all three, or none", Exit.USAGE)
            result = _in_folder(data_dir, tenant, days, dry_run, act)
        else:
            from pipeline.command_line.opening import addresses

            at = addresses(redis, qdrant, kafka, topic_prefix)
            result = _on_servers(at, tenant, days, dry_run, act)
        if as_json:
            print_json({"tenant": tenant, "days": days, "dry_run": dry_run, **result})
            return
        print(f"tenant {clean(tenant)}, older than {days} days{' (nothing is deleted)' if dry_run else ''}:")
        for name, count in result.items():
            print(f"  {count:>9,}  {name}")


def _in_folder(data_dir: Path, tenant: str, days: int, dry_run: bool, act: Act) -> dict[str, Any]:
    """Down to the bytes of every file."""
    from pipeline.embedded import Embedded
    from pipeline.forgetting import forget_rejected
    from pipeline.retention import older_messages, older_rejected
    from pipeline.running import utc_now

    with Embedded.open(data_dir) as stet:
        before = utc_now() - timedelta(days=days)
        found = older_messages(stet.graph, tenant, before)
        is_only = set(stet.graph.tenants()) <= {tenant}
        refused = older_rejected(stet.rejected.records(with_replayed=True), tenant, before, is_only)
        if refused.nobodys:
            warn(
                f"{refused.nobodys} older rejected records name no tenant that can be read, and stay "
                f"({stet.folder.rejected})"
            )
        counts = {"subjects": len(found), "messages": sum(map(len, found.values()))}
        if dry_run:
            return {**counts, "rejected": len(refused.theirs)}
        act.deletes_of(found)
        erased = forget_rejected(stet.log, stet.rejected, refused.theirs) if refused.theirs else 0
        if not found:
            return {**counts, "rejected": erased}
        removed = stet.forget_messages(found, warn).receipt(tenant, "")
    more = {name: getattr(removed, name) for name in ("events", "edges", "notes", "answers", "records")}
    return {**counts, **more, "rejected": erased + removed.rejected}


def _on_servers(at: Any, tenant: str, days: int, dry_run: bool, act: Act) -> dict[str, Any]:
    """A worker deletes them when it comes to them."""
    from pipeline.kafka_feed import message_records
    from pipeline.kafka_settings import ensure_topics
    from pipeline.retention import deletions, older_messages
    from pipeline.running import utc_now
    from pipeline.servers import Servers

    with Servers.open(at) as servers:
        now = utc_now()
        found = older_messages(servers.graph, tenant, now - timedelta(days=days))
        counts = {"subjects": len(found), "messages": sum(map(len, found.values()))}
        if found and not dry_run:
            act.deletes_of(found)
            ensure_topics(servers.kafka)
            records = message_records(deletions(found, now), servers.kafka.topics.messages)
            for first in range(0, len(records), _BATCH):
                servers.producer.send(records[first : first + _BATCH])
            warn("written down in Kafka; a worker deletes them when it comes to them")
    return counts
