"""Carries a revision's events and edges through the validity calculus (DESIGN §3) to the records to write."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from operators.filing import Filing
from operators.relate.turn import Drawn
from state.graph_reads import Read, ReadEvents
from state.maintenance import Changes, Node, Outcome, maintain
from state.model import Edge
from state.records import EventRecord


@dataclass(frozen=True, slots=True)
class Spread:
    """What a revision changes, and how far it was felt.

    `records` are event records (None: the event is gone). `shifted` are the events among them that are new,
    say something else, or hold at other times than before; the rest have other edges only.
    """

    records: dict[str, EventRecord | None]
    shifted: tuple[str, ...]
    new_edges: tuple[Edge, ...]
    gone_edges: tuple[Edge, ...]
    touched: int


def propagate(
    old_edges: Iterable[Edge],
    drawn: Mapping[str, Drawn],
    filing: Filing,
    held: dict[str, EventRecord],
    absent: set[str],
    now: datetime,
) -> Generator[Sequence[Read[Any]], None, Spread]:
    """What `drawn` (by turn) makes of the graph, where these turns owned `old_edges` before.

    `held` and `absent` say what has been read of the store; reads for more are yielded. `now` becomes the
    `recorded_at` of events that are new.
    """
    before = {edge.id: edge for edge in old_edges}
    after = {edge.id: edge for made in drawn.values() for edge in made.edges}
    changes = Changes(
        assert_events=filing.come,
        retract_events=filing.gone_ids,
        assert_edges=tuple(edge for i, edge in after.items() if before.get(i) != edge),
        retract_edges=tuple(edge for i, edge in before.items() if i not in after),
    )
    outcome = yield from _maintained(changes, held, absent)
    records = _records(outcome, filing, held, now)
    return Spread(
        records=records,
        shifted=tuple(i for i, record in records.items() if record and _is_shifted(record, held.get(i))),
        new_edges=changes.assert_edges,
        gone_edges=changes.retract_edges,
        touched=outcome.touched,
    )


def _is_shifted(record: EventRecord, before: EventRecord | None) -> bool:
    return before is None or record.event != before.event or record.timeline != before.timeline


def _maintained(
    changes: Changes, held: dict[str, EventRecord], absent: set[str]
) -> Generator[Sequence[Read[Any]], None, Outcome]:
    """Drives maintenance with nodes of the store."""
    reading = maintain(changes)
    try:
        wanted = next(reading)
        while True:
            read = ReadEvents(sorted(i for i in wanted if i not in held and i not in absent))
            yield [read]
            held.update(read.found)
            absent.update(i for i in wanted if i not in held)
            wanted = reading.send({i: _node(held[i]) for i in wanted if i in held})
    except StopIteration as finished:
        outcome: Outcome = finished.value
        return outcome


def _node(record: EventRecord) -> Node:
    event = record.event
    return Node(
        id=event.id,
        place=event.place,
        stated_at=event.stated_at,
        valid_from=event.valid_from,
        incoming=record.incoming,
        outgoing=record.outgoing,
        timeline=record.timeline,
    )


def _records(
    outcome: Outcome, filing: Filing, held: Mapping[str, EventRecord], now: datetime
) -> dict[str, EventRecord | None]:
    """Records for the nodes that are other than they were, and for events that changed in words only.

    A node without an event cannot stay: every edge has an owner that was derived again without that event.
    """
    records: dict[str, EventRecord | None] = dict.fromkeys((*outcome.removed, *filing.gone_ids))
    for node in outcome.nodes:
        if node.timeline is None:
            continue
        old = held.get(node.id)
        records[node.id] = EventRecord(
            event=filing.current[node.id] if node.id in filing.current else held[node.id].event,
            incoming=node.incoming,
            outgoing=node.outgoing,
            timeline=node.timeline,
            recorded_at=old.recorded_at if old else now,
        )
    for event in filing.come:
        if event.id not in records:
            records[event.id] = replace(held[event.id], event=event)
    return records
