"""The weights of an errand's signs are learned from one half of a set and judged on the other."""

import gzip
import json
from pathlib import Path

import pytest

from evaluation.errand import fit, judged, learned_from, main, read

TRIED = ("I need a table for 7 pm.", "Unfortunately that is not available.", "Let's try 8 pm instead")
ASKED = ("I need a table for 7 pm.", "Your table is booked. At what time is the party?", "It is at 8 pm")
NAMES = [f"talk-{number}" for number in range(160)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Conversations of two sorts in turn: in one a value is changed and labelled, in the other none is."""
    place = tmp_path / "mine"
    place.mkdir()
    gold, lines = [], []
    for number, name in enumerate(NAMES):
        for at, text in enumerate(TRIED if number % 2 else ASKED):
            lines.append(
                {
                    "tenant": "t", "subject": name, "conversation": name, "id": f"{name}/{at}",
                    "role": "agent" if at == 1 else "user", "speaker": "Desk" if at == 1 else "Rhea",
                    "content": text, "sent_at": f"2026-03-02T09:0{at}:00Z",
                }
            )  # fmt: skip
        if number % 2:
            gold.append(
                {"task": "slot_update", "subject": name, "turn": 2, "slot": "time", "old": ["7 pm"],
                 "new": ["8 pm"], "said": True}
            )  # fmt: skip
    (place / "gold.json").write_text(json.dumps(gold))
    with gzip.open(place / "messages.jsonl.gz", "wt") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in lines)
    return place


def test_what_tells_a_change_weighs_for_it_in_both_halves(folder: Path) -> None:
    found = read(folder)
    assert {learned_from((name, 0)) for name in NAMES} == {True, False}
    weights, start = fit([found])
    assert weights
    for half in (True, False):
        assert judged(found, weights, start, half).f1 == 1.0
        assert judged(found, {}, -1, half).recalled == 0


def test_the_command_prints_a_table_and_the_figures_of_both_halves(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([folder.name, "--data", str(folder.parent)]) == 0
    printed = capsys.readouterr().out
    assert "WEIGHTS = {" in printed
    assert "# mine, other half: F1 1.000" in printed
