"""Forgetting in the stream (DESIGN §4): a record among a subject's messages asks for it, so it lies in their
order. What came before it is removed; what comes after it is kept anew.

    key       tenant/subject
    headers   stet-control: forget
    value     {"tenant", "subject", "request"}

The steps, each of which may be repeated: the subject's writes so far are shut out; its notes go, then its
graph, the answers of a model among it; then in one write the rest of it, which leaves a mark under a digest
and the entry that is published as a tombstone. The source goes on from before the record until all of that is
done. The mark is what makes reading the same records again a no-op: what lies before it is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from operators.message_row import MAX_ID_CHARACTERS, Reason, Rejected
from pipeline.applied import Applied, Arrived, Forgotten
from pipeline.apply import Applies, Stores
from pipeline.kafka_record import Outgoing, key_of, place_of
from pipeline.patience import Patience
from pipeline.received import FORGET, Received
from state.forgotten import Mark, Removal, marks, unmark
from state.model import EdgeType, Subject

_COUNTED = ("messages", "sessions", "topics", "events", "notes", "answers")
_Name = Annotated[str, Field(min_length=1, max_length=MAX_ID_CHARACTERS)]


class _Row(BaseModel):
    """The value of the record."""

    model_config = ConfigDict(strict=True, extra="forbid")

    tenant: _Name
    subject: _Name
    request: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


@dataclass(frozen=True, slots=True)
class Order:
    """A record that asks for a subject to be forgotten; `request` names whoever waits for it."""

    subject: Subject
    request: str
    received: Received


def order_record(subject: Subject, request: str, topic: str) -> Outgoing:
    """The record to write for `request` (32 hexadecimal digits). Raises ValueError where no message can have
    such a subject."""
    row = _Row(tenant=subject.tenant, subject=subject.name, request=request)
    control = (("stet-control", FORGET.encode()),)
    return Outgoing(topic, key_of(subject), row.model_dump_json().encode(), control)


def order_of(received: Received) -> Order | Rejected:
    """What a record with a control header asks for, or why it is refused.

    One whose key is not that of its subject is: it would not lie in the order of the subject's messages.
    """
    if received.control != FORGET:
        return Rejected(Reason.BAD_CONTROL, "the header stet-control has a value that is not known")
    try:
        row = _Row.model_validate_json(received.raw)
    except ValidationError:
        return Rejected(Reason.BAD_CONTROL, "a record to forget has tenant, subject and request")
    subject = Subject(row.tenant, row.subject)
    if received.key != key_of(subject):
        return Rejected(Reason.BAD_CONTROL, "a record to forget is keyed by its tenant/subject")
    return Order(subject, row.request, received)


class Forgets(Protocol):
    """Forgets subjects as the stream asks for it."""

    def remaining(self, batch: Sequence[Arrived]) -> list[Arrived]:
        """The batch without what was forgotten already and is read again."""
        ...

    def forget(self, order: Order) -> Forgotten:
        """Removes all of a subject; one that is unknown is no error. Raises what the stores raise, and
        Fenced: to be called again then, by this process or by another one."""
        ...


class Forgetter:
    """Forgets in the stores, as the one writer of the subjects."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def remaining(self, batch: Sequence[Arrived]) -> list[Arrived]:
        stores = self._stores
        found = marks(stores.client, (arrived.message.subject for arrived in batch))
        if not found:
            return list(batch)
        older: dict[int, bool] = {}
        for i, arrived in enumerate(batch):
            mark = found.get(arrived.message.subject)
            if mark is not None and _lies_before(arrived.received, mark):
                older[i] = arrived.received.written > mark.written
        # Written later, yet it lies before: the topic was made anew, and the mark is of the old one.
        unmark(stores.client, {batch[i].message.subject for i, is_newer in older.items() if is_newer})
        return [arrived for i, arrived in enumerate(batch) if older.get(i, True)]

    def forget(self, order: Order) -> Forgotten:
        stores, subject, received = self._stores, order.subject, order.received
        mark = marks(stores.client, [subject]).get(subject)
        if mark is not None and (mark.place == received.offset or _lies_before(received, mark)):
            return _forgotten(order, mark.found)
        removal = Removal(stores.client, subject, stores.writer.fence, received.offset, received.written)
        found = removal.begin(stores.notes.count(subject))
        stores.notes.forget(subject)
        removal.remove()
        removal.finish()
        return _forgotten(order, found)


class PatientForgetter:
    """Forgets, waiting while a store is away."""

    def __init__(self, forgetter: Forgets, patience: Patience) -> None:
        self._forgetter, self._patience = forgetter, patience

    def remaining(self, batch: Sequence[Arrived]) -> list[Arrived]:
        return self._patience.call(lambda: self._forgetter.remaining(batch))

    def forget(self, order: Order) -> Forgotten:
        return self._patience.call(lambda: self._forgetter.forget(order))


def in_turn(batch: Sequence[Arrived | Order], applier: Applies, forgets: Forgets | None) -> Iterator[Applied]:
    """Applies a batch in its order: messages together, up to the next record that asks to forget."""
    for _, run in groupby(batch, key=lambda item: isinstance(item, Order)):
        items = list(run)
        arrived = [item for item in items if isinstance(item, Arrived)]
        if arrived and forgets is not None:
            arrived = forgets.remaining(arrived)
        if arrived:
            yield applier.apply(arrived)
        for order in items:
            if isinstance(order, Order):
                if forgets is None:
                    raise RuntimeError("this dataflow was given nothing that forgets")
                done = forgets.forget(order)
                yield Applied(0, (), (), subjects=(order.subject,), forgotten=(done,))


def _lies_before(received: Received, mark: Mark) -> bool:
    """Whether a record lies before the mark; of one in another partition nothing can be said."""
    (partition, offset), (of_mark, limit) = place_of(received.offset), place_of(mark.place)
    return partition == of_mark and offset < limit


def _forgotten(order: Order, found: Mapping[str, int]) -> Forgotten:
    partition, offset = place_of(order.received.offset)
    kinds = {kind.value for kind in EdgeType}
    counts = {name: found.get(name, 0) for name in _COUNTED}
    counts["edges"] = sum(count for name, count in found.items() if name in kinds)
    return Forgotten(order.request, counts, partition, offset)
