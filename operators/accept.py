"""Which messages change the set of live ones: edits, deletes, duplicates and late copies (DESIGN §2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from state.model import Message, Op
from state.ordering import message_place
from state.records import MessageRecord, Version


@dataclass(frozen=True, slots=True)
class Accepted:
    """The outcome for one flush of one subject: the records to write, and what was and is live by id.

    `before` and `after` hold only ids whose live message changed; an id that was or is not live is left out
    of that side.
    """

    records: Mapping[str, MessageRecord]
    before: Mapping[str, MessageRecord]
    after: Mapping[str, MessageRecord]


def wins(new: MessageRecord, held: MessageRecord) -> bool:
    """Whether `new` takes the place of `held`, both under one id.

    The higher revision wins; among equal or absent ones, the later in the log. But a delete stands against a
    message that was sent no later than the delete, so that a copy that comes late, or is delivered again,
    does not bring back what was taken away. The same message again changes nothing.
    """
    if new.message == held.message:
        return False
    if new.version.revision != held.version.revision:
        return new.version.revision > held.version.revision
    if held.message.op is Op.DELETE and new.message.op is Op.UPSERT:
        return new.message.sent_at > held.message.sent_at
    return new.version.offset > held.version.offset


def accept(held: Mapping[str, MessageRecord], received: Iterable[tuple[Message, int]]) -> Accepted:
    """Folds received (message, log offset) pairs into what is held. Pure; order of the pairs is the log's."""
    now: dict[str, MessageRecord] = {}
    for message, offset in received:
        record = MessageRecord(
            message, Version.of(message, offset), message_place(message.sent_at, message.id)
        )
        current = now.get(message.id) or held.get(message.id)
        if current is None or wins(record, current):
            now[message.id] = record
    records = {i: record for i, record in now.items() if i not in held or record.message != held[i].message}
    return Accepted(
        records=records,
        before={i: held[i] for i in records if i in held and held[i].message.op is Op.UPSERT},
        after={i: record for i, record in records.items() if record.message.op is Op.UPSERT},
    )
