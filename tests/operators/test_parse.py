"""What is a message, and for what reason anything else is rejected (DESIGN §2)."""

import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.parse import (
    MAX_CONTENT_BYTES,
    MAX_ID_CHARACTERS,
    MAX_METADATA_BYTES,
    MAX_REVISION,
    Reason,
    Rejected,
    content_digest,
    parse,
    same_message,
    serialise,
)
from state.model import Message, Op, Role, Subject

DATA = Path(__file__).parents[2].parent / "shared" / "data"
SECRET = "swordfish"


def row(**changes: object) -> bytes:
    """A good message as JSON, with some fields changed; a field that is `...` is left out."""
    fields: dict[str, object] = {
        "tenant": "acme",
        "subject": "customer-7",
        "conversation": "chat-1",
        "id": "m1",
        "role": "user",
        "speaker": "Mei",
        "content": f"{SECRET} 把预算改成九千",
        "sent_at": "2025-03-01T17:30:00+08:00",
    } | changes
    return json.dumps({k: v for k, v in fields.items() if v is not ...}, ensure_ascii=False).encode()


def accepted(raw: bytes) -> Message:
    message = parse(raw)
    assert isinstance(message, Message), message
    return message


def reason_of(raw: bytes, tenant: str | None = None) -> Reason:
    rejected = parse(raw, tenant)
    assert isinstance(rejected, Rejected), rejected
    assert SECRET not in rejected.detail
    assert "\n" not in rejected.detail
    return rejected.reason


def test_a_good_row_becomes_a_message_in_utc() -> None:
    assert parse(row()) == Message(
        subject=Subject("acme", "customer-7"),
        conversation="chat-1",
        id="m1",
        role=Role.USER,
        speaker="Mei",
        content=f"{SECRET} 把预算改成九千",
        sent_at=datetime(2025, 3, 1, 9, 30, tzinfo=UTC),
    )
    assert accepted(row()).sent_at.tzinfo is UTC


def test_optional_fields_are_kept_and_metadata_becomes_canonical_text() -> None:
    message = accepted(
        row(reply_to="m0", revision=3, op="upsert", metadata={"b": [1.50, None], "a": {"语": True}})
    )
    assert (message.reply_to, message.revision, message.op) == ("m0", 3, Op.UPSERT)
    assert message.metadata == '{"a":{"语":true},"b":[1.5,null]}'


def test_null_stands_for_an_absent_optional_field() -> None:
    assert parse(row(reply_to=None, revision=None, metadata=None)) == parse(row())


@pytest.mark.parametrize(
    "missing", ["tenant", "subject", "conversation", "id", "role", "speaker", "content", "sent_at"]
)
def test_an_upsert_needs_every_field_of_the_contract(missing: str) -> None:
    rejected = parse(row(**{missing: ...}))
    assert rejected == Rejected(Reason.MISSING_FIELD, f"{missing} is missing")


