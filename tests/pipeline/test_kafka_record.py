"""A record's key, headers and place: there and back, whatever others write to the topic."""

from collections.abc import Sequence

import pytest
from confluent_kafka import Message as KafkaMessage
from hypothesis import given
from hypothesis import strategies as st

from operators.parse import Reason, Rejected
from pipeline.dataflow import parse_batch
from pipeline.kafka_record import (
    Outgoing,
    fed_again,
    key_of,
    packed,
    place_of,
    position,
    received_of,
    rejected_record,
)
from pipeline.received import Received, Refused
from state.model import Subject

partitions = st.integers(0, 2**16 - 1)
offsets = st.integers(0, 2**40)
MESSAGES, REJECTED = "conversation.messages", "conversation.rejected"
Headers = Sequence[tuple[str, bytes | None]]


def record(
    value: bytes | None = b"{}",
    headers: Headers | None = None,
    key: bytes | None = b"acme/ann",
    partition: int = 3,
    offset: int = 7,
) -> KafkaMessage:
    return KafkaMessage(MESSAGES, partition, offset, key, value, None if headers is None else list(headers))


def written(outgoing: Outgoing, partition: int = 0, offset: int = 0) -> KafkaMessage:
    """An outgoing record as it is read again."""
    return KafkaMessage(
        outgoing.topic, partition, offset, outgoing.key, outgoing.value, list(outgoing.headers)
    )


