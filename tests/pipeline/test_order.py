"""The same messages give the same bytes: in any order, repeated, edited, in any folder and process (I1)."""

import gzip
import json
import random
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.command import EXAMPLES, STAR, begin, export, ingest, lines, message

DIALOGUES = 12
Row = Mapping[str, Any]


def bundled() -> list[Row]:
    return [json.loads(line) for file in EXAMPLES for line in file.read_text().splitlines()]


def labelled() -> list[Row]:
    """The first dialogues of a public set, where it is at hand."""
    if not STAR.is_file():
        pytest.skip("the labelled conversations (../shared/data) are not at hand")
    with gzip.open(STAR, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in islice(file, 2000)]
    wanted = list(dict.fromkeys(row["subject"] for row in rows))[:DIALOGUES]
    return [row for row in rows if row["subject"] in wanted]


@pytest.mark.parametrize("source", [bundled, labelled])
def test_shuffled_and_repeated_messages_give_the_same_export(tmp_path: Path, source: Any) -> None:
    rows = source()
    ingest(lines(rows), tmp_path / "in order")
    wanted = export(tmp_path / "in order")
    assert b'"kind":"event"' in wanted
    for seed in range(3):
        chance = random.Random(seed)
        shuffled = [*rows, *chance.sample(rows, max(1, len(rows) // 10))]
        chance.shuffle(shuffled)
        cut = chance.randrange(len(shuffled))
        data = tmp_path / str(seed)
        assert ingest(lines(shuffled[:cut]), data).json["rejected"] == 0
        assert ingest(lines(shuffled[cut:]), data).json["rejected"] == 0
        assert export(data) == wanted


def test_the_same_file_again_changes_nothing(tmp_path: Path) -> None:
    rows = bundled()
    ingest(lines(rows), tmp_path)
    before = export(tmp_path)
    again = ingest(lines(rows), tmp_path).json
    assert (again["messages"], again["unchanged"], again["rejected"]) == (len(rows), len(rows), 0)
    assert export(tmp_path) == before


def test_the_export_does_not_depend_on_the_process_or_its_hash_seed(tmp_path: Path) -> None:
    ingest(lines(bundled()), tmp_path / "here")
    wanted = export(tmp_path / "here")
    source = tmp_path / "all.jsonl"
    source.write_bytes(lines(bundled()))
    for seed in ("1", "2"):
        data, env = tmp_path / seed, {"PYTHONHASHSEED": seed}
        taking = begin("ingest", "--encoder", "hashing", source, data=data, env=env)
        _, errors = taking.communicate(timeout=120)
        assert taking.returncode == 0, errors
        giving = begin("export", data=data, env=env)
        assert giving.communicate(timeout=120)[0] == wanted


def test_an_edit_leaves_nothing_of_the_old_text(tmp_path: Path) -> None:
    new = message(2, content="Make it 9 Oak Street instead.", revision=1)
    never = [message(1), new, message(3, content="Thanks, the order number is 4417.")]
    was = {**message(2, content="Please make it 77 Birch Lane, because I moved.")}
    ingest(lines(never), tmp_path / "never")
    ingest(lines([never[0], was, never[2]]), tmp_path / "edited")
    assert b"Birch" in export(tmp_path / "edited")
    ingest(lines([new, was]), tmp_path / "edited")
    assert export(tmp_path / "edited") == export(tmp_path / "never")
    assert b"Birch" not in export(tmp_path / "edited")


def test_a_delete_leaves_nothing_of_the_message(tmp_path: Path) -> None:
    kept = [message(1), message(3, content="Thanks, the order number is 4417.")]
    was = message(2, content="Please make it 77 Birch Lane, because I moved.")
    gone = {key: was[key] for key in ("tenant", "subject", "id", "sent_at")} | {"op": "delete"}
    ingest(lines(kept), tmp_path / "never")
    ingest(lines([*kept, was]), tmp_path / "deleted")
    assert export(tmp_path / "deleted") != export(tmp_path / "never")
    ingest(lines([gone, was]), tmp_path / "deleted")
    assert export(tmp_path / "deleted") == export(tmp_path / "never")


def test_the_export_is_canonical(tmp_path: Path) -> None:
    ingest(lines(bundled()), tmp_path)
    rows = [json.loads(line) for line in export(tmp_path).splitlines()]
    assert len({(row["kind"], row["id"], row["subject"]) for row in rows}) == len(rows)
    assert rows == sorted(rows, key=lambda row: (row["kind"], row["id"], row["subject"]))
    for line in export(tmp_path).decode().splitlines():
        assert line == json.dumps(json.loads(line), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    for field in ("recorded_at", "rejected_at", "offset", "version"):
        assert f'"{field}"'.encode() not in export(tmp_path)
    kinds = {row["kind"] for row in rows}
    assert kinds == {"message", "session", "turn", "topic", "event", "edge"}
    sent = {row["id"]: row for row in rows if row["kind"] == "message"}
    assert [{k: v for k, v in sent[row["id"]].items() if k != "kind"} for row in bundled()] == bundled()
