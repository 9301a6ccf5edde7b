"""`POST /v1/answer` over HTTP: the contract, the events of a stream, and every way in which it fails."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from redis import Redis
from redis.exceptions import ConnectionError as RedisAway

from query_service.http_app import create_app
from state.ledger import Ledger
from tests.query_service.answering import Answering, answering, reply
from tests.query_service.test_answer import FRIDAY, WHEN, rival, wait_for
from tests.query_service.test_http_app import RIVAL, TENANT, Runtime
from tests.query_service.worlds import NOW, piano
from tests.servers.chat_replies import Cuts, Does, Drips, Fails, Hangs, Says, limited

EVENTS = {"Accept": "text/event-stream"}


@contextmanager
def serving(asked: Answering, with_model: bool = True) -> Iterator[httpx.Client]:
    """A client of the service over the worlds of `asked`, on a real port."""
    held = asked.held
    runtime = Runtime(held.reader, held.notes, held.encoder)
    app = create_app(runtime, lambda: NOW, asked.model if with_model else None)
    config = uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=TENANT, trust_env=False) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def asked(redis: Redis) -> Iterator[Answering]:
    with answering(redis, [piano(), rival()], deadline=2.0, daily_tokens=1_000_000) as one:
        one.says(FRIDAY, "conv/1/4")
        yield one


@pytest.fixture
def client(asked: Answering) -> Iterator[httpx.Client]:
    with serving(asked) as one:
        yield one


def ask(client: httpx.Client, headers: dict[str, str] | None = None, **changed: object) -> httpx.Response:
    body = {"subject": "conv/1", "question": WHEN, **changed}
    return client.post("/v1/answer", json=body, headers=headers, timeout=30)


def events_of(text: str) -> list[tuple[str, Any]]:
    """The events of a stream: name and data."""
    told = []
    for event in text.strip().split("\n\n"):
        name, data = event.split("\n")
        told.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return told


class TestAnAnswer:
    def test_keeps_the_contract(self, client: httpx.Client) -> None:
        response = ask(client, qid="q1")
        told = response.json()
        assert response.status_code == 200
        assert set(told) == {
            "qid", "plan", "answer", "citations", "abstained", "outdated", "disagreements", "remarks",
            "context", "tokens", "model", "remembered", "timings_ms",
        }  # fmt: skip
        assert (told["qid"], told["answer"], told["citations"]) == ("q1", FRIDAY, ["conv/1/4"])
        assert (told["abstained"], told["context"], told["remembered"]) == (False, None, False)
        again = ask(client, context=True).json()
        assert again["remembered"]
        assert "Friday at 11 am" in again["context"]

    def test_tells_what_is_out_of_date(self, client: httpx.Client) -> None:
        (one,) = ask(client, question="Who comes to the tuning on Tuesday at 3 pm?").json()["outdated"]
        assert one == {
            "fact": "tuning time: Tuesday at 3 pm",
            "replaced_by": "tuning time: Friday at 11 am",
            "since": "2026-01-02T09:00:00Z",
            "withdrawn": False,
            "sources": ["conv/1/1"],
            "settled_by": ["conv/1/4", "conv/1/2"],
        }

    def test_is_one_tenants(self, client: httpx.Client, asked: Answering) -> None:
        ask(client)
        asked.says("A secret [conv/1/4].", "conv/1/4")
        assert ask(client, RIVAL).json()["answer"] == "A secret [conv/1/4]."
        assert ask(client).json()["answer"] == FRIDAY
        assert "rival's secret" not in asked.chat.requests[0].content

    def test_is_published(self, client: httpx.Client) -> None:
        published = client.get("/openapi.json").json()["paths"]["/v1/answer"]["post"]
        assert set(published["responses"]["200"]["content"]) == {"application/json", "text/event-stream"}
        assert "context" in published["requestBody"]["content"]["application/json"]["schema"]["properties"]


class TestAStream:
    def test_tells_tokens_and_then_the_checked_answer(self, client: httpx.Client, asked: Answering) -> None:
        asked.says("On Friday at 11 am, “sharp” 准时 [conv/1/4] [conv/9/9].", "conv/1/4")
        response = ask(client, EVENTS, qid="q7")
        assert response.headers["content-type"].startswith("text/event-stream")
        *tokens, (last, answer) = events_of(response.text)
        assert {name for name, _ in tokens} == {"token"}
        told = "".join(token["text"] for _, token in tokens)
        assert told == "On Friday at 11 am, “sharp” 准时 [conv/1/4] [conv/9/9]."
        assert last == "answer"
        assert (answer["qid"], answer["answer"]) == ("q7", "On Friday at 11 am, “sharp” 准时 [conv/1/4].")
        assert (answer["citations"], answer["remarks"]) == (["conv/1/4"], ["citations_dropped"])

    def test_comes_while_the_model_writes(self, client: httpx.Client, asked: Answering) -> None:
        asked.chat.always = Drips()
        body = {"subject": "conv/1", "question": WHEN}
        with client.stream("POST", "/v1/answer", json=body, headers=EVENTS) as response:
            assert next(response.iter_lines()) == "event: token"

    def test_that_nobody_reads_on_ends_its_call(self, client: httpx.Client, asked: Answering) -> None:
        asked.chat.always = Drips()
        body = {"subject": "conv/1", "question": WHEN}
        with client.stream("POST", "/v1/answer", json=body, headers=EVENTS) as response:
            next(response.iter_lines())
            assert asked.chat.at_once == 1
        wait_for(lambda: asked.chat.at_once == 0)
        asked.says(FRIDAY, "conv/1/4")
        assert ask(client).json()["remembered"] is False

    def test_that_breaks_off_ends_with_the_problem(self, client: httpx.Client, asked: Answering) -> None:
        asked.chat.next(Cuts(reply(FRIDAY, "conv/1/4"), pieces=5))
        *tokens, (last, told) = events_of(ask(client, EVENTS).text)
        assert tokens
        assert (last, told["status"], told["reason"]) == ("problem", 503, "connection")

    def test_of_what_is_remembered_is_one_token_and_the_answer(self, client: httpx.Client) -> None:
        ask(client)
        assert [name for name, _ in events_of(ask(client, EVENTS).text)] == ["token", "answer"]

    def test_does_not_keep_other_questions_waiting(self, client: httpx.Client, asked: Answering) -> None:
        """More streams than a server has threads for everything else."""
        asked.chat.always = Hangs()
        body = {"subject": "conv/1", "question": WHEN}
        waiting = [threading.Thread(target=lambda: ask(client, EVENTS)) for _ in range(45)]
        for one in waiting:
            one.start()
        wait_for(lambda: asked.chat.at_once > 20)
        assert client.post("/v1/ask", json=body, timeout=5).status_code == 200
        asked.model.caller.close()
        for one in waiting:
            one.join()


class TestFailures:
    @pytest.mark.parametrize("headers", [{}, EVENTS], ids=["whole", "events"])
    @pytest.mark.parametrize(
        ("does", "status", "reason"),
        [
            (limited("3600"), 503, "rate_limited"),
            (Fails(500), 503, "server"),
            (Fails(401), 502, "auth"),
            (Fails(404), 502, "unknown_model"),
            (Hangs(), 504, "deadline"),
            (Says(""), 502, "empty"),
        ],
        ids=lambda one: one if isinstance(one, str) else "",
    )
    def test_of_the_model_are_problems(
        self, redis: Redis, does: Does, status: int, reason: str, headers: dict[str, str]
    ) -> None:
        with answering(redis, [piano()], deadline=0.5) as asked, serving(asked) as client:
            asked.chat.always = does
            response = ask(client, headers)
        told = response.json()
        assert (response.status_code, told["status"], told["reason"]) == (status, status, reason)
        assert response.headers["content-type"] == "application/problem+json"
        assert "/v1/ask" in told["detail"]
        assert "tuning" not in response.text
        assert ("retry-after" in response.headers) == (status in (503, 504))

    def test_a_spent_budget_is_429_until_the_next_day(self, redis: Redis) -> None:
        with answering(redis, [piano()], daily_tokens=1) as asked, serving(asked) as client:
            asked.says(FRIDAY, "conv/1/4")
            assert ask(client).status_code == 200
            response = ask(client, question="At what time is the tuning?")
            assert response.status_code == 429
            assert 0 < int(response.headers["retry-after"]) <= 86_400
            assert response.json()["until"].endswith("T00:00:00Z")
            assert ask(client).status_code == 200

    def test_without_a_model_it_is_told_what_to_do(self, asked: Answering) -> None:
        with serving(asked, with_model=False) as client:
            response = ask(client)
            assert response.status_code == 501
            assert "STET_LLM" in response.json()["detail"]
            assert client.post("/v1/ask", json={"subject": "conv/1", "question": WHEN}).status_code == 200
        assert asked.chat.calls == 0

    def test_of_the_question_cost_no_call(self, client: httpx.Client, asked: Answering) -> None:
        assert ask(client, subject="nobody").status_code == 404
        assert ask(client, {"X-Stet-Tenant": "stranger"}).status_code == 404
        for wrong in ({"question": " "}, {"as_of": "soon"}, {"stream": True}, {"context": "yes"}):
            response = ask(client, EVENTS, **wrong)
            assert response.status_code == 422
            assert next(iter(wrong)) in response.json()["detail"]
        assert asked.chat.calls == 0

    @pytest.mark.parametrize("headers", [{}, EVENTS], ids=["whole", "events"])
    def test_of_a_store_are_503(
        self, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
    ) -> None:
        def away(*_: object) -> None:
            raise RedisAway("gone")

        monkeypatch.setattr(Ledger, "read", away)
        assert ask(client, headers).status_code == 503