class TestPosition:
    @given(partitions, offsets)
    def test_tells_the_place(self, partition: int, offset: int) -> None:
        assert place_of(position(partition, offset)) == (partition, offset)

    @given(st.tuples(offsets, partitions), st.tuples(offsets, partitions))
    def test_orders_by_offset_then_by_partition(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        places = [position(partition, offset) for offset, partition in (one, other)]
        assert (places[0] < places[1]) == (one < other)

    def test_of_a_long_lived_topic_is_still_an_integer_of_64_bits(self) -> None:
        assert position(2**16 - 1, 2**46) < 2**63


class TestReceived:
    def test_has_what_the_record_says(self) -> None:
        headers: Headers = [
            ("origin", "电话.jsonl:12".encode()),
            ("fault", b"line_too_long"),
            ("attempt", b"2"),
        ]
        assert received_of(record(b"\xff{", headers)) == Received(
            offset=position(3, 7),
            raw=b"\xff{",
            origin="电话.jsonl:12",
            fault="line_too_long",
            attempt=2,
            key=b"acme/ann",
        )

    @pytest.mark.parametrize("headers", [None, [], [("trace-id", b"\x00\x01"), ("origin", None)]])
    def test_needs_no_headers_and_minds_no_others(self, headers: Headers | None) -> None:
        assert received_of(record(headers=headers)) == Received(
            offset=position(3, 7), raw=b"{}", key=b"acme/ann"
        )

    def test_without_a_value_or_a_key_is_rejected_like_any_bytes_that_are_no_message(self) -> None:
        received = received_of(record(value=None, key=None))
        assert (received.raw, received.key) == (b"", b"")
        (refused,) = parse_batch([received])
        assert isinstance(refused, Refused)
        assert refused.why.reason is Reason.MALFORMED_JSON

    @pytest.mark.parametrize(
        "attempt", [b"", b"two", b"-3", b"1.5", b"0", "２".encode(), "²".encode(), b"\xff", b"9" * 5000, None]
    )
    def test_an_attempt_that_is_no_count_is_the_first(self, attempt: bytes | None) -> None:
        assert received_of(record(headers=[("attempt", attempt)])).attempt == 1

    @pytest.mark.parametrize("fault", [b"of another program", b"\xff\xfe", "行太长".encode(), None])
    def test_a_fault_that_is_none_of_ours_leaves_the_record_to_the_parser(self, fault: bytes | None) -> None:
        received = received_of(record(b"{", headers=[("fault", fault)]))
        assert received.fault == ""
        (refused,) = parse_batch([received])
        assert isinstance(refused, Refused)
        assert refused.why.reason is Reason.MALFORMED_JSON

    @pytest.mark.parametrize("reason", Reason)
    def test_a_fault_of_ours_decides(self, reason: Reason) -> None:
        (refused,) = parse_batch([received_of(record(headers=[("fault", reason.value.encode())]))])
        assert isinstance(refused, Refused)
        assert refused.why.reason is reason

    def test_an_origin_that_is_no_utf8_can_still_be_shown(self) -> None:
        assert received_of(record(headers=[("origin", b"caf\xe9.jsonl")])).origin == "caf�.jsonl"

    def test_of_an_origin_of_another_program_there_is_no_more_than_a_line(self) -> None:
        """It goes to the rejected topic with the record, which has to fit there."""
        assert received_of(record(headers=[("origin", b"x" * 900_000)])).origin == "x" * 1024


class TestRejected:
    def test_has_the_bytes_the_key_and_where_and_why(self) -> None:
        received = received_of(record(b"\xff", [("origin", b"a.jsonl:1"), ("attempt", b"2")]))
        why = Rejected(Reason.INVALID_UTF8, "the bytes are not UTF-8 at byte 0")
        out = rejected_record(Refused(received, why), MESSAGES, REJECTED)
        assert (out.topic, out.key, out.value) == (REJECTED, b"acme/ann", b"\xff")
        assert dict(out.headers) == {
            "topic": MESSAGES.encode(),
            "partition": b"3",
            "offset": b"7",
            "reason": b"invalid_utf8",
            "detail": b"the bytes are not UTF-8 at byte 0",
            "attempt": b"2",
            "origin": b"a.jsonl:1",
        }

    def test_without_a_key_has_none(self) -> None:
        refused = Refused(received_of(record(key=None)), Rejected(Reason.MALFORMED_JSON, "no"))
        assert rejected_record(refused, MESSAGES, REJECTED).key is None


class TestFedAgain:
    def rejected(self, headers: Headers) -> KafkaMessage:
        refused = Refused(received_of(record(b"\xff", headers)), Rejected(Reason.INVALID_UTF8, "no"))
        return written(rejected_record(refused, MESSAGES, REJECTED))

    def test_keeps_bytes_key_origin_and_fault_and_counts_the_attempt(self) -> None:
        out = fed_again(self.rejected([("origin", b"a.jsonl:1"), ("fault", b"line_too_long")]), MESSAGES)
        assert (out.topic, out.key, out.value) == (MESSAGES, b"acme/ann", b"\xff")
        assert dict(out.headers) == {"origin": b"a.jsonl:1", "fault": b"line_too_long", "attempt": b"2"}

    def test_counts_on_each_time(self) -> None:
        back = self.rejected([])
        for attempt in (2, 3, 4):
            fed = written(fed_again(back, MESSAGES))
            assert received_of(fed).attempt == attempt
            refused = Refused(received_of(fed), Rejected(Reason.INVALID_UTF8, "no"))
            back = written(rejected_record(refused, MESSAGES, REJECTED))


class TestKeyAndHeaders:
    def test_a_subject_is_the_key(self) -> None:
        assert key_of(Subject("客户公司", "周晓雯")) == "客户公司/周晓雯".encode()

    @given(st.dictionaries(st.text(min_size=1), st.text(min_size=1)))
    def test_headers_come_back_as_they_went(self, headers: dict[str, str]) -> None:
        assert {name: raw.decode() for name, raw in packed(headers)} == headers

    def test_an_empty_header_is_left_out(self) -> None:
        assert packed({"origin": "", "attempt": "1"}) == (("attempt", b"1"),)

    def test_a_file_name_that_is_no_text_is_escaped(self) -> None:
        assert packed({"origin": "caf\udce9.jsonl:1"}) == (("origin", rb"caf\udce9.jsonl:1"),)
