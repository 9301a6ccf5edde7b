"""`stet forget`: takes everything that was said by or about a subject out of the stores."""

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from pipeline.command_line.failures import Exit, fail, told, warn
from pipeline.command_line.options import HERE, DataDir, Json, Tenant
from pipeline.command_line.output import print_json
from query_service.ask import UnknownSubject
from state.model import Subject

AFTER_STOP = "what is removed stays removed; the rest goes when the folder is next opened"


def forget(
    subject: Annotated[str, typer.Argument(help="Whom or what to forget.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether it is meant.")] = False,
    data_dir: DataDir = HERE,
    tenant: Tenant = None,
    as_json: Json = False,
) -> None:
    """Removes all of a subject from the data folder, for good, and says what was removed."""
    with told(AFTER_STOP):
        from pipeline.command_line.tenancy import tenant_of
        from pipeline.embedded import Embedded

        with Embedded.open(data_dir) as stet:
            # A tenant that is named need not be known: all of its records may have been rejected.
            whom = Subject(tenant or tenant_of(stet, None), subject)
            if not yes:
                _ask_whether(whom)
            receipt = stet.forget(whom, warn)
        removed = {name: count for name, count in asdict(receipt).items() if isinstance(count, int)}
        if not any(removed.values()):
            raise UnknownSubject(subject)
        if as_json:
            print_json(asdict(receipt))
            return
        print(f"forgotten: {receipt.subject} (tenant {receipt.tenant})")
        for name, count in removed.items():
            print(f"  {count:>9,}  {_NAMED.get(name, name)}")


_NAMED = {
    "records": "records of the message log, edits and repetitions included",
    "rejected": "records of the rejected stream",
    "answers": "answers of a model",
}


def _ask_whether(whom: Subject) -> None:
    if not sys.stdin.isatty():
        fail("this cannot be undone: give --yes", Exit.USAGE)
    typer.confirm(f"Remove all of {whom.name} (tenant {whom.tenant}) for good?", abort=True)
