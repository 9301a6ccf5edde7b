"""What is changed is published at least once, and a write is made once (DESIGN §4, propagate)."""

from dataclasses import replace

import pytest
from redis import Redis

from state.graph_change import Fenced, GraphWriter, Overtaken, SubjectChange
from state.graph_store import RedisGraph
from state.model import Subject
from state.outbox import Entry, drop, waiting
from tests.state.test_graph_store import said, written

ANN, BOB = Subject("acme", "ann"), Subject("globex", "ann")


def change(subject: Subject, version: int) -> SubjectChange:
    return SubjectChange(subject, version, {}, counts={"messages": 1})


def told(change: SubjectChange) -> str:
    return f"[{change.version + 1}] 地址 {change.subject.tenant}"


@pytest.fixture
def writer(redis: Redis) -> GraphWriter:
    return GraphWriter(redis, 1, told)


def test_each_write_leaves_its_version_and_its_text(redis: Redis, writer: GraphWriter) -> None:
    writer.write([change(ANN, 0), change(BOB, 0)])
    writer.write([change(ANN, 1)])
    assert waiting(redis, [ANN, BOB]) == {
        ANN: (Entry(1, "[1] 地址 acme"), Entry(2, "[2] 地址 acme")),
        BOB: (Entry(1, "[1] 地址 globex"),),
    }


def test_what_was_published_goes_and_what_came_since_stays(redis: Redis, writer: GraphWriter) -> None:
    for version in range(12):
        writer.write([change(ANN, version)])
    drop(redis, {ANN: 10})
    assert [entry.version for entry in waiting(redis, [ANN])[ANN]] == [11, 12]
    drop(redis, {ANN: 10})
    drop(redis, {ANN: 12, BOB: 5})
    assert waiting(redis, [ANN, BOB]) == {}


def test_a_write_that_was_made_is_not_made_again(redis: Redis, writer: GraphWriter) -> None:
    writer.write([change(ANN, 0)])
    with pytest.raises(Overtaken):
        writer.write([change(ANN, 0)])
    assert RedisGraph(redis).counts([ANN]) == {"messages": 1}
    assert len(waiting(redis, [ANN])[ANN]) == 1


def test_a_fenced_writer_leaves_nothing_to_publish(redis: Redis, writer: GraphWriter) -> None:
    GraphWriter(redis, 2).write([change(ANN, 0)])
    with pytest.raises(Fenced):
        writer.write([change(ANN, 1)])
    assert waiting(redis, [ANN]) == {}


def test_a_change_that_was_worked_out_from_an_older_state_changes_nothing(redis: Redis) -> None:
    first = written(redis, said(ANN))
    before = RedisGraph(redis).everything(ANN)
    with pytest.raises(Overtaken):
        GraphWriter(redis, 1).write([replace(first, version=0)])
    assert RedisGraph(redis).everything(ANN) == before
