"""The dataflow of DESIGN §4, on Bytewax: the one file that knows its operators.

    source ─ parse ─┬─ rejected
                    └─ to one worker by subject ─ notes and graph ─┬─ applied
                                                                   └─ rejected (what failed to be processed)

With a model, the subjects of which turns wait for an answer go on from the first `applied`, by the same shard
and so in the same process, to the stage that asks (`pipeline.asking_stage`); what its answers changed is
applied too.

A subject belongs to one of a few keys, so that one worker writes it, whole batches of subjects share their
round trips, and the number of keys that Bytewax holds does not grow with the number of subjects. The graph
itself is in the store; the dataflow's own state is the source's offset.
"""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import bytewax.operators as op
from bytewax.dataflow import Dataflow, Stream
from bytewax.inputs import Source
from bytewax.operators import KeyedStream, StatefulBatchLogic
from bytewax.outputs import Sink

from operators.parse import Reason, Rejected, parse
from pipeline.applied import Applied, Arrived
from pipeline.apply import Applies
from pipeline.asking import waits_of
from pipeline.asking_stage import Asked, Stage, WaitingSource
from pipeline.received import Received, Refused
from pipeline.stream_forgetting import Forgets, Order, in_turn, order_of
from state.model import Subject

Parsed = Arrived | Order | Refused
Accepted = Arrived | Order


@dataclass(frozen=True, slots=True)
class Parts:
    """What the dataflow is made of.

    `shards` is how many keys the subjects are spread over. Nothing that is stored depends on it. Bytewax
    deals keys out to workers by a hash of their own, so several workers need many more keys than they are.
    `stage` asks a model, where there is one. `forgets` forgets subjects as records of the source ask for it.
    """

    source: Source[Received]
    applier: Callable[[], Applies]
    rejected: Sink[Refused]
    applied: Sink[Applied]
    shards: int = 1
    stage: Stage | None = None
    forgets: Callable[[], Forgets] | None = None


def shard_of(subject: Subject, shards: int) -> str:
    """The key of a subject, the same in every process."""
    return str(zlib.crc32(f"{subject.tenant}/{subject.name}".encode()) % shards)


def parse_batch(batch: list[Received]) -> Iterable[Parsed]:
    """Parses each record; what is no message comes out as `Refused`."""
    for received in batch:
        if received.control:
            order = order_of(received)
            yield Refused(received, order) if isinstance(order, Rejected) else order
            continue
        message = _unreadable(received) or parse(received.raw)
        if isinstance(message, Rejected):
            yield Refused(received, message)
        else:
            yield Arrived(message, received)


def _unreadable(received: Received) -> Rejected | None:
    """The verdict of the reader that handed the record in, where it could not read it whole."""
    return Rejected(Reason(received.fault), "the record could not be read whole") if received.fault else None


class _Brought(StatefulBatchLogic[Accepted, Accepted, None]):
    """Hands on what was brought to a shard's worker. The store has all state, so it keeps none."""

    def on_batch(self, values: list[Accepted]) -> tuple[Iterable[Accepted], bool]:
        return values, StatefulBatchLogic.DISCARD

    def snapshot(self) -> None:
        return None


def _refusals(applied: Applied) -> Iterable[Refused]:
    return [_failed(failed.arrived, failed.error) for failed in applied.failed]


def _failed(arrived: Arrived, error: str) -> Refused:
    detail = f"{error} while the message was processed"
    return Refused(arrived.received, Rejected(Reason.PROCESSING_FAILED, detail))


def _accepted(item: Parsed) -> Accepted | None:
    return None if isinstance(item, Refused) else item


def _subject(item: Accepted) -> Subject:
    return item.message.subject if isinstance(item, Arrived) else item.subject


def _refused(item: Parsed) -> Refused | None:
    return item if isinstance(item, Refused) else None


def conversation_flow(parts: Parts) -> Dataflow:
    """The whole dataflow from `parts`; the same for both modes, which differ in sources and sinks."""
    flow = Dataflow("stet")
    applier, forgets = parts.applier(), parts.forgets() if parts.forgets is not None else None
    received = op.input("messages", flow, parts.source)
    parsed = op.flat_map_batch("parse", received, parse_batch)
    accepted: Stream[Accepted] = op.filter_map("accepted", parsed, _accepted)
    refused = op.filter_map("refused", parsed, _refused)
    keyed: KeyedStream[Accepted] = op.key_on(
        "by shard", accepted, lambda one: shard_of(_subject(one), parts.shards)
    )
    brought = op.key_rm("without shard", op.stateful_batch("brought", keyed, lambda _: _Brought()))
    applied = op.flat_map_batch("applied to stores", brought, lambda batch: in_turn(batch, applier, forgets))
    failed = op.flat_map("failed", applied, _refusals)
    op.output("rejected", op.merge("all rejected", refused, failed), parts.rejected)
    if parts.stage is not None:
        applied = op.merge("all applied", applied, _answered(flow, applied, applier, parts, parts.stage))
    op.output("applied", applied, parts.applied)
    return flow


def _answered(
    flow: Dataflow, applied: Stream[Applied], applier: Applies, parts: Parts, stage: Stage
) -> Stream[Applied]:
    """What the answers of a model changed."""
    begun = op.flat_map("waits", applied, waits_of)
    found = op.input("waiting", flow, WaitingSource(stage))
    waits = op.merge("all waits", begun, found)
    keyed = op.key_on("waits by shard", waits, lambda one: shard_of(one.subject, parts.shards))

    def logic(resumed: None) -> Asked:
        return Asked(stage, lambda subject: stage.shard(shard_of(subject, parts.shards), applier))

    return op.key_rm("answered", op.stateful_batch("asked", keyed, logic))
