"""The ETag of a state: what it says is the same as long as the tag is the same, and no longer."""

from datetime import datetime, timedelta

import pytest
from fastapi.testclient import TestClient
from redis import Redis

from query_service.http_app import create_app
from state.graph_store import RedisGraph
from state.model import Subject
from tests.query_service.test_http_app import RIVAL, TENANT, Runtime, rival
from tests.query_service.worlds import NOW, World, day, piano, stores
from tests.state.test_graph_store import SUBJECTS, said, written

STATE = "/v1/subjects/conv/1/state"


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def client_of(*worlds: World, clock: Clock | None = None) -> TestClient:
    held = stores(*worlds)
    return TestClient(create_app(Runtime(held.reader, held.notes, held.encoder), clock or Clock()))


@pytest.mark.parametrize("query", ["", "?history=true", "?as_of=2026-01-04"])
def test_what_is_as_it_was_is_not_sent_again(query: str) -> None:
    client = client_of(piano())
    first = client.get(STATE + query, headers=TENANT)
    tags = f'W/"other.always", {first.headers["etag"]}'
    again = client.get(STATE + query, headers={**TENANT, "If-None-Match": tags})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["cache-control"] == "private, no-cache"


def test_another_question_another_tenant_and_other_facts_have_other_tags() -> None:
    client = client_of(piano(), rival())
    mine = client.get(STATE, headers=TENANT).headers["etag"]
    for path, headers in (
        (STATE + "?history=true", TENANT),
        (STATE + "?as_of=2026-01-04", TENANT),
        (STATE, RIVAL),
    ):
        assert client.get(path, headers={**headers, "If-None-Match": mine}).status_code == 200
    changed = piano()
    changed.state("more", changed.say("conv/1/9", 9, "The lid is red."), ("lid", "colour", "red"))
    assert client_of(changed).get(STATE, headers={**TENANT, "If-None-Match": mine}).status_code == 200


def test_a_tag_ends_when_time_alone_changes_what_stands() -> None:
    world, clock = World(), Clock()
    world.state("old", world.say("m1", 0, "It is Monday."), ("visit", "day", "Monday"))
    world.state(
        "new", world.say("m2", 1, "From day 20 it is Friday."), ("visit", "day", "Friday"), holds_from=day(20)
    )
    world.replace("new", "old")
    client = client_of(world, clock=clock)
    clock.now = day(10)
    known = {**TENANT, "If-None-Match": client.get(STATE, headers=TENANT).headers["etag"]}
    clock.now = day(20) - timedelta(seconds=2)
    assert client.get(STATE, headers=known).status_code == 304
    clock.now = day(20)
    later = client.get(STATE, headers=known)
    assert later.status_code == 200
    assert "Friday" in later.text


def test_no_tag_makes_an_unknown_subject_known() -> None:
    client = client_of(piano())
    for tag in ('W/".always"', "*", '"', ""):
        told = client.get("/v1/subjects/nobody/state", headers={**TENANT, "If-None-Match": tag})
        assert told.status_code == 404


def test_each_write_of_a_subject_and_no_other_changes_what_it_has_written(redis: Redis) -> None:
    one, other = SUBJECTS[:2]
    graph = RedisGraph(redis)
    assert graph.written(one) is None
    seen = []
    for message in said(one)[:4]:
        written(redis, [message])
        seen.append(graph.written(one))
    written(redis, said(other))
    assert len({*seen}) == 4
    assert graph.written(one) == seen[-1]
    assert graph.written(Subject("nobody", one.name)) is None
