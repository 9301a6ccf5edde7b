"""`stet answer` and `stet cost`: what they print, what they ask for, and how they fail."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import httpx
import pytest

from pipeline.command_line.failures import Exit
from tests.pipeline.command import EXAMPLES, begin, ingest, lines, message, stet
from tests.pipeline.installation import installation, run
from tests.pipeline.test_command_line import assert_told
from tests.pipeline.test_serving import Serving, serve
from tests.query_service.answering import reply
from tests.query_service.test_answer import wait_for
from tests.servers import broker, redis_server
from tests.servers.chat_replies import Does, Drips, Fails, Hangs, Says, limited
from tests.servers.chat_server import ChatServer

__all__ = ["serve"]

WHERE = "Where will the desk be delivered?"
LANE = "To 3 Mill Lane, Bergen [order-5512/7]."


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("answers") / "data"
    ingest(b"".join(file.read_bytes() for file in EXAMPLES), data)
    ingest(lines([message(1), message(1, tenant="globex", content="My address is 1 Fir Lane.")]), data)
    return data


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A model that the environment names. It knows one answer."""
    with ChatServer() as server:
        server.always = Says(reply(LANE, "order-5512/7"))
        monkeypatch.setenv("STET_LLM", f"{server.url}#tiny")
        monkeypatch.setenv("STET_LLM_KEY", "secret-key")
        monkeypatch.setenv("STET_TENANT", "demo")
        yield server


_SEEN = iter(range(10_000))


def unseen(question: str) -> str:
    """The question in words that nobody used before: the folder remembers what was asked."""
    return f"{question} ({next(_SEEN)})"


def columns(line: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in line)


class TestAnswer:
    def test_in_json_has_what_the_contract_names(self, ingested: Path, chat: ChatServer) -> None:
        told = stet("answer", "maya", WHERE, "--json", data=ingested).json
        assert told.keys() == {
            "qid", "plan", "answer", "citations", "abstained", "outdated", "disagreements", "remarks",
            "context", "tokens", "model", "remembered", "timings_ms",
        }  # fmt: skip
        assert (told["answer"], told["citations"]) == (LANE, ["order-5512/7"])
        assert (told["model"], told["context"]) == ("tiny", None)
        (request,) = chat.requests
        assert request.headers["authorization"] == "Bearer secret-key"
        again = stet("answer", "maya", WHERE, "--json", "--context", data=ingested).json
        assert (again["answer"], again["remembered"], chat.calls) == (LANE, True, 1)
        assert "3 Mill Lane" in again["context"]

    def test_for_people_tells_what_is_out_of_date_and_what_is_cited(
        self, ingested: Path, chat: ChatServer
    ) -> None:
        asked = unseen("Who takes the desk in at 14 Harbour Street?")
        told = stet("answer", "maya", asked, data=ingested).out.decode()
        assert told.startswith(LANE + "\n")
        flat = " ".join(told.split())
        assert "14 Harbour Street, Bergen” is out of date since 2026-03-06 17:30, replaced by" in flat
        assert "[order-5512/7] 2026-03-06 17:30 Maya:" in told
        assert max(map(columns, told.splitlines())) <= 80

    def test_in_chinese(self, ingested: Path, chat: ChatServer) -> None:
        state = stet("state", "周晓雯", "--history", "--json", data=ingested).json
        chat.always = Says(reply("送到梧桐路。", abstained=True))
        told = stet("answer", "周晓雯", unseen("快递地址是哪里？"), data=ingested).out.decode()
        assert told.startswith("送到梧桐路。\n")
        assert state["entities"]
        assert "周晓雯" in chat.requests[0].content

    def test_as_it_is_written(self, ingested: Path, chat: ChatServer) -> None:
        told = stet("answer", "maya", unseen(WHERE), "--stream", data=ingested).out.decode()
        assert told.startswith(f"{LANE}\n\nCited:")
        rows = stet("answer", "maya", unseen(WHERE), "--stream", "--json", data=ingested).rows
        *tokens, answer = rows
        assert "".join(row["token"] for row in tokens) == answer["answer"] == LANE
        assert all(request.body["stream"] for request in chat.requests)

    def test_as_it_is_written_with_a_citation_that_is_not_there(
        self, ingested: Path, chat: ChatServer
    ) -> None:
        chat.always = Says(reply("To 3 Mill Lane [order-5512/7] \x1b[2J[nowhere/9]."))
        told = stet("answer", "maya", unseen(WHERE), "--stream", data=ingested).out.decode()
        first, _, checked = told.partition("\n")
        assert "[nowhere/9]" in first
        assert "[nowhere/9]" not in checked
        assert "citations are left out" in " ".join(checked.split())
        assert "\x1b" not in told

    def test_of_an_earlier_day(self, ingested: Path, chat: ChatServer) -> None:
        stet("answer", "maya", unseen(WHERE), "--as-of", "2026-03-05", data=ingested)
        assert "As of: 2026-03-05 00:00 UTC." in chat.requests[0].content
        assert "Mill Lane" not in chat.requests[0].content

    def test_of_a_batch_comes_row_by_row_in_order(self, ingested: Path, chat: ChatServer) -> None:
        rows = [
            {"subject": "maya", "question": unseen(WHERE), "qid": "q1"},
            {"subject": "nobody", "question": "Where?", "qid": 2},
            {"subject": "maya", "question": unseen(WHERE), "qid": "q3"},
        ]
        chat.next(Says(reply(LANE, "order-5512/7")), Fails(401))
        first, second, third = stet("answer", "--batch", "-", data=ingested, stdin=lines(rows)).rows
        assert (first["qid"], first["answer"]) == ("q1", LANE)
        assert second["error"] == "nothing was ever said by or about this subject"
        assert (third["qid"], third["line"]) == ("q3", 3)
        assert third["error"].startswith("auth: ")
        assert third["error"].endswith(f"; asked was {chat.url}#tiny")
        again = stet("answer", "--batch", "-", data=ingested, stdin=lines(rows)).rows
        assert [row.get("remembered") for row in again] == [True, None, False]

    def test_never_shows_another_tenants_messages(self, ingested: Path, chat: ChatServer) -> None:
        stet("answer", "ann", unseen("What is the address?"), "--tenant", "acme", data=ingested)
        assert "Elm Road" in chat.requests[0].content
        assert "Fir Lane" not in chat.requests[0].content


