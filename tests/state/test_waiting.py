"""What waits for a model, in the store: on one server and on a cluster."""

from datetime import UTC, datetime, timedelta

from redis import Redis

from state.graph_change import GraphWriter, IndexChange, SubjectChange
from state.graph_keys import SubjectKeys
from state.model import Message, Op, Role, Subject
from state.ordering import message_place
from state.records import MessageRecord, Version, encode
from state.redis_client import connect
from state.waiting import Counts, Due, Parked, Waiting

MAYA, OTHER = Subject("acme", "maya"), Subject("other", "maya")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def place(number: int) -> str:
    return message_place(START + timedelta(minutes=number), f"m/{number}")


def changed(
    client: Redis, subject: Subject, added: list[str], removed: tuple[str, ...] = (), version: int = 0
) -> None:
    change = SubjectChange(subject, version, {}, waiting=IndexChange(tuple(added), removed))
    GraphWriter(client, 1).write([change])


def live(client: Redis, subject: Subject, *numbers: int, op: Op = Op.UPSERT) -> None:
    """The store has these messages."""
    for n in numbers:
        at = START + timedelta(minutes=n)
        said = Message(subject, "c", f"m/{n}", Role.USER, "Maya", "Said.", at, op=op)
        record = encode(MessageRecord(said, Version(0, n), place(n)))
        client.hset(SubjectKeys(subject).message, f"m/{n}", record)


def test_turns_wait_in_the_order_of_saying_until_a_write_says_otherwise(redis: Redis) -> None:
    changed(redis, MAYA, [place(n) for n in (3, 1, 2, 0)])
    waiting = Waiting(redis)
    assert waiting.due(MAYA, 3, 0.0) == Due((place(0), place(1), place(2)), {}, 1, None)
    changed(redis, MAYA, [], (place(0), place(2)), version=1)
    assert waiting.due(MAYA, 3, 0.0) == Due((place(1), place(3)), {}, 0, None)
    assert waiting.due(OTHER, 3, 0.0) == Due((), {}, 0, None)


def test_a_parked_turn_is_passed_over_until_its_time_and_counted(redis: Redis) -> None:
    changed(redis, MAYA, [place(n) for n in range(4)])
    waiting, why = Waiting(redis), Parked("server", 2, 100.0)
    waiting.park(MAYA, [place(0), place(2)], why)
    assert waiting.due(MAYA, 9, 99.0) == Due((place(1), place(3)), {}, 0, 100.0, 2)
    assert waiting.due(MAYA, 3, 101.0) == Due(
        (place(0), place(1), place(2)), {"m/0": why, "m/2": why}, 1, None
    )
    assert waiting.counts([MAYA, OTHER]) == Counts(4, {"server": 2})


def test_a_parked_turn_that_is_marked_may_be_asked_about_at_once(redis: Redis) -> None:
    waiting = Waiting(redis)
    live(redis, MAYA, 1, 2)
    waiting.mark(MAYA, [place(1), place(2)])
    waiting.park(MAYA, [place(1), place(2)], Parked("auth", 1, 1_000.0))
    waiting.mark(MAYA, [place(1)])
    assert waiting.due(MAYA, 10, now=0.0).turns == (place(1),)
    assert waiting.counts([MAYA]) == Counts(2, {"auth": 1})
    assert waiting.unparked([MAYA, OTHER]) == [1, 0]


def test_no_turn_is_marked_that_was_deleted_or_moved_or_forgotten_meanwhile(redis: Redis) -> None:
    live(redis, MAYA, 1, 2)
    live(redis, MAYA, 3, op=Op.DELETE)
    moved = message_place(START, "m/2")
    Waiting(redis).mark(MAYA, [place(1), moved, place(3), place(4)])
    Waiting(redis).mark(OTHER, [place(1)])
    assert Waiting(redis).due(MAYA, 9, 0.0).turns == (place(1),)
    assert not [key for key in redis.keys("*") if b"other" in key]


def test_what_waits_no_longer_is_not_parked(redis: Redis) -> None:
    changed(redis, MAYA, [place(1)])
    waiting = Waiting(redis)
    waiting.park(MAYA, [place(1), place(7)], Parked("server", 1, 100.0))
    changed(redis, MAYA, [], (place(1),), version=1)
    assert waiting.counts([MAYA]) == Counts(0, {})
    assert not redis.exists(SubjectKeys(MAYA).parked)


def test_many_parked_turns_do_not_hide_the_one_behind_them(redis: Redis) -> None:
    changed(redis, MAYA, [place(n) for n in range(450)])
    waiting = Waiting(redis)
    waiting.park(MAYA, [place(n) for n in range(440)], Parked("declined", 1, 100.0))
    assert waiting.due(MAYA, 4, 0.0) == Due(tuple(place(n) for n in range(440, 444)), {}, 6, 100.0, 440)


def test_subjects_that_wait_are_found_by_tenant_until_nothing_of_them_waits(redis: Redis) -> None:
    changed(redis, MAYA, [place(1)])
    changed(redis, OTHER, [place(1)])
    changed(redis, Subject("acme", "ben"), [])
    waiting = Waiting(redis)
    assert waiting.subjects() == [MAYA, OTHER]
    changed(redis, MAYA, [], (place(1),), version=1)
    for subject in (MAYA, OTHER):
        waiting.settled(subject)
    assert waiting.subjects() == [OTHER]
    live(redis, MAYA, *range(300))
    waiting.mark(MAYA, [place(n) for n in range(300)])
    assert waiting.subjects() == [MAYA, OTHER]
    assert waiting.counts([MAYA]).waiting == 300


def test_forgetting_a_subject_leaves_nothing_of_it(redis: Redis) -> None:
    changed(redis, MAYA, [place(1)])
    waiting = Waiting(redis)
    waiting.park(MAYA, [place(1)], Parked("server", 1, 100.0))
    waiting.forget(MAYA)
    assert waiting.subjects() == []
    assert not redis.exists(SubjectKeys(MAYA).waiting, SubjectKeys(MAYA).parked)


def test_it_lies_in_the_subjects_slot_of_a_cluster(redis_cluster_url: str, tenant: str) -> None:
    client = connect(redis_cluster_url)
    subject = Subject(tenant, "maya")
    changed(client, subject, [place(1), place(2)])
    waiting = Waiting(client)
    waiting.park(subject, [place(1)], Parked("server", 1, 100.0))
    assert waiting.due(subject, 5, 0.0).turns == (place(2),)
    assert waiting.counts([subject]) == Counts(2, {"server": 1})
    waiting.settled(subject)
    assert subject in waiting.subjects()
