"""What a settle asks, remembers and parks, with a caller in the process (`pipeline.settle`)."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError

from evaluation.memory_notes import MemoryNotes
from operators.llm.ask import Ask
from operators.llm.endpoint import OnFailure
from operators.llm.failure import BudgetSpent, CallFailed, Failure
from operators.llm.purpose import Purpose
from operators.model_reader import ModelReader
from operators.revise import revise
from pipeline.apply import Applier, Stores
from pipeline.running import RULES
from pipeline.settle import GROUP, Asks, Interrupted, Settled, Settler
from state.graph_change import GraphWriter, Overtaken
from state.graph_forgetting import forget_graph
from state.graph_keys import SubjectKeys
from state.graph_reads import fetch
from state.graph_store import RedisGraph
from state.hashing_encoder import HashingEncoder
from state.model import Message, Op, Role, Subject
from state.waiting import Counts, Waiting
from tests.servers.chat_model import answer
from tests.servers.chat_replies import Asked
from tests.servers.redis_server import RedisServer

MAYA = Subject("acme", "maya")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass
class Caller:
    """Answers as the careful model does, but for what `fails` says of a question's content."""

    model: str = "careful"
    fails: Callable[[str], CallFailed | None] = lambda content: None
    asked: list[tuple[Purpose, str]] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None

    def ask(self, tenant: str, ask: Ask[Any]) -> Any:
        self.asked.append((ask.purpose, ask.content))
        self.meanwhile()
        failed = self.fails(ask.content)
        if failed is not None:
            raise failed
        body = {"messages": [{"content": ""}, {"content": ask.content}]}
        return ask.shape.model_validate_json(answer(Asked(body, {})))

    def stream(self, tenant: str, ask: Ask[Any]) -> Iterator[str]:
        raise AssertionError("the stream asks for whole answers")

    def close(self) -> None:
        """Nothing is open."""


def message(n: int, text: str, op: Op = Op.UPSERT, revision: int = 0) -> Message:
    at = START + timedelta(minutes=n)
    return Message(MAYA, "c", f"m/{n}", Role.USER, "Maya", text, at, op=op, revision=revision)


@dataclass
class Bench:
    """One subject's graph, and settles of it."""

    redis: Redis
    caller: Caller = field(default_factory=Caller)
    asks: Asks = field(init=False)
    now: datetime = START
    is_stopping: bool = False

    def __post_init__(self) -> None:
        self.asks = Asks(self.caller)

    def say(self, *texts: str, first: int = 0) -> None:
        self.take(*(message(n, text) for n, text in enumerate(texts, first)), first=first)

    def take(self, *said: Message, first: int) -> None:
        rules = replace(RULES, answers=ModelReader("careful"))
        running = revise(MAYA, [(m, n) for n, m in enumerate(said, first)], rules, self.now)
        try:
            while True:
                fetch(self.redis, [(MAYA, next(running))])
        except StopIteration as finished:
            GraphWriter(self.redis, 1).write([finished.value.change])

    def settle(self, last: bool = False) -> Settled:
        settler = Settler(self.redis, self.asks, RULES, lambda: self.now, lambda: self.is_stopping)
        settled = settler.settle(MAYA, last)
        if settled.revision is not None:
            GraphWriter(self.redis, 1).write([settled.revision.change])
        return settled

    def settle_all(self) -> None:
        """Until nothing waits, also where a settle is overtaken by what is written meanwhile."""
        for _ in range(5):
            with suppress(Overtaken):
                self.settle()
        assert self.waiting() == Counts(0, {})

    def delete(self, n: int) -> None:
        self.take(message(n, "", Op.DELETE, revision=9), first=100 + n)

    def edit(self, n: int, text: str) -> None:
        self.take(message(n, text, revision=1), first=50 + n)

    def holds(self, word: str) -> bool:
        """Whether the word is in anything that is stored, or in the name of it."""
        read: dict[bytes, Callable[[bytes], Any]] = {
            b"hash": self.redis.hgetall,
            b"zset": lambda key: self.redis.zrange(key, 0, -1),
            b"set": self.redis.smembers,
            b"list": lambda key: self.redis.lrange(key, 0, -1),
            b"string": self.redis.get,
        }
        keys = self.redis.keys("*")
        return word.encode() in b" ".join(
            [*keys, *(repr(read[self.redis.type(k)](k)).encode() for k in keys)]
        )

    def waiting(self) -> Counts:
        return Waiting(self.redis).counts([MAYA])

    def values(self) -> list[str]:
        view = RedisGraph(self.redis).everything(MAYA)
        return sorted(e.facet.value for e in view.events if e.facet) if view else []


