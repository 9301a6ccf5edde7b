"""The dataflow of DESIGN §4, on Bytewax: the one file that knows its operators.

    source ─ parse ─┬─ rejected
                    └─ notes (encode) ─ by shard ─ revise ─┬─ applied
                                                           └─ rejected (what failed to be processed)

A subject belongs to one of a few keys, so that one worker writes it, whole batches of subjects share their
round trips, and the number of keys that Bytewax holds does not grow with the number of subjects. The graph
itself is in the store; the dataflow's own state is the source's offset.
"""

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import bytewax.operators as op
from bytewax.dataflow import Dataflow
from bytewax.inputs import Source
from bytewax.operators import StatefulBatchLogic
from bytewax.outputs import Sink

from operators.parse import Reason, Rejected, parse
from pipeline.apply import Applied, Applier, Arrived
from pipeline.received import Received, Refused
from state.encoder import EncoderError
from state.model import Op, Subject
from state.notes import Encoder, Vector, note_text

Parsed = Arrived | Refused


@dataclass(frozen=True, slots=True)
class Parts:
    """What the dataflow is made of. `known` tells which of some messages are stored as they are.

    `shards` is how many keys the subjects are spread over: the most workers that can share the work. Nothing
    that is stored depends on it. A batch is written once a key, so one worker does best with one.
    """

    source: Source[Received]
    encoder: Encoder
    known: Callable[[Sequence[Arrived]], frozenset[int]]
    applier: Callable[[], Applier]
    rejected: Sink[Refused]
    applied: Sink[Applied]
    shards: int = 1


def shard_of(subject: Subject, shards: int) -> str:
    """The key of a subject, the same in every process."""
    return str(zlib.crc32(f"{subject.tenant}/{subject.name}".encode()) % shards)


def parse_batch(batch: list[Received]) -> Iterable[Parsed]:
    """Parses each record; what is no message comes out as `Refused`."""
    for received in batch:
        message = _unreadable(received) or parse(received.raw)
        if isinstance(message, Rejected):
            yield Refused(received, message)
        else:
            yield Arrived(message, received)


def _unreadable(received: Received) -> Rejected | None:
    """The verdict of the reader that handed the record in, where it could not read it whole."""
    return Rejected(Reason(received.fault), "the record could not be read whole") if received.fault else None


def encode_batch(
    batch: list[Arrived], encoder: Encoder, known: Callable[[Sequence[Arrived]], frozenset[int]]
) -> list[Parsed]:
    """Adds vectors, one call of the encoder a batch; deletes and what is stored already need none.

    A text that the encoder cannot take comes out as `Refused`. Raises what the encoder raises for all texts.
    """
    stored = known(batch)
    fresh = [i for i, a in enumerate(batch) if i not in stored and a.message.op is Op.UPSERT]
    if not fresh:
        return [*batch]
    vectors = _vectors([note_text(batch[i].message) for i in fresh], encoder)
    ready = dict(zip(fresh, vectors, strict=True))
    return [_with_vector(arrived, ready[i]) if i in ready else arrived for i, arrived in enumerate(batch)]


def _vectors(texts: Sequence[str], encoder: Encoder) -> Sequence[Vector | Exception]:
    """A vector for each text, or what the encoder raised for it alone."""
    try:
        return list(encoder.encode(texts))
    except (EncoderError, OSError):
        raise
    except Exception as error:
        if len(texts) == 1:
            return [error]
        singly = [found for text in texts for found in _vectors([text], encoder)]
        if all(isinstance(found, Exception) for found in singly):
            raise  # the encoder is at fault, not a text
        return singly


def _with_vector(arrived: Arrived, found: Vector | Exception) -> Parsed:
    if isinstance(found, Exception):
        return _failed(arrived, type(found).__name__)
    return replace(arrived, vector=found)


class _Revise(StatefulBatchLogic[Arrived, Applied, None]):
    """Applies a shard's batches. It has no state of its own: the store has it."""

    def __init__(self, applier: Applier) -> None:
        self._applier = applier

    def on_batch(self, values: list[Arrived]) -> tuple[Iterable[Applied], bool]:
        return [self._applier.apply(values)], StatefulBatchLogic.DISCARD

    def snapshot(self) -> None:
        return None


def _refusals(applied: Applied) -> Iterable[Refused]:
    return [_failed(failed.arrived, failed.error) for failed in applied.failed]


def _failed(arrived: Arrived, error: str) -> Refused:
    detail = f"{error} while the message was processed"
    return Refused(arrived.received, Rejected(Reason.PROCESSING_FAILED, detail))


def _arrived(item: Parsed) -> Arrived | None:
    return item if isinstance(item, Arrived) else None


def _refused(item: Parsed) -> Refused | None:
    return item if isinstance(item, Refused) else None


def conversation_flow(parts: Parts) -> Dataflow:
    """The whole dataflow from `parts`; the same for both modes, which differ in sources and sinks."""
    flow = Dataflow("stet")
    applier = parts.applier()
    received = op.input("messages", flow, parts.source)
    parsed = op.flat_map_batch("parse", received, parse_batch)
    accepted = op.filter_map("accepted", parsed, _arrived)
    refused = op.filter_map("refused", parsed, _refused)
    notes = op.flat_map_batch("notes", accepted, lambda b: encode_batch(b, parts.encoder, parts.known))
    encoded = op.filter_map("encoded", notes, _arrived)
    unfit = op.filter_map("unfit", notes, _refused)
    keyed = op.key_on("by shard", encoded, lambda a: shard_of(a.message.subject, parts.shards))
    revised = op.stateful_batch("revise", keyed, lambda _: _Revise(applier))
    applied = op.key_rm("without shard", revised)
    failed = op.flat_map("failed", applied, _refusals)
    op.output("rejected", op.merge("all rejected", refused, unfit, failed), parts.rejected)
    op.output("applied", applied, parts.applied)
    return flow
