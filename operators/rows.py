"""The export: one canonical JSON row a thing (DESIGN §7, `stet export`).

Keys are sorted, numbers rounded to six places, and no field depends on when or in what order anything
arrived, so two equal graphs give equal bytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from operators.parse import serialise
from operators.summary import digest_of, in_short, label
from state.graph import SubjectView
from state.identity import digest
from state.model import Edge, Event, Occurs, Session, Topic, Turn
from state.validity import Timeline

PLACES = 6
"""Decimal places of every number."""


@dataclass(frozen=True, slots=True)
class Row:
    """One exported thing; rows sort by kind, id, subject."""

    kind: str
    id: str
    subject: str
    fields: Mapping[str, Any]

    def line(self) -> str:
        """The row as one line of JSON, without a line end."""
        row = {**self.fields, "kind": self.kind, "id": self.id, "subject": self.subject}
        return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def rows(view: SubjectView, as_of: datetime | None = None) -> list[Row]:
    """All rows of a subject, sorted. `valid` is as of `as_of`, or of the newest `sent_at`.

    With `as_of`, an event that was stated later has `valid` null: nothing was known of it then.
    """
    at = as_of or max((m.sent_at for m in view.messages), default=datetime.now(UTC))
    return sorted(
        (
            *_messages(view),
            *_hierarchy(view),
            *(_event(view, event, at) for event in view.events),
            *(_edge(view.subject.name, edge) for edge in view.edges),
            *_incidence(view),
        ),
        key=lambda row: (row.kind, row.id),
    )


def merged(subjects: Iterable[list[Row]]) -> Iterator[Row]:
    """Rows of several subjects in one order."""
    yield from sorted(
        (row for one in subjects for row in one), key=lambda row: (row.kind, row.id, row.subject)
    )


def moment(at: datetime) -> str:
    """RFC 3339 in UTC, with a fraction only where there is one."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def _messages(view: SubjectView) -> Iterator[Row]:
    for message in view.messages:
        yield Row("message", message.id, view.subject.name, json.loads(serialise(message)))


def _hierarchy(view: SubjectView) -> Iterator[Row]:
    content = {m.id: m.content for m in view.messages}
    name = view.subject.name
    for session in view.sessions:
        yield Row("session", session.id, name, _session_fields(session, content))
    for turn in view.turns:
        yield Row("turn", turn.id, name, _turn_fields(turn, content))
    # A turn's id is its first message's, and every message is a turn.
    short = {turn.id: in_short(turn.summary, content[turn.id]) for turn in view.turns}
    for topic in view.topics:
        yield Row("topic", topic.id, name, _topic_fields(topic, short))


def _session_fields(session: Session, content: Mapping[str, str]) -> dict[str, Any]:
    return {
        "conversation": session.conversation,
        "messages": session.messages,
        "start": moment(session.start),
        "end": moment(session.end),
        "summary": digest_of([content[m] for m in session.messages]),
    }


def _turn_fields(turn: Turn, content: Mapping[str, str]) -> dict[str, Any]:
    return {
        "messages": turn.messages,
        "parent": turn.parent,
        "branch": turn.branch,
        "topic": turn.topic,
        "refers_to": turn.refers_to,
        "summary": in_short(turn.summary, " ".join(content[m] for m in turn.messages)),
    }


def _topic_fields(topic: Topic, short: Mapping[str, str]) -> dict[str, Any]:
    return {
        "label": label([short[t] for t in topic.turns]),
        "turns": topic.turns,
        "sessions": topic.sessions,
    }


def _event(view: SubjectView, event: Event, at: datetime) -> Row:
    timeline, home = view.timelines[event.id], event.sources[-1]
    fields = {
        **event_fields(event, timeline),
        "session": view.session_of[home],
        "topic": view.topic_of[home],
        "valid": None if event.stated_at > at else round(timeline.value(at), PLACES),
    }
    return Row("event", event.id, view.subject.name, fields)


def event_fields(event: Event, timeline: Timeline) -> dict[str, Any]:
    """What is said of an event by itself, and when it holds."""
    facet = event.facet
    return {
        "type": event.type.value,
        "participants": event.participants,
        "description": event.description,
        "facet": facet and {"entity": facet.entity, "attribute": facet.attribute, "value": facet.value},
        "occurs": event.occurs and _occurs(event.occurs),
        "stated_at": moment(event.stated_at),
        "sources": event.sources,
        "holds": [[moment(s.start), s.end and moment(s.end)] for s in timeline.holds()],
    }


def _occurs(occurs: Occurs) -> dict[str, Any]:
    return {
        "words": occurs.words,
        "precision": occurs.precision.value,
        "start": occurs.start and moment(occurs.start),
        "end": occurs.end and moment(occurs.end),
    }


def _edge(subject: str, edge: Edge) -> Row:
    return Row("edge", edge.id, subject, edge_fields(edge))


def edge_fields(edge: Edge) -> dict[str, Any]:
    """What is said of an evidence edge."""
    return {
        "type": edge.type.value,
        "mode": edge.mode and edge.mode.value,
        "source": edge.source,
        "target": edge.target,
        "confidence": round(edge.confidence, PLACES),
        "reason": edge.reason,
    }


def _incidence(view: SubjectView) -> Iterator[Row]:
    """The hierarchy's edges, both ways: event and session, session and topic."""
    for event in view.events:
        session = view.session_of[event.sources[-1]]
        yield _tie(view, "belongs_to", event.id, session, "stated in it")
        yield _tie(view, "contains", session, event.id, "stated in it")
    for topic in view.topics:
        for session in topic.sessions:
            yield _tie(view, "belongs_to_topic", session, topic.id, "has turns of it")
            yield _tie(view, "topic_contains", topic.id, session, "has turns of it")


def _tie(view: SubjectView, kind: str, source: str, target: str, reason: str) -> Row:
    fields = {
        "type": kind,
        "mode": None,
        "source": source,
        "target": target,
        "confidence": 1.0,
        "reason": reason,
    }
    return Row(
        "edge",
        "ed-" + digest(view.subject.tenant, view.subject.name, kind, source, target),
        view.subject.name,
        fields,
    )
