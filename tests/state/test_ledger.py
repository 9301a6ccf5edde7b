"""The ledger of a model's answers, on one server and on a cluster."""

import pytest
from redis import Redis

from state.graph_keys import SubjectKeys
from state.ledger import Ledger, Remembered
from state.model import Subject
from state.redis_client import connect

MAYA = Subject("acme", "maya")


def answer(text: str) -> Remembered:
    return Remembered("distill", "gpt-4o-mini", "distill.1", text)


@pytest.fixture
def ledger(redis: Redis) -> Ledger:
    return Ledger(redis)


def test_what_was_remembered_is_read_again(ledger: Ledger) -> None:
    told = {"k1": answer('{"events":[]}'), "k2": answer('{"gist":"她搬到了卑尔根 <b>"}')}
    ledger.remember(MAYA, told)
    assert ledger.read(MAYA, ["k2", "k1"]) == told


def test_what_was_never_answered_is_left_out(ledger: Ledger) -> None:
    ledger.remember(MAYA, {"k1": answer("{}")})
    assert ledger.read(MAYA, ["k0", "k1", "k1"]) == {"k1": answer("{}")}
    assert ledger.read(MAYA, []) == {}


def test_the_first_answer_stands(ledger: Ledger) -> None:
    ledger.remember(MAYA, {"k1": answer("first")})
    stand = ledger.remember(MAYA, {"k1": answer("second"), "k2": answer("other")})
    assert stand == {"k1": answer("first"), "k2": answer("other")}
    assert ledger.read(MAYA, ["k1", "k2"]) == {"k1": answer("first"), "k2": answer("other")}


def test_only_what_is_still_as_it_was_read_is_dropped(ledger: Ledger) -> None:
    told = {"k1": answer('{"a":"“old”"}'), "k2": answer("new"), "k3": answer('{"a":"“old”"}')}
    ledger.remember(MAYA, told)
    ledger.drop(MAYA, ["k1", "k2", "k0"], '{"a":"“old”"}')
    assert ledger.read(MAYA, told) == {"k2": told["k2"], "k3": told["k3"]}


def test_nothing_to_remember_is_no_call(redis: Redis) -> None:
    Ledger(redis).remember(MAYA, {})
    assert not redis.keys("*")


def test_answers_are_a_subjects_own(ledger: Ledger) -> None:
    others = [Subject("acme", "maya/answers"), Subject("other", "maya"), Subject("acme/maya", "")]
    ledger.remember(MAYA, {"k1": answer("hers")})
    for other in others:
        assert ledger.read(other, ["k1"]) == {}
        ledger.remember(other, {"k1": answer(other.name)})
    ledger.forget(MAYA)
    assert ledger.read(MAYA, ["k1"]) == {}
    assert all(ledger.read(other, ["k1"]) for other in others)


def test_answers_lie_in_the_subjects_slot_of_a_cluster(redis_cluster_url: str, tenant: str) -> None:
    client = connect(redis_cluster_url)
    subject = Subject(tenant, "maya")
    ledger = Ledger(client)
    told = {f"k{i}": answer(str(i)) for i in range(50)}
    ledger.remember(subject, told)
    assert ledger.read(subject, told) == told
    keys = SubjectKeys(subject)
    assert client.keyslot(keys.answers) == client.keyslot(keys.turn)


def test_many_answers_are_remembered_at_once(ledger: Ledger) -> None:
    told = {f"k{n}": answer(str(n)) for n in range(1_201)}
    ledger.remember(MAYA, {"k7": answer("first")})
    assert ledger.remember(MAYA, told) == {**told, "k7": answer("first")}
    assert ledger.read(MAYA, told) == {**told, "k7": answer("first")}


def test_nothing_is_remembered_about_a_subject_that_was_forgotten_meanwhile(
    redis: Redis, ledger: Ledger
) -> None:
    redis.set(SubjectKeys(MAYA).version, 7)
    ledger.remember_since(MAYA, {"k1": answer("in time")}, 7)
    redis.delete(SubjectKeys(MAYA).version)
    assert ledger.remember_since(MAYA, {"k2": answer("too late")}, 7) == {}
    redis.set(SubjectKeys(MAYA).version, 2)  # who came back is not who was forgotten
    ledger.remember_since(MAYA, {"k3": answer("too late")}, 7)
    assert ledger.read(MAYA, ["k1", "k2", "k3"]) == {"k1": answer("in time")}


def test_what_was_shown_with_a_message_that_is_gone_is_not_remembered(redis: Redis, ledger: Ledger) -> None:
    for name, op in (("here", "upsert"), ("deleted", "delete")):
        redis.hset(
            SubjectKeys(MAYA).message,
            name,
            f'{{"message":{{"content":"\\"op\\":\\"delete\\"","op":"{op}"}}}}',
        )
    told = {f"k{n}": answer(str(n)) for n in range(1_201)}
    shown = {key: ["here"] for key in told} | {"k1": ["here", "deleted"], "k2": []}
    stand = ledger.remember_since(MAYA, told, 0, shown)
    assert stand == {key: told[key] for key in told if key != "k1"}
    assert ledger.read(MAYA, told) == stand


def test_on_a_cluster_what_was_shown_is_looked_at(redis_cluster_url: str, tenant: str) -> None:
    subject = Subject(tenant, "maya")
    client = connect(redis_cluster_url)
    client.hset(SubjectKeys(subject).message, "gone", '{"message":{"op":"delete"}}')
    told, shown = {"k1": answer("1"), "k2": answer("2")}, {"k1": ["gone"], "k2": ["here"]}
    assert Ledger(client).remember_since(subject, told, 0, shown) == {"k2": answer("2")}
