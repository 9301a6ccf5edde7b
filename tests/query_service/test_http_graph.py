"""The reads that a graph is looked at with: pages of it, of subjects, and messages' words, over HTTP."""

from collections import Counter
from typing import Any

import pytest
from fastapi.testclient import TestClient

from query_service.http_app import create_app
from state.memory_reader import MemoryReader
from state.model import EdgeType, Subject, UpdateMode
from tests.query_service.test_http_app import RIVAL, TENANT, Runtime, rival
from tests.query_service.worlds import NOW, World, day, piano, stores

GRAPH = "/v1/subjects/conv/1/graph"


def served(*worlds: World, reader: MemoryReader | None = None) -> TestClient:
    held = stores(*worlds)
    runtime = Runtime(reader or held.reader, held.notes, held.encoder)
    return TestClient(create_app(runtime, lambda: NOW), raise_server_exceptions=False)


def diary(days: int) -> World:
    """A message and a fact a day, each fact replacing the one before."""
    world = World()
    for number in range(days):
        world.say(f"m/{number}", number, f"It is day {number}.")
        world.state(f"fact-{number}", f"m/{number}", ("day", "number", str(number)))
        if number:
            world.replace(f"fact-{number}", f"fact-{number - 1}")
    return world


@pytest.fixture
def client() -> TestClient:
    return served(piano(), rival())


def graph(client: TestClient, **query: object) -> Any:
    answer = client.get(GRAPH, params={k: str(v) for k, v in query.items()}, headers=TENANT)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(page: Any, kind: str = "messages") -> list[str]:
    return [one["id"] for one in page[kind]]


def test_a_page_has_what_was_said_and_what_that_states(client: TestClient) -> None:
    page = graph(client)
    assert set(page) == {
        "subject", "at", "messages", "sessions", "topics", "events", "edges", "earlier", "later"
    }  # fmt: skip
    assert ids(page) == ["conv/1/1", "conv/1/2", "conv/1/3", "conv/1/4"]
    assert ids(page, "events") == ["tuesday", "thursday", "voucher", "friday", "flooded"]
    assert {(e["source"], e["target"]) for e in page["edges"]} == {
        ("thursday", "tuesday"), ("friday", "thursday"), ("flooded", "friday")
    }  # fmt: skip
    assert {m["session"] for m in page["messages"]} == {s["id"] for s in page["sessions"]}
    assert (page["earlier"], page["later"]) == (None, None)


def test_an_event_tells_its_validity_at_all_times(client: TestClient) -> None:
    events = {event["id"]: event for event in graph(client)["events"]}
    assert events["thursday"]["holds"] == [{"start": "2026-01-02T09:00:00Z", "end": "2026-01-06T09:00:00Z"}]
    assert events["friday"]["holds"] == [{"start": "2026-01-06T09:00:00Z", "end": None}]
    assert (events["thursday"]["valid"], events["friday"]["valid"]) == (0.0, 1.0)
    assert events["friday"]["message"] == "conv/1/4"


def test_doubt_and_withdrawal_come_with_their_times() -> None:
    world = World()
    for number in range(3):
        world.say(f"m/{number}", number, f"Something {number}")
    world.state("cause", "m/0")
    world.state("effect", "m/1")
    world.state("undo", "m/2")
    world.link(EdgeType.CAUSES, "cause", "effect")
    world.link(EdgeType.UPDATES, "undo", "cause", UpdateMode.WITHDRAWS)
    page = graph(served(world))
    events = {event["id"]: event for event in page["events"]}
    assert events["effect"]["doubts"] == [{"start": "2026-01-03T09:00:00Z", "end": None, "valid": 0.5}]
    assert events["cause"]["withdrawn"] == [{"start": "2026-01-03T09:00:00Z", "end": None}]
    assert graph(served(world), as_of="2026-01-02T12:00:00Z")["events"][0]["valid"] == 1.0


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10, 11])
def test_pages_either_way_put_together_are_the_whole(limit: int) -> None:
    client, every = served(diary(10)), [f"m/{n}" for n in range(10)]
    page = graph(client, limit=limit)
    assert page["later"] is None
    read = ids(page)
    while page["earlier"]:
        page = graph(client, limit=limit, cursor=page["earlier"])
        read = [*ids(page), *read]
    assert read == every
    read = ids(page)
    while page["later"]:
        page = graph(client, limit=limit, cursor=page["later"])
        read += ids(page)
    assert read == every


def test_a_window_of_time_is_paged_within_itself() -> None:
    client = served(diary(10))
    window = {"since": day(2).isoformat(), "until": day(7).isoformat(), "limit": 2}
    page = graph(client, **window)
    read = ids(page)
    assert page["later"] is None
    while page["earlier"]:
        page = graph(client, **window, cursor=page["earlier"])
        read = [*ids(page), *read]
    assert read == [f"m/{n}" for n in range(2, 7)]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 20])
