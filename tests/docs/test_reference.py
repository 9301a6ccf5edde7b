"""The reference in docs/ has what the code has: routes, problems, scopes, tools, commands, codes, reasons."""

import re

import pytest
from fastapi.testclient import TestClient
from typer.main import get_command

from operators.parse import Reason
from pipeline.command_line.app import app as command_line
from pipeline.command_line.failures import Exit
from query_service.caller import Scope
from query_service.http_app import PROBLEMS, create_app
from query_service.mcp_tools import TOOLS
from tests.docs.pages import PAGES, ROOT, read
from tests.query_service.test_http_app import Runtime
from tests.query_service.worlds import piano, stores

API, COMMANDS, AGENTS = (ROOT / "docs" / name for name in ("api.md", "commands.md", "agents.md"))
PACKAGES = ("pipeline", "operators", "state", "query_service")
UNDESCRIBED = {("POST", "/mcp"), ("GET", "/explore")}
"""Routes of other protocols, which are listed and are no part of OpenAPI."""


def listed() -> set[tuple[str, str]]:
    """Method and path of each row of the table of routes, with what a row abbreviates written out."""
    found = set()
    for row in re.findall(r"^\| (`(?:GET|POST|DELETE) .*?) \|", read(API), re.MULTILINE):
        method, first = re.findall(r"`(\w+) ([^`]+)`", row)[0]
        paths = [first]
        for more in re.findall(r"`([/…][^`]*)`", row):
            paths.append(more.replace("…", first))
        found |= {(method, path) for path in paths}
    return found


def served() -> set[tuple[str, str]]:
    held = stores(piano())
    client = TestClient(create_app(Runtime(held.reader, held.notes, held.encoder)))
    paths = client.get("/openapi.json").json()["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods}


def plain(routes: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Whatever a parameter is called, it is one."""
    return {(method, re.sub(r"\{[^}]*\}", "{}", path)) for method, path in routes}


def test_the_listed_routes_are_those_that_are_served() -> None:
    assert plain(listed()) == plain(served() | UNDESCRIBED)


@pytest.mark.parametrize("status", sorted(int(status) for status in PROBLEMS))
def test_every_problem_is_told(status: int) -> None:
    errors = read(API).partition("## Errors")[2].partition("\n## ")[0]
    assert re.search(rf"^\| [\d, ]*{status}[\d, ]* \|", errors, re.MULTILINE)


def test_the_scopes_are_those_that_keys_have() -> None:
    keys = read(API).partition("## Keys")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", keys, re.MULTILINE)) == {scope.value for scope in Scope}


def test_the_tools_are_those_that_agents_get() -> None:
    assert re.findall(r"^\| `(\w+)` \|", read(AGENTS), re.MULTILINE) == [tool.name for tool in TOOLS]


def test_every_command_is_told() -> None:
    told = set(re.findall(r"^\| `stet ([a-z-]+)", read(COMMANDS), re.MULTILINE))
    assert told == set(get_command(command_line).commands)  # type: ignore[attr-defined]


def test_every_exit_code_is_told() -> None:
    codes = read(COMMANDS).partition("## Exit codes")[2]
    told = {int(code) for code in re.findall(r"(?:^\| |\(|, )(\d+)\b", codes, re.MULTILINE)}
    assert {code.value for code in Exit} <= told


def test_every_reason_of_a_rejection_is_told() -> None:
    rejected = read(COMMANDS).partition("## Rejected records")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([a-z_0-9]+)`", rejected)) == {reason.value for reason in Reason}


def test_every_setting_of_the_environment_is_told() -> None:
    code = [file.read_text("utf-8") for name in PACKAGES for file in (ROOT / name).rglob("*.py")]
    read_there = {found for text in code for found in re.findall(r"\"(STET_[A-Z_]*[A-Z])\"", text)}
    told = {found for page in PAGES for found in re.findall(r"STET_[A-Z_]*[A-Z]", read(page))}
    assert len(read_there) > 20
    assert read_there <= told
