"""Gold labels as rows: a JSON list (`gold.json`) or JSON lines (`gold.jsonl`, plain or `.gz`).

A row of `gold.json` has a `task`, which decides what else it has; rows of other tasks are let be. A row that
has `messages` is an episode, one that has `triplets` a dialogue with causes.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluation.corpus import rows

NAMES = ("gold.json", "gold.jsonl", "gold.jsonl.gz")


class BadSetError(ValueError):
    """A set cannot be read; the text names the file, the row and what is wrong."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Evidence(_Row):
    subject: str
    question: str
    category: str
    evidence: list[str]
    old: list[str] = []
    new: list[str] = []
    as_of: datetime | None = None


class _SlotUpdate(_Row):
    subject: str
    turn: int
    slot: str
    old: Any
    new: Any
    said: bool


class _TakenUp(_Row):
    turn: int
    task: str


class _Topics(_Row):
    subject: str
    topics: list[_TakenUp]


class _Threads(_Row):
    subject: str
    threads: list[tuple[str, str]]


class _FinalState(_Row):
    subject: str
    items: list[str]


class _Fact(_Row):
    key: str
    message: str
    entity: str
    attribute: str
    value: str
    also: list[str] = []


class _Update(_Row):
    new: str
    old: str
    mode: Literal["replaces", "withdraws"]


class _Cause(_Row):
    source: str
    target: str
    type: Literal["causes", "enables", "prevents"]


class _Question(_Row):
    q: str
    as_of: datetime | None
    must_include: list[str]
    stale: list[str]
    task: str


class _EpisodeGold(_Row):
    facts: list[_Fact]
    updates: list[_Update]
    causes: list[_Cause]
    contradicts: list[tuple[str, str]]
    final: dict[str, Literal["stands", "doubted", "superseded"]]
    must_not_update: list[tuple[str, str]]
    questions: list[_Question]


class _Episode(_Row):
    id: str
    lang: str
    messages: list[dict[str, Any]]
    gold: _EpisodeGold


class _Triplet(_Row):
    relation: str
    headpos: tuple[int, int]
    tailpos: tuple[int, int]


class _Dialogue(_Row):
    id: str
    utterances: str
    triplets: list[_Triplet]


TASKS: Mapping[str, type[_Row]] = {
    "evidence": _Evidence,
    "slot_update": _SlotUpdate,
    "topics": _Topics,
    "threads": _Threads,
    "final_state": _FinalState,
    "episode": _Episode,
    "dialogue": _Dialogue,
}


def task_of(row: Mapping[str, Any]) -> str:
    """What a row labels."""
    if "triplets" in row:
        return "dialogue"
    if "gold" in row and "messages" in row:
        return "episode"
    return str(row.get("task", ""))


def gold_of(folder: Path) -> Path | None:
    """The gold file of a set's folder, if it has one."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def gold_rows(path: Path) -> Sequence[dict[str, Any]]:
    """All rows of a gold file. Raises BadSetError where they are no list of objects."""
    try:
        found = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else list(rows(path))
    except ValueError as error:
        raise BadSetError(f"{path} is not JSON: {error}") from error
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise BadSetError(f"{path} is not a list of objects")
    return found


def checked(path: Path) -> frozenset[str]:
    """The tasks of a gold file. Raises BadSetError at the first row that lacks what its task needs."""
    tasks = set()
    for number, row in enumerate(gold_rows(path), 1):
        task = task_of(row)
        if task not in TASKS:
            continue
        try:
            TASKS[task].model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise BadSetError(f"{path}, row {number} ({task}): {where}: {first['msg']}") from error
        tasks.add(task)
    return frozenset(tasks)
