"""What the commands print: readable at 80 columns for people, plain JSON values for machines."""

import textwrap
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from operators.rows import moment
from pipeline.by_rules import in_words
from pipeline.command_line.terminal import clean, wrapped
from pipeline.ingest import Summary
from query_service.ask import Answer, AnswerPath
from query_service.state_view import Fact, StateView, Status, status_of
from query_service.why import Why
from state.graph import GraphReader, StoredEvent
from state.identity import normalised
from state.model import Message, Subject

PATHS = 3
NOTES = 5
FACTS = 3


def plain(value: Any) -> Any:
    """A frozen value as JSON has it: dataclasses as objects, times as RFC 3339, numbers to six places."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def answer_json(answer: Answer) -> dict[str, Any]:
    """The contract of `ask`."""
    told: dict[str, Any] = plain(answer)
    return told


def summary_text(summary: Summary) -> str:
    edges = ", ".join(f"{kind} {count}" for kind, count in summary.edges.items() if count) or "none"
    lines = [
        f"messages   {summary.messages}" + (f" ({summary.unchanged} unchanged)" if summary.unchanged else ""),
        f"rejected   {summary.rejected}" + _reasons(summary),
        f"subjects   {summary.subjects}",
        f"sessions   {summary.sessions}",
        f"events     {summary.events}",
        *wrapped("edges      ", edges),
        *_waiting(summary),
        f"seconds    {summary.seconds:.1f}",
    ]
    return "\n".join(lines)


def _waiting(summary: Summary) -> list[str]:
    if summary.waiting is None:
        return []
    parked = ", ".join(f"{reason} {count}" for reason, count in summary.waiting.parked.items())
    told = f" (parked: {parked}; asked about again later, or by stet redistill)" if parked else ""
    lines = wrapped("waiting    ", f"{summary.waiting.waiting} for the model{told}")
    if summary.by_rules:
        turns, reasons = in_words(summary.by_rules)
        lines += wrapped(
            "by rules   ", f"{turns}, no answer of the model ({reasons}); stet redistill asks it again"
        )
    return lines


def _reasons(summary: Summary) -> str:
    told = ", ".join(f"{reason} {count}" for reason, count in summary.rejected_by_reason.items())
    return f" ({told})" if told else ""


def state_text(view: StateView, *, ids: bool = False) -> str:
    """The facts by entity; statements of one value that stand alike are one line. `ids` adds the events'."""
    lines = [f"{clean(view.subject)}, as of {_to_the_second(view.at)}"]
    for entity in view.entities:
        lines += ["", clean(entity.entity)]
        for attribute in entity.attributes:
            alike: dict[tuple[str, str], list[Fact]] = {}
            for fact in attribute.facts:
                alike.setdefault((normalised(fact.value), _standing(fact)), []).append(fact)
            for (_, standing), facts in alike.items():
                told = [*dict.fromkeys(source for fact in facts for source in fact.sources)]
                told += [fact.event for fact in facts] if ids else []
                text = f"{attribute.attribute}: {facts[0].value}{standing}  [{', '.join(told)}]"
                lines += wrapped("  ", text, "      ")
    if not view.entities:
        lines += ["", "(nothing stands)"]
    return "\n".join(lines)


def _standing(fact: Fact) -> str:
    """How a fact stands, in words; nothing where it simply does."""
    if fact.status is Status.DOUBTED:
        return f"  (in doubt, v = {fact.valid:g})"
    if fact.status is Status.SUPERSEDED:
        ended = fact.until
        # What came later only put out once more what was out already.
        first = [r for r in fact.replaced_by if ended is None or r.at <= ended] or list(fact.replaced_by)
        how = "; ".join(f"{_verb(r.mode.value)} by “{r.description}”" for r in first[-1:])
        return f"  (until {_to_the_second(ended) if ended else '?'}: {how})"
    return ""


def _to_the_second(at: datetime) -> str:
    """A time as people read it; what stands does not turn on less than a second."""
    return moment(at.replace(microsecond=0))