def test_a_delete_needs_only_what_orders_and_names_it_and_keeps_no_text() -> None:
    bare = row(op="delete", conversation=..., role=..., speaker=..., content=...)
    assert accepted(bare) == Message(
        subject=Subject("acme", "customer-7"),
        conversation="",
        id="m1",
        role=Role.USER,
        speaker="",
        content="",
        sent_at=datetime(2025, 3, 1, 9, 30, tzinfo=UTC),
        op=Op.DELETE,
    )
    assert accepted(row(op="delete")).content == ""
    assert reason_of(row(op="delete", id=...)) is Reason.MISSING_FIELD
    assert reason_of(row(op="delete", sent_at=...)) is Reason.MISSING_FIELD


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", Reason.MALFORMED_JSON),
        (b'{"tenant": "acme"', Reason.MALFORMED_JSON),
        (row() + b" {}", Reason.MALFORMED_JSON),
        (b"[" * 100_000, Reason.MALFORMED_JSON),
        (b'{"metadata":' + b'{"a":' * 500 + b"1" + b"}" * 501, Reason.MALFORMED_JSON),
        (b'{"revision":' + b"9" * 10_000 + b"}", Reason.MALFORMED_JSON),
        (b"[]", Reason.NOT_AN_OBJECT),
        (b'"text"', Reason.NOT_AN_OBJECT),
        (b"null", Reason.NOT_AN_OBJECT),
        (row().replace(b"Mei", b"M\xff"), Reason.INVALID_UTF8),
        (row().replace(b"Mei", b"\\ud800"), Reason.INVALID_UTF8),
        (row().replace("把".encode(), b"\xed\xa0\x80"), Reason.INVALID_UTF8),
        (b"\xff\xfe{", Reason.INVALID_UTF8),
        (row(extra=1), Reason.EXTRA_FIELD),
        (row(**{f"{SECRET} is here": 1}), Reason.EXTRA_FIELD),
        (row(content=5), Reason.WRONG_TYPE),
        (row(speaker=None), Reason.WRONG_TYPE),
        (row(revision="3"), Reason.WRONG_TYPE),
        (row(revision=1.0), Reason.WRONG_TYPE),
        (row(revision=True), Reason.WRONG_TYPE),
        (row(metadata=[SECRET]), Reason.WRONG_TYPE),
        (row(metadata="{}"), Reason.WRONG_TYPE),
        (row(metadata={"x": float("nan")}), Reason.WRONG_TYPE),
        (row(metadata={"x": 0}).replace(b'"x": 0', b'"x": 1e999'), Reason.WRONG_TYPE),
        (row(sent_at=1740816000), Reason.WRONG_TYPE),
        (row(role="owner"), Reason.UNKNOWN_ROLE),
        (row(role="User"), Reason.UNKNOWN_ROLE),
        (row(op="insert"), Reason.UNKNOWN_OP),
        (row(revision=-1), Reason.BAD_REVISION),
        (row(revision=MAX_REVISION + 1), Reason.BAD_REVISION),
        (row(id=""), Reason.EMPTY_ID),
        (row(subject=" \u3000"), Reason.EMPTY_ID),
        (row(speaker=""), Reason.EMPTY_ID),
        (row(reply_to=""), Reason.EMPTY_ID),
        (row(id="x" * (MAX_ID_CHARACTERS + 1)), Reason.ID_TOO_LONG),
        (row(id="a\x1fb"), Reason.CONTROL_CHARACTER),
        (row(subject="a\u2028b"), Reason.CONTROL_CHARACTER),
        (row(reply_to="a\nb"), Reason.CONTROL_CHARACTER),
        (row(content=""), Reason.EMPTY_CONTENT),
        (row(content=" \n\u3000"), Reason.EMPTY_CONTENT),
        (row(content="x" * (MAX_CONTENT_BYTES + 1)), Reason.CONTENT_TOO_LARGE),
        (row(content="语" * (MAX_CONTENT_BYTES // 3 + 1)), Reason.CONTENT_TOO_LARGE),
        (row(metadata={"x": "y" * MAX_METADATA_BYTES}), Reason.METADATA_TOO_LARGE),
        (b'{"kind": "event", "id": "ev-1", "subject": "s"}', Reason.WRONG_ROW),
        (b'{"task": "evidence", "question": "?", "messages": ["m1"]}', Reason.WRONG_ROW),
        (row(task="x", content=...), Reason.WRONG_ROW),
        (row(kind="message"), Reason.EXTRA_FIELD),
    ],
)
def test_everything_else_is_rejected_with_its_reason(raw: bytes, reason: Reason) -> None:
    assert reason_of(raw) is reason


@pytest.mark.parametrize(
    "sent_at",
    [
        "2025-03-01T09:30:00",  # no offset
        "2025-03-01",
        "2025-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-03-01T24:00:00Z",
        "2025-03-01T23:59:60Z",
        "2025-03-01T09:30Z",
        "2025-03-01T09:30:00+8",
        "2025-03-01T09:30:00+08:75",
        "2025-W09-6T09:30:00Z",
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+10:00",  # before year 1 in UTC
        "9999-12-31T23:00:00-10:00",
        "２０２５-03-01T09:30:00Z",
        "2025-03-01T09:30:00Z\n",
        "now",
        "",
    ],
)
def test_a_naive_or_impossible_time_is_rejected(sent_at: str) -> None:
    assert reason_of(row(sent_at=sent_at)) is Reason.BAD_TIME


@pytest.mark.parametrize(
    ("sent_at", "moment"),
    [
        ("2025-03-01T09:30:00Z", datetime(2025, 3, 1, 9, 30, tzinfo=UTC)),
        ("2025-03-01t09:30:00z", datetime(2025, 3, 1, 9, 30, tzinfo=UTC)),
        ("2025-03-01 09:30:00-00:30", datetime(2025, 3, 1, 10, 0, tzinfo=UTC)),
        ("2024-02-29T23:59:59.5+00:00", datetime(2024, 2, 29, 23, 59, 59, 500_000, tzinfo=UTC)),
        ("2025-03-01T09:30:00.123456789Z", datetime(2025, 3, 1, 9, 30, 0, 123_456, tzinfo=UTC)),
    ],
)
def test_an_rfc_3339_time_is_read(sent_at: str, moment: datetime) -> None:
    assert accepted(row(sent_at=sent_at)).sent_at == moment


def test_limits_are_inclusive() -> None:
    longest = accepted(
        row(id="语" * MAX_ID_CHARACTERS, content="x" * MAX_CONTENT_BYTES, revision=MAX_REVISION)
    )
    assert (len(longest.id), len(longest.content)) == (MAX_ID_CHARACTERS, MAX_CONTENT_BYTES)


def test_content_may_hold_any_character() -> None:
    text = "a\x00b\r\n\u2028\x1b[31m 😀"
    assert accepted(row(content=text)).content == text


def test_another_tenants_message_is_rejected_where_a_tenant_is_expected() -> None:
    assert reason_of(row(), tenant="other") is Reason.WRONG_TENANT
    assert isinstance(parse(row(), tenant="acme"), Message)


def test_the_reason_does_not_depend_on_the_order_of_the_keys() -> None:
    fields = json.loads(row(role="owner", extra=1, revision=-1, id=...))
    backwards = json.dumps(dict(reversed(fields.items()))).encode()
    assert parse(json.dumps(fields).encode()) == parse(backwards)


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(raw: bytes) -> None:
    assert isinstance(parse(raw), Rejected)


@given(st.data())
def test_no_damage_to_a_good_row_makes_it_raise(data: st.DataObject) -> None:
    raw = bytearray(row(metadata={"a": [1, "x"]}))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    assert isinstance(parse(bytes(raw)), Message | Rejected)


_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=8,
)
_name = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1, max_size=20)
_name = _name.filter(lambda name: bool(name.strip()))
_zone = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@st.composite
def messages(draw: st.DrawFn) -> Message:
    """Every kind of message that can be accepted."""
    metadata = draw(st.none() | st.dictionaries(st.text(st.characters(codec="utf-8")), _json, max_size=3))
    upsert = Message(
        subject=Subject(draw(_name), draw(_name)),
        conversation=draw(_name),
        id=draw(_name),
        role=draw(st.sampled_from(Role)),
        speaker=draw(_name),
        content=draw(st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda t: bool(t.strip()))),
        sent_at=draw(st.datetimes(timezones=st.just(UTC))),
        reply_to=draw(st.none() | _name),
        revision=draw(st.none() | st.integers(0, MAX_REVISION)),
        metadata=None
        if metadata is None
        else json.dumps(metadata, sort_keys=True, ensure_ascii=False, separators=(",", ":")),
    )
    if draw(st.booleans()):
        return upsert
    return replace(upsert, op=Op.DELETE, content="", conversation=draw(st.sampled_from(["", "c"])))


