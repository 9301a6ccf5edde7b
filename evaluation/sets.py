"""Labelled sets in a folder: which there are, and what each can be measured for.

A set is a folder with a gold file and, unless its gold rows carry the text, `messages.jsonl` (or `.gz`) in
the format that Stet ingests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from evaluation.corpus import message, rows
from evaluation.gold_file import BadSetError, checked, gold_of
from state.model import Message

MESSAGES = ("messages.jsonl", "messages.jsonl.gz")


class Kind(StrEnum):
    """What can be measured on a set."""

    EVIDENCE = "evidence"
    EPISODES = "episodes"
    UPDATES = "updates"
    TOPICS = "topics"
    NEXT_TURN = "next turn"
    CAUSES = "causes"


KINDS = {
    "evidence": Kind.EVIDENCE,
    "episode": Kind.EPISODES,
    "slot_update": Kind.UPDATES,
    "topics": Kind.TOPICS,
    "threads": Kind.TOPICS,
    "final_state": Kind.NEXT_TURN,
    "dialogue": Kind.CAUSES,
}
"""By the task of gold rows."""


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """One set. `kinds` in the order of `Kind`; none where nothing in it can be measured."""

    name: str
    gold: Path
    kinds: tuple[Kind, ...]

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.gold.parent

    def messages_file(self) -> Path:
        """Raises BadSetError where there is none."""
        found = messages_file(self.folder)
        if found is None:
            raise BadSetError(f"{self.folder} has no {' or '.join(MESSAGES)}")
        return found

    def messages(self) -> list[Message]:
        """All messages. Raises BadSetError at the first line that is none."""
        path = self.messages_file()
        found = []
        for number, row in enumerate(rows(path), 1):
            try:
                found.append(message(row))
            except (KeyError, ValueError) as error:
                raise BadSetError(f"{path}, message {number}: {error!r}") from error
        return found


def messages_file(folder: Path) -> Path | None:
    """The file with a set's messages, if it has one."""
    return next((folder / name for name in MESSAGES if (folder / name).is_file()), None)


def labelled_set(folder: Path) -> LabelledSet:
    """The set in a folder. Raises BadSetError where there is none, or its gold cannot be read."""
    gold = gold_of(folder)
    if gold is None:
        raise BadSetError(f"{folder} has no gold.json or gold.jsonl")
    there = {KINDS[task] for task in checked(gold)}
    return LabelledSet(folder.name, gold, tuple(kind for kind in Kind if kind in there))


def sets_in(
    data: Path, names: Sequence[str], passed_over: Callable[[str], None] = lambda _: None
) -> list[LabelledSet]:
    """The sets named, in that order; `all` stands for every folder that has a gold file of a known kind.
    `passed_over` is told the names of the others.

    Raises BadSetError where one cannot be read, or a named one has nothing that can be measured.
    """
    if not data.is_dir():
        raise BadSetError(f"no such folder: {data} (give the one that holds the sets with --data)")
    if "all" in names:
        there = [labelled_set(folder) for folder in sorted(data.iterdir()) if gold_of(folder)]
        found = [one for one in there if one.kinds]
        for one in there:
            if not one.kinds:
                passed_over(one.name)
    else:
        found = [labelled_set(data / name) for name in names]
        for one in found:
            if not one.kinds:
                raise BadSetError(f"{one.gold} labels nothing that is measured here")
    if not found:
        raise BadSetError(f"{data} holds no set")
    return found
