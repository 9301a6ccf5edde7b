"""`python -m evaluation`: tables within 80 columns, figures and plots in files, the same for equal sets."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from evaluation.__main__ import app
from evaluation.bootstrap import Figure
from evaluation.plots import Line, confusion, curve
from evaluation.report import written
from evaluation.systems.catalogue import BASELINES, NAMES
from tests.conftest import DATA
from tests.evaluation.small_sets import home, questions, row, write_set
from tests.evaluation.test_measures import talk
from tests.evaluation.test_quality import episode


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    write_set(folder / "house", home(), questions())
    write_set(folder / "buses", [], [talk(("Causes", "bus was late", "missed the start"))])
    write_set(folder / "talks", [], [labelled_episode()])
    return folder


def labelled_episode() -> dict[str, object]:
    made = episode()
    gold = dict(made["gold"])  # type: ignore[call-overload]
    gold["questions"] = [
        labelled_question("For how many is the table?", None, "f2", "f1"),
        labelled_question("For how many was it?", "2026-03-02T09:02:30Z", "f1"),
    ]
    return {**made, "gold": gold}


def labelled_question(text: str, as_of: str | None, wanted: str, *stale: str) -> dict[str, object]:
    task = "past" if as_of else "current"
    return {"q": text, "as_of": as_of, "must_include": [wanted], "stale": [*stale], "task": task}


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--data", str(data), "--encoder", "hashing"])


def test_all_sets_are_measured_with_all_systems(data: Path, tmp_path: Path) -> None:
    result = run(data, "all", "--json", str(tmp_path / "out.json"), "--plots", str(tmp_path / "plots"))
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= 80
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["encoder"] == "hashing"
    assert {name: list(parts) for name, parts in found["sets"].items()} == {
        "buses": ["causes"],
        "house": ["evidence"],
        "talks": ["evidence", "status"],
    }
    assert len(found["sets"]["house"]["evidence"]["systems"]) == len(NAMES)
    assert found["sets"]["talks"]["evidence"]["systems"]["Stet"]["answered"]["value"] == 1.0
    assert found["sets"]["house"]["evidence"]["systems"]["Stet"]["stale above new"] == {
        "value": 0.0,
        "low": None,
        "high": None,
        "n": 1,
    }
    assert found["sets"]["talks"]["status"]["confusion"]["Stet"]["superseded"]["superseded"] == 1
    drawn = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert drawn == [
        "house-recall.svg",
        "talks-recall.svg",
        "talks-status-all-stand.svg",
        "talks-status-stet.svg",
    ]


def test_two_runs_give_the_same_figures_but_for_the_time_taken(data: Path, tmp_path: Path) -> None:
    outs = []
    for name in ("one.json", "two.json"):
        run(data, "house", "--json", str(tmp_path / name), "--cache", str(tmp_path / "cache"))
        text = json.loads((tmp_path / name).read_text())
        for system in text["sets"]["house"]["evidence"]["systems"].values():
            del system["ms"]
        outs.append(text)
    assert outs[0] == outs[1]
    assert list((tmp_path / "cache").iterdir())


def test_only_the_systems_and_questions_that_are_asked_for(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert run(data, "house", "--systems", "bm25,stet", "--limit", "1", "--json", str(out)).exit_code == 0
    systems = json.loads(out.read_text())["sets"]["house"]["evidence"]["systems"]
    assert {name: each["recall@5"]["n"] for name, each in systems.items()} == {"BM25": 1, "Stet": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nowhere"], "has no gold.json"), (["house", "--systems", "oracle"], "no such system: oracle")],
)
def test_a_wrong_argument_is_named(data: Path, arguments: list[str], said: str) -> None:
    result = run(data, *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", " ").split())


def test_a_set_without_its_messages_is_named(data: Path) -> None:
    (data / "house" / "messages.jsonl").unlink()
    result = run(data, "house")
    assert result.exit_code == 2
    assert "messages.jsonl" in result.output


def test_questions_about_no_one_who_spoke_are_not_asked(data: Path, tmp_path: Path) -> None:
    write_set(tmp_path / "data" / "odd", [row("other", 0, "Uma", "Hello there.")], questions())
    assert run(data, "odd").exit_code == 0


def test_a_figure_is_written_with_its_interval() -> None:
    assert written(Figure(0.7184, 20, 0.688, 0.7512)) == ".718 .69–.75"
    assert written(Figure(1.0, 20, 0.996, 1.0)) == "1.00 1.0–1.0"
    assert written(Figure(4_455.5, 20, 4_400.0, 4_500.0), 0) == "4,456 4,400–4,500"
    assert written(Figure(0.5, 3)) == ".500"
    assert written(None) == ""


def test_plots_are_svg_with_every_name_and_point() -> None:
    lines = [
        Line("a < b", {250: Figure(0.5, 20, 0.4, 0.6), 500: Figure(0.75, 20)}),
        Line("Stet", {250: Figure(0.6, 20), 500: Figure(0.75, 20)}),
    ]
    root = ElementTree.fromstring(curve("told", lines))
    texts = ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]
    assert {"told", "a < b 0.75", "Stet 0.75", "250", "500"} <= set(texts)
    ends = [node for node in root.iter() if node.text in ("a < b 0.75", "Stet 0.75")]
    heights = [float(node.attrib["y"]) for node in ends]
    assert abs(heights[0] - heights[1]) >= 12
    table = ElementTree.fromstring(confusion("statuses", {"stands": {"stands": 3, "missing": 1}}))
    assert [n.text for n in table.iter() if n.text in ("3", "1")] == ["3", "1"]


def test_nothing_to_plot_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing to plot"):
        curve("told", [Line("a", {})])


@pytest.mark.slow
def test_stet_finds_more_than_every_baseline_on_the_public_episodes(tmp_path: Path) -> None:
    if not (DATA / "episodes").is_dir():
        pytest.skip(f"the labelled episodes are not at {DATA}")
    out = tmp_path / "out.json"
    assert run(DATA, "episodes", "--json", str(out)).exit_code == 0
    systems = json.loads(out.read_text())["sets"]["episodes"]["evidence"]["systems"]
    answered = {name: each["answered"]["value"] for name, each in systems.items()}
    assert len(answered) == len(NAMES)
    others = [value for name, value in answered.items() if not name.startswith("Stet")]
    assert len(others) == len(BASELINES)
    assert answered["Stet"] > max(others)
