"""Conversations with gold topics: which message belongs to which task or thread."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from evaluation.corpus import by_subject, message, rows
from evaluation.gold_file import gold_of, gold_rows, task_of
from evaluation.sets import messages_file
from state.model import Message, Subject

SETS = ("star", "goodai")

_DEVELOPMENT = {"star": 0, "goodai": 1}
"""Which of every two conversations, in order, the rules were written with; the others only check them."""


class Half(StrEnum):
    """A part of a set."""

    DEVELOPMENT = "development"
    CHECK = "check"
    ALL = "all"


def in_half(name: str, place: int, half: Half) -> bool:
    """Whether the conversation at `place` (from 0) of a set is in a part of it."""
    developed = place % 2 == _DEVELOPMENT.get(name, 0)
    return half is Half.ALL or developed == (half is Half.DEVELOPMENT)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One conversation in the order of its messages; `gold` is None where nothing is said of a message."""

    messages: tuple[Message, ...]
    gold: tuple[str | None, ...]


def labelled(folder: Path) -> list[Labelled]:
    """The conversations of a set that have gold topics, sorted by subject.

    A `topics` row names turns at which a task is taken up: it holds until the next one, the last of a turn
    counts, and what comes before the first belongs to none. A `threads` row names each message's thread; ""
    is none.
    """
    gold = dict(_gold(gold_of(folder) or folder / "gold.json"))
    said = messages_file(folder) or folder / "messages.jsonl.gz"
    wanted = by_subject(item for item in map(message, rows(said)) if item.subject.name in gold)
    conversations = []
    for subject in sorted(wanted, key=_name):
        messages, labels = wanted[subject], gold[subject.name]
        conversations.append(Labelled(tuple(messages), tuple(_labels(messages, labels))))
    return [one for one in conversations if any(one.gold)]


def _name(subject: Subject) -> str:
    return subject.name


def _gold(path: Path) -> Iterator[tuple[str, Mapping[str, str] | list[tuple[int, str]]]]:
    for row in gold_rows(path):
        if task_of(row) == "threads":
            yield row["subject"], {item: thread for item, thread in row["threads"] if thread}
        elif task_of(row) == "topics":
            yield row["subject"], [(at["turn"], at["task"]) for at in row["topics"]]


def _labels(messages: list[Message], gold: Mapping[str, str] | list[tuple[int, str]]) -> Iterator[str | None]:
    if isinstance(gold, Mapping):
        yield from (gold.get(item.id) for item in messages)
        return
    taken_up = dict(gold)  # the last row of a turn wins
    now: str | None = None
    for item in messages:
        now = taken_up.get(int(item.id.rpartition("/")[2]), now)
        yield now
