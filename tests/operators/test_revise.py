"""The incremental view equals the view from scratch, whatever arrives in whatever order and batches (I1)."""

import os
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from redis import Redis

from operators import filing
from operators.accept import accept
from operators.derive import derive
from operators.forest import checkpoint, forgetting, form, regrow
from operators.forest.interface import Decision
from operators.forest.rules import RULES as DECIDER
from operators.forest.state import State
from operators.revise import Revision, Rules, revise
from operators.rows import rows
from state.graph_change import GraphWriter
from state.graph_reads import fetch
from state.graph_store import RedisGraph
from state.model import EdgeType, Message, Op, Role, Subject
from state.records import Mark
from tests.operators.toy_rules import RULES

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
HISTORIES = int(os.environ.get("STET_HISTORIES", "60"))


def flush(
    client: Redis, subject: Subject, pairs: Sequence[tuple[Message, int]], rules: Rules = RULES
) -> tuple[Revision | None, int]:
    """Revises one subject and writes it; the revision, and how many round trips it read in."""
    running = revise(subject, pairs, rules, datetime.now(UTC))
    trips = 0
    try:
        reads = next(running)
        while True:
            fetch(client, [(subject, reads)])
            trips += 1
            reads = next(running)
    except StopIteration as finished:
        revision: Revision | None = finished.value
    if revision is not None:
        GraphWriter(client, fence=1).write([revision.change])
    return revision, trips


SUBJECT = Subject("acme", "customer 7")
claim = st.builds(
    "{}.{}{}".format, st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from(["=1", "=2", "=3", "-"])
)
content = st.lists(claim, max_size=3).map("; ".join).map(lambda text: text or "hello")


@st.composite
def logs(draw: st.DrawFn) -> list[Message]:
    """Messages of two conversations, with edits, deletes and copies among them, shuffled."""
    count = draw(st.integers(1, 25))
    minutes = draw(st.lists(st.sampled_from([0, 0, 1, 5, 45]), min_size=count, max_size=count))
    log: list[Message] = []
    at = START
    for number, gap in enumerate(minutes):
        at += timedelta(minutes=gap)
        message = Message(
            subject=SUBJECT,
            conversation=draw(st.sampled_from(["c1", "c2"])),
            id=f"m/{number}",
            role=Role.USER,
            speaker=draw(st.sampled_from(["Ann", "Bob"])),
            content=draw(content),
            sent_at=at,
        )
        log.append(message)
        match draw(st.sampled_from(["", "", "", "edit", "delete", "copy", "moved"])):
            case "edit":
                log.append(replace(message, content=draw(content), revision=draw(st.integers(1, 3))))
            case "moved":
                log.append(replace(message, sent_at=at + timedelta(minutes=7), revision=1))
            case "delete":
                log.append(replace(message, op=Op.DELETE, content="", sent_at=at + timedelta(hours=1)))
            case "copy":
                log.append(message)
    return draw(st.permutations(log))


