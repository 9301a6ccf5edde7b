"""A record of the messages' topic and of the rejected topic: its key, its headers, and its place.

key       tenant/subject
headers   origin    where the record was read from ("calls.jsonl:12")
          fault     the reason code of a reader that could not read it whole
          attempt   how often it was fed, from 1
          stet-control   of a record that is no message but asks for something (`pipeline.stream_forgetting`)
and of a rejected record
          topic, partition, offset    where it lay
          written                     when it was written there, in milliseconds since 1970
          reason, detail              why it is there
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from confluent_kafka import Message as KafkaMessage

from operators.parse import Reason
from pipeline.received import Received, Refused
from state.model import Subject

_PARTITION_BITS = 16
_FAULTS = frozenset(Reason)
_MOST_DIGITS = 9
_LONGEST_ORIGIN = 1024


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record to write. One without a value is a tombstone of its key."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...] = ()


def key_of(subject: Subject) -> bytes:
    return f"{subject.tenant}/{subject.name}".encode()


def position(partition: int, offset: int) -> int:
    """A place in the whole topic: by offset, then by partition.

    Within a partition this is the log's order. A subject lies in one partition as long as all producers key
    alike; where it does not, the order is still a function of the records, never of their arrival.
    """
    return offset << _PARTITION_BITS | partition


def place_of(position: int) -> tuple[int, int]:
    """(partition, offset) of a position."""
    return position & (1 << _PARTITION_BITS) - 1, position >> _PARTITION_BITS


def received_of(record: KafkaMessage) -> Received:
    """What the dataflow is given of a record. A record without a value has no bytes, which is no message.

    Anyone may write to the topic, so a header that is not as ours are counts as absent.
    """
    headers = _headers(record)
    attempt, fault = headers.get("attempt", ""), headers.get("fault", "")
    is_number = attempt.isascii() and attempt.isdigit() and len(attempt) <= _MOST_DIGITS
    partition, offset = record.partition(), record.offset()
    if partition is None or offset is None:
        raise ValueError("a record that was read has a partition and an offset")
    return Received(
        offset=position(partition, offset),
        raw=record.value() or b"",
        origin=headers.get("origin", "")[:_LONGEST_ORIGIN],
        fault=fault if fault in _FAULTS else "",
        attempt=max(1, int(attempt)) if is_number else 1,
        key=record.key() or b"",
        control=headers.get("stet-control", "")[:_LONGEST_ORIGIN],
        written=max(0, record.timestamp()[1]),
    )


def rejected_record(refused: Refused, messages: str, rejected: str) -> Outgoing:
    """What goes to the topic `rejected` for a record of the topic `messages`: its bytes as they came."""
    received = refused.received
    partition, offset = place_of(received.offset)
    headers = {
        "topic": messages,
        "partition": str(partition),
        "offset": str(offset),
        "written": str(received.written) if received.written else "",
        "reason": refused.why.reason.value,
        "detail": refused.why.detail,
        "attempt": str(received.attempt),
        "origin": received.origin,
        "fault": received.fault,
    }
    return Outgoing(rejected, received.key or None, received.raw, packed(headers))


def said_at(record: KafkaMessage) -> int:
    """When a rejected record was first written, in milliseconds since 1970, as far as it tells."""
    written = _headers(record).get("written", "")
    at = max(0, record.timestamp()[1])
    return min(at, int(written)) if written.isascii() and written.isdigit() and len(written) <= 15 else at


def fed_again(record: KafkaMessage, messages: str) -> Outgoing:
    """A rejected record as it goes back to the topic `messages`."""
    received = received_of(record)
    headers = {"origin": received.origin, "fault": received.fault, "attempt": str(received.attempt + 1)}
    return Outgoing(messages, record.key(), received.raw, packed(headers))


def packed(headers: Mapping[str, str]) -> tuple[tuple[str, bytes], ...]:
    """Headers as a record has them; empty ones are left out. A file's name need not be text: what is none of
    it is escaped."""
    return tuple((name, text.encode(errors="backslashreplace")) for name, text in headers.items() if text)


def _headers(record: KafkaMessage) -> dict[str, str]:
    found: Iterable[tuple[str, bytes | None]] = record.headers() or ()  # type: ignore[assignment]
    return {name: (raw or b"").decode(errors="replace") for name, raw in found}