def _verb(mode: str) -> str:
    return "replaced" if mode == "replaces" else "withdrawn"


def why_text(why: Why) -> str:
    lines = wrapped("", why.text)
    for step in why.steps:
        lines += wrapped("  - ", step.text, "    ")
    if why.replaces:
        lines.append("What it does to earlier statements:")
    for replaced in why.replaces:
        lines += wrapped("  - ", replaced, "    ")
    if why.dependents:
        lines.append("Rests on it:")
    for dependent in why.dependents:
        lines += wrapped("  - ", dependent.text, "    ")
    return "\n".join(lines)


def answer_text(answer: Answer, graph: GraphReader, subject: Subject) -> str:
    """The best messages and paths, as a person reads them."""
    shown = list(answer.evidence[:NOTES])
    paths = answer.paths[:PATHS]
    wanted = dict.fromkeys([*shown, *(source for path in paths for source in path.sources)])
    messages = graph.messages(subject, wanted)
    lines = [
        f"Question read as: {answer.plan.shape}, as of {_to_the_second(answer.plan.at)}",
        "",
        "Evidence, best first:",
    ]
    facts = _facts_of(shown, graph, subject)
    for message in shown:
        if message in messages:
            lines += _message(messages[message])
            lines += _stated(facts.get(message, ()), answer.plan.at)
    if paths:
        lines += ["", "Paths that support it:"]
    for number, path in enumerate(paths, 1):
        lines += _path(number, path, graph, subject)
    took = sum(answer.timings_ms.values())
    lines += ["", f"{answer.tokens} tokens of context, {took:.0f} ms (--json gives all of it)"]
    return "\n".join(lines)


def _facts_of(messages: Iterable[str], graph: GraphReader, subject: Subject) -> dict[str, list[StoredEvent]]:
    """The events with a facet that each message states."""
    stated = graph.events_of(subject, messages)
    events = graph.events(subject, [event for ids in stated.values() for event in ids])
    return {
        message: [events[i] for i in ids if i in events and events[i].event.facet is not None]
        for message, ids in stated.items()
    }


def _stated(facts: Iterable[StoredEvent], at: datetime) -> list[str]:
    """What a message states, and whether it still stands: the short answer to most questions."""
    lines: list[str] = []
    for stored in list(facts)[:FACTS]:
        facet = stored.event.facet
        if facet is None or not facet.value:
            continue
        status = status_of(stored.timeline, at)
        mark = {Status.STANDS: "stands", Status.DOUBTED: "in doubt", Status.SUPERSEDED: "superseded"}[status]
        name = " · ".join(part for part in (facet.entity, facet.attribute) if part)
        lines += wrapped("      → ", f"{name}: {facet.value} ({mark})", "        ")
    return lines


def _message(message: Message) -> list[str]:
    text = " ".join(message.content.split())
    head = f"  [{message.id}] {moment(message.sent_at)[:16].replace('T', ' ')} {message.speaker}: "
    return wrapped("", head + textwrap.shorten(text, 300, placeholder=" …"), "      ")


def _path(number: int, path: AnswerPath, graph: GraphReader, subject: Subject) -> list[str]:
    events = graph.events(subject, path.events)
    lines = [f"  {number}. score {path.score:.2f}, validity {path.valid:g}"]
    for place, event in enumerate(path.events):
        if place:
            step = path.edges[place - 1]
            lines.append(f"       {_link(step.type or step.via, step.mode, forward=step.source != event)}")
        if event in events:
            stated = events[event].event
            lines += wrapped("     ", f"{stated.description}  [{', '.join(stated.sources)}]", "       ")
    return lines


_NEAR = {
    "branch": "on the same branch of a topic",
    "session": "in the same session",
    "topic": "in the same topic",
}
"""What links two events that no edge joins: where they were said."""


def _link(kind: str, mode: str | None, *, forward: bool) -> str:
    if kind in _NEAR:
        return f"└─ said {_NEAR[kind]}"
    name = f"{kind} ({mode})" if mode else kind
    return f"└─ {name} →" if forward else f"└─ ← {name}"
