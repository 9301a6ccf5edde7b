"""The records of `evidence.changes`: a line a changed thing, from which a reader can keep the whole graph."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from redis import Redis

from operators.distill.rules import RULES as DISTILLER
from operators.parse import parse, serialise
from operators.relate.rules import RULES as RELATER
from operators.revise import Rules, revise
from operators.rows import rows
from pipeline.change_records import change_lines
from state.graph_change import GraphWriter, SubjectChange
from state.graph_reads import fetch
from state.graph_store import RedisGraph
from state.model import Message, Op, Role, Subject
from tests.operators.toy_rules import RULES as TOY
from tests.pipeline.command import EXAMPLES
from tests.state.histories import day

ANN = Subject("acme", "ann")
RULES = Rules(DISTILLER, RELATER)
OF_TIME_AND_HIERARCHY = ("kind", "id", "subject", "valid", "session", "topic")
"""Fields of an exported row that the value of a record does not have."""


def said(number: int, content: str, subject: Subject = ANN, **other: Any) -> Message:
    told = Message(subject, "c1", f"m{number}", Role.USER, "Ann", content, day(number))
    return replace(told, **other)


class Writing:
    """Writes messages to a store, one flush a call, and gives back what each change says."""

    def __init__(self, client: Redis, rules: Rules) -> None:
        self._client, self._rules = client, rules
        self._offset = 0
        self.changes: list[SubjectChange] = []

    def __call__(self, *messages: Message) -> list[dict[str, Any]]:
        arrived = [(m, self._offset + n) for n, m in enumerate(messages)]
        self._offset += len(messages)
        subject = messages[0].subject
        running = revise(subject, arrived, self._rules, day(400))
        try:
            reads = next(running)
            while True:
                fetch(self._client, [(subject, reads)])
                reads = next(running)
        except StopIteration as finished:
            if finished.value is None:
                return []
            change: SubjectChange = finished.value.change
        GraphWriter(self._client, 1).write([change])
        self.changes.append(change)
        return told(change)


def told(change: SubjectChange) -> list[dict[str, Any]]:
    lines = change_lines(change)
    return [json.loads(line) for line in lines.split("\n")] if lines else []


@pytest.fixture
def write(redis: Redis) -> Writing:
    """Writes by rules of which a test knows what they make: `a.x=1` states, `a.x-` withdraws."""
    return Writing(redis, TOY)


@pytest.fixture
def write_by_rules(redis: Redis) -> Writing:
    return Writing(redis, RULES)


def of(kind: str, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record for record in records if record["kind"] == kind]


def updates(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [r for r in of("edge", records) if r["value"]["type"] == "updates"]


class TestWhatIsTold:
    def test_each_thing_that_a_write_changed_is_one_line(self, write: Writing) -> None:
        records = write(said(1, "a.x=1"), said(2, "a.x=2"))
        assert [(r["kind"], r["op"]) for r in records] == [
            *[("message", "upsert")] * 2,
            *[("event", "upsert")] * 2,
            *[("edge", "upsert")] * 2,  # it replaces, and one says why
        ]
        assert {frozenset(r) for r in records} == {
            frozenset({"tenant", "subject", "version", "kind", "id", "op", "value"})
        }

    def test_a_value_is_the_row_of_the_export_without_a_time_that_is_asked_about(
        self, write: Writing, redis: Redis
    ) -> None:
        records = write(said(1, "a.x=1"), said(2, "a.x=2"))
        view = RedisGraph(redis).everything(ANN)
        assert view is not None
        exported = {row.id: json.loads(row.line()) for row in rows(view)}
        for record in of("event", records) + of("edge", records):
            row = exported[record["id"]]
            assert record["value"] == {k: v for k, v in row.items() if k not in OF_TIME_AND_HIERARCHY}
        assert [r["value"] for r in of("message", records)] == [
            json.loads(serialise(message)) for message in view.messages
        ]

    def test_a_fact_says_when_it_holds(self, write: Writing) -> None:
        records = write(said(1, "a.x=1"), said(2, "a.x=2"))
        (old, new) = of("event", records)
        (edge,) = updates(records)
        assert (edge["value"]["source"], edge["value"]["target"]) == (new["id"], old["id"])
        assert old["value"]["holds"] == [["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]]
        assert new["value"]["holds"] == [["2026-01-03T00:00:00Z", None]]

    def test_versions_count_the_writes_of_the_subject(self, write: Writing) -> None:
        other = Subject("globex", "ann")
        assert {r["version"] for r in write(said(1, "a.x=1"))} == {1}
        assert {r["version"] for r in write(said(2, "a.x=2"))} == {2}
        assert {(r["tenant"], r["version"]) for r in write(said(1, "a.x=1", other))} == {("globex", 1)}
        assert {(r["tenant"], r["version"]) for r in write(said(3, "a.x=3"))} == {("acme", 3)}

    def test_a_message_that_comes_again_tells_nothing(self, write: Writing) -> None:
        write(said(1, "a.x=1"))
        assert write(said(1, "a.x=1")) == []

    def test_a_fact_that_is_replaced_later_is_told_again_with_its_end(self, write: Writing) -> None:
        (first,) = of("event", write(said(1, "a.x=1")))
        records = of("event", write(said(2, "a.x=2")))
        (again,) = [r for r in records if r["id"] == first["id"]]
        assert first["value"]["holds"] == [["2026-01-02T00:00:00Z", None]]
        assert again["value"]["holds"] == [["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]]

    def test_a_delete_takes_back_all_that_was_drawn_and_has_no_value(self, write: Writing) -> None:
        write(said(1, "a.x=1"))
        made = write(said(2, "a.x=2"))
        records = write(said(2, "", op=Op.DELETE, revision=1))
        deleted = {(r["kind"], r["id"]) for r in records if r["op"] == "delete"}
        (new,) = [r["id"] for r in of("event", made) if r["value"]["sources"] == ["m2"]]
        edges = {("edge", r["id"]) for r in of("edge", made)}
        assert deleted == {("message", "m2"), ("event", new), *edges}
        assert all("value" not in r for r in records if r["op"] == "delete")
        (old,) = [r for r in records if r["op"] == "upsert"]
        assert old["value"]["holds"] == [["2026-01-02T00:00:00Z", None]]

    def test_an_event_that_only_gains_an_edge_is_not_told_again(self, write: Writing) -> None:
        (first,) = of("event", write(said(1, "a.x=1")))
        records = write(said(2, "b.y=2"))
        (edge,) = of("edge", records)
        (second,) = of("event", records)
        assert (edge["value"]["source"], edge["value"]["target"]) == (first["id"], second["id"])
        assert write.changes[-1].events[first["id"]] is not None


class TestBytes:
    def test_chinese_is_told_as_it_is_said(self, write_by_rules: Writing) -> None:
        write_by_rules(said(1, "我的收货地址是杭州市梧桐路5号。", Subject("客户公司", "周晓雯")))
        lines = change_lines(write_by_rules.changes[-1])
        assert "梧桐路5号" in lines
        assert "客户公司" in lines
        assert "\\u" not in lines

    def test_a_line_break_in_a_text_is_none_of_the_record(self, write_by_rules: Writing) -> None:
        text = "My address is 4 Elm Road.\nThank you.\u2028\r\n"
        (record,) = of("message", write_by_rules(said(1, text)))
        assert record["value"]["content"] == text

    def test_the_same_change_is_the_same_bytes(self, redis: Redis) -> None:
        messages = [said(n, f"a.x={n}; b.y={n % 2}") for n in range(1, 8)]
        told = []
        for _ in range(2):
            redis.flushall()
            writing = Writing(redis, TOY)
            writing(*messages[:4])
            writing(*messages[4:])
            told.append([change_lines(change) for change in writing.changes])
        assert told[0] == told[1]

    def test_is_compact_json_with_sorted_keys(self, write: Writing) -> None:
        write(said(1, "a.x=1"))
        for line in change_lines(write.changes[-1]).split("\n"):
            again = json.dumps(json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            assert again == line


def example(number: int) -> Iterator[Message]:
    for line in EXAMPLES[number].read_bytes().splitlines():
        message = parse(line)
        assert isinstance(message, Message)
        yield message


@pytest.mark.parametrize("number", [0, 1], ids=["english", "chinese"])
@pytest.mark.parametrize("seed", range(3))
def test_a_reader_that_keeps_what_it_is_told_has_the_whole_graph(
    write_by_rules: Writing, redis: Redis, number: int, seed: int
) -> None:
    """Whatever the order of arrival, and with edits and deletes."""
    random = Random(seed)
    messages = list(example(number))
    subject = messages[0].subject
    messages = [m for m in messages if m.subject == subject]
    edited = [replace(m, content=random.choice(messages).content, revision=1) for m in messages[::5]]
    gone = [replace(m, op=Op.DELETE, content="", revision=2) for m in messages[::7]]
    messages += edited + gone
    random.shuffle(messages)
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    while messages:
        size = random.randint(1, 6)
        for record in write_by_rules(*messages[:size]):
            thing = (record["kind"], record["id"])
            if record["op"] == "upsert":
                kept[thing] = record["value"]
            else:
                kept.pop(thing, None)
        del messages[:size]
    view = RedisGraph(redis).everything(subject)
    assert view is not None
    exported = {
        (row.kind, row.id): json.loads(row.line())
        for row in rows(view)
        if row.kind == "event" or (row.kind == "edge" and row.fields["source"].startswith("ev-")
                                   and row.fields["target"].startswith("ev-"))
    }  # fmt: skip
    for row in exported.values():
        for field in OF_TIME_AND_HIERARCHY:
            row.pop(field, None)
    assert {thing: value for thing, value in kept.items() if thing[0] != "message"} == exported
    assert {i for kind, i in kept if kind == "message"} == {m.id for m in view.messages}
