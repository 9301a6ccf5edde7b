"""Forgetting in the stream, step by step: whatever a crash cuts short, a repetition completes."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from redis import Redis

from operators.parse import parse
from operators.revise import Rules
from pipeline.applied import Arrived
from pipeline.apply import Applier, Stores
from pipeline.change_records import change_lines
from pipeline.kafka_record import position
from pipeline.named_stage import rules_with
from pipeline.received import Received
from pipeline.stream_forgetting import Forgetter, Order, in_turn
from state.forgotten import Removal, marks
from state.graph_change import Fenced, GraphWriter, Overtaken, SubjectChange
from state.graph_keys import SubjectKeys
from state.graph_store import RedisGraph
from state.hashing_encoder import HashingEncoder
from state.ledger import Ledger, Remembered
from state.model import Message, Subject
from state.notes_edge import EdgeNoteStore
from state.outbox import waiting
from tests.pipeline.command import lines, message

NOW = datetime(2026, 3, 2, tzinfo=UTC)
ANN, BOB = Subject("acme", "ann"), Subject("acme", "bob")
ANSWER = Remembered("distill", "m", "p/1", "{}")


class Killed(BaseException):
    """Stands for the end of the process."""


class Bench:
    """The stores, and a log of one partition."""

    def __init__(self, client: Redis, notes: EdgeNoteStore) -> None:
        self.client, self.notes = client, notes
        self.graph = RedisGraph(client)
        self.rules: Rules = rules_with(None)
        self.log: list[Arrived | Order] = []

    def stores(self, fence: int = 1) -> Stores:
        writer = GraphWriter(self.client, fence, change_lines)
        return Stores(self.client, writer, self.notes, HashingEncoder(16))

    def say(self, text: str, subject: Subject = ANN) -> None:
        at = len(self.log)
        row = lines([message(at + 1, content=text, tenant=subject.tenant, subject=subject.name)]).strip()
        said = parse(row)
        assert isinstance(said, Message)
        self.log.append(Arrived(said, self._received(at)))

    def ask_to_forget(self, subject: Subject = ANN) -> Order:
        at = len(self.log)
        order = Order(subject, f"{at:032x}", self._received(at))
        self.log.append(order)
        return order

    def _received(self, at: int) -> Received:
        return Received(position(3, at), b"", written=1_000 + at)

    def work(self, since: int = 0, fence: int = 1) -> None:
        """Processes the log from a place on."""
        stores = self.stores(fence)
        list(in_turn(self.log[since:], Applier(stores, self.rules, lambda: NOW), Forgetter(stores)))

    def said(self, subject: Subject = ANN) -> list[str]:
        view = self.graph.everything(subject)
        return [] if view is None else sorted(m.content for m in view.messages)

    def keys(self) -> set[bytes]:
        return {key for key in self.client.scan_iter() if b"{acme/ann}" in key}


@pytest.fixture
def bench(redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    notes = EdgeNoteStore(tmp_path_factory.mktemp("notes"), 16)
    one = Bench(redis, notes)
    one.say("My address is 5 Elm Row.")
    one.say("My address is 9 Oak Way.", BOB)
    one.say("Please change the address to 7 Fir Lane.")
    yield one
    notes.close()


def test_what_came_before_is_gone_and_what_comes_after_stays(bench: Bench) -> None:
    bench.ask_to_forget()
    bench.say("My phone is 555-0100.")
    bench.work()
    assert bench.said() == ["My phone is 555-0100."]
    assert bench.said(BOB) == ["My address is 9 Oak Way."]
    assert (bench.notes.count(ANN), bench.notes.count(BOB)) == (1, 1)


def test_read_again_from_any_place_nothing_changes_and_what_was_forgotten_does_not_come_back(
    bench: Bench,
) -> None:
    bench.ask_to_forget()
    bench.say("My phone is 555-0100.")
    bench.work()
    version = bench.client.get(SubjectKeys(ANN).version)
    for since in range(len(bench.log)):
        for place in range(since, len(bench.log)):
            bench.work(place)
            assert bench.said() == ["My phone is 555-0100."]
    assert bench.client.get(SubjectKeys(ANN).version) == version


@pytest.mark.parametrize("step", ["begin", "forget notes", "remove", "finish", "finished"])
def test_cut_short_before_any_step_it_is_completed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    order = bench.ask_to_forget()
    bench.say("My phone is 555-0100.")
    bench.work(fence=1) if step == "finished" else None

    def killed(*arguments: object) -> None:
        raise Killed

    place = (EdgeNoteStore, "forget") if step == "forget notes" else (Removal, step)
    if step != "finished":
        monkeypatch.setattr(*place, killed)
        with pytest.raises(Killed):
            bench.work()
        monkeypatch.undo()
    stores = bench.stores(fence=2)
    done = Forgetter(stores).forget(order)
    assert (done.removed["messages"], done.removed["notes"]) == (2, 2)
    bench.work(len(bench.log) - 1, fence=2)
    assert bench.said() == ["My phone is 555-0100."]
    assert bench.notes.count(ANN) == 1
    (tombstone, *_) = waiting(bench.client, [ANN])[ANN]
    assert tombstone.text == ""


def test_nothing_is_left_under_its_name_once_it_is_published(bench: Bench) -> None:
    bench.work()
    assert bench.keys()
    bench.ask_to_forget()
    bench.work()
    assert bench.keys() == {SubjectKeys(ANN).outbox.encode()}
    assert [entry.text for entry in waiting(bench.client, [ANN])[ANN]] == [""]
    mark = marks(bench.client, [ANN])[ANN]
    assert mark.found["messages"] == 2
    assert 0 < bench.client.ttl(SubjectKeys(ANN).forgotten) <= 3600
    assert not [v for v in bench.client.hvals(SubjectKeys(ANN).forgotten) if b"ann" in v or b"Elm" in v]


def test_a_writer_that_has_fallen_behind_writes_nothing_more(bench: Bench) -> None:
    bench.work(fence=5)
    version = int(bench.client.get(SubjectKeys(ANN).version) or 0)
    bench.ask_to_forget()
    bench.work(len(bench.log) - 1, fence=6)
    for stale, fault in ((GraphWriter(bench.client, 5), Fenced), (GraphWriter(bench.client, 6), Overtaken)):
        for worked_out_at in (0, version):
            with pytest.raises(fault):
                stale.write([SubjectChange(ANN, worked_out_at, {})])
    with pytest.raises(Fenced):
        Forgetter(bench.stores(fence=5)).forget(bench.ask_to_forget())
    assert bench.said() == []


def test_an_answer_that_was_asked_for_before_is_not_remembered(bench: Bench) -> None:
    bench.work()
    ledger = Ledger(bench.client)
    asked_at = int(bench.client.get(SubjectKeys(ANN).version) or 0)
    assert ledger.remember_since(ANN, {"k": ANSWER}, asked_at) == {"k": ANSWER}
    bench.ask_to_forget()
    bench.say("My phone is 555-0100.")
    bench.say("My phone is 555-0101.")
    bench.work(len(bench.log) - 3)
    assert ledger.read(ANN, ["k"]) == {}
    assert ledger.remember_since(ANN, {"k": ANSWER}, asked_at) == {}
    asked_now = int(bench.client.get(SubjectKeys(ANN).version) or 0)
    assert ledger.remember_since(ANN, {"k": ANSWER}, asked_now) == {"k": ANSWER}


def test_a_topic_that_was_made_anew_is_read_though_its_places_are_lower(bench: Bench) -> None:
    bench.ask_to_forget()
    bench.work()
    bench.log.clear()
    bench.say("My phone is 555-0100.")
    (first,) = bench.log
    assert isinstance(first, Arrived)
    bench.log[0] = Arrived(first.message, Received(first.received.offset, b"", written=9_000))
    bench.work()
    assert bench.said() == ["My phone is 555-0100."]
