"""The typed client, and the agent loop that is built on it, against a running service."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, date, datetime

import httpx
import pytest

from query_service.client import NotKnown, NotReadInTime, Said, StetClient, StetError
from query_service.http_state_models import FactOut, StateOut
from state.model import Role
from tests.pipeline.command import ROOT
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve
from tests.servers.chat_replies import Says
from tests.servers.chat_server import ChatServer

SOON = 90.0
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
FRIDAY = datetime(2026, 3, 6, 9, tzinfo=UTC)
ENGLISH = ("maya", "My delivery address is 14 Harbour Street.", "Change the address to 3 Mill Lane.",
           "What is the delivery address?", "14 Harbour Street", "3 Mill Lane")  # fmt: skip
CHINESE = ("周晓雯", "我的送货地址是海港街14号。", "送货地址改为梧桐路93号。",
           "送货地址是哪里？", "海港街14号", "梧桐路93号")  # fmt: skip
Connect = Callable[..., StetClient]


@pytest.fixture
def connect() -> Iterator[Connect]:
    with ExitStack() as held:

        def to(one: Serving, tenant: str | None = "acme") -> StetClient:
            return held.enter_context(StetClient(str(one.client.base_url), tenant=tenant))

        yield to


def facts(state: StateOut) -> list[FactOut]:
    return [fact for entity in state.entities for a in entity.attributes for fact in a.facts]


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_what_was_said_is_asked_for_and_taken_back(
    serve: Callable[..., Serving], connect: Connect, words: tuple[str, ...]
) -> None:
    subject, first, change, question, old, new = words
    stet = connect(serve())
    said = [
        Said(subject, first, "c/1", id="c/1/1", sent_at=MONDAY),
        Said(subject, change, "c/1", id="c/1/2", sent_at=FRIDAY),
    ]
    receipts = stet.remember(said, read_within=SOON)
    assert [receipt.id for receipt in receipts.results] == ["c/1/1", "c/1/2"]

    assert [fact.value for fact in facts(stet.state(subject))] == [new]
    assert [fact.value for fact in facts(stet.state(subject, as_of=date(2026, 3, 4)))] == [old]
    history = {fact.value: fact for fact in facts(stet.state(subject, history=True))}
    why = stet.why(history[old].event)
    assert (why.valid, why.subject) == (0, subject)
    assert stet.event(history[new].event).sources == ["c/1/2"]
    answer = stet.ask(subject, question, budget=400, qid="问")
    assert (answer.qid, answer.evidence[0]) == ("问", "c/1/2")
    assert stet.ask(subject, question, as_of=MONDAY).evidence[0] == "c/1/1"
    assert new in stet.context(subject, question).context
    forest = stet.forest(subject, topics=1)
    assert (forest.topics[0].id, forest.next) == ("c/1/1", None)
    graph = stet.graph(subject, limit=1)
    assert [message.id for message in graph.messages] == ["c/1/2"]
    assert [event.facet.value for event in graph.events if event.facet is not None] == [new]
    before = stet.graph(subject, cursor=graph.earlier, limit=1)
    assert [message.id for message in before.messages] == ["c/1/1"]
    assert stet.graph(subject, until=date(2026, 3, 4)).messages == before.messages
    assert old in {message.id: message.content for message in stet.messages(subject, ["c/1/1"])}["c/1/1"]

    assert stet.delete_message(subject, "c/1/2").message == "c/1/2"
    stet.remember([Said(subject, "OK", "c/1", id="c/1/3")], read_within=SOON)
    assert [fact.value for fact in facts(stet.state(subject))] == [old]
    receipt = stet.forget(subject)
    assert receipt is not None
    assert receipt.subject == subject
    with pytest.raises(NotKnown):
        stet.state(subject)


def test_two_clients_of_two_tenants_do_not_meet(serve: Callable[..., Serving], connect: Connect) -> None:
    one = serve()
    ours, theirs = connect(one, "acme"), connect(one, "客户公司")
    ours.remember([Said("ann", "My phone is 555-0100.", "c1", id="m1")], read_within=SOON)
    theirs.remember([Said("ann", "My phone is 555-0177.", "c1", id="m1")], read_within=SOON)
    assert [fact.value for fact in facts(ours.state("ann"))] == ["555-0100"]
    assert [fact.value for fact in facts(theirs.state("ann"))] == ["555-0177"]
    theirs.remember([Said("周", "My phone is 555-0188.", "c1")], read_within=SOON)
    assert theirs.subjects(limit=1).subjects == ["ann"]
    assert list(theirs.all_subjects()) == ["ann", "周"]
    assert list(theirs.all_subjects(starts_with="周")) == ["周"]
    assert list(ours.all_subjects()) == ["ann"]
    (fact,) = facts(ours.state("ann"))
    with pytest.raises(NotKnown):
        theirs.why(fact.event)
    receipt = theirs.forget("ann")
    assert receipt is not None
    assert receipt.tenant == "客户公司"
    assert [fact.value for fact in facts(ours.state("ann"))] == ["555-0100"]


def test_what_is_refused_says_why(serve: Callable[..., Serving], connect: Connect) -> None:
    one = serve("--tenant", "acme")
    stet = connect(one, None)
    assert stet.tenant == "acme"
    with pytest.raises(StetError) as none_kept:
        stet.remember([Said("ann", "", "c1")])
    assert none_kept.value.status == 422
    assert none_kept.value.problem["results"][0]["reason"] == "empty_content"
    mixed = stet.remember(
        [Said("ann", "", "c1"), Said("ann", "My phone is 555-0100.", "c1")], read_within=SOON
    )
    assert [receipt.accepted for receipt in mixed.results] == [False, True]
    with pytest.raises(StetError) as no_model:
        stet.answer("ann", "What is the phone?")
    assert (no_model.value.status, "STET_LLM" in no_model.value.detail) == (501, True)
    with pytest.raises(NotKnown):
        stet.ask("nobody", "Where?")
    assert stet.readiness().ready


def test_what_is_refused_for_now_is_asked_again_and_what_is_refused_for_good_is_not() -> None:
    statuses = [503, 429, 200]
    asked: list[httpx.Request] = []

    def service(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        status = statuses[len(asked) - 1]
        ready = {"ready": True, "reasons": [], "new": 1}
        deleted = {"tenant": "acme", "subject": "a", "message": "m", "deleted_at": "2026-03-02T09:00:00Z"}
        body = deleted | {"new": 1} if request.method == "DELETE" else ready
        return httpx.Response(
            status, json=body if status == 200 else {"detail": "later"}, headers={"Retry-After": "0"}
        )

    with StetClient("http://stet.test", key="stet_k", transport=httpx.MockTransport(service)) as stet:
        assert stet.delete_message("a/b", "m 1").message == "m"
        assert [request.url.raw_path for request in asked] == [b"/v1/subjects/a%2Fb/messages/m%201"] * 3
        assert {request.headers["Authorization"] for request in asked} == {"Bearer stet_k"}
        statuses[3:] = [422]
        with pytest.raises(StetError, match="later"):
            stet.delete_message("a", "m")
        assert len(asked) == 4


def test_all_subjects_are_asked_for_a_page_at_a_time() -> None:
    pages = {None: (["a", "b"], "n1"), "n1": (["c"], "n2"), "n2": ([], None)}

    def service(request: httpx.Request) -> httpx.Response:
        assert request.url.params["starts_with"] == "x"
        names, after = pages[request.url.params.get("cursor")]
        return httpx.Response(200, json={"subjects": names, "next": after})

    with StetClient("http://stet.test", tenant="acme", transport=httpx.MockTransport(service)) as stet:
        assert list(stet.all_subjects("x")) == ["a", "b", "c"]


def test_what_is_kept_and_not_processed_in_time_is_told_as_that() -> None:
    kept = {"accepted": 1, "rejected": 0, "results": [{"index": 0, "id": "m1", "accepted": True}]}
    slow = httpx.MockTransport(
        lambda request: httpx.Response(200, json=kept if request.method == "POST" else {"messages": []})
    )
    with StetClient("http://stet.test", tenant="acme", transport=slow) as stet, pytest.raises(NotReadInTime):
        stet.remember([Said("ann", "Hello.", "c1", role=Role.AGENT, id="m1")], read_within=0)


def test_forgetting_that_is_written_down_and_not_done_yet_has_no_receipt() -> None:
    written = httpx.MockTransport(lambda request: httpx.Response(202, json={"detail": "when a worker comes"}))
    with StetClient("http://stet.test", tenant="acme", transport=written) as stet:
        assert stet.forget("maya") is None


def test_the_client_needs_nothing_of_what_the_service_needs() -> None:
    heavy = ("torch", "sentence_transformers", "bytewax", "redis", "qdrant_edge", "qdrant_client", "numpy",
             "fastapi", "uvicorn", "openai", "mcp", "confluent_kafka")  # fmt: skip
    program = f"import sys, query_service.client; print([name for name in {heavy!r} if name in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert told.stdout.strip() == "[]"


def run_loop(one: Serving, subject: str, lines: list[str], **env: str) -> list[str]:
    command = [
        sys.executable,
        "examples/agent_loop.py",
        "--url",
        str(one.client.base_url),
        "--tenant",
        "acme",
    ]
    told = subprocess.run(
        [*command, "--subject", subject],
        input="\n".join(lines) + "\n",
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_the_agent_loop_answers_from_what_stands_and_remembers(
    serve: Callable[..., Serving], words: tuple[str, ...]
) -> None:
    subject, first, change, question, old, new = words
    one = serve()
    answers = run_loop(one, subject, [question, first, question, change, question])
    assert answers[0] == "I do not know."
    assert answers[1] == answers[3] == "Noted."
    assert old in answers[2]
    assert new in answers[4]
    again = run_loop(one, subject, [question])
    assert new in again[0]


def test_with_a_model_the_agent_loop_has_it_word_the_answer(serve: Callable[..., Serving]) -> None:
    one = serve()
    with ChatServer() as chat:
        chat.always = Says("To Mill Lane.")
        model = {"STET_LLM": f"{chat.url}#small", "STET_LLM_KEY": "secret"}
        answers = run_loop(one, "maya", ["My address is 3 Mill Lane.", "Where to?"], **model)
        assert answers == ["To Mill Lane."] * 2
        assert "3 Mill Lane" in str(chat.requests[1].body)
