"""Sets are known by their labels, not by their names; what cannot be read is said with its place."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.gold_file import BadSetError
from evaluation.sets import Kind, labelled_set, sets_in
from tests.evaluation.small_sets import home, questions, write_set
from tests.evaluation.test_measures import talk
from tests.evaluation.test_quality import episode

UPDATE = {
    "task": "slot_update",
    "subject": "home",
    "turn": 6,
    "slot": "key",
    "old": 1,
    "new": 2,
    "said": True,
}
TOPICS = {"task": "topics", "subject": "home", "topics": [{"turn": 0, "task": "roof"}]}
THREADS = {"task": "threads", "subject": "home", "threads": [["home/0", "roof"]]}
STATE = {"task": "final_state", "subject": "home", "items": ["a key"]}


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        (questions(), (Kind.EVIDENCE,)),
        ([UPDATE, TOPICS], (Kind.UPDATES, Kind.TOPICS)),
        ([THREADS], (Kind.TOPICS,)),
        ([STATE], (Kind.NEXT_TURN,)),
        ([talk()], (Kind.CAUSES,)),
        ([{**episode(), "gold": {**episode()["gold"], "questions": []}}], (Kind.EPISODES,)),
        ([{"task": "of another kind"}], ()),
    ],
)
def test_labels_decide_what_is_measured(
    tmp_path: Path, rows: list[dict[str, Any]], kinds: tuple[Kind, ...]
) -> None:
    assert labelled_set(write_set(tmp_path / "mine", home(), rows)).kinds == kinds


def test_gold_and_messages_may_be_lines_and_compressed(tmp_path: Path) -> None:
    folder = tmp_path / "packed"
    folder.mkdir()
    for name, rows in (("messages", home()), ("gold", questions())):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in rows)
    found = labelled_set(folder)
    assert found.kinds == (Kind.EVIDENCE,)
    assert [one.id for one in found.messages()] == [f"home/{i}" for i in range(16)]


def test_all_takes_every_folder_with_labels_of_a_known_kind(tmp_path: Path) -> None:
    write_set(tmp_path / "b", home(), questions())
    write_set(tmp_path / "a", home(), [STATE])
    write_set(tmp_path / "c", home(), [{"task": "of another kind"}])
    (tmp_path / "d").mkdir()
    others: list[str] = []
    assert [one.name for one in sets_in(tmp_path, ["all"], others.append)] == ["a", "b"]
    assert others == ["c"]
    assert [one.name for one in sets_in(tmp_path, ["b"])] == ["b"]


def test_a_row_that_lacks_something_is_named_with_its_place(tmp_path: Path) -> None:
    broken = {key: value for key, value in questions()[1].items() if key != "evidence"}
    folder = write_set(tmp_path / "mine", home(), [questions()[0], broken])
    with pytest.raises(BadSetError, match=r"gold.json, row 2 \(evidence\): evidence"):
        labelled_set(folder)


def test_a_message_that_lacks_something_is_named_with_its_place(tmp_path: Path) -> None:
    broken = [*home()[:2], {**home()[2], "sent_at": "yesterday"}]
    found = labelled_set(write_set(tmp_path / "mine", broken, questions()))
    with pytest.raises(BadSetError, match="message 3"):
        found.messages()


@pytest.mark.parametrize("text", ["{", '{"task": "evidence"}', "[1, 2]"])
def test_gold_that_is_no_list_of_rows_is_refused(tmp_path: Path, text: str) -> None:
    folder = write_set(tmp_path / "mine", home(), [])
    (folder / "gold.json").write_text(text)
    with pytest.raises(BadSetError, match=r"gold\.json is not"):
        labelled_set(folder)


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadSetError, match="no such folder"):
        sets_in(tmp_path / "nowhere", ["all"])
    with pytest.raises(BadSetError, match=r"has no gold.json"):
        sets_in(tmp_path, ["nowhere"])
    with pytest.raises(BadSetError, match="holds no set"):
        sets_in(tmp_path, ["all"])
    write_set(tmp_path / "other", home(), [{"task": "of another kind"}])
    with pytest.raises(BadSetError, match="labels nothing"):
        sets_in(tmp_path, ["other"])
