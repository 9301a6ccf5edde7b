"""The HTTP contract, through FastAPI's test client over in-memory stores."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import pytest
import redis.exceptions
from fastapi.testclient import TestClient
from prometheus_client import CollectorRegistry

from operators.derive import derive
from operators.forest.checkpoint import packed
from operators.forest.grow import grow
from query_service.http_app import MAX_BODY, MAX_MESSAGES, Unavailable, create_app
from state.memory_reader import MemoryReader
from state.model import Message, Subject
from state.notes import Encoder, NoteStore
from tests.operators.toy_rules import RULES as TOY
from tests.query_service.test_next_turn import ByLetter, told
from tests.query_service.worlds import NOW, Stores, World, day, piano, stores

TENANT = {"X-Stet-Tenant": "shop"}
RIVAL = {"X-Stet-Tenant": "rival"}


@dataclass
class Runtime:
    """A service whose intake is a list."""

    reader: MemoryReader
    notes: NoteStore
    encoder: Encoder
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    tenant: str | None = None
    taken: list[Message] = field(default_factory=list)
    unready: list[str] = field(default_factory=list)
    full: bool = False

    def accept(self, messages: Sequence[Message]) -> None:
        if self.full:
            raise Unavailable("the log is full")
        self.taken.extend(messages)

    def ready(self) -> Sequence[str]:
        return self.unready


def rival() -> World:
    """The same subject and message ids as `piano`, in another tenant."""
    world = World(subject=Subject("rival", "conv/1"))
    world.say("conv/1/1", 0, "The tuning is the rival's secret.")
    world.state("theirs", "conv/1/1", ("tuning", "time", "secret"))
    return world


@pytest.fixture
def runtime() -> Runtime:
    held: Stores = stores(piano(), rival())
    return Runtime(held.reader, held.notes, held.encoder)


@pytest.fixture
def client(runtime: Runtime) -> TestClient:
    return TestClient(create_app(runtime, lambda: NOW), raise_server_exceptions=False)


def row(name: str = "m1", **changed: object) -> dict[str, object]:
    return {
        "tenant": "shop",
        "subject": "conv/1",
        "conversation": "conv/1",
        "id": name,
        "role": "user",
        "speaker": "Ada",
        "content": "the secret word is plover",
        "sent_at": "2026-01-01T09:00:00Z",
        **changed,
    }


def test_one_message_is_accepted(client: TestClient, runtime: Runtime) -> None:
    answer = client.post("/v1/messages", json=row(), headers=TENANT)
    assert answer.status_code == 202
    assert answer.json()["results"] == [
        {"index": 0, "id": "m1", "accepted": True, "reason": None, "detail": None}
    ]
    assert [m.id for m in runtime.taken] == ["m1"]


def test_of_a_list_the_good_are_taken_and_the_bad_have_their_reason(
    client: TestClient, runtime: Runtime
) -> None:
    rows = [row("a"), row("b", role="robot"), row("c"), 7, row("d", tenant="rival")]
    answer = client.post("/v1/messages", json=rows, headers=TENANT)
    assert answer.status_code == 202
    assert (answer.json()["accepted"], answer.json()["rejected"]) == (2, 3)
    reasons = [result["reason"] for result in answer.json()["results"]]
    assert reasons == [None, "unknown_role", None, "not_an_object", "wrong_tenant"]
    assert [m.id for m in runtime.taken] == ["a", "c"]


@pytest.mark.parametrize("body", ["{", "[1", "", "null", '{"a": 1}', "[{}]"])
def test_when_nothing_is_accepted_the_request_fails(client: TestClient, runtime: Runtime, body: str) -> None:
    answer = client.post("/v1/messages", content=body, headers=TENANT)
    assert answer.status_code in (400, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert runtime.taken == []


def test_too_much_is_refused(client: TestClient, runtime: Runtime) -> None:
    many = client.post("/v1/messages", json=[row(str(i)) for i in range(MAX_MESSAGES + 1)], headers=TENANT)
    long = client.post("/v1/messages", content=b"[" + b" " * MAX_BODY + b"]", headers=TENANT)
    streamed = client.post("/v1/messages", content=iter([b" " * MAX_BODY, b"  "]), headers=TENANT)
    assert [many.status_code, long.status_code, streamed.status_code] == [413, 413, 413]
    assert runtime.taken == []


def test_a_full_service_asks_to_try_again(client: TestClient, runtime: Runtime) -> None:
    runtime.full = True
    answer = client.post("/v1/messages", json=row(), headers=TENANT)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"


def ask(client: TestClient, headers: Mapping[str, str] = TENANT, **changed: object) -> Any:
    body = {"subject": "conv/1", "question": "When is the tuning?", **changed}
    return client.post("/v1/ask", json=body, headers=dict(headers))


def test_an_answer_keeps_the_contract(client: TestClient) -> None:
    answer = ask(client, qid="q1", budget=500).json()
    assert set(answer) == {
        "qid", "plan", "notes", "paths", "evidence", "context", "tokens", "timings_ms"
    }  # fmt: skip
    assert answer["qid"] == "q1"
    assert answer["evidence"].index("conv/1/4") < answer["evidence"].index("conv/1/1")
    assert answer["tokens"] <= 500
    assert set(answer["paths"][0]) == {"events", "edges", "score", "parts", "sources", "valid"}


def test_a_question_may_name_its_time(client: TestClient) -> None:
    answer = ask(client, as_of="2026-01-04T10:00:00+01:00").json()
    assert "conv/1/4" not in answer["evidence"]
    assert answer["plan"]["at"] == "2026-01-04T09:00:00Z"
    by_day = ask(client, as_of="2026-01-04").json()
    assert by_day["plan"]["at"] == "2026-01-04T00:00:00Z"


def test_a_misspelt_query_parameter_is_an_error(client: TestClient) -> None:
    for path in ("/v1/subjects/conv/1/state?asof=2026-01-04", "/v1/events/nothing?when=2026-01-04"):
        assert client.get(path, headers=TENANT).status_code == 422


def test_times_beyond_the_calendar_are_refused(client: TestClient) -> None:
    for at in ("0001-01-01T00:00:00+08:00", "9999-12-31T23:59:59.999999-08:00"):
        assert ask(client, as_of=at).status_code == 422


def test_two_tenant_headers_are_refused(client: TestClient) -> None:
    headers = [("X-Stet-Tenant", "a"), ("X-Stet-Tenant", "b")]
    assert client.get("/v1/subjects/conv/1/state", headers=headers).status_code == 400


def test_a_store_that_is_away_is_503(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise redis.exceptions.ConnectionError("gone")

    monkeypatch.setattr(MemoryReader, "everything", away)
    told = client.get("/v1/subjects/conv/1/state", headers=TENANT)
    assert (told.status_code, told.headers["content-type"]) == (503, "application/problem+json")


@pytest.mark.parametrize(
    "changed",
    [
        {"as_of": "yesterday"},
        {"as_of": "2026-01-04T10:00:00"},
        {"as_of": 17},
        {"budget": 0},
        {"budget": "many"},
        {"question": " "},
        {"question": "x" * 9_000},
        {"colour": "red"},
    ],
)
def test_what_is_wrong_with_a_question_is_told(client: TestClient, changed: dict[str, object]) -> None:
    answer = ask(client, TENANT, **changed)
    assert answer.status_code == 422
    assert next(iter(changed)) in answer.json()["detail"]


def test_an_unknown_subject_is_not_found(client: TestClient) -> None:
    for answer in (
        ask(client, subject="nobody"),
        ask(client, headers={"X-Stet-Tenant": "stranger"}),
        client.get("/v1/subjects/nobody/state", headers=TENANT),
    ):
        assert answer.status_code == 404
        assert answer.json()["status"] == 404


@pytest.mark.parametrize("subject", ["conv/1", quote("conv/1", safe="")])
def test_the_state_of_a_subject_whose_id_has_a_slash(client: TestClient, subject: str) -> None:
    answer = client.get(f"/v1/subjects/{subject}/state", headers=TENANT)
    assert answer.status_code == 200
    facts = {
        (entity["entity"], attribute["attribute"]): [fact["value"] for fact in attribute["facts"]]
        for entity in answer.json()["entities"]
        for attribute in entity["attributes"]
    }
    assert facts[("tuning", "time")] == ["Friday at 11 am"]


def test_the_state_at_a_time_and_its_history(client: TestClient) -> None:
    at = client.get("/v1/subjects/conv/1/state", params={"as_of": day(3).isoformat()}, headers=TENANT).json()
    all_of_it = client.get("/v1/subjects/conv/1/state", params={"history": "true"}, headers=TENANT).json()
    tuning = at["entities"][0]["attributes"][0]["facts"]
    assert [fact["value"] for fact in tuning] == ["Thursday at 9 am"]
    told = all_of_it["entities"][0]["attributes"][0]["facts"]
    assert [fact["status"] for fact in told] == ["superseded", "superseded", "stands"]
    assert told[1]["replaced_by"][0]["event"] == "friday"
    assert told[1]["until"] == "2026-01-06T09:00:00Z"


def test_a_bad_time_in_the_address_is_told(client: TestClient) -> None:
    answer = client.get("/v1/subjects/conv/1/state?as_of=soon", headers=TENANT)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_an_event_and_why_it_is_out(client: TestClient) -> None:
    event = client.get("/v1/events/thursday", headers=TENANT).json()
    why = client.get("/v1/events/thursday/why", headers=TENANT).json()
    assert (event["subject"], event["valid"]) == ("conv/1", 0.0)
    assert event["holds"] == [{"start": "2026-01-02T09:00:00Z", "end": "2026-01-06T09:00:00Z"}]
    assert (why["verdict"], why["steps"][0]["other"]) == ("replaced", "friday")
    assert "conv/1/4" in why["steps"][0]["text"]


def test_tenants_with_the_same_ids_do_not_see_each_other(client: TestClient) -> None:
    mine, theirs = (ask(client, headers=h).json() for h in (TENANT, RIVAL))
    assert "secret" not in mine["context"]
    assert theirs["evidence"] == ["conv/1/1"]
    assert client.get("/v1/events/theirs", headers=TENANT).status_code == 404
    assert client.get("/v1/events/theirs/why", headers=TENANT).status_code == 404
    assert client.get("/v1/events/friday", headers=RIVAL).status_code == 404
    assert client.get("/v1/events/theirs", headers=RIVAL).status_code == 200
    assert "secret" not in client.get("/v1/subjects/conv/1/state", headers=TENANT).text


def test_a_request_names_its_tenant_unless_there_is_one_default(client: TestClient, runtime: Runtime) -> None:
    assert ask(client, headers={}).status_code == 400
    runtime.tenant = "shop"
    assert ask(client, headers={}).status_code == 200


def test_health_readiness_and_metrics(client: TestClient, runtime: Runtime) -> None:
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").json() == {"ready": True, "reasons": []}
    runtime.unready = ["Redis does not answer"]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["reasons"]) == (503, ["Redis does not answer"])
    client.get("/v1/events/some-id", headers=TENANT)
    metrics = client.get("/metrics").text
    assert 'route="/v1/events/{event:path}"' in metrics
    assert "some-id" not in metrics


def test_a_failure_shows_no_trace_and_no_text(
    client: TestClient, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("plover at line 7")

    monkeypatch.setattr(runtime.reader, "opening", fail)
    answer = ask(client)
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "plover" not in answer.text
    assert "Traceback" not in answer.text


def test_message_text_is_neither_logged_nor_sent_back(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="query_service"):
        for body in (row(), row(role="robot"), row(sent_at="never"), [row(), row(speaker=3)]):
            answer = client.post("/v1/messages", content=json.dumps(body), headers=TENANT)
            assert "plover" not in answer.text
        assert "plover" not in ask(client, question="plover", colour=1).text
    assert "plover" not in caplog.text


def test_an_unknown_path_is_a_problem_too(client: TestClient) -> None:
    answer = client.get("/v2/ask")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not found",
        "status": 404,
        "detail": "Not Found",
    }


def test_the_contract_is_published(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/v1/messages", "/v1/ask", "/v1/subjects/{subject}/state", "/v1/events/{event}"} <= set(paths)
    assert datetime.now(UTC).tzinfo is UTC


def context(client: TestClient, headers: Mapping[str, str] = TENANT, **changed: object) -> Any:
    body = {"subject": "maya", "message": "B: Make it Tuesday.", **changed}
    return client.post("/v1/context", json=body, headers=dict(headers))


@pytest.fixture
def growing() -> TestClient:
    """A service over a forest, and over the same subject and message ids in another tenant."""
    decider = ByLetter()
    theirs = [replace(m, subject=Subject("rival", "maya"), content=f"Z: secret {m.id}") for m in told()]
    views = [derive(said, TOY.distiller, TOY.relater, ByLetter()) for said in (told(), theirs)]
    grow_all = lambda said: packed(grow(said, decider)[0])  # noqa: E731
    held = stores(piano())
    reader = MemoryReader(views, grown=grow_all)
    return TestClient(create_app(Runtime(reader, held.notes, held.encoder), lambda: NOW))


def test_a_context_keeps_the_contract(growing: TestClient) -> None:
    found = context(growing, qid="q1", budget=50).json()
    assert set(found) == {"qid", "decision", "path", "context", "tokens", "timings_ms"}
    assert set(found["decision"]) == {"kind", "reason", "parent", "topic"}
    assert found["qid"] == "q1"
    assert found["tokens"] <= 50
    assert found["decision"]["parent"] in found["path"]
    assert found["context"].startswith("- ")


def test_a_context_of_a_named_conversation(growing: TestClient) -> None:
    assert context(growing, conversation="c").json()["context"] == context(growing).json()["context"]
    assert context(growing, conversation="other").json()["decision"]["kind"] == "new_tree"


def test_a_forest_keeps_the_contract(growing: TestClient) -> None:
    found = growing.get("/v1/subjects/maya/forest", headers=TENANT).json()
    assert set(found) == {"subject", "topics", "more", "next", "labels"}
    assert [topic["id"] for topic in found["topics"]] == ["c/6", "c/0", "c/2"]
    assert set(found["topics"][0]) == {"id", "label", "conversation", "size", "turns"}
    one = growing.get("/v1/subjects/maya/forest?topics=1&turns=1", headers=TENANT).json()
    assert ([topic["id"] for topic in one["topics"]], one["more"]) == (["c/6"], True)
    rest = {"topics": 2, "cursor": one["next"]}
    two = growing.get("/v1/subjects/maya/forest", params=rest, headers=TENANT).json()
    assert ([topic["id"] for topic in two["topics"]], two["more"], two["next"]) == (
        ["c/0", "c/2"],
        False,
        None,
    )


@pytest.mark.parametrize("cursor", ["", "x", "MR4x", "MjAyNi0wMS0wMQ", "A" * 5_000])
def test_what_is_no_cursor_of_a_forest_is_refused(growing: TestClient, cursor: str) -> None:
    answer = growing.get("/v1/subjects/maya/forest", params={"cursor": cursor}, headers=TENANT)
    assert (answer.status_code, answer.json()["title"]) == (422, "Unprocessable content")


def test_another_tenants_forest_is_never_seen(growing: TestClient) -> None:
    for body in (context(growing).text, growing.get("/v1/subjects/maya/forest", headers=TENANT).text):
        assert "secret" not in body
    theirs = growing.get("/v1/subjects/maya/forest", headers=RIVAL)
    assert "secret" in theirs.text
    assert "bicycle" not in theirs.text + context(growing, RIVAL).text


def test_of_a_stranger_there_is_neither_context_nor_forest(growing: TestClient) -> None:
    for answer in (
        context(growing, subject="nobody"),
        context(growing, {"X-Stet-Tenant": "stranger"}),
        growing.get("/v1/subjects/nobody/forest", headers=TENANT),
        growing.get("/v1/subjects/maya/forest", headers={"X-Stet-Tenant": "stranger"}),
    ):
        assert answer.status_code == 404
    assert context(growing, {}).status_code == 400


@pytest.mark.parametrize(
    "changed",
    [{"budget": 0}, {"message": " "}, {"message": "x" * 9_000}, {"conversation": ""}, {"colour": "red"}],
)
def test_what_is_wrong_with_a_message_is_told(growing: TestClient, changed: dict[str, object]) -> None:
    answer = context(growing, **changed)
    assert answer.status_code == 422
    assert next(iter(changed)) in answer.json()["detail"]


@pytest.mark.parametrize("query", ["topics=0", "topics=201", "turns=0", "turns=501", "turn=3", "topics=x"])
def test_a_forest_out_of_range_is_refused(growing: TestClient, query: str) -> None:
    assert growing.get(f"/v1/subjects/maya/forest?{query}", headers=TENANT).status_code == 422
