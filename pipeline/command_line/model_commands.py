"""`stet waiting` and `stet redistill`: what a model has still to be asked about, and asking it anew."""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from pipeline.command_line.auditing import audited
from pipeline.command_line.failures import Exit, fail, told
from pipeline.command_line.options import HERE, AuditLog, DataDir, Json, RedisUrl, Tenant
from pipeline.command_line.output import print_json
from pipeline.command_line.stopping import when_ready
from state.model import Subject

_RESUMES = "nothing is lost: give the same command again to go on"


def waiting(
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    audit_log: AuditLog = None,
    as_json: Json = False,
) -> None:
    """How many turns wait for a model's answer, and why some were asked about in vain."""
    with told(), audited("read", "waiting", audit_log) as act:
        from pipeline.command_line.opening import opened
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.command_line.terminal import clean
        from state.waiting import Waiting

        with opened(data_dir, redis) as stet:
            whose = act.of(tenant_of(stet, tenant))
            store = Waiting(stet.client)
            subjects = [subject for subject in store.subjects() if subject.tenant == whose]
            total = store.counts(subjects)
            each = [(subject.name, store.counts([subject])) for subject in subjects]
        rows = [
            {"subject": name, "waiting": counts.waiting, "parked": dict(counts.parked)}
            for name, counts in each
            if counts.waiting
        ]
        if as_json:
            shown = {"waiting": total.waiting, "parked": dict(total.parked), "subjects": rows}
            print_json({"tenant": whose, **shown})
        else:
            verb = "turn waits" if total.waiting == 1 else "turns wait"
            print(f"{total.waiting:,} {verb}{_reasons(total.parked)}")
            for name, counts in each:
                if counts.waiting:
                    print(f"  {clean(name)}: {counts.waiting:,}{_reasons(counts.parked)}")


def _reasons(parked: object) -> str:
    listed = ", ".join(f"{reason} {count:,}" for reason, count in dict(parked).items())  # type: ignore[call-overload]
    return f" (parked: {listed})" if listed else ""


def redistill(
    subject: Annotated[str | None, typer.Argument(help="Whose turns.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All subjects of the tenant.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Ask the model without asking you first.")] = False,
    data_dir: DataDir = HERE,
    redis: RedisUrl = None,
    tenant: Tenant = None,
    as_json: Json = False,
) -> None:
    """Has the model asked about all turns that it did not answer under its name and the newest prompts.

    Says first what that would take. On servers (--redis) the turns are marked, and a worker asks about them.
    """
    with told(after_stop=_RESUMES):
        from operators.llm.endpoint import endpoint_from
        from operators.model_reader import ModelReader
        from pipeline.by_rules import in_words
        from pipeline.command_line.answering import NO_MODEL
        from pipeline.command_line.opening import opened
        from pipeline.command_line.progress import showing
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.embedded import Embedded
        from pipeline.ingest import process
        from pipeline.redistill import estimate, lacking, mark
        from pipeline.running import RULES

        if (subject is None) != every:
            fail("give SUBJECT, or --all", Exit.USAGE)
        endpoint = endpoint_from(os.environ)
        if endpoint is None:
            fail(NO_MODEL, Exit.USAGE)
        with opened(data_dir, redis) as stet, showing(not as_json) as progress:
            subjects = _chosen(stet.graph.subjects(tenant_of(stet, tenant)), subject)
            reader = ModelReader(endpoint.model)
            found = list(lacking(stet.graph, stet.client, subjects, reader, RULES.decider))
            takes = estimate(found)
            _agreed(asdict(takes), yes, as_json)
            mark(stet.client, found)
            if not takes.turns or not isinstance(stet, Embedded):
                if takes.turns:
                    print(
                        "a worker that STET_LLM is set for asks about them within half a minute",
                        file=sys.stderr,
                    )
                if as_json:
                    print_json({"estimate": asdict(takes)})
                return
            with when_ready() as stop:
                summary = process(stet, 0, progress, time.monotonic(), stop)
            stop.settle()
        if as_json:
            print_json({"estimate": asdict(takes), "result": summary.as_json()})
        elif summary.waiting is not None:
            print(f"{summary.waiting.waiting:,} turns wait still{_reasons(summary.waiting.parked)}")
            if summary.by_rules:
                turns, reasons = in_words(summary.by_rules)
                print(f"{turns} the rules read, for the model gave no answer ({reasons})")


def _counted(count: int, of: str) -> str:
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"


def _chosen(subjects: Sequence[Subject], name: str | None) -> list[Subject]:
    chosen = [one for one in subjects if name is None or one.name == name]
    if not chosen:
        fail(f"there is no subject {name}", Exit.UNKNOWN)
    return chosen


def _agreed(takes: dict[str, int], yes: bool, as_json: bool) -> None:
    """Says what it would take, and ends here unless that is agreed to."""
    if as_json and not yes:
        print_json({"estimate": takes})
        raise typer.Exit
    if not takes["turns"]:
        print("nothing to ask: the model that STET_LLM names has answered all", file=sys.stderr)
        return
    line = (
        f"{_counted(takes['turns'], 'turn')} of {_counted(takes['subjects'], 'subject')}: "
        f"about {_counted(takes['calls'], 'call')}, "
        f"{takes['tokens_read']:,} tokens read and {takes['tokens_written']:,} written"
    )
    print(line, file=sys.stderr)
    if not yes:
        if not sys.stdin.isatty():
            print("give --yes to have the model asked", file=sys.stderr)
            raise typer.Exit
        typer.confirm("ask the model?", abort=True, err=True)
