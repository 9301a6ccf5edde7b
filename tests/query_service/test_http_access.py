"""Keys over HTTP: what each may do, and for whom."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from redis import Redis

from query_service.http_access import Access, Open
from query_service.http_app import create_app
from state.api_keys import ApiKeys
from state.audit import audit_to, subject_mark
from tests.query_service.test_http_app import NOW, Runtime, rival, row
from tests.query_service.worlds import piano, stores

STATE = "/v1/subjects/conv/1/state"
QUESTION = {"subject": "conv/1", "question": "When is the tuning?"}


@pytest.fixture
def runtime() -> Runtime:
    held = stores(piano(), rival())
    return Runtime(held.reader, held.notes, held.encoder)


@pytest.fixture
def serve(runtime: Runtime, redis: Redis) -> Callable[..., TestClient]:
    def start(open_to: Open = Open.NOBODY, base_url: str = "http://127.0.0.1:8080") -> TestClient:
        app = create_app(runtime, lambda: NOW, access=Access.over(redis, open_to))
        return TestClient(app, base_url=base_url, raise_server_exceptions=False)

    return start


@pytest.fixture
def key(redis: Redis) -> Callable[..., dict[str, str]]:
    def make(*scopes: str, tenant: str = "shop", per_minute: int = 0) -> dict[str, str]:
        _, token = ApiKeys(redis).create(tenant, scopes, NOW, per_minute=per_minute)
        return {"Authorization": f"Bearer {token}"}

    return make


def requests() -> list[tuple[str, str, str, Any]]:
    """One request a route, with the scope that it needs."""
    return [
        ("read", "GET", STATE, None),
        ("read", "GET", "/v1/subjects/conv/1/forest", None),
        ("read", "GET", "/v1/subjects/conv/1/graph", None),
        ("read", "GET", "/v1/subjects/conv/1/messages?id=conv/1/1", None),
        ("read", "GET", "/v1/subjects", None),
        ("read", "GET", "/v1/events/friday", None),
        ("read", "GET", "/v1/events/friday/why", None),
        ("read", "POST", "/v1/ask", QUESTION),
        ("read", "POST", "/v1/answer", QUESTION),
        ("read", "POST", "/v1/context", {"subject": "conv/1", "message": "And when?"}),
        ("ingest", "POST", "/v1/messages", row()),
        ("ingest", "DELETE", "/v1/subjects/conv/1/messages/conv/1/1", None),
        ("admin", "DELETE", "/v1/subjects/conv/1", None),
        ("admin", "GET", "/metrics", None),
    ]


def test_every_route_is_among_the_requests_here(serve: Callable[..., TestClient]) -> None:
    told = serve().get("/openapi.json").json()["paths"]
    listed = {(method.upper(), path) for path, methods in told.items() for method in methods}
    open_to_all = {("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/v1/whoami")}
    assert len(listed - open_to_all) == len(requests())


@pytest.mark.parametrize(("scope", "method", "path", "body"), requests())
def test_a_route_needs_its_scope_and_no_other(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]],
    scope: str, method: str, path: str, body: Any,
) -> None:  # fmt: skip
    client = serve()
    given = key(scope)
    lacking = key(*{"read", "ingest", "admin"} - {scope})
    assert client.request(method, path, json=body, headers=given).status_code not in (401, 403, 500)
    refused = client.request(method, path, json=body, headers=lacking)
    assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")
    assert scope in refused.json()["detail"]
    assert client.request(method, path, json=body).status_code == 401


def test_agents_need_a_key_too(serve: Callable[..., TestClient]) -> None:
    answer = serve().post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401


def test_probes_and_the_explorers_files_need_none(serve: Callable[..., TestClient]) -> None:
    client = serve()
    assert [client.get(path).status_code for path in ("/healthz", "/readyz", "/explore")] == [200] * 3


@pytest.mark.parametrize(
    "sent", ["Bearer", "Bearer ", "Bearer stet_x", "Basic dXNlcjpwYXNz", "stet_0123456789ab_" + "A" * 43]
)
def test_what_is_no_key_is_refused(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]], sent: str
) -> None:
    key("read")
    answer = serve().get(STATE, headers={"Authorization": sent, "X-Stet-Tenant": "shop"})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_neither_header_nor_body_change_a_keys_tenant(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]], runtime: Runtime
) -> None:
    client, mine = serve(), key("read", "ingest")
    assert client.get(STATE, headers={**mine, "X-Stet-Tenant": "shop"}).status_code == 200
    assert client.get(STATE, headers={**mine, "X-Stet-Tenant": "rival"}).status_code == 403
    twice = client.get(STATE, headers=[*mine.items(), ("X-Stet-Tenant", "shop"), ("X-Stet-Tenant", "rival")])
    assert twice.status_code == 400
    both = client.get(STATE, headers=[*mine.items(), *key("read", tenant="rival").items()])
    assert both.status_code == 400
    told = client.post("/v1/messages", json=[row("a"), row("b", tenant="rival")], headers=mine).json()
    assert [result["reason"] for result in told["results"]] == [None, "wrong_tenant"]
    assert [message.subject.tenant for message in runtime.taken] == ["shop"]
    assert "secret" not in client.get(STATE, headers=mine).text
    assert "secret" in client.get(STATE, headers=key("read", tenant="rival")).text


def test_a_caller_can_ask_who_it_is(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    client, mine = serve(), key("read", "admin")
    told = client.get("/v1/whoami", headers=mine).json()
    assert (told["tenant"], told["scopes"]) == ("shop", ["admin", "read"])
    assert told["key"] == mine["Authorization"].split("_")[1]
    assert client.get("/v1/whoami").status_code == 401


def test_a_revoked_key_is_refused_from_the_next_request_on(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]], redis: Redis
) -> None:
    client, mine = serve(Open.LOOPBACK), key("read")
    assert client.get(STATE, headers=mine).status_code == 200
    ApiKeys(redis).revoke(mine["Authorization"].split("_")[1], NOW)
    assert client.get(STATE, headers=mine).status_code == 401
    assert client.get(STATE, headers={"X-Stet-Tenant": "shop"}).status_code == 401


def test_a_key_is_held_to_its_requests_a_minute_and_no_other_key_is(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    client, slow, other = serve(), key("read", per_minute=2), key("read", per_minute=600)
    answers = [client.get(STATE, headers=slow) for _ in range(4)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert client.get(STATE, headers=other).status_code == 200


def test_on_loopback_it_is_open_until_there_is_a_key(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    client, shop = serve(Open.LOOPBACK), {"X-Stet-Tenant": "shop"}
    assert client.get(STATE, headers=shop).status_code == 200
    assert client.get("/metrics").status_code == 200
    assert client.get("/v1/whoami").json() == {
        "tenant": None, "scopes": ["admin", "ingest", "read"], "key": None
    }  # fmt: skip
    mine = key("read")
    assert client.get(STATE, headers=shop).status_code == 401
    assert client.get("/metrics").status_code == 401
    assert client.get(STATE, headers=mine).status_code == 200


@pytest.mark.parametrize(
    ("host", "origin", "expected"),
    [
        ("127.0.0.1:8080", None, 202),
        ("localhost:8080", "http://localhost:8080", 202),
        ("[::1]:8080", None, 202),
        ("evil.example:8080", None, 403),
        ("evil.example:8080", "http://evil.example:8080", 403),
        ("127.0.0.1:8080", "http://evil.example", 403),
        ("127.0.0.1:8080", "null", 403),
        ("[", None, 403),
    ],
)
def test_without_a_key_no_other_sites_page_gets_in(
    serve: Callable[..., TestClient], host: str, origin: str | None, expected: int
) -> None:
    headers = {"X-Stet-Tenant": "shop", "Host": host} | ({"Origin": origin} if origin else {})
    assert serve(Open.LOOPBACK).post("/v1/messages", json=row(), headers=headers).status_code == expected


def test_behind_a_gateway_its_word_is_taken(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    key("read")
    client = serve(Open.GATEWAY, "http://stet.internal")
    answer = client.get(STATE, headers={"X-Stet-Tenant": "rival", "Authorization": "Bearer its-own"})
    assert "secret" in answer.text


def test_no_other_origin_is_let_to_read(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    client, mine = serve(), key("read")
    asked = {"Origin": "https://else.example", "Access-Control-Request-Method": "GET"}
    for answer in (client.options(STATE, headers=asked), client.get(STATE, headers={**mine, **asked})):
        assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_every_answer_has_the_security_headers(
    serve: Callable[..., TestClient], runtime: Runtime, monkeypatch: pytest.MonkeyPatch,
    key: Callable[..., dict[str, str]],
) -> None:  # fmt: skip
    def fail(*_: object) -> None:
        raise RuntimeError("no")

    client, mine = serve(), key("read")
    monkeypatch.setattr(runtime.reader, "opening", fail)
    broken = client.post("/v1/ask", json=QUESTION, headers=mine)
    answers = [client.get(path) for path in ("/healthz", STATE, "/nowhere", "/openapi.json", "/explore")]
    assert broken.status_code == 500
    for answer in (broken, client.get(STATE, headers=mine), *answers):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "cache-control" in answer.headers


@pytest.mark.parametrize(("open_to", "expected"), [(Open.LOOPBACK, 200), (Open.NOBODY, 404)])
def test_pages_with_scripts_from_elsewhere_are_shown_on_loopback_alone(
    serve: Callable[..., TestClient], open_to: Open, expected: int
) -> None:
    assert serve(open_to).get("/docs").status_code == expected


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    path = tmp_path / "audit.jsonl"
    audit_to(path)
    yield lambda: [json.loads(line) for line in path.read_text().splitlines()]
    audit_to(None)


def test_reads_writes_and_deletes_are_in_the_audit_log_without_names_or_text(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]],
    audited: Callable[[], list[dict[str, Any]]], tmp_path: Path,
) -> None:  # fmt: skip
    client, mine = serve(), key("read", "ingest", "admin")
    client.get(STATE, headers=mine)
    client.get(STATE)
    client.post("/v1/ask", json=QUESTION, headers=mine)
    gone = {
        "tenant": "shop",
        "subject": "conv/1",
        "id": "m1",
        "op": "delete",
        "sent_at": "2026-01-01T09:00:00Z",
    }
    client.post("/v1/messages", json=[row(), gone], headers=mine)
    client.delete("/v1/subjects/conv/1/messages/m1", headers=mine)
    client.get("/healthz")
    told = audited()
    assert [(line["action"], line["status"]) for line in told] == [
        ("read", 200), ("read", 401), ("read", 200), ("write", 202), ("delete", 202)
    ]  # fmt: skip
    mark = subject_mark("shop", "conv/1")
    assert [line["subject"] for line in told] == [mark, None, mark, None, mark]
    assert (told[3]["messages"], told[3]["deletes_of"]) == (2, [mark])
    assert {line["tenant"] for line in told} == {"shop", None}
    assert told[0]["key"] == mine["Authorization"].split("_")[1]
    written = (tmp_path / "audit.jsonl").read_text()
    assert not [
        text for text in ("plover", "tuning", "conv/1", mine["Authorization"][-43:]) if text in written
    ]
    assert (tmp_path / "audit.jsonl").stat().st_mode & 0o077 == 0


def test_without_a_file_the_lines_go_to_the_logger(
    serve: Callable[..., TestClient], key: Callable[..., dict[str, str]]
) -> None:
    heard: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("stet.audit").addHandler(handler)
    audit_to(None)
    try:
        serve().get(STATE, headers=key("read"))
    finally:
        logging.getLogger("stet.audit").removeHandler(handler)
    assert [json.loads(line)["action"] for line in heard] == ["read"]
