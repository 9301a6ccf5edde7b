"""The store's bounded reads answer as views derived from scratch do; an older writer is shut out."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from redis import Redis

from operators import gate
from operators.accept import accept
from operators.derive import derive
from operators.revise import revise
from state.graph import SubjectView
from state.graph_change import Fenced, GraphWriter, SubjectChange
from state.graph_reads import fetch
from state.graph_store import RedisGraph
from state.memory_reader import MemoryReader
from state.model import Event, Message, Op, Role, Subject
from state.names import name_keys
from tests.operators.toy_rules import RULES

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
NAMES = ("ann", "a}/b:c", "a}/b", "周晓雯", "*", "a b", "%7D", "{x}", "Ann", "b:c")
SUBJECTS = [*(Subject("acme", name) for name in NAMES), Subject("acme/ann", "c"), Subject("acme}", "ann")]
"""Two tenants share a subject's name; a tenant and a subject together could read like another pair."""
TENANTS = sorted({subject.tenant for subject in SUBJECTS})


def said(subject: Subject) -> list[Message]:
    """Three conversations, of several sessions, in which facts come, change, are edited and taken back."""
    texts = ("a.x=1", "hello", "b.y=2; a.x=2", "a.x-", "周.价=3", "b.y=4; c.z=1; a.y=1")
    salt = SUBJECTS.index(subject)
    messages = [
        Message(
            subject=subject,
            conversation=f"c:{number % 3}}}",
            id=f"m/{number}",
            role=Role.USER,
            speaker="Ann",
            content=texts[(number + salt) % len(texts)],
            sent_at=START + timedelta(minutes=13 * number + salt, hours=number // 4),
        )
        for number in range(14)
    ]
    edited = replace(messages[3], content="a.x=9", revision=1)
    gone = replace(messages[6], op=Op.DELETE, content="", revision=2)
    return [*messages, edited, gone]


def written(client: Redis, messages: Sequence[Message], fence: int = 1) -> SubjectChange:
    """Writes the messages as one flush."""
    subject = messages[0].subject
    running = revise(subject, [(m, at) for at, m in enumerate(messages)], RULES, START)
    try:
        reads = next(running)
        while True:
            fetch(client, [(subject, reads)])
            reads = next(running)
    except StopIteration as finished:
        change: SubjectChange = finished.value.change
    GraphWriter(client, fence).write([change])
    return change


def filed(event: Event) -> Iterator[str]:
    yield from gate.keys(event)
    yield from name_keys(event)


def live(messages: Sequence[Message]) -> list[Message]:
    pairs = [(m, at) for at, m in enumerate(messages)]
    return [record.message for record in accept({}, pairs).after.values()]


@pytest.fixture
def both(redis: Redis) -> tuple[RedisGraph, MemoryReader, list[SubjectView]]:
    """All subjects in the store, and the same in memory, derived from scratch."""
    for subject in SUBJECTS:
        messages = said(subject)
        written(redis, messages[:8])
        written(redis, messages[8:])
    views = [
        derive(live(said(subject)), RULES.distiller, RULES.relater, RULES.decider) for subject in SUBJECTS
    ]
    recorded = {event.id: START for view in views for event in view.events}
    return RedisGraph(redis), MemoryReader(views, filed, recorded), views


Both = tuple[RedisGraph, MemoryReader, list[SubjectView]]
ASKED = [*(f"m/{number}" for number in range(15)), "", "m/*", "那"]


def test_messages_and_what_lies_around_them(both: Both) -> None:
    stored, memory, _ = both
    for subject in SUBJECTS:
        assert stored.messages(subject, ASKED) == memory.messages(subject, ASKED)
        assert stored.events_of(subject, ASKED) == memory.events_of(subject, ASKED)
        assert stored.topic_of(subject, ASKED) == memory.topic_of(subject, ASKED)
        plain = {m: replace(s, summary="") for m, s in memory.session_of(subject, ASKED).items()}
        assert stored.session_of(subject, ASKED) == plain
        assert len({session.id for session in plain.values()}) > 3
        assert stored.newest(subject) == memory.newest(subject)


def test_events_with_their_edges_and_validity(both: Both) -> None:
    stored, memory, views = both
    for view in views:
        ids = [event.id for event in view.events]
        found, wanted = stored.events(view.subject, [*ids, "ev-none"]), memory.events(view.subject, ids)
        assert found.keys() == wanted.keys()
        for name, event in wanted.items():
            assert (found[name].event, found[name].timeline) == (event.event, event.timeline)
            assert sorted(found[name].edges, key=lambda e: e.id) == sorted(event.edges, key=lambda e: e.id)
            assert found[name].recorded_at == event.recorded_at


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_what_is_filed_under_a_key_latest_first(both: Both, limit: int) -> None:
    stored, memory, views = both
    for view in views:
        keys = [*dict.fromkeys(key for event in view.events for key in filed(event)), "name:nobody", ""]
        found = stored.filed_under(view.subject, keys, limit)
        assert found == memory.filed_under(view.subject, keys, limit)
        assert len(found) > 5


@pytest.mark.parametrize("limit", [0, 1, 2, 100])
def test_topics_latest_first(both: Both, limit: int) -> None:
    stored, memory, _ = both
    for subject in SUBJECTS:
        plain = [replace(topic, label="") for topic in memory.topics(subject, limit)]
        assert list(stored.topics(subject, limit)) == plain


def test_nothing_is_read_across_tenants_or_subjects(both: Both) -> None:
    stored, memory, views = both
    for tenant in [*TENANTS, "nobody", ""]:
        assert list(stored.subjects(tenant)) == list(memory.subjects(tenant))
    assert list(stored.tenants()) == TENANTS
    for view in views:
        other = next(tenant for tenant in TENANTS if tenant != view.subject.tenant)
        for event in view.events:
            assert stored.subject_of_event(view.subject.tenant, event.id) == view.subject
            assert stored.subject_of_event(other, event.id) is None
    for stranger in (Subject("nobody", "ann"), Subject("acme", "nobody"), Subject("acme", "ann}")):
        assert not stored.messages(stranger, ASKED)
        assert not stored.session_of(stranger, ASKED)
        assert not stored.topic_of(stranger, ASKED)
        assert not stored.topics(stranger, 9)
        assert stored.everything(stranger) is None
        assert stored.newest(stranger) is None


def test_names_of_subjects_a_page_at_a_time(both: Both) -> None:
    stored, memory, _ = both
    prefixes, ends = ("", "a", "a}/", "A", "周", "z"), ("", "%7D", "a b", "ann", "周晓雯")
    for tenant, limit, prefix, after in product([*TENANTS, "nobody"], (0, 1, 3, 100), prefixes, ends):
        names = list(stored.subject_names(tenant, limit, prefix, after))
        assert names == list(memory.subject_names(tenant, limit, prefix, after))
        assert len(names) <= limit


def test_asking_for_nothing_gives_nothing(both: Both) -> None:
    stored, _, _ = both
    subject = SUBJECTS[0]
    assert not stored.messages(subject, [])
    assert not stored.events(subject, [])
    assert not stored.events_of(subject, [])
    assert not stored.filed_under(subject, [], 5)
    assert not stored.filed_under(subject, ["e:a"], 0)
    assert not stored.session_of(subject, [])
    assert not stored.topic_of(subject, [])
    assert not stored.counts([])


def test_an_older_writer_is_fenced_and_writes_nothing(redis: Redis) -> None:
    messages = said(SUBJECTS[0])
    written(redis, messages[:4], fence=7)
    before = {key: redis.dump(key) for key in redis.keys("stet:{acme/ann}*")}
    with pytest.raises(Fenced):
        written(redis, messages[4:], fence=6)
    assert {key: redis.dump(key) for key in redis.keys("stet:{acme/ann}*")} == before
    written(redis, messages[4:], fence=7)
    assert {key: redis.dump(key) for key in redis.keys("stet:{acme/ann}*")} != before


def test_the_fence_is_each_subjects_own(redis: Redis) -> None:
    written(redis, said(SUBJECTS[0]), fence=7)
    written(redis, said(SUBJECTS[1]), fence=6)
    assert RedisGraph(redis).everything(SUBJECTS[1]) is not None


def test_a_change_too_long_for_one_command_is_written_whole(redis: Redis) -> None:
    """A script may pass a command only so many arguments."""
    many = [
        Message(SUBJECTS[0], "c", f"m/{n}", Role.USER, "Ann", f"a.x={n}", START + timedelta(seconds=n))
        for n in range(1200)
    ]
    written(redis, many)
    view = RedisGraph(redis).everything(SUBJECTS[0])
    assert view is not None
    assert (len(view.messages), len(view.events), len(view.sessions)) == (1200, 1200, 1)


def test_reads_hold_together_while_messages_come_and_go(redis: Redis) -> None:
    """Every event of a view was stated by a message of it, whatever is written meanwhile."""
    subject = SUBJECTS[0]
    messages = [
        Message(subject, f"c{n}", f"m/{n}", Role.USER, "Ann", f"a.x={n}; b.y={n}", START + timedelta(hours=n))
        for n in range(12)
    ]
    done = threading.Event()

    def write() -> None:
        try:
            for revision in range(12):
                for message in messages:
                    gone = replace(message, op=Op.DELETE, content="", revision=revision)
                    written(redis, [gone if revision % 2 else replace(message, revision=revision)])
        finally:
            done.set()

    writer = threading.Thread(target=write)
    writer.start()
    stored = RedisGraph(redis)
    while not done.is_set():
        view = stored.everything(subject)
        if view is not None:
            assert {event.sources[-1] for event in view.events} <= view.session_of.keys()
            assert {turn.id for turn in view.turns} == {message.id for message in view.messages}
        for session in stored.session_of(subject, ASKED).values():
            assert session.messages
        stored.topics(subject, 20)
        stored.topic_of(subject, ASKED)
    writer.join()
    assert stored.everything(subject) is not None
