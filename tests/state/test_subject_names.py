"""Names of subjects in order, also those that an earlier version wrote down without one."""

from redis import Redis

from state.graph_forgetting import forget_graph
from state.graph_keys import TENANTS, names_key, subjects_key
from state.graph_store import RedisGraph
from state.model import Subject
from state.subject_names import SubjectNames

NAMES = ("ann", "ben", "bo", "周晓雯", "😀")
"""Sorted."""


def earlier(redis: Redis, *names: str) -> None:
    """What a version before this one wrote."""
    redis.sadd(TENANTS, "shop")
    redis.sadd(subjects_key("shop"), *names)


def test_names_of_an_earlier_version_are_read_and_put_in_order(redis: Redis) -> None:
    earlier(redis, *reversed(NAMES))
    names = SubjectNames(redis)
    assert names.page("shop", 2) == NAMES[:2]
    assert not redis.exists(subjects_key("shop"))
    assert names.page("shop", 9, after="ben") == NAMES[2:]
    assert names.every("shop") == NAMES


def test_whatever_looks_first_finds_all(redis: Redis) -> None:
    earlier(redis, *NAMES)
    assert [subject.name for subject in RedisGraph(redis).subjects("shop")] == list(NAMES)


def test_what_an_earlier_version_writes_meanwhile_is_found_too(redis: Redis) -> None:
    names = SubjectNames(redis)
    redis.zadd(names_key("shop"), {"ann": 0})
    earlier(redis, "ben")
    assert names.page("shop", 9, starts_with="b") == ("ben",)
    assert names.every("shop") == ("ann", "ben")


def test_a_forgotten_name_is_in_neither_place(redis: Redis) -> None:
    earlier(redis, "ann", "ben")
    forget_graph(redis, Subject("shop", "ann"))
    assert SubjectNames(redis).every("shop") == ("ben",)
    assert redis.sismember(TENANTS, "shop")
    forget_graph(redis, Subject("shop", "ben"))
    assert not redis.exists(names_key("shop"), subjects_key("shop"))
    assert not redis.sismember(TENANTS, "shop")


def test_a_page_looks_at_no_more_names_than_it_shows(redis: Redis) -> None:
    redis.zadd(names_key("shop"), {f"name {number:05}": 0 for number in range(5_000)})
    names = SubjectNames(redis)
    names.page("shop", 1)
    before = redis.info("commandstats")
    assert names.page("shop", 3, after="name 02999") == ("name 03000", "name 03001", "name 03002")
    after = redis.info("commandstats")
    called = {name for name in after if after[name]["calls"] != before.get(name, {"calls": 0})["calls"]}
    assert called <= {"cmdstat_evalsha", "cmdstat_exists", "cmdstat_zrangebylex", "cmdstat_info"}
