"""A call of an agent that the audit log cannot tell is refused before anything is done."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipeline.command_line.app import app
from pipeline.command_line.failures import Exit
from state.audit import audit_to
from tests.pipeline.command import stet
from tests.pipeline.test_mcp import over_stdio

FULL = "/dev/full"


def test_a_call_is_refused(tmp_path: Path) -> None:
    async def say(client: Any) -> None:
        said = {"subject": "ann", "content": "My zebra is 4 years old.", "conversation": "c", "role": "user"}
        refused = await client.call_tool("remember", {**said, "speaker": "Ann"})
        assert refused.is_error
        assert "audit log" in refused.content[0].text

    over_stdio(tmp_path / "agent", say, "--tenant", "acme", "--audit-log", FULL)
    assert stet("export", "--tenant", "acme", data=tmp_path / "agent").out == b""


@pytest.mark.parametrize("command", [("keys", "create", "--tenant", "acme"), ("subjects",)])
def test_a_command_that_could_not_be_told_fails(command: tuple[str, ...], tmp_path: Path) -> None:
    try:
        result = CliRunner().invoke(app, [*command, "--data-dir", str(tmp_path), "--audit-log", FULL])
    finally:
        audit_to(None)
    assert result.exit_code == Exit.STORE
    assert "No space left" in result.stderr
    assert "stet_" not in result.stdout
