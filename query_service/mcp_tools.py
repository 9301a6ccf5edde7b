"""The tools that agents are given: what each is for, what it needs, and what it does."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Generic, TypeVar
from uuid import uuid4

import query_service.mcp_models as m
from operators.deletion import deletion
from operators.parse import Rejected, parse, serialise
from query_service.caller import Scope
from query_service.http_forget_models import DeletedOut, ForgottenOut
from query_service.http_models import Outgoing
from query_service.intake import Unavailable, Underway
from query_service.memory import Memory
from query_service.read_back import is_read
from query_service.state_view import view_state
from query_service.unknown_subject import UnknownSubject
from query_service.why import explain_event
from state.model import Message, Role, Subject

A = TypeVar("A")


class ToolRefused(Exception):
    """A call that cannot be answered; `str()` tells the model why, and what to do."""


@dataclass(frozen=True, slots=True)
class MemoryTool(Generic[A]):
    """A tool. `run` is called in any thread, with the tenant of the connection, and raises ToolRefused."""

    name: str
    title: str
    description: str
    scope: Scope
    takes: type[A]
    gives: type[Outgoing]
    run: Callable[[Memory, str, A], Outgoing]
    changes: bool = False
    destroys: bool = False


UNKNOWN_SUBJECT = (
    "Nothing was ever said by or about this subject. Check how its name is spelt; if it is new, `remember` "
    "what it says first."
)
UNKNOWN_EVENT = "There is no event with this id. Take one that `current_state` or `recall` gave."
NOT_FORGOTTEN_HERE = (
    "A subject cannot be forgotten over this connection: a person has to do it with `stet forget`, as "
    "deploy/README.md says. Single messages can be: give `message_id`."
)


def remember(memory: Memory, tenant: str, asked: m.Remember) -> m.Remembered:
    said = Message(
        subject=Subject(tenant, asked.subject),
        conversation=asked.conversation,
        id=asked.message_id or f"mcp-{uuid4().hex}",
        role=asked.role,
        speaker=asked.speaker or (asked.subject if asked.role is Role.USER else asked.role.value),
        content=asked.content,
        sent_at=asked.sent_at or memory.now(),
    )
    checked = _checked(said)
    _accept(memory, checked)
    return m.Remembered(
        subject=asked.subject,
        conversation=asked.conversation,
        message_id=said.id,
        sent_at=checked.sent_at,
        readable=is_read(memory, checked),
    )


def recall(memory: Memory, tenant: str, asked: m.Recall) -> m.Recalled:
    try:
        found = memory.asker.ask(
            Subject(tenant, asked.subject),
            asked.question,
            as_of=asked.as_of,
            known_at=asked.known_at,
            budget=asked.budget,
        )
    except UnknownSubject as error:
        raise ToolRefused(UNKNOWN_SUBJECT) from error
    return m.Recalled(
        context=found.context,
        tokens=found.tokens,
        evidence=list(found.evidence),
        paths=[m.SupportingPath.model_validate(path) for path in found.paths],
        at=found.plan.at,
    )


def current_state(memory: Memory, tenant: str, asked: m.CurrentState) -> m.StateOut:
    view = memory.reader.everything(Subject(tenant, asked.subject))
    if view is None:
        raise ToolRefused(UNKNOWN_SUBJECT)
    return m.StateOut.model_validate(view_state(view, asked.as_of or memory.now(), asked.history))


def context_for(memory: Memory, tenant: str, asked: m.ContextFor) -> m.ContextGiven:
    try:
        found = memory.turns.context(
            Subject(tenant, asked.subject), asked.message, asked.budget, asked.conversation
        )
    except UnknownSubject as error:
        raise ToolRefused(UNKNOWN_SUBJECT) from error
    return m.ContextGiven(
        context=found.context,
        tokens=found.tokens,
        decision=found.decision.kind,
        reason=found.decision.reason,
        path=list(found.path),
    )


def why(memory: Memory, tenant: str, asked: m.Why) -> m.WhyOut:
    subject = memory.reader.subject_of_event(tenant, asked.event)
    told = subject and explain_event(memory.reader, subject, asked.event, asked.as_of or memory.now())
    if not told:
        raise ToolRefused(UNKNOWN_EVENT)
    return m.WhyOut.model_validate(told)


def forget(memory: Memory, tenant: str, asked: m.Forget) -> m.Forgotten:
    subject = Subject(tenant, asked.subject)
    if asked.message_id is not None:
        record = deletion(subject, asked.message_id, memory.now())
        if isinstance(record, Rejected):
            raise ToolRefused(f"{record.detail} ({record.reason}).")
        _accept(memory, record)
        is_read(memory, record)
        deleted = DeletedOut(
            tenant=tenant, subject=asked.subject, message=asked.message_id, deleted_at=record.sent_at
        )
        return m.Forgotten(message=deleted)
    if memory.forget is None:
        raise ToolRefused(NOT_FORGOTTEN_HERE)
    try:
        receipt = memory.forget(subject)
    except Underway:
        return m.Forgotten(pending=True)
    except Unavailable as error:
        raise ToolRefused(f"It cannot be done now ({error}). Try again in a minute.") from error
    if receipt.is_empty:
        raise ToolRefused(UNKNOWN_SUBJECT)
    return m.Forgotten(subject=ForgottenOut.model_validate(asdict(receipt)))


def _checked(said: Message) -> Message:
    """The message as any other way in would have it. Raises ToolRefused."""
    checked = parse(serialise(said), said.subject.tenant)
    if isinstance(checked, Rejected):
        raise ToolRefused(f"The message is not kept: {checked.detail} ({checked.reason}).")
    return checked


def _accept(memory: Memory, message: Message) -> None:
    try:
        memory.accept([message])
    except Unavailable as error:
        raise ToolRefused(
            f"It is not known to be kept ({error}). Call again with the same `message_id`: that changes "
            "nothing where it was."
        ) from error


TOOLS: tuple[MemoryTool[Any], ...] = (
    MemoryTool(
        "remember",
        "Remember what was said",
        "Keeps one message of a conversation. Call it for each thing that the user or you say that may "
        "matter later: what they want, prefer, plan, change or take back. Give it in the speaker's own "
        "words; what it replaces is worked out. The next call finds it, unless the answer says that it is "
        "not `readable` yet.",
        Scope.INGEST, m.Remember, m.Remembered, remember, changes=True,
    ),
    MemoryTool(
        "recall",
        "Recall evidence for a question",
        "Finds what was said that answers a question about a subject, now or as of an earlier time, and "
        "marks what no longer holds. Answer from its `context` and cite message ids; where it does not say, "
        "say so. For plain facts that hold now, `current_state` is shorter.",
        Scope.READ, m.Recall, m.Recalled, recall,
    ),
    MemoryTool(
        "current_state",
        "What stands now",
        "Lists the facts that stand about a subject, by thing and attribute, now or as of an earlier time; "
        "with `history` also those that were replaced, and by what. Each has the id of its event, for `why`.",
        Scope.READ, m.CurrentState, m.StateOut, current_state,
    ),
    MemoryTool(
        "context_for",
        "Context for the next turn",
        "Gives what is needed to answer a message that has just come: the turns of the topic that it belongs "
        "to, other topics in brief, and what stands. Call it before you answer; it keeps nothing.",
        Scope.READ, m.ContextFor, m.ContextGiven, context_for,
    ),
    MemoryTool(
        "why",
        "Why a fact stands",
        "Explains, step by step, why an event stands, is in doubt or no longer holds, with the messages that "
        "settled it and what rests on it.",
        Scope.READ, m.Why, m.WhyOut, why,
    ),
    MemoryTool(
        "forget",
        "Forget for good",
        "Removes one message, or all that was ever said by or about a subject, for good: it cannot be "
        "undone. Call it only where a person asked for just that. That something no longer holds is no "
        "reason: `remember` the change instead.",
        Scope.ADMIN, m.Forget, m.Forgotten, forget, changes=True, destroys=True,
    ),
)  # fmt: skip
"""In the order in which they are listed."""
