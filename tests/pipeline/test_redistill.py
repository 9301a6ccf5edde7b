"""`stet redistill`: says what it would take, asks only for what is lacking, and can be cut off."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.command import Outcome, export, ingest, lines, message, stet
from tests.servers.chat_model import CAREFUL
from tests.servers.chat_replies import Fails
from tests.servers.chat_server import ChatServer

TURNS = 50
ROWS = [
    message(
        n, content=f"The colour of desk is now red{n}.", subject=f"customer {n % 2}", conversation=f"c{n % 2}"
    )
    for n in range(TURNS)
]


@pytest.fixture
def model(chat: ChatServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    chat.always = CAREFUL
    monkeypatch.setenv("STET_LLM_DEADLINE", "60")
    monkeypatch.delenv("STET_LLM", raising=False)
    return chat


def named(model: ChatServer, monkeypatch: pytest.MonkeyPatch, name: str = "careful") -> None:
    monkeypatch.setenv("STET_LLM", f"{model.url}#{name}")


def redistilled(data: Path, *options: str) -> Outcome:
    outcome = stet("redistill", "--all", *options, "--json", data=data)
    assert outcome.code == 0, outcome.err
    return outcome


def events(data: Path) -> list[dict[str, Any]]:
    return [row for row in map(json.loads, export(data).splitlines()) if row["kind"] == "event"]


def test_what_rules_drew_is_asked_about_after_an_estimate(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ingest(lines(ROWS), tmp_path / "rules")
    by_rules = export(tmp_path / "rules")
    named(model, monkeypatch)
    told = redistilled(tmp_path / "rules").json["estimate"]
    assert (told["subjects"], told["turns"], told["calls"]) == (2, TURNS, 8)
    assert told["tokens_read"] > 1_000
    assert (model.calls, export(tmp_path / "rules")) == (0, by_rules)
    result = redistilled(tmp_path / "rules", "--yes").json["result"]
    assert (result["waiting"], model.calls) == (0, 8)
    ingest(lines(ROWS), tmp_path / "model")
    assert export(tmp_path / "rules") == export(tmp_path / "model")


def test_what_is_answered_costs_nothing_again_and_another_model_is_asked_about_all(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named(model, monkeypatch)
    ingest(lines(ROWS), tmp_path)
    before, calls = export(tmp_path), model.calls
    assert redistilled(tmp_path, "--yes").json["estimate"]["turns"] == 0
    named(model, monkeypatch, "another")
    ingest(lines(ROWS), tmp_path)
    assert model.calls == calls
    redistilled(tmp_path, "--yes")
    assert model.calls == 2 * calls
    assert export(tmp_path) == before


def test_what_failed_is_resumed_and_facts_stay_meanwhile(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named(model, monkeypatch)
    ingest(lines(ROWS), tmp_path)
    before = export(tmp_path)
    named(model, monkeypatch, "another")
    model.next(CAREFUL, CAREFUL)
    model.always = Fails(401, "no such key")
    result = redistilled(tmp_path, "--yes").json["result"]
    assert result["parked"]
    assert export(tmp_path) == before
    model.always = CAREFUL
    assert 0 < redistilled(tmp_path).json["estimate"]["turns"] <= TURNS
    assert stet("waiting", "--json", data=tmp_path).json["waiting"] == result["waiting"]


def test_rules_that_stood_in_are_asked_about_again(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named(model, monkeypatch)
    monkeypatch.setenv("STET_LLM_ON_FAILURE", "rules")
    model.always = Fails(401, "no such key")
    ingest(lines(ROWS), tmp_path / "failed")
    model.always = CAREFUL
    ingest(lines(ROWS), tmp_path / "model")
    assert export(tmp_path / "failed") != export(tmp_path / "model")
    redistilled(tmp_path / "failed", "--yes")
    assert export(tmp_path / "failed") == export(tmp_path / "model")


def test_what_is_parked_for_long_is_asked_about_at_once_when_the_cause_is_cured(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named(model, monkeypatch)
    model.always = Fails(401)
    ingest(lines(ROWS), tmp_path)
    model.always = CAREFUL
    assert ingest(lines(ROWS), tmp_path).json["waiting"] == TURNS
    assert redistilled(tmp_path, "--yes").json["result"]["waiting"] == 0


def test_it_says_in_words_what_it_takes_and_when_there_is_nothing_to_ask(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ingest(lines(ROWS[:1]), tmp_path)
    named(model, monkeypatch)
    assert "1 turn of 1 subject: about 2 calls, " in stet("redistill", "--all", data=tmp_path).err
    assert stet("redistill", "--all", "--yes", data=tmp_path).code == 0
    told = stet("redistill", "--all", data=tmp_path).err
    assert "nothing to ask: the model that STET_LLM names has answered all" in told


def test_it_needs_a_model_and_a_subject_or_all(
    model: ChatServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ingest(lines(ROWS), tmp_path)
    assert "STET_LLM" in stet("redistill", "--all", data=tmp_path).err
    named(model, monkeypatch)
    assert stet("redistill", data=tmp_path).code == 2
    assert stet("redistill", "nobody", data=tmp_path).code == 3
    assert "give --yes" in stet("redistill", "customer 0", data=tmp_path).err
    assert model.calls == 0
