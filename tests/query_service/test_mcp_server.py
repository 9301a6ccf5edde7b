"""The tools as a client of the protocol meets them, over in-memory stores."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import anyio
import pytest
import redis.exceptions
from mcp import Client
from mcp_types import CallToolResult, TextContent

from operators.derive import derive
from operators.forest.checkpoint import packed
from operators.forest.grow import grow
from operators.parse import MAX_REVISION
from query_service.ask import Asker
from query_service.caller import ANYTHING, Caller, Scope
from query_service.intake import Unavailable, Underway
from query_service.mcp_server import memory_server
from query_service.memory import Memory
from query_service.next_turn import NextTurn
from state.forget_receipt import Receipt
from state.memory_reader import MemoryReader
from state.model import Message, Op, Role, Subject
from tests.operators.toy_rules import RULES as TOY
from tests.query_service.test_http_app import rival
from tests.query_service.test_next_turn import ByLetter
from tests.query_service.test_next_turn import told as turns
from tests.query_service.worlds import NOW, Stores, piano, stores

SUBJECT = "conv/1"
DEADLINE = 60.0
PLOVER = "the secret word is plover"
ALL = ["remember", "recall", "current_state", "context_for", "why", "forget"]


@dataclass
class Scene:
    """A memory of two tenants that know the same subject, and what it was given."""

    held: Stores = field(default_factory=lambda: stores(piano(), rival()))
    taken: list[Message] = field(default_factory=list)
    forgotten: list[Subject] = field(default_factory=list)
    full: bool = False
    only_messages: bool = False
    read_within: float = 0

    def accept(self, messages: Sequence[Message]) -> None:
        if self.full:
            raise Unavailable("the log is full")
        self.taken.extend(messages)

    def forget(self, subject: Subject) -> Receipt:
        if self.full:
            raise Unavailable("it is busy")
        self.forgotten.append(subject)
        known = int(subject.name == SUBJECT)
        return Receipt(subject.tenant, subject.name, known, 0, 0, 0, 0, 0, 0, 0, 0)

    @property
    def memory(self) -> Memory:
        held = self.held
        return Memory(
            held.reader,
            Asker(held.reader, held.notes, held.encoder, lambda: NOW),
            NextTurn(held.reader, held.notes, held.encoder, lambda: NOW),
            self.accept,
            lambda: NOW,
            None if self.only_messages else self.forget,
            self.read_within,
        )

    def speak(
        self,
        say: Callable[[Client], Awaitable[Any]],
        tenant: str = "shop",
        scopes: frozenset[Scope] = ANYTHING,
    ) -> Any:
        async def run() -> Any:
            async with Client(memory_server(self.memory, lambda _: Caller(tenant, scopes))) as client:
                return await say(client)

        return anyio.run(run)

    def call(
        self, tool: str, tenant: str = "shop", scopes: frozenset[Scope] = ANYTHING, **arguments: object
    ) -> CallToolResult:
        result = self.speak(lambda client: client.call_tool(tool, arguments), tenant, scopes)
        assert isinstance(result, CallToolResult)
        return result


@pytest.fixture
def scene() -> Scene:
    return Scene()


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refusal(result: CallToolResult) -> str:
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


def names(scene: Scene, scopes: frozenset[Scope]) -> list[str]:
    listed = scene.speak(lambda client: client.list_tools(), scopes=scopes)
    return [tool.name for tool in listed.tools]


def test_the_tools_say_what_they_take_and_give_and_never_take_a_tenant(scene: Scene) -> None:
    listed = scene.speak(lambda client: client.list_tools()).tools
    assert [tool.name for tool in listed] == ALL
    for tool in listed:
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False
        assert "tenant" not in tool.input_schema["properties"]
        assert tool.output_schema["type"] == "object"
        for name, taken in tool.input_schema["properties"].items():
            assert taken.get("description"), f"{tool.name} does not say what {name} is"
    hints = {tool.name: tool.annotations for tool in listed}
    assert {name for name, hint in hints.items() if hint.read_only_hint} == set(ALL) - {"remember", "forget"}
    assert [name for name, hint in hints.items() if hint.destructive_hint] == ["forget"]


def test_a_caller_has_the_tools_that_its_scopes_allow(scene: Scene) -> None:
    assert names(scene, frozenset({Scope.READ})) == ["recall", "current_state", "context_for", "why"]
    assert names(scene, frozenset({Scope.INGEST})) == ["remember"]
    told = refusal(scene.call("forget", scopes=frozenset({Scope.READ, Scope.INGEST}), subject=SUBJECT))
    assert "There are: remember, recall" in told
    assert not scene.forgotten


@pytest.mark.parametrize("tool", ALL)
def test_a_tenant_among_the_arguments_is_refused(scene: Scene, tool: str) -> None:
    arguments = {"subject": SUBJECT, "tenant": "rival"}
    told = refusal(scene.speak(lambda client: client.call_tool(tool, arguments)))
    assert "tenant: Extra inputs are not permitted" in told
    assert not scene.taken
    assert not scene.forgotten


@pytest.mark.parametrize(
    ("tool", "arguments"), [("recall", {"question": "When is the tuning?"}), ("current_state", {})]
)
def test_each_connection_sees_its_own_tenant_only(
    scene: Scene, tool: str, arguments: dict[str, object]
) -> None:
    ours = text_of(scene.call(tool, "shop", subject=SUBJECT, **arguments))
    theirs = text_of(scene.call(tool, "rival", subject=SUBJECT, **arguments))
    assert "secret" in theirs
    assert "secret" not in ours


def test_what_is_remembered_is_a_message_of_the_connections_tenant(scene: Scene) -> None:
    told = scene.call("remember", subject="周晓雯", content="地址改为梧桐路93号。", conversation="订单")
    (kept,) = scene.taken
    assert kept.subject == Subject("shop", "周晓雯")
    assert (kept.role, kept.speaker, kept.content) == (Role.USER, "周晓雯", "地址改为梧桐路93号。")
    assert (kept.conversation, kept.sent_at) == ("订单", NOW)
    assert told.structured_content == {
        "subject": "周晓雯",
        "conversation": "订单",
        "message_id": kept.id,
        "sent_at": NOW.isoformat().replace("+00:00", "Z"),
        "readable": False,
    }


def test_remember_returns_once_what_it_kept_can_be_read(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    def processed_at_the_third_look(_: Subject, ids: Sequence[str]) -> dict[str, Message]:
        looks.append(len(scene.taken))
        return {scene.taken[0].id: scene.taken[0]} if len(looks) == 3 else {}

    monkeypatch.setattr(scene.held.reader, "messages", processed_at_the_third_look)
    scene.read_within = DEADLINE
    told = scene.call("remember", subject="周晓雯", content="地址改为梧桐路93号。").structured_content
    assert (told["readable"], looks) == (True, [1, 1, 1])


def test_an_edit_can_be_read_once_its_own_words_are_there(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Message(Subject("shop", "ann"), "c", "m1", Role.USER, "Ann", "My phone is 555-0100.", NOW)
    monkeypatch.setattr(scene.held.reader, "messages", lambda *_: {"m1": before})
    edit = {"subject": "ann", "message_id": "m1", "content": "My phone is 555-0177."}
    assert not scene.call("remember", **edit).structured_content["readable"]
    same = edit | {"content": before.content}
    assert scene.call("remember", **same).structured_content["readable"]


def test_a_store_that_is_away_after_a_message_was_kept_makes_it_unreadable_and_no_error(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise redis.exceptions.ConnectionError("connection refused")

    monkeypatch.setattr(scene.held.reader, "messages", away)
    told = scene.call("remember", subject="ann", content="My phone is 555-0100.").structured_content
    assert (told["readable"], len(scene.taken)) == (False, 1)


def test_a_message_may_be_given_whole(scene: Scene) -> None:
    scene.call(
        "remember", subject="ann", content="Noted.", role="assistant", speaker="Stet", message_id="m/1",
        sent_at="2026-03-02T09:00:00+01:00",
    )  # fmt: skip
    (kept,) = scene.taken
    assert (kept.id, kept.role, kept.speaker) == ("m/1", Role.ASSISTANT, "Stet")
    assert kept.sent_at == datetime.fromisoformat("2026-03-02T08:00:00+00:00")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"content": "plover"}, "subject: Field required"),
        ({"subject": "ann", "content": "plover", "role": "boss"}, "role"),
        ({"subject": "ann", "content": "plover", "sent_at": "tomorrow"}, "sent_at"),
        ({"subject": "ann", "content": "   "}, "empty_content"),
        ({"subject": "ann\n", "content": "plover"}, "control_character"),
        ({"subject": "ann", "content": "plover" * 20_000}, "content_too_large"),
        ({"subject": 7, "content": "plover"}, "subject: Input should be a valid string"),
    ],
)
def test_what_is_no_message_is_refused_with_the_reason_and_without_its_text(
    scene: Scene, arguments: dict[str, object], told: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    why = refusal(scene.call("remember", **arguments))
    assert told in why
    assert "plover" not in why + caplog.text
    assert not scene.taken


def test_recalled_evidence_names_its_messages(scene: Scene) -> None:
    found = scene.call("recall", subject=SUBJECT, question="When is the tuning?", budget=300)
    told = found.structured_content
    assert told["evidence"][0] in told["context"]
    assert told["tokens"] <= 300
    assert {source for path in told["paths"] for source in path["sources"]} <= set(told["evidence"])
    earlier = scene.call("recall", subject=SUBJECT, question="When is the tuning?", as_of="2020-01-01")
    assert earlier.structured_content["at"].startswith("2020-01-01")


def test_every_fact_of_the_state_can_be_asked_about(scene: Scene) -> None:
    state = scene.call("current_state", subject=SUBJECT, history=True).structured_content
    facts = [f for entity in state["entities"] for a in entity["attributes"] for f in a["facts"]]
    assert facts
    for fact in facts:
        why = scene.call("why", event=fact["event"]).structured_content
        assert (why["event"], why["valid"]) == (fact["event"], fact["valid"])
        assert "no event with this id" in refusal(scene.call("why", tenant="nobody", event=fact["event"]))


def test_the_context_of_a_message_is_the_next_turns_and_is_not_kept(scene: Scene) -> None:
    view = derive(turns(), TOY.distiller, TOY.relater, ByLetter())
    scene.held = replace(
        scene.held, reader=MemoryReader([view], grown=lambda said: packed(grow(said, ByLetter())[0]))
    )
    given = scene.call("context_for", subject="maya", message="B: Make it Tuesday.").structured_content
    assert given["context"].startswith("- ")
    assert given["path"]
    assert given["decision"] in {"continue", "branch", "return", "new_tree"}
    assert not scene.taken


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("recall", {"question": "Where?"}),
        ("current_state", {}),
        ("context_for", {"message": "Where?"}),
        ("forget", {}),
    ],
)
def test_of_an_unknown_subject_it_is_said_what_to_do(
    scene: Scene, tool: str, arguments: dict[str, object]
) -> None:
    assert "Check how its name is spelt" in refusal(scene.call(tool, subject="nobody", **arguments))


def test_a_message_is_forgotten_through_the_intake(scene: Scene) -> None:
    told = scene.call("forget", subject=SUBJECT, message_id="conv/1/1").structured_content
    assert told["message"]["message"] == "conv/1/1"
    assert told["subject"] is None
    (record,) = scene.taken
    assert (record.subject, record.op, record.revision) == (Subject("shop", SUBJECT), Op.DELETE, MAX_REVISION)
    assert not scene.forgotten


def test_a_subject_is_forgotten_in_the_connections_tenant(scene: Scene) -> None:
    told = scene.call("forget", "rival", subject=SUBJECT).structured_content
    assert told["subject"]["tenant"] == "rival"
    assert told["subject"]["messages"] == 1
    assert scene.forgotten == [Subject("rival", SUBJECT)]


def test_without_a_way_to_forget_a_subject_a_message_still_can_be(scene: Scene) -> None:
    scene.only_messages = True
    assert "deploy/README.md" in refusal(scene.call("forget", subject=SUBJECT))
    assert not scene.call("forget", subject=SUBJECT, message_id="m1").is_error


def test_what_is_written_down_to_be_forgotten_is_pending(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written_down(self: Scene, subject: Subject) -> Receipt:
        raise Underway("a worker comes to it")

    monkeypatch.setattr(Scene, "forget", written_down)
    told = scene.call("forget", subject=SUBJECT).structured_content
    assert told == {"message": None, "subject": None, "pending": True}


def test_an_intake_that_is_away_asks_for_the_same_call_again(scene: Scene) -> None:
    scene.full = True
    assert "Call again with the same `message_id`" in refusal(
        scene.call("remember", subject="ann", content="My phone is 555-0100.")
    )
    assert "Try again" in refusal(scene.call("forget", subject=SUBJECT))


def test_a_store_that_is_away_is_told_as_such(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise redis.exceptions.ConnectionError("connection refused")

    monkeypatch.setattr(scene.held.reader, "everything", away, raising=False)
    assert "A store is away (ConnectionError)" in refusal(scene.call("current_state", subject=SUBJECT))


def test_a_fault_ends_one_call_and_quotes_nobody(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError(PLOVER)

    monkeypatch.setattr(scene.held.reader, "everything", broken, raising=False)

    async def twice(client: Client) -> tuple[CallToolResult, CallToolResult]:
        one = await client.call_tool("current_state", {"subject": SUBJECT})
        return one, await client.call_tool("context_for", {"subject": SUBJECT, "message": "When?"})

    one, other = scene.speak(twice)
    assert "The failure is in its log" in refusal(one)
    assert not other.is_error
    assert "current_state failed (KeyError)" in caplog.text
    assert "plover" not in text_of(one) + caplog.text


def test_an_unknown_tool_is_told_what_there_is(scene: Scene) -> None:
    assert "There are: remember" in refusal(scene.call("drop_everything"))
