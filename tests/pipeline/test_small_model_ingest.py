"""A real model reads a file of messages. It is too small to read well: nothing may be lost or break."""

import json
from pathlib import Path

import pytest

from tests.pipeline.command import export, ingest, lines, message, stet
from tests.servers.small_model import SmallModel

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]

SAID = [
    message(1, content="Make it 5 kg, please.", subject="tom", conversation="c1", tenant="acme"),
    message(2, content="送到磨坊巷3号。", subject="小雨", conversation="c2", tenant="acme"),
]


@pytest.fixture
def data(small_model: SmallModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STET_LLM", small_model.setting)
    monkeypatch.setenv("STET_LLM_DEADLINE", "1200")
    monkeypatch.setenv("STET_LLM_QUIET", "0.2")
    return tmp_path


def calls(data: Path) -> int:
    return sum(row["calls"] for row in stet("cost", "--json", data=data).json["spent"])


def test_every_message_is_kept_and_every_turn_read_or_counted_as_parked(data: Path) -> None:
    first = ingest(lines(SAID), data)
    assert first.code == 0, first.err
    rows = [json.loads(line) for line in export(data).splitlines()]
    assert {row["id"] for row in rows if row["kind"] == "message"} == {row["id"] for row in SAID}
    told = {source for row in rows if row["kind"] == "event" for source in row["sources"]}
    assert told <= {row["id"] for row in SAID}
    assert first.json["waiting"] == sum(first.json["parked"].values())
    assert calls(data) >= 2

    before = calls(data), export(data)
    again = ingest(lines(SAID), data)
    assert again.code == 0, again.err
    assert (calls(data), export(data)) == before, "the same messages again were asked about again"