@given(messages())
def test_parse_undoes_serialise(message: Message) -> None:
    assert parse(serialise(message)) == message
    assert b"\n" not in serialise(message)


@given(messages(), st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)), _zone)
def test_equal_messages_have_one_digest_whatever_their_zone(
    message: Message, moment: datetime, zone: timezone
) -> None:
    there = replace(message, sent_at=moment.replace(tzinfo=zone))
    here = replace(there, sent_at=there.sent_at.astimezone(UTC))
    assert same_message(here, there)
    assert content_digest(here) == content_digest(there)


@given(messages(), messages())
def test_unlike_messages_have_unlike_digests(one: Message, other: Message) -> None:
    assert same_message(one, other) == (one == other) == (content_digest(one) == content_digest(other))


def test_metadata_compares_by_what_it_says() -> None:
    one = replace(accepted(row()), metadata='{"a":1,"b":2}')
    assert same_message(one, replace(one, metadata='{"b": 2, "a": 1}'))
    assert not same_message(one, replace(one, metadata='{"a":1}'))


def test_a_time_without_a_zone_is_not_serialised() -> None:
    with pytest.raises(ValueError, match="sent_at"):
        serialise(replace(accepted(row()), sent_at=datetime(2025, 1, 1)))


@pytest.mark.skipif(not DATA.is_dir(), reason="the labelled conversations are not here")
@pytest.mark.parametrize("name", ["star", "sgd", "beam", "locomo", "ntm", "goodai"])
def test_real_conversations_are_accepted_whole(name: str) -> None:
    with gzip.open(DATA / name / "messages.jsonl.gz") as lines:
        outcomes = [parse(line, tenant="eval") for line in lines]
    assert {outcome.reason for outcome in outcomes if isinstance(outcome, Rejected)} <= {
        Reason.CONTENT_TOO_LARGE,
        Reason.EMPTY_CONTENT,
    }
    accepted_messages = [outcome for outcome in outcomes if isinstance(outcome, Message)]
    assert len(accepted_messages) > 0.99 * len(outcomes)
    assert [parse(serialise(message)) for message in accepted_messages[:500]] == accepted_messages[:500]
