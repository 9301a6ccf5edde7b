"""What a person is told who gave a command or a request something wrong."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pipeline.command_line.failures import Exit
from query_service.http_app import create_app
from tests.pipeline.command import ingest, lines, message, stet
from tests.query_service.test_http_app import NOW, Runtime
from tests.query_service.worlds import piano, stores

LIBRARY = ("Value error", "Assertion failed", "pydantic", "type=")


def in_plain_words(told: str) -> bool:
    return not any(word in told for word in LIBRARY)


@pytest.fixture
def two_tenants(tmp_path: Path) -> Path:
    rows = [message(n, tenant=tenant, subject="ann") for n, tenant in enumerate(("acme", "客户公司"))]
    ingest(lines(rows), tmp_path / "data")
    return tmp_path / "data"


@pytest.mark.parametrize("command", [("keys", "create", "--tenant", "acme"), ("mcp",)])
def test_a_scope_that_does_not_exist_is_told_with_those_that_do(command: tuple[str, ...]) -> None:
    from typer.testing import CliRunner

    from pipeline.command_line.app import app

    told = CliRunner().invoke(app, [*command, "--scope", "write"])
    assert told.exit_code == Exit.USAGE
    assert in_plain_words(told.stderr)
    assert all(word in told.stderr for word in ("--scope", "write", "ingest", "read", "admin"))


def test_a_row_of_a_batch_that_is_wrong_is_told_in_plain_words(two_tenants: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"question": "Where?"}\n')
    told = stet("ask", "--batch", questions, "--tenant", "acme", data=two_tenants).rows[0]["error"]
    assert told.startswith("subject: ")
    assert in_plain_words(told)


def test_a_request_that_is_wrong_is_told_in_plain_words() -> None:
    held = stores(piano())
    client = TestClient(create_app(Runtime(held.reader, held.notes, held.encoder), lambda: NOW))
    asked = {"subject": "conv/1", "question": "Where?", "as_of": "yesterday"}
    told = client.post("/v1/ask", json=asked, headers={"X-Stet-Tenant": "shop"})
    assert (told.status_code, told.json()["detail"].split(":")[0]) == (422, "as_of")
    assert in_plain_words(told.json()["detail"])


def test_subjects_names_the_tenants_where_there_are_several_and_none_is_named(two_tenants: Path) -> None:
    told = stet("subjects", data=two_tenants)
    assert (told.code, told.out.decode()) == (0, "tenant acme\ntenant 客户公司\n")
    assert "--tenant" in told.err
    listed = stet("subjects", "--json", data=two_tenants).json
    assert listed == {"tenant": None, "tenants": ["acme", "客户公司"], "subjects": []}
    named = stet("subjects", "--tenant", "客户公司", data=two_tenants)
    assert (named.code, named.out.decode()) == (0, "ann\n")


def test_redistill_without_a_model_says_what_to_set(
    two_tenants: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STET_LLM", raising=False)
    told = stet("redistill", "--all", "--tenant", "acme", data=two_tenants)
    assert told.code == Exit.USAGE
    assert "STET_LLM=" in told.err
    assert "stet ask" not in told.err