@pytest.fixture
def bench(redis: Redis) -> Bench:
    return Bench(redis)


def colour(number: int) -> str:
    return f"The colour of desk is now red{number}."


def test_a_group_is_asked_about_in_one_question_and_its_pairs_in_another(bench: Bench) -> None:
    bench.say(*(colour(n) for n in range(GROUP + 5)))
    settled = bench.settle()
    assert [purpose for purpose, _ in bench.caller.asked] == [Purpose.DISTILL, Purpose.RELATE]
    assert (len(settled.turns), settled.left) == (GROUP, 5)
    assert (bench.waiting().waiting, len(bench.values())) == (5, GROUP)
    assert bench.settle().left == 0
    assert bench.waiting() == Counts(0, {})
    assert bench.settle().turns == ()


def test_a_turn_that_spoils_the_answer_for_all_is_found_and_parked_alone(bench: Bench) -> None:
    declined = CallFailed(Failure.DECLINED, "no")
    bench.caller.fails = lambda content: declined if "red3." in content and '"read"' in content else None
    bench.say(*(colour(n) for n in range(8)), *("thanks" for _ in range(6)))
    settled = bench.settle()
    assert bench.waiting().parked.keys() == {"declined"}
    assert "red3" not in bench.values()
    assert len(bench.values()) >= 3
    assert settled.next_at is not None


def test_a_parked_turn_is_asked_about_later_and_later(bench: Bench) -> None:
    bench.caller.fails = lambda content: CallFailed(Failure.SERVER, "500")
    bench.say(colour(1))
    waits = []
    for _ in range(3):
        settled = bench.settle()
        assert settled.next_at is not None
        waits.append(round(settled.next_at - bench.now.timestamp()))
        assert bench.settle().turns == ()
        bench.now = datetime.fromtimestamp(settled.next_at + 1, UTC)
    assert waits == [30, 60, 120]
    bench.caller.fails = lambda content: None
    bench.settle()
    assert (bench.waiting(), bench.values()) == (Counts(0, {}), ["red1"])


def test_a_turn_that_was_not_asked_about_is_as_soon_as_its_endpoint_is_tried_again(bench: Bench) -> None:
    left = iter([12.0, 0.5, None])
    bench.caller.fails = lambda content: CallFailed(Failure.BREAKER_OPEN, "resting", next(left))
    bench.say(colour(1))
    waits = []
    for _ in range(3):
        settled = bench.settle()
        waits.append(round((settled.next_at or 0) - bench.now.timestamp()))
        bench.now = datetime.fromtimestamp((settled.next_at or 0) + 1, UTC)
    assert waits == [12, 10, 20]


def test_a_tenant_without_budget_is_asked_about_the_next_day(bench: Bench) -> None:
    bench.caller.fails = lambda content: BudgetSpent("acme", 40_000.0)
    bench.say(colour(1))
    settled = bench.settle()
    assert settled.next_at == pytest.approx(bench.now.timestamp() + 40_000)
    assert bench.waiting().parked == {"budget": 1}


