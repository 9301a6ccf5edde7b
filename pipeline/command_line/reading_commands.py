"""`stet state`, `stet why`, `stet export` and `stet subjects`: the commands that show what is kept."""

import sys
from typing import Annotated

import typer

from pipeline.command_line.auditing import audited
from pipeline.command_line.failures import Exit, fail, told, warn
from pipeline.command_line.options import HERE, AsOf, AuditLog, DataDir, Json, RedisUrl, Tenant, moment
from pipeline.command_line.output import print_json
from pipeline.command_line.terminal import clean
from state.model import Subject


def state(
    subject: Annotated[str, typer.Argument(help="Whose facts.")],
    as_of: AsOf = None,
    history: Annotated[bool, typer.Option("--history", help="Also what was replaced, and by what.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="Also the events' ids, for `stet why`.")] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """The facts that stand, grouped by what they are about."""
    with told(), audited("read", "state", audit_log) as act:
        from pipeline.command_line.answers import plain, state_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.running import utc_now
        from query_service.state_view import view_state
        from query_service.unknown_subject import UnknownSubject

        at = moment("--as-of", as_of)
        with opened(data_dir, redis) as stet:
            view = stet.graph.everything(act.about(Subject(tenant_of(stet, tenant), subject)))
        if view is None:
            raise UnknownSubject(subject)
        shown = view_state(view, at or utc_now(), history)
        if as_json:
            print_json(plain(shown))
        else:
            print(state_text(shown, ids=ids))


def why(
    event: Annotated[str, typer.Argument(help="An event's id, as state, ask and export give it.")],
    as_of: AsOf = None,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """Why an event stands or does not, step by step, and what depends on it."""
    with told(), audited("read", "why", audit_log) as act:
        from pipeline.command_line.answers import plain, why_text
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.running import utc_now
        from query_service.why import explain_event

        at = moment("--as-of", as_of)
        with opened(data_dir, redis) as stet:
            whose = act.of(tenant_of(stet, tenant))
            subject = stet.graph.subject_of_event(whose, event)
            shown = subject and explain_event(stet.graph, act.about(subject), event, at or utc_now())
        if not shown:
            fail(f"the tenant {whose} has no event {event}", Exit.UNKNOWN)
        act.tell(event=event)
        if as_json:
            print_json(plain(shown))
        else:
            print(why_text(shown))


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
    audit_log: AuditLog = None,
) -> None:
    """Everything as canonical JSON lines: equal graphs give equal bytes."""
    with told(), audited("read", "export", audit_log) as act:
        from operators.rows import merged, rows
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from query_service.unknown_subject import UnknownSubject

        at = moment("--as-of", as_of)
        out = sys.stdout.buffer
        with opened(data_dir, redis) as stet:
            whose = act.of(tenant_of(stet, tenant))
            subjects = (
                [act.about(Subject(whose, subject))] if subject is not None else stet.graph.subjects(whose)
            )
            views = [view for one in subjects if (view := stet.graph.everything(one)) is not None]
        if subject is not None and not views:
            raise UnknownSubject(subject)
        for row in merged(rows(view, at) for view in views):
            out.write(row.line().encode() + b"\n")
        out.flush()


def subjects(
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """The subjects of a tenant. Where there are several tenants and none is named, the tenants instead."""
    with told(), audited("read", "subjects", audit_log) as act:
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of

        with opened(data_dir, redis) as stet:
            tenants = list(stet.graph.tenants())
            whose = None if tenant is None and len(tenants) > 1 else act.of(tenant_of(stet, tenant))
            names = [] if whose is None else [subject.name for subject in stet.graph.subjects(whose)]
        if as_json:
            print_json({"tenant": whose, "tenants": tenants, "subjects": names})
        elif whose is None:
            warn("several tenants are here: name one with --tenant to see its subjects")
            print("\n".join(f"tenant {clean(one)}" for one in tenants))
        else:
            print("\n".join(map(clean, names)))
