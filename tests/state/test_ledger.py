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
    ledger.remember(MAYA, {"k1": answer("second"), "k2": answer("other")})
    assert ledger.read(MAYA, ["k1", "k2"]) == {"k1": answer("first"), "k2": answer("other")}


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