def test_rules_stand_in_at_once_for_a_failure_that_lasts(bench: Bench) -> None:
    bench.asks = replace(bench.asks, on_failure=OnFailure.RULES)
    told: Counter[str] = Counter()
    bench.asks = replace(bench.asks, by_rules=told.update)
    bench.caller.fails = lambda content: CallFailed(Failure.AUTH, "401")
    bench.say("My delivery address is 4 Elm Road.")
    bench.settle()
    assert (bench.waiting(), bench.values()) == (Counts(0, {}), ["4 Elm Road"])
    assert told == {"auth": 1}


def test_a_turn_of_which_rules_relate_the_pairs_is_counted_once_as_read_by_them(bench: Bench) -> None:
    told: Counter[str] = Counter()
    bench.asks = replace(bench.asks, on_failure=OnFailure.RULES, by_rules=told.update)
    bench.say(*(colour(n) for n in range(4)))
    bench.caller.fails = lambda content: (
        CallFailed(Failure.AUTH, "") if "BEGIN DATA pairs" in content else None
    )
    bench.settle()
    assert (bench.waiting(), told) == (Counts(0, {}), {"auth": 3})


def test_rules_stand_in_at_once_for_a_tenant_without_budget(bench: Bench) -> None:
    bench.asks = replace(bench.asks, on_failure=OnFailure.RULES)
    bench.caller.fails = lambda content: BudgetSpent("acme", 40_000.0)
    bench.say("My delivery address is 4 Elm Road.")
    bench.settle()
    assert (bench.waiting(), bench.values()) == (Counts(0, {}), ["4 Elm Road"])


def test_rules_stand_in_for_one_that_may_pass_only_when_it_has_not(bench: Bench) -> None:
    bench.asks = replace(bench.asks, on_failure=OnFailure.RULES)
    bench.caller.fails = lambda content: CallFailed(Failure.BREAKER_OPEN, "resting")
    bench.say("My delivery address is 4 Elm Road.")
    for _ in range(2):
        settled = bench.settle()
        assert bench.values() == []
        bench.now = datetime.fromtimestamp((settled.next_at or 0) + 1, UTC)
    bench.settle()
    assert bench.values() == ["4 Elm Road"]


def test_rules_stand_in_at_the_end_of_the_input(bench: Bench) -> None:
    bench.asks = replace(bench.asks, on_failure=OnFailure.RULES)
    bench.caller.fails = lambda content: CallFailed(Failure.RATE_LIMITED, "429")
    bench.say("My delivery address is 4 Elm Road.")
    bench.settle(last=True)
    assert (bench.waiting(), bench.values()) == (Counts(0, {}), ["4 Elm Road"])


@pytest.mark.parametrize("how", ["stopping", "closed"])
def test_a_stop_leaves_what_came_and_parks_nothing(bench: Bench, how: str) -> None:
    bench.say(*(colour(n) for n in range(3)))

    def stop() -> None:
        if how == "stopping":
            bench.is_stopping = True
        else:
            bench.caller.fails = lambda content: CallFailed(Failure.CLOSED, "closed")

    bench.caller.meanwhile = lambda: (
        stop() if len(bench.caller.asked) == (1 if how == "stopping" else 2) else None
    )
    with pytest.raises(Interrupted):
        bench.settle()
    assert bench.waiting() == Counts(3, {})
    bench.is_stopping, bench.caller.fails, bench.caller.meanwhile = False, lambda content: None, lambda: None
    bench.caller.asked.clear()
    bench.settle()
    assert [purpose for purpose, _ in bench.caller.asked] == [Purpose.RELATE]


def test_messages_that_come_while_it_asks_are_not_lost_from_sight(bench: Bench) -> None:
    bench.say(colour(1))
    bench.caller.meanwhile = lambda: bench.say(colour(2), first=2) if len(bench.caller.asked) == 1 else None
    settler = Settler(bench.redis, bench.asks, RULES, lambda: bench.now)
    settler.settle(MAYA)  # worked out from what is not there any more: nobody writes it
    bench.settle()
    assert (bench.waiting(), bench.values()) == (Counts(0, {}), ["red1", "red2"])
    told = [
        record
        for _, content in bench.caller.asked
        for record in Asked({"messages": [{}, {"content": content}]}, {}).records
        if record.get("read")
    ]
    assert [record["text"] for record in told] == [colour(1), colour(2)]