class TestFailures:
    def test_without_a_model_it_says_what_to_do(
        self, ingested: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("STET_LLM", raising=False)
        outcome = stet("answer", "maya", WHERE, "--tenant", "demo", data=ingested)
        assert_told(outcome, Exit.USAGE, "STET_LLM", "stet ask")

    def test_a_setting_that_is_wrong_is_named(
        self, ingested: Path, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("STET_LLM", "tiny")
        assert_told(stet("answer", "maya", WHERE, data=ingested), Exit.USAGE, "STET_LLM")

    @pytest.mark.parametrize(
        ("does", "words"),
        [
            (limited("3600"), "rate_limited"),
            (Fails(500), "server"),
            (Fails(401), "auth"),
            (Hangs(), "deadline"),
            (Says("Friday"), "malformed"),
        ],
        ids=lambda one: one if isinstance(one, str) else "",
    )
    def test_a_model_that_gives_no_answer(
        self, ingested: Path, chat: ChatServer, monkeypatch: pytest.MonkeyPatch, does: Does, words: str
    ) -> None:
        monkeypatch.setenv("STET_LLM_DEADLINE", "0.5")
        chat.always = does
        outcome = stet("answer", "maya", unseen(WHERE), data=ingested)
        assert_told(outcome, Exit.MODEL, words)
        assert "desk" not in outcome.err
        assert "secret-key" not in outcome.err
        assert f"asked was {chat.url}#" in " ".join(outcome.err.split())

    def test_a_budget_that_is_spent(
        self, ingested: Path, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stet("answer", "maya", unseen(WHERE), data=ingested)
        monkeypatch.setenv("STET_LLM_DAILY_TOKENS", "1")
        assert_told(stet("answer", "maya", unseen(WHERE), data=ingested), Exit.BUDGET, "demo")

    def test_a_question_without_its_parts(self, ingested: Path, chat: ChatServer) -> None:
        for command in ((), ("maya",), ("maya", " "), ("--batch", "-", "--stream")):
            assert stet("answer", *command, data=ingested).code == Exit.USAGE
        assert_told(stet("answer", "nobody", "Where?", data=ingested), Exit.UNKNOWN, "'nobody'")
        assert chat.calls == 0

    def test_a_stop_while_it_is_written_ends_the_call(self, ingested: Path, chat: ChatServer) -> None:
        chat.always = Drips()
        running = begin("answer", "maya", unseen(WHERE), "--stream", data=ingested)
        assert running.stdout is not None
        assert running.stdout.read(5) == b"drip "
        running.send_signal(signal.SIGTERM)
        running.stdout.read()
        assert running.wait(90) == Exit.TERMINATED
        assert running.stderr is not None
        assert running.stderr.read() == b"stet: stopped by SIGTERM\n"


class TestCost:
    def test_is_told_by_tenant_purpose_and_model(
        self, tmp_path: Path, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as plain:
            plain.delenv("STET_LLM")
            rows = [message(1), message(1, tenant="globex"), message(1, tenant="客户公司")]
            ingest(lines(rows), tmp_path)
        nothing = stet("cost", "--tenant", "acme", data=tmp_path).out.decode()
        assert "no call to a model" in nothing
        for tenant in ("acme", "acme", "客户公司"):
            told = stet("answer", "ann", unseen("Where?"), "--tenant", tenant, data=tmp_path)
            assert told.code == 0
        monkeypatch.delenv("STET_TENANT")
        found = stet("cost", "--json", data=tmp_path).json
        counted = {row["tenant"]: row for row in found["spent"]}
        assert counted.keys() == {"acme", "客户公司"}
        assert (counted["acme"]["calls"], counted["acme"]["purpose"]) == (4, "answer")
        assert counted["acme"]["model"] == "tiny"
        assert counted["acme"]["day"] == found["until"]
        assert counted["acme"]["tokens_read"] > counted["acme"]["tokens_written"] > 0
        monkeypatch.setenv("STET_LLM_DAILY_TOKENS", "1000000")
        table = stet("cost", data=tmp_path).out.decode().splitlines()
        widths = {
            columns(line) for line in table if line.startswith(("tenant ", "acme ", "客户公司 ", "all "))
        }
        assert len(widths) == 1
        assert any(line.startswith("acme: ") and "of 1,000,000 tokens of today" in line for line in table)
        ours = stet("cost", "--json", "--tenant", "acme", data=tmp_path).json
        assert {row["tenant"] for row in ours["spent"]} == {"acme"}
        later = stet("cost", "--json", "--since", "2999-01-01", data=tmp_path).json
        assert later["spent"] == []
        assert_told(stet("cost", "--since", "soon", data=tmp_path), Exit.USAGE, "--since")
        assert_told(stet("cost", "--tenant", "nobody", data=tmp_path), Exit.UNKNOWN, "nobody")


@pytest.mark.parametrize("hung", [Drips(), Hangs()], ids=["endless", "silent"])
def test_a_service_answers_and_stops_though_the_model_hangs(
    chat: ChatServer,
    serve: Callable[..., Serving],
    hung: Does,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as plain:
        plain.delenv("STET_LLM")
        ingest(EXAMPLES[0], tmp_path / "data")
    one = serve()
    asked = {"subject": "maya", "question": WHERE}
    told = one.client.post("/v1/answer", json=asked)
    assert told.json()["answer"] == LANE
    streamed = one.client.post("/v1/answer", json=asked, headers={"Accept": "text/event-stream"})
    assert streamed.text.startswith("event: token\n")
    for outcome, count in (("answered", 1), ("remembered", 1), ("failed", 0)):
        assert one.metric(f'stet_model_calls_total{{outcome="{outcome}",purpose="answer"}}') == count
    assert one.metric('stet_model_tokens_total{direction="written",purpose="answer"}') > 0
    chat.always = hung

    def ask() -> None:
        events = {"Accept": "text/event-stream"}
        with contextlib.suppress(httpx.TransportError):  # it is cut off while it waits
            one.client.post("/v1/answer", json={**asked, "question": unseen(WHERE)}, headers=events)

    waiting = threading.Thread(target=ask)
    waiting.start()
    wait_for(lambda: chat.at_once == 1)
    assert one.end(signal.SIGTERM) == 0
    waiting.join()
    assert b"desk" not in one.told()


@pytest.mark.skipif(bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent")
def test_on_servers_each_tenant_has_its_own_answers_and_costs(tmp_path: Path) -> None:
    rows = [message(1), message(1, tenant="globex", content="The delivery address is 1 Fir Lane.")]
    with installation(tmp_path) as here, ChatServer() as chat:
        here.take(lines(rows))
        chat.always = Says(
            lambda asked: reply("To Elm [m/1]." if "Elm" in asked.content else "To Fir [m/1].")
        )
        model = {"STET_LLM": f"{chat.url}#tiny", "STET_LLM_KEY": "k"}

        def told(*command: str, tenant: str) -> Any:
            outcome = run(*command, *here.stores[: 4 if command[0] == "answer" else 2], "--json",
                          "--tenant", tenant, env=model)  # fmt: skip
            assert outcome.code == 0, outcome.err
            return outcome.json

        asked = ("answer", "ann", "Where is it delivered?")
        ours, theirs = (told(*asked, tenant=tenant) for tenant in ("acme", "globex"))
        assert [ours["answer"], theirs["answer"]] == ["To Elm [m/1].", "To Fir [m/1]."]
        assert [ours["citations"], theirs["citations"]] == [["m/1"], ["m/1"]]
        assert told(*asked, tenant="acme")["remembered"]
        assert chat.calls == 2
        spent = [told("cost", tenant=tenant)["spent"] for tenant in ("acme", "globex")]
        assert [[row["calls"] for row in rows] for rows in spent] == [[1], [1]]
