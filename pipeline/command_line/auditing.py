"""The audit log of commands: the same lines as the service's, with the system's user in place of a key."""

import os
import pwd
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pipeline.command_line.failures import exit_of
from state.audit import audit, audit_to, subject_mark
from state.model import Subject


class Act:
    """What one command does. What is not known when it begins is told on the way."""

    def __init__(self, action: str, command: str) -> None:
        self._action, self._route, self._user = action, f"stet {command}", _user()
        self._tenant: str | None = None
        self._told: dict[str, object] = {"subject": None}

    def of(self, tenant: str) -> str:
        """It is about this tenant's data."""
        self._tenant = tenant
        return tenant

    def about(self, whom: Subject) -> Subject:
        """It is about this subject."""
        self._tenant = whom.tenant
        self._told["subject"] = subject_mark(whom.tenant, whom.name)
        return whom

    def tell(self, **more: object) -> None:
        """What the line says besides; no text of a message, and no name of a subject."""
        self._told.update(more)

    def deletes_of(self, messages: Mapping[Subject, Collection[str]]) -> None:
        """It is about these messages by subject."""
        marks = sorted(subject_mark(one.tenant, one.name) for one in messages)
        self.tell(messages=sum(map(len, messages.values())), deletes_of=marks)

    def one_of_many(self, whom: Subject) -> Subject:
        """Writes a line for one of the subjects that the command is about, at once."""
        self.step(whom.tenant, whom.name)
        return whom

    def step(self, tenant: str, subject: str | None, **more: object) -> None:
        """Writes a line for one of the things that the command does, at once."""
        mark = subject_mark(tenant, subject) if subject is not None else None
        self._write(tenant, {"subject": mark, **more})

    def end(self, code: int) -> None:
        """Writes the line."""
        self._write(self._tenant, {**self._told, "exit": code})

    def _write(self, tenant: str | None, told: Mapping[str, object]) -> None:
        audit(datetime.now(UTC), self._action, tenant, user=self._user, route=self._route, **told)


@contextmanager
def audited(action: str, command: str, log: Path | None) -> Iterator[Act]:
    """Writes a line once the command has ended, however it ends. Raises OSError, before anything is done,
    where the log cannot be written. `-` is standard error: standard output is for answers."""
    audit_to(log, sys.stderr)
    act = Act(action, command)
    try:
        yield act
    except BaseException as error:
        act.end(exit_of(error))
        raise
    act.end(0)


def _user() -> str:
    """Who runs this, by the system's own account: variables of the environment can be set to anything."""
    number = os.getuid()
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"uid {number}"