def test_a_fault_in_the_revision_parks_the_turns_as_broken(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.say(colour(1))

    def broken(*_: object) -> None:
        raise KeyError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr("operators.model_reader.distilled", broken)
        assert bench.settle().revision is None
    assert bench.waiting() == Counts(1, {"broken": 1})


def test_what_is_not_taken_over_is_counted_by_purpose(bench: Bench) -> None:
    refused: list[tuple[Purpose, str]] = []
    bench.asks = replace(bench.asks, refused=lambda purpose, reason: refused.append((purpose, reason)))
    bench.say(colour(1))
    plain = bench.caller.ask

    def made_up(tenant: str, ask: Ask[Any]) -> Any:
        if ask.purpose is Purpose.RELATE:
            return plain(tenant, ask)
        event = {"quote": "gold for all", "type": "plan", "act": "state"}
        return ask.shape.model_validate_json(json.dumps({"turns": [{"turn": "m1", "events": [event]}]}))

    bench.caller.ask = made_up  # type: ignore[method-assign]
    bench.settle()
    assert bench.values() == []
    assert (Purpose.DISTILL, "unsaid") in refused


def test_a_subject_that_is_forgotten_while_it_is_asked_about_leaves_nothing(bench: Bench) -> None:
    bench.say(colour(1), colour(2))
    settler = Settler(bench.redis, bench.asks, RULES, lambda: bench.now)
    bench.caller.meanwhile = lambda: forget_graph(bench.redis, MAYA) and None
    settled = settler.settle(MAYA)
    assert (settled.revision, settled.left, settled.next_at) == (None, 0, None)
    assert not [key for key in bench.redis.keys("*") if b"maya" in key]


class TestADeletedMessage:
    """…comes back by nothing that a model says of it, whenever that was said."""

    SAID = (
        "The colour of desk is now crimson.",
        "The colour of desk is now indigo.",
        "The size of desk is now gigantic.",
    )
    WORDS = ("crimson", "indigo", "gigantic")

    @pytest.mark.parametrize("call", [1, 2])
    @pytest.mark.parametrize("which", range(3))
    def test_that_goes_while_it_is_asked_about(self, bench: Bench, call: int, which: int) -> None:
        bench.say(*self.SAID)
        bench.caller.meanwhile = lambda: bench.delete(which) if len(bench.caller.asked) == call else None
        bench.settle_all()
        assert bench.values() == sorted(word for word in self.WORDS if word != self.WORDS[which])
        assert not bench.holds(self.WORDS[which])

    def test_that_goes_before_what_was_answered_is_written(self, bench: Bench) -> None:
        bench.say(*self.SAID)
        Settler(bench.redis, bench.asks, RULES, lambda: bench.now).settle(MAYA)
        assert bench.holds("crimson")
        bench.delete(0)
        assert not bench.holds("crimson")

    def test_that_was_edited_before(self, bench: Bench) -> None:
        bench.say(*self.SAID)
        bench.settle_all()
        bench.edit(0, "The colour of desk is now magenta.")
        bench.settle_all()
        bench.delete(0)
        assert not bench.holds("crimson")
        assert not bench.holds("magenta")
        assert bench.holds("indigo"), (
            "what the others say is asked about again, for they were answered in view of it"
        )

    def test_that_another_model_read(self, bench: Bench) -> None:
        bench.say(*self.SAID)
        bench.settle_all()
        bench.caller.model = "another"
        Waiting(bench.redis).mark(
            MAYA, [f"{p.decode()}" for p in bench.redis.zrange(SubjectKeys(MAYA).places, 0, -1)]
        )
        bench.settle()
        bench.delete(0)
        assert not bench.holds("crimson")

    @pytest.mark.parametrize("which", range(3))
    def test_that_was_compared_with_others(self, bench: Bench, which: int) -> None:
        bench.say(*self.SAID)
        bench.settle_all()
        assert bench.holds("indigo is another value than crimson")
        bench.delete(which)
        bench.settle_all()
        for n, word in enumerate(self.WORDS):
            assert bench.holds(word) == (n != which)

    def test_takes_no_answer_along_that_was_given_without_it(self, bench: Bench) -> None:
        bench.say(*self.SAID)
        bench.settle_all()
        keys = SubjectKeys(MAYA)
        before = bench.redis.hlen(keys.answers)
        bench.delete(2)
        about_it_and_its_pairs_with_the_two_before = 3
        assert bench.redis.hlen(keys.answers) == before - about_it_and_its_pairs_with_the_two_before
        assert not bench.redis.hexists(keys.shown, "m/2")
        asked = len(bench.caller.asked)
        bench.settle_all()
        assert len(bench.caller.asked) == asked

    def test_may_say_in_its_own_data_that_it_is_deleted(self, bench: Bench) -> None:
        odd = replace(
            message(0, 'The colour of desk is now crimson. "op":"delete"'), metadata='{"op":"delete"}'
        )
        bench.take(odd, first=0)
        bench.settle_all()
        assert bench.values() == ["crimson"]


@pytest.mark.parametrize("how", ["edit", "delete"])
def test_what_was_settled_is_worked_out_again_where_the_subject_was_written_meanwhile(
    bench: Bench, how: str
) -> None:
    bench.say(*(colour(n) for n in range(3)))
    settled = Settler(bench.redis, bench.asks, RULES, lambda: bench.now).settle(MAYA)
    if how == "edit":
        bench.edit(1, colour(9))
    else:
        bench.delete(1)
    stores = Stores(bench.redis, GraphWriter(bench.redis, 1), MemoryNotes(), HashingEncoder())
    Applier(stores, replace(RULES, answers=ModelReader("careful")), lambda: bench.now).write_settled(
        [settled]
    )
    assert bench.values() == ["red0"], "what the third says was answered in view of the second"
    bench.settle_all()
    assert bench.values() == ["red0", "red2", *(["red9"] if how == "edit" else [])]
    assert bench.holds("red1") == (how == "edit")


def test_an_edit_while_it_is_asked_about_leaves_what_it_says_now(bench: Bench) -> None:
    bench.say(colour(1))
    bench.caller.meanwhile = lambda: bench.edit(0, colour(2)) if len(bench.caller.asked) == 1 else None
    bench.settle_all()
    assert bench.values() == ["red2"]


def test_an_answer_that_was_paid_for_outlives_a_store_that_is_away(own_redis: RedisServer) -> None:
    bench = Bench(own_redis.client())
    bench.say(colour(1), colour(2))
    over = threading.Event()

    def comes_back() -> None:
        own_redis.start()
        over.wait(60)  # a server ends with the thread that started it

    back = threading.Timer(0.5, comes_back)

    def goes() -> None:
        if len(bench.caller.asked) == 1:
            own_redis.kill()
            back.start()

    bench.caller.meanwhile = goes
    away = lambda error: isinstance(error, ConnectionError)  # noqa: E731
    settler = Settler(bench.redis, bench.asks, RULES, lambda: bench.now, is_away=away)
    try:
        settler.settle(MAYA)
        bench.settle_all()
        assert [purpose for purpose, _ in bench.caller.asked] == [Purpose.DISTILL, Purpose.RELATE]
        assert bench.values() == ["red1", "red2"]
    finally:
        over.set()
        back.join()


def test_a_stop_does_not_wait_for_a_store_that_is_away(own_redis: RedisServer) -> None:
    bench = Bench(own_redis.client())
    bench.say(colour(1))
    bench.caller.meanwhile = own_redis.kill
    stops = iter([False, True])
    settler = Settler(
        bench.redis, bench.asks, RULES, lambda: bench.now, lambda: next(stops), lambda error: True
    )
    with pytest.raises(ConnectionError):
        settler.settle(MAYA)
