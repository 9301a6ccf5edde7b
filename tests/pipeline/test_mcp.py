"""Agents at real processes: `stet mcp` over standard input and output, and `/mcp` of `stet serve`."""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from pipeline.command_line.failures import Exit
from tests.pipeline.command import COMMAND, ROOT, begin, stet
from tests.pipeline.test_serving import Serving
from tests.pipeline.test_serving import serve as serve

DEADLINE = 90.0
Say = Callable[[Client], Awaitable[Any]]


def over_stdio(data: Path, say: Say, *options: str, mode: str = "auto") -> Any:
    """What `say` gives of a conversation with a process of its own."""
    command, *module = COMMAND
    server = StdioServerParameters(
        command=command,
        args=[*module, "mcp", "--data-dir", str(data), "--encoder", "hashing", *options],
        env={"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        cwd=ROOT,
    )

    async def run() -> Any:
        async with Client(stdio_client(server), mode=mode) as client:
            return await say(client)

    return anyio.run(run)


@asynccontextmanager
async def at(one: Serving, tenant: str, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {b"X-Stet-Tenant": tenant.encode()}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(f"{one.client.base_url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


async def told(client: Client, tool: str, **arguments: object) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def soon(client: Client, tool: str, wanted: str, **arguments: object) -> Any:
    """The answer once it has `wanted`: what was remembered is processed a moment later."""
    with anyio.fail_after(DEADLINE):
        while True:
            result = await client.call_tool(tool, arguments)
            if not result.is_error and wanted in json.dumps(result.structured_content, ensure_ascii=False):
                return result.structured_content
            await anyio.sleep(0.05)


ENGLISH = ("maya", "My delivery address is 14 Harbour Street.", "Change the address to 3 Mill Lane.",
           "What is the delivery address?", "14 Harbour Street", "3 Mill Lane")  # fmt: skip
CHINESE = ("周晓雯", "我的送货地址是海港街14号。", "送货地址改为梧桐路93号。",
           "送货地址是哪里？", "海港街14号", "梧桐路93号")  # fmt: skip


async def a_change_of_mind(client: Client, words: tuple[str, ...]) -> None:
    """All that an agent does with a memory, from the first message to forgetting it."""
    subject, first, change, question, old, new = words
    kept = [
        await told(client, "remember", subject=subject, content=text, conversation="c1", message_id=f"c1/{n}")
        for n, text in enumerate((first, change))
    ]
    assert [one["message_id"] for one in kept] == ["c1/0", "c1/1"]
    state = await soon(client, "current_state", new, subject=subject)
    assert old not in json.dumps(state, ensure_ascii=False)
    history = await told(client, "current_state", subject=subject, history=True)
    facts = [f for entity in history["entities"] for a in entity["attributes"] for f in a["facts"]]
    (replaced,) = [fact for fact in facts if fact["status"] == "superseded"]
    assert old in replaced["value"]
    why = await told(client, "why", event=replaced["event"])
    assert (why["valid"], why["subject"]) == (0, subject)
    found = await told(client, "recall", subject=subject, question=question)
    assert found["evidence"][0] == "c1/1"
    assert new in found["context"]
    given = await told(client, "context_for", subject=subject, message=question)
    assert new in given["context"]
    gone = await told(client, "forget", subject=subject, message_id="c1/1")
    assert gone["message"]["message"] == "c1/1"
    await soon(client, "current_state", old, subject=subject)
    receipt = await told(client, "forget", subject=subject)
    assert receipt["subject"]["messages"] >= 1
    assert (await client.call_tool("current_state", {"subject": subject})).is_error


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_an_agent_works_with_a_data_folder_over_standard_input_and_output(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    over_stdio(tmp_path / "data", lambda client: a_change_of_mind(client, words), "--tenant", "acme")


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_an_agent_works_with_the_service_over_http(
    serve: Callable[..., Serving], words: tuple[str, ...]
) -> None:
    one = serve()

    async def run() -> None:
        async with at(one, "acme") as client:
            await a_change_of_mind(client, words)

    anyio.run(run)
    assert one.is_ready()


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_the_first_call_after_remember_in_a_new_process_finds_what_it_kept(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    subject, first, _, question, old, _ = words

    async def keep_and_find(client: Client) -> None:
        said = {"subject": subject, "content": first, "message_id": "m1"}
        with anyio.fail_after(DEADLINE):
            while not (await told(client, "remember", **said))["readable"]:
                pass
        assert old in json.dumps(await told(client, "current_state", subject=subject), ensure_ascii=False)
        assert (await told(client, "recall", subject=subject, question=question))["evidence"] == ["m1"]

    over_stdio(tmp_path / "data", keep_and_find, "--tenant", "acme")


def test_what_was_remembered_in_one_process_is_there_in_the_next(tmp_path: Path) -> None:
    async def keep(client: Client) -> None:
        await told(client, "remember", subject="ann", content="My phone is 555-0100.")

    async def find(client: Client) -> None:
        await soon(client, "current_state", "555-0100", subject="ann")

    over_stdio(tmp_path / "data", keep, "--tenant", "acme")
    over_stdio(tmp_path / "data", find, "--tenant", "acme")
    # The only tenant of a folder need not be named, and the older handshake will do.
    over_stdio(tmp_path / "data", find, mode="legacy")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_two_tenants_with_the_same_subject_and_message_ids_do_not_meet(
    serve: Callable[..., Serving], mode: str
) -> None:
    one = serve()
    phones = {"acme": "555-0100", "客户公司": "555-0177"}

    async def run() -> None:
        async with at(one, "acme", mode) as ours, at(one, "客户公司", mode) as theirs:
            both = {"acme": ours, "客户公司": theirs}
            for tenant, client in both.items():
                said = f"My phone is {phones[tenant]}."
                await told(client, "remember", subject="ann", content=said, message_id="m1")
            events = {}
            for tenant, client in both.items():
                state = await soon(client, "current_state", phones[tenant], subject="ann")
                (other,) = phones.keys() - {tenant}
                assert phones[other] not in json.dumps(state)
                recalled = await told(client, "recall", subject="ann", question="What is the phone?")
                assert phones[other] not in json.dumps(recalled)
                events[tenant] = state["entities"][0]["attributes"][0]["facts"][0]["event"]
            assert (await theirs.call_tool("why", {"event": events["acme"]})).is_error
            refused = await theirs.call_tool("current_state", {"subject": "ann", "tenant": "acme"})
            assert refused.is_error
            receipt = await told(theirs, "forget", subject="ann")
            assert receipt["subject"]["tenant"] == "客户公司"
            assert phones["acme"] in json.dumps(await told(ours, "current_state", subject="ann"))

    anyio.run(run)


def test_a_tool_call_stands_for_its_own_request_and_no_session(serve: Callable[..., Serving]) -> None:
    one = serve()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", "X-Stet-Tenant": "acme"}
    answer = one.client.post("/mcp", json=call, headers=accept)
    assert answer.status_code == 200
    assert "mcp-session-id" not in answer.headers
    assert len(answer.json()["result"]["tools"]) == 6
    assert (
        one.client.post("/mcp", json=call, headers={**accept, "Origin": "http://evil.test"}).status_code
        == 403
    )
    assert one.client.get("/mcp", headers=accept).status_code == 405
    nobody = {"Accept": accept["Accept"]}
    assert one.client.post("/mcp", json=call, headers=nobody).status_code == 400
    long = {**call, "params": {"filler": "x" * 2_000_000}}
    assert one.client.post("/mcp", json=long, headers=accept).status_code == 413


def test_what_is_said_is_not_in_the_log_of_the_process(tmp_path: Path) -> None:
    running = begin("mcp", "--tenant", "acme", "--encoder", "hashing", data=tmp_path / "data")
    calls = [
        {"subject": "ann", "content": "plover"},
        {"subject": "ann", "content": "plover", "role": "boss"},
        {"subject": "plover" * 90, "content": "plover"},
    ]
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    requests: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        *(
            {"id": n, "method": "tools/call", "params": {"name": "remember", "arguments": call}}
            for n, call in enumerate(calls, 1)
        ),
        {"id": 9, "method": "no/plover", "params": {"plover": "plover"}},
    ]
    sent = b"".join(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n" for one in requests)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(sent + b"{plover\n")
    running.stdin.flush()
    answers = {}
    while 9 not in answers or len(answers) < 5:
        row = json.loads(running.stdout.readline())
        answers[row.get("id")] = row
    _, errors = running.communicate(timeout=DEADLINE)
    assert running.returncode == 0
    assert [answers[n]["result"].get("isError", False) for n in (1, 2, 3)] == [False, True, True]
    assert b"plover" not in errors


def test_a_signal_ends_it_in_order_while_it_waits_for_input(tmp_path: Path) -> None:
    running = begin("mcp", "--tenant", "acme", "--encoder", "hashing", data=tmp_path / "data")
    assert running.stderr is not None
    assert b"tenant acme" in running.stderr.readline()
    running.send_signal(signal.SIGTERM)
    assert running.wait(30) == 0
    assert not (tmp_path / "data" / "redis" / "redis.pid").exists()
    running.communicate()


def test_it_has_to_know_whose_memory_it_is(tmp_path: Path) -> None:
    outcome = stet("mcp", "--encoder", "hashing", data=tmp_path / "data")
    assert outcome.code == Exit.USAGE
    assert "--tenant" in outcome.err


def test_an_agent_can_be_given_less_than_everything(tmp_path: Path) -> None:
    async def tools(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    options = ("--tenant", "acme", "--scope", "read", "--scope", "ingest")
    assert "forget" not in over_stdio(tmp_path / "data", tools, *options)


def test_importing_the_command_line_does_not_load_the_protocol() -> None:
    program = "import sys, pipeline.command_line.app; print('mcp' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, check=True)
    assert told.stdout.strip() == b"False"


def test_a_call_that_is_refused_says_what_to_do(tmp_path: Path) -> None:
    async def refused(client: Client) -> CallToolResult:
        return await client.call_tool("recall", {"subject": "nobody", "question": "Where?"})

    result = over_stdio(tmp_path / "data", refused, "--tenant", "acme")
    assert result.is_error
    assert "Check how its name is spelt" in result.content[0].text