def test_a_page_around_an_event_has_it_and_its_neighbours(limit: int) -> None:
    page = graph(served(diary(10)), around="fact-5", limit=limit)
    said = [int(name.split("/")[1]) for name in ids(page)]
    assert 5 in said
    assert len(said) == min(limit, len(range(max(0, 5 - limit // 2), min(10, 5 + limit - limit // 2))))
    assert said == list(range(said[0], said[-1] + 1))
    assert (page["earlier"] is None, page["later"] is None) == (said[0] == 0, said[-1] == 9)


def test_the_page_beside_one_around_an_event_is_had_with_the_same_query() -> None:
    client = served(diary(10))
    page = graph(client, around="fact-5", limit=3)
    beside = graph(client, around="fact-5", limit=3, cursor=page["earlier"])
    assert (ids(beside), ids(page)) == (["m/1", "m/2", "m/3"], ["m/4", "m/5", "m/6"])


def test_an_edge_that_leaves_the_page_comes_with_it() -> None:
    page = graph(served(diary(10)), around="fact-5", limit=1)
    assert {(e["source"], e["target"]) for e in page["edges"]} == {
        ("fact-6", "fact-5"), ("fact-5", "fact-4")
    }  # fmt: skip


def test_a_message_on_a_page_belongs_to_its_whole_session_and_topic() -> None:
    world = diary(6)
    turns = [f"m/{n}" for n in range(6)]
    view = world.view(sessions=[turns[:4], turns[4:]], topics={"m/0": turns[:3], "m/3": turns[3:]})
    page = graph(served(world, reader=MemoryReader([view])), limit=3)
    assert [(s["start"][:10], s["end"][:10]) for s in page["sessions"]] == [
        ("2026-01-01", "2026-01-04"), ("2026-01-05", "2026-01-06")
    ]  # fmt: skip
    assert [m["topic"] for m in page["messages"]] == ["m/3"] * 3
    assert [(t["label"], t["size"]) for t in page["topics"]] == [("It is day 3.", 3)]


def test_the_work_does_not_grow_with_the_history() -> None:
    calls = []
    for days in (30, 1_000):
        reader = MemoryReader([diary(days).view()])
        graph(served(diary(1), reader=reader), limit=20)
        calls.append(Counter(reader.calls))
    assert calls[0] == calls[1]
    assert "everything" not in calls[0]
    assert calls[0].total() <= 11


def test_subjects_are_paged_by_name_and_of_one_tenant() -> None:
    worlds = [World(subject=Subject("shop", name)) for name in ("mia", "ann", "周晓", "max", "conv/1")]
    worlds.append(World(subject=Subject("rival", "their own")))
    for world in worlds:
        world.say("m", 0, "Hello there")
    client = served(*worlds)
    names, cursor = [], None
    while True:
        query = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = client.get("/v1/subjects", params=query, headers=TENANT).json()
        names += page["subjects"]
        cursor = page["next"]
        if cursor is None:
            break
    assert names == ["ann", "conv/1", "max", "mia", "周晓"]
    found = client.get("/v1/subjects?starts_with=m", headers=TENANT).json()
    assert found == {"subjects": ["max", "mia"], "next": None}
    assert client.get("/v1/subjects", headers={"X-Stet-Tenant": "stranger"}).json()["subjects"] == []


def test_messages_come_in_their_own_words(client: TestClient) -> None:
    found = client.get("/v1/subjects/conv/1/messages?id=conv/1/4&id=none&id=conv/1/1", headers=TENANT).json()[
        "messages"
    ]
    assert [m["id"] for m in found] == ["conv/1/4", "conv/1/1"]
    assert found[1]["content"] == "The tuning is on Tuesday at 3 pm."


def test_another_tenant_is_never_looked_at(client: TestClient) -> None:
    mine, theirs = (client.get(GRAPH, headers=h).text for h in (TENANT, RIVAL))
    assert "secret" not in mine
    assert "secret" in theirs
    assert client.get(f"{GRAPH}?around=theirs", headers=TENANT).status_code == 404
    words = client.get("/v1/subjects/conv/1/messages?id=conv/1/1", headers=TENANT).text
    assert "secret" not in words
    assert client.get(GRAPH, headers={"X-Stet-Tenant": "stranger"}).status_code == 404
    assert client.get("/v1/subjects/nobody/graph", headers=TENANT).status_code == 404


def test_a_cursor_opens_no_other_subject(client: TestClient) -> None:
    cursor = client.get(f"{GRAPH}?limit=1", headers=TENANT).json()["earlier"]
    page = client.get(GRAPH, params={"cursor": cursor}, headers=RIVAL).json()
    assert {event["id"] for event in page["events"]} <= {"theirs"}


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=2001", "limit=many", "since=soon", "as_of=17", "colour=red", "cursor=%21",
        "cursor=YQ", "cursor=YQ&around=friday", f"around={'x' * 300}",
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_query_is_told(client: TestClient, query: str) -> None:
    answer = client.get(f"{GRAPH}?{query}", headers=TENANT)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "cursor=%21", "after=a"])
def test_what_is_wrong_with_a_list_of_subjects_is_told(client: TestClient, query: str) -> None:
    assert client.get(f"/v1/subjects?{query}", headers=TENANT).status_code == 422


def test_messages_are_asked_for_by_id(client: TestClient) -> None:
    many = "&".join(f"id={n}" for n in range(101))
    for query in ("", many):
        assert client.get(f"/v1/subjects/conv/1/messages?{query}", headers=TENANT).status_code == 422


def test_the_graph_is_in_the_published_contract(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/v1/subjects", "/v1/subjects/{subject}/graph", "/v1/subjects/{subject}/messages"} <= set(paths)