@settings(max_examples=HISTORIES)
@given(
    log=logs(),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=9),
    span=st.sampled_from([1, 8]),  # how much of an index is read as a whole: little, or as much as in use
    spell=st.sampled_from([1, 3, 32]),  # turns until a spell of the forest ends: few, or as many as in use
)
def test_any_arrival_gives_the_view_from_scratch(
    redis: Redis, monkeypatch: pytest.MonkeyPatch, log: list[Message], sizes: list[int], span: int, spell: int
) -> None:
    redis.flushall()
    monkeypatch.setattr(filing, "_BETWEEN", span)
    monkeypatch.setattr(regrow, "EVERY", 1 + span // 3)
    monkeypatch.setattr(regrow, "SPAN", span)
    monkeypatch.setattr(forgetting, "SPELL", spell)
    monkeypatch.setattr(forgetting, "SPELLS", 2)
    pairs = [(message, offset) for offset, message in enumerate(log)]
    at = 0
    while at < len(pairs):
        size = sizes[at % len(sizes)]
        flush(redis, SUBJECT, pairs[at : at + size])
        at += size
    live = [record.message for record in accept({}, pairs).after.values()]
    stored = RedisGraph(redis).everything(SUBJECT)
    if not live:
        assert stored is None or not rows(stored)
        return
    wanted = derive(live, RULES.distiller, RULES.relater, RULES.decider)
    assert stored is not None
    assert [row.line() for row in rows(stored)] == [row.line() for row in rows(wanted)]
    assert stored.events == wanted.events  # the fields that are not exported, too
    counted = RedisGraph(redis).counts([SUBJECT])
    assert counted["messages"] == len(live)
    assert counted["sessions"] == len(wanted.sessions)
    assert counted["events"] == len(wanted.events)
    assert counted["topics"] == len(wanted.topics)
    assert [topic.id for topic in stored.topics] == [topic.id for topic in wanted.topics]
    kinds = Counter(edge.type.value for edge in wanted.edges)
    assert {k: n for k, n in counted.items() if n and k in set(EdgeType)} == kinds


def say(number: int, text: str, **other: object) -> Message:
    at = START + timedelta(minutes=number)
    message = Message(SUBJECT, "c", f"m/{number}", Role.USER, "Ann", text, at)
    return replace(message, **other)  # type: ignore[arg-type]


def test_the_same_messages_again_change_nothing(redis: Redis) -> None:
    pairs = [(say(i, f"a.x={i}"), i) for i in range(5)]
    assert flush(redis, SUBJECT, pairs)[0] is not None
    again = [(message, offset + 100) for message, offset in pairs]
    assert flush(redis, SUBJECT, again)[0] is None


def test_a_message_at_the_end_costs_a_fixed_number_of_round_trips(redis: Redis) -> None:
    trips = [flush(redis, SUBJECT, [(say(i, f"a.x={i}; b.y={i}"), i)])[1] for i in range(60)]
    assert max(trips[30:]) <= 12
    assert max(trips[30:]) == max(trips[10:30])


class Counting:
    """A decider of rules that counts what it decides."""

    def __init__(self) -> None:
        self.decided = 0

    def decide(self, state: State, message: Message) -> Decision:
        self.decided += 1
        return DECIDER.decide(state, message)


def test_a_message_that_comes_late_is_decided_on_as_far_as_it_is_felt(redis: Redis) -> None:
    decider = Counting()
    rules = replace(RULES, decider=decider)
    talk = [
        say(n, f"By the way, can you book hall{n} for the party{n}?" if n % 5 == 0 else f"Chairs{n}, please.")
        for n in range(1, 1_800)
    ]
    flush(redis, SUBJECT, [(m, n) for n, m in enumerate(talk)], rules)
    decider.decided = 0
    late = [say(0, "Can you mend my bicycle?"), replace(talk[700], id="late", content="Thanks!")]
    for n, message in enumerate(late):
        flush(redis, SUBJECT, [(message, 2_000 + n)], rules)
    assert decider.decided < 2 * 3 * forgetting.SPELL * forgetting.SPELLS
    assert_is_the_view_from_scratch(redis, [*talk, *late], rules)


def test_a_forest_that_was_kept_in_another_form_is_grown_anew(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = [say(n, f"a.x={n}") for n in range(40)]
    with monkeypatch.context() as before:
        before.setattr(form, "FORM", form.FORM + 1)
        flush(redis, SUBJECT, [(m, n) for n, m in enumerate(talk[:-1])])
    monkeypatch.setattr(checkpoint, "_known", OrderedDict())
    flush(redis, SUBJECT, [(talk[-1], 99)])
    assert_is_the_view_from_scratch(redis, talk, RULES)
    kept = redis.zrange(redis.keys("*:marks:c")[0], 0, -1)
    assert [checkpoint.readable(Mark.read(raw.decode()).state) for raw in kept].count(None) == 0
    assert len(kept) == 3


def assert_is_the_view_from_scratch(redis: Redis, said: Sequence[Message], rules: Rules) -> None:
    stored = RedisGraph(redis).everything(SUBJECT)
    wanted = derive(said, rules.distiller, rules.relater, rules.decider)
    assert stored is not None
    assert [row.line() for row in rows(stored)] == [row.line() for row in rows(wanted)]


def test_an_event_that_is_still_drawn_keeps_when_it_was_first_recorded(redis: Redis) -> None:
    flush(redis, SUBJECT, [(say(1, "a.x=1"), 0)])
    (event,) = RedisGraph(redis).everything(SUBJECT).events  # type: ignore[union-attr]
    first = RedisGraph(redis).events(SUBJECT, [event.id])[event.id].recorded_at
    flush(redis, SUBJECT, [(say(2, "a.x=2"), 1)])
    later = RedisGraph(redis).events(SUBJECT, [event.id])[event.id]
    assert later.timeline.out
    assert later.recorded_at == first


def test_deleting_everything_leaves_only_tombstones(redis: Redis) -> None:
    messages = [say(i, f"a.x={i}; b.y={i}") for i in range(4)]
    flush(redis, SUBJECT, [(m, i) for i, m in enumerate(messages)])
    gone = [replace(m, op=Op.DELETE, content="", sent_at=m.sent_at + timedelta(days=1)) for m in messages]
    flush(redis, SUBJECT, [(m, 10 + i) for i, m in enumerate(gone)])
    kept = sorted(key.decode().rsplit("}:", 1)[1] for key in redis.keys("stet:{acme/*"))
    assert kept == ["counts", "fence", "message", "version"]
    assert not any(int(n) for n in redis.hgetall("stet:{acme/customer 7}:counts").values())
