"""The harness tells a right graph from a wrong one, and the relater is right on labelled facts."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.corpus import DATA
from evaluation.episodes import score_episodes
from evaluation.gold_distiller import GoldDistiller
from evaluation.quality import main
from evaluation.updates import score_updates
from operators.distill.interface import Distilled
from operators.relate.rules import RULES
from state.model import Message


def episode() -> dict[str, object]:
    def message(number: int, speaker: str, role: str, content: str) -> dict[str, str]:
        return {
            "tenant": "t",
            "subject": "ep-1",
            "conversation": "ep-1",
            "id": f"ep-1/{number}",
            "role": role,
            "speaker": speaker,
            "content": content,
            "sent_at": f"2026-03-02T09:{number:02d}:00Z",
        }

    return {
        "id": "ep-1",
        "lang": "en",
        "messages": [
            message(1, "Ana", "user", "A table for 2, since it is our day."),
            message(2, "Desk", "agent", "A table for 2."),
            message(3, "Ana", "user", "Make it 4."),
        ],
        "gold": {
            "facts": [
                {
                    "key": "f0",
                    "message": "ep-1/1",
                    "entity": "day",
                    "attribute": "occasion",
                    "value": "our day",
                },
                {
                    "key": "f1",
                    "message": "ep-1/1",
                    "entity": "table",
                    "attribute": "seats",
                    "value": "2",
                    "also": ["ep-1/2"],
                },
                {"key": "f2", "message": "ep-1/3", "entity": "table", "attribute": "seats", "value": "4"},
            ],
            "updates": [{"new": "f2", "old": "f1", "mode": "replaces"}],
            "causes": [{"source": "f0", "target": "f1", "type": "causes"}],
            "contradicts": [],
            "final": {"f0": "stands", "f1": "superseded", "f2": "stands"},
            "must_not_update": [["ep-1/2", "ep-1/1"]],
        },
    }


class Silent:
    """Draws nothing."""

    name = "silent/1"

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        return Distilled()


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "episodes" / "gold.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(episode()) + "\n", encoding="utf-8")
    return path


def test_a_right_graph_scores_in_full(gold: Path):
    score = score_episodes(gold, GoldDistiller.read(gold), RULES)["all"]
    assert (score.found, score.accuracy, score.macro) == (1.0, 1.0, 1.0)
    assert (score.updates.precision, score.updates.recall) == (1.0, 1.0)
    assert (score.causes.precision, score.causes.recall) == (1.0, 1.0)
    assert (score.forbidden_made, score.forbidden) == (0, 1)
    assert score.errors == []


def test_an_empty_graph_finds_nothing(gold: Path):
    score = score_episodes(gold, Silent(), RULES)["all"]
    assert (score.found, score.accuracy, score.updates.recall) == (0.0, 0.0, 0.0)
    assert score.updates.precision is None
    assert len(score.errors) == 5


def test_turns_whose_new_value_is_unsaid_are_ignored(gold: Path, tmp_path: Path):
    folder = tmp_path / "slots"
    folder.mkdir()
    with gzip.open(folder / "messages.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(m) + "\n" for m in episode()["messages"])  # type: ignore[attr-defined]
    row = {"task": "slot_update", "subject": "ep-1", "turn": 3, "slot": "seats", "old": "2", "new": "4"}
    for said, counts in ((True, (1, 1, 1)), (False, (0, 0, 0))):
        (folder / "gold.json").write_text(json.dumps([{**row, "said": said}]), encoding="utf-8")
        found = score_updates(folder, GoldDistiller.read(gold), RULES).counts
        assert (found.predicted, found.gold, found.hit) == counts


def test_the_command_prints_one_json_object(gold: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["episodes", "--data", str(gold.parent.parent), "--gold-facts", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["episodes"]["all"]["status_accuracy"] == 1.0


def test_an_unknown_set_is_named(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["nowhere"])
    assert "unknown set nowhere" in capsys.readouterr().err


def test_the_relater_is_right_where_the_facts_are():
    path = DATA / "episodes" / "gold.jsonl"
    if not path.exists():
        pytest.skip(f"the labelled episodes are not at {path}")
    score = score_episodes(path, GoldDistiller.read(path), RULES)["all"]
    assert (score.updates.f1 or 0) > 0.9
    assert (score.forbidden_rate or 0) < 0.02
    assert (score.accuracy or 0) > 0.9
