"""What is no message is put aside with its reason and its line, and the rest goes through (DESIGN I5)."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.embedded import Embedded
from pipeline.rejected_record import RejectedRecord
from tests.pipeline.command import Outcome, export, ingest, lines, message, stet

GOOD = lines([message(1)])
HUGE = "a" * (64 * 1024 + 1)
BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b'{"tenant": "acme", ', "malformed_json"),
    "no object": (b"[1, 2]", "not_an_object"),
    "a field too few": (lines([message(2, speaker=None)]), "missing_field"),
    "a field too many": (lines([message(2, mood="glad")]), "extra_field"),
    "a role that is none": (lines([message(2, role="boss")]), "unknown_role"),
    "a time without a zone": (lines([message(2, sent_at="2026-03-02T09:00:00")]), "bad_time"),
    "a day that is none": (lines([message(2, sent_at="2026-02-30T09:00:00Z")]), "bad_time"),
    "a time that is a number": (lines([message(2, sent_at=1767225600)]), "wrong_type"),
    "no content": (lines([message(2, content="")]), "empty_content"),
    "white content": (lines([message(2, content=" \n\u3000")]), "empty_content"),
    "too much content": (lines([message(2, content=HUGE)]), "content_too_large"),
    "no UTF-8": (lines([message(2, content="€")]).replace("€".encode(), b"\x80"), "invalid_utf8"),
    "half a surrogate pair": (json.dumps(message(2, content="\ud800")).encode(), "invalid_utf8"),
    "a row of an export": (lines([{"kind": "event", "id": "ev-1", "subject": "ann"}]), "wrong_row"),
    "a row of gold labels": (lines([{"task": "updates", "subject": "ann", "gold": []}]), "wrong_row"),
    "a line break in an id": (lines([message(2, id="m\n2")]), "control_character"),
    "a line too long": (b'{"content": "' + b"x" * (1024 * 1024) + b'"}', "line_too_long"),
}


def refused(data: Path) -> list[RejectedRecord]:
    with Embedded.open(data) as folder:
        return list(folder.rejected.records())


def contents(data: Path) -> list[str]:
    rows = [json.loads(line) for line in export(data).splitlines()]
    return [row["content"] for row in rows if row["kind"] == "message"]


def test_each_bad_record_is_refused_in_its_place_and_the_good_ones_go_through(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "calls.jsonl"
    wrong = [raw.rstrip(b"\n") for raw, _ in BAD.values()]
    file.write_bytes(b"\n".join([*wrong, b"", GOOD]))
    outcome = ingest(file, data)
    assert (outcome.code, outcome.err) == (0, "")
    reasons = [reason for _, reason in BAD.values()]
    assert outcome.json["messages"] == 1
    assert outcome.json["rejected"] == len(BAD)
    assert outcome.json["rejected_by_reason"] == {r: reasons.count(r) for r in sorted(set(reasons))}
    found = refused(data)
    assert [(record.line, record.reason) for record in found] == list(enumerate(reasons, 1))
    assert all(record.file == "calls.jsonl" and record.attempt == 1 for record in found)
    assert [r.raw for r in found if r.reason != "line_too_long"] == wrong[:-1]
    assert not any("xxxx" in record.detail or "Elm" in record.detail for record in found)
    assert contents(data) == [message(1)["content"]]


@pytest.mark.parametrize("cut", [0.5, 0.98])
def test_what_can_be_read_of_a_truncated_gzip_is_taken(tmp_path: Path, cut: float) -> None:
    rows = [message(n, content=f"Number {n * 7919} is the code of box {n}.") for n in range(200)]
    packed = gzip.compress(lines(rows))
    file = tmp_path / "calls.jsonl.gz"
    file.write_bytes(packed[: int(len(packed) * cut)])
    outcome = ingest(file, tmp_path / "data")
    assert outcome.code == 0
    taken = outcome.json["messages"]
    assert 0 < taken < 200
    assert outcome.json["rejected_by_reason"] == {"truncated_gzip": 1}
    (record,) = refused(tmp_path / "data")
    assert record.line == taken + 1
    whole = lines(rows).splitlines()
    assert whole[taken].startswith(record.raw)


@pytest.mark.parametrize(
    ("content", "rejected"),
    [(b"", 0), (b"\n \n", 0), (b"no JSON\n", 1), (gzip.compress(GOOD, mtime=0)[:12], 1)],
    ids=["empty", "blank", "all bad", "gzip head"],
)
def test_a_file_without_a_readable_message_is_an_error(tmp_path: Path, content: bytes, rejected: int) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_bytes(content)
    outcome = ingest(file, tmp_path / "data")
    assert outcome.code == 5
    assert outcome.json["rejected"] == rejected
    assert outcome.err == f"stet: {file} has no message that could be read\n"


def test_a_replay_after_nothing_was_put_right_refuses_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ingest(b"no JSON\n" + GOOD, data)
    before = export(data)
    outcome = stet("replay-rejected", "--json", data=data)
    assert outcome.code == 0
    assert outcome.json["rejected_by_reason"] == {"malformed_json": 1}
    (record,) = refused(data)
    assert (record.attempt, record.raw, record.origin) == (2, b"no JSON", "stdin:1")
    assert export(data) == before


def test_a_replay_of_nothing_does_nothing(tmp_path: Path) -> None:
    ingest(GOOD, tmp_path)
    outcome = stet("replay-rejected", "--json", data=tmp_path)
    assert (outcome.code, outcome.json["messages"], outcome.json["rejected"]) == (0, 0, 0)


class TestTheSameId:
    """An id is a message's name: what is sent again under it is the same, an edit, or a delete."""

    def test_with_the_same_content_changes_nothing(self, tmp_path: Path) -> None:
        ingest(GOOD, tmp_path)
        before = export(tmp_path)
        outcome = ingest(GOOD, tmp_path)
        assert (outcome.json["messages"], outcome.json["unchanged"]) == (1, 1)
        assert export(tmp_path) == before

    def test_with_other_content_is_an_edit(self, tmp_path: Path) -> None:
        ingest(GOOD, tmp_path)
        outcome = ingest(lines([message(1, content="My address is 9 Oak Street.")]), tmp_path)
        assert outcome.json["unchanged"] == 0
        assert contents(tmp_path) == ["My address is 9 Oak Street."]

    def test_is_taken_back_by_a_delete_that_may_come_first(self, tmp_path: Path) -> None:
        gone: dict[str, Any] = message(
            1, op="delete", content=None, role=None, speaker=None, conversation=None
        )
        gone["sent_at"] = "2026-03-03T09:00:00Z"
        assert ingest(lines([gone]), tmp_path).code == 0
        assert contents(tmp_path) == []
        outcome = ingest(lines([message(1), message(2, content="My phone is 555-0101.")]), tmp_path)
        assert outcome.json["unchanged"] == 1
        assert contents(tmp_path) == ["My phone is 555-0101."]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
def test_a_message_of_the_first_or_the_last_moment_is_taken_or_refused_with_a_reason(
    tmp_path: Path, at: str
) -> None:
    """Its words may reckon with days that the calendar has not."""
    odd = [
        message(1, sent_at=at),
        message(2, content="The desk comes tomorrow, I moved last year.", sent_at=at),
    ]
    outcome: Outcome = ingest(lines([*odd, message(3, subject="bob")]), tmp_path)
    assert outcome.code == 0
    told = outcome.json
    assert told["messages"] + told["rejected"] == 3
    assert set(told["rejected_by_reason"]) <= {"processing_failed"}
    rows = stet("export", data=tmp_path).rows
    assert {row["sent_at"] for row in rows if row["kind"] == "message"} == {at, message(3)["sent_at"]}
    assert all(row["stated_at"] in (at, message(3)["sent_at"]) for row in rows if row["kind"] == "event")
