"""No text of others steers the terminal that a command answers on."""

import json
from pathlib import Path

import pytest

from tests.pipeline.command import ingest, lines, message, stet

STEERS = ("\x1b", "\x07", "\x9b", "\u202e", "\r")
REVERSED = "s\u202eann"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal") / "data"
    said = message(
        1,
        "My name is \x1b[31mBob\x1b[0m\x07.\rThe delivery address is \x9b31m 4 Elm Road.",
        subject=REVERSED,
        speaker="Ann\u202e",
        conversation="c\u202e",
        tenant="t\u202e",
    )
    assert ingest(lines([said]), folder).code == 0
    return folder


@pytest.mark.parametrize(
    "command",
    [
        ("state", REVERSED),
        ("forest", REVERSED),
        ("subjects",),
        ("ask", REVERSED, "What is the address \x1b[31m?"),
        ("context", REVERSED, "The address \x1b[31m?"),
        ("state", "no\x1b[31mbody"),
        ("state", REVERSED, "--tenant", "\x1b[31m"),
        ("why", "\x1b[31m"),
        ("ingest", "/no\x1b[31m"),
        ("forget", REVERSED),
        ("retain", "--tenant", "t\u202e", "--days", "30000", "--dry-run"),
    ],
)
def test_it_is_shown_as_its_escape(command: tuple[str, ...], data: Path) -> None:
    outcome = stet(*command, data=data)
    assert not [mark for mark in STEERS if mark in outcome.out.decode() + outcome.err]
    assert outcome.out or outcome.err


def test_in_json_it_is_as_it_was_said(data: Path) -> None:
    told = json.loads(stet("subjects", "--json", data=data).out)
    assert told["subjects"] == [REVERSED]
