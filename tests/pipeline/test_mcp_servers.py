"""`stet mcp` on servers: what it is told goes to Kafka, and a worker reads it."""

import os
import sys
from collections.abc import Iterator

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.pipeline.command import ROOT
from tests.pipeline.installation import ENCODER, Installation, installation, run
from tests.servers import broker, redis_server

pytestmark = pytest.mark.skipif(
    bool(broker.absent() or redis_server.absent()), reason="the broker or Redis 7 is absent"
)


# A request to forget waits for a worker for twenty seconds; a test does not.
IMPATIENT = """
from pipeline.command_line import serving_servers
from pipeline.command_line.app import app
serving_servers.FORGOTTEN = 1
app()
"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with installation(tmp_path_factory.mktemp("servers")) as servers:
        yield servers


def test_what_an_agent_says_is_there_once_a_worker_has_read_it(servers: Installation) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", IMPATIENT, "mcp", "--tenant", "客户公司", "--encoder", ENCODER],
        env={**servers.env, "PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"},
        cwd=ROOT,
    )

    async def speak() -> None:
        async with Client(stdio_client(server)) as client:
            said = {"subject": "周晓雯", "content": "送货地址改为梧桐路93号。", "message_id": "m1"}
            kept = await client.call_tool("remember", said)
            assert not kept.is_error, kept.content
            unread = await client.call_tool("current_state", {"subject": "周晓雯"})
            assert unread.is_error
            servers.work()
            state = await client.call_tool("current_state", {"subject": "周晓雯"})
            assert "梧桐路93号" in str(state.structured_content)
            found = await client.call_tool("recall", {"subject": "周晓雯", "question": "送货地址是哪里？"})
            assert found.structured_content["evidence"] == ["m1"]
            taken_back = await client.call_tool("forget", {"subject": "周晓雯", "message_id": "m1"})
            assert not taken_back.is_error
            servers.work()
            state = await client.call_tool("current_state", {"subject": "周晓雯"})
            assert "梧桐路93号" not in str(state.structured_content)
            await client.call_tool("remember", {"subject": "周晓雯", "content": "我的电话是13800138000。"})
            forgotten = await client.call_tool("forget", {"subject": "周晓雯"})
            assert forgotten.structured_content["pending"] is True
            servers.work()
            assert (await client.call_tool("current_state", {"subject": "周晓雯"})).is_error

    anyio.run(speak)


def test_the_servers_are_named_all_or_none(servers: Installation) -> None:
    outcome = run("mcp", "--tenant", "acme", *servers.graph)
    assert outcome.code == 2
    assert "--qdrant" in outcome.err
    outcome = run("mcp", "--tenant", "acme", *servers.topics)
    assert outcome.code == 2
