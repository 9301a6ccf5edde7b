"""Update detection by turn on slot-labelled dialogues: does a turn that changes a value make an edge?"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.corpus import by_subject, message, rows
from evaluation.gold_file import gold_rows, task_of
from evaluation.score import Counts
from operators.derive import derive
from operators.distill.interface import Distiller
from operators.relate.interface import Relater
from state.graph import SubjectView
from state.model import EdgeType

CUE_WORDS_F1 = {"sgd": 0.51, "star": 0.35}
"""F1 of a detector that looks for cue words only, for comparison."""

Turn = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Miss:
    """A turn that was wrongly found or overlooked, with what to read for it."""

    turn: Turn
    kind: str
    text: str
    detail: str


@dataclass(slots=True)
class UpdateScore:
    """Counts over the turns of one set. `withdrawn` of the predicted turns only take something back."""

    counts: Counts
    messages: int = 0
    events: int = 0
    edges: dict[str, int] = field(default_factory=dict)
    errors: list[Miss] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gold:
    """By turn: the labelled updates. A turn counts if a new value is literally said; one that only has
    unsaid ones is ignored, found or not."""

    said: Mapping[Turn, str]
    ignored: frozenset[Turn]

    @classmethod
    def read(cls, path: Path) -> "Gold":
        labels = [row for row in gold_rows(path) if task_of(row) == "slot_update"]
        said: dict[Turn, str] = {}
        for row in labels:
            if row["said"]:
                turn = (row["subject"], row["turn"])
                said[turn] = "; ".join(filter(None, [said.get(turn), _change(row)]))
        unsaid = {(row["subject"], row["turn"]) for row in labels} - set(said)
        return cls(said, frozenset(unsaid))

    def counts(self, found: Collection[Turn]) -> Counts:
        """What `found` adds to the counts of a set; the gold turns are counted once for the whole set."""
        hits = sum(turn in self.said for turn in found)
        return Counts(sum(turn not in self.ignored for turn in found), 0, hits, hits)


def _change(row: Mapping[str, Any]) -> str:
    return f"{row['slot']}: {row['old']} → {row['new']}"


def score_updates(folder: Path, distiller: Distiller, relater: Relater) -> UpdateScore:
    """Derives every conversation of a set; compares the turns with an outgoing `updates` edge to the gold."""
    gold = Gold.read(folder / "gold.json")
    score = UpdateScore(Counts(0, len(gold.said), 0, 0))
    for messages in by_subject(map(message, rows(folder / "messages.jsonl.gz"))).values():
        view = derive(messages, distiller, relater)
        score.messages += len(messages)
        score.events += len(view.events)
        for edge in view.edges:
            score.edges[edge.type] = score.edges.get(edge.type, 0) + 1
        found = updating_turns(view)
        score.counts += gold.counts(found)
        score.errors.extend(_errors(view, found, gold))
    return score


def turn_of(message_id: str) -> Turn:
    subject, _, number = message_id.rpartition("/")
    return subject, int(number)


def updating_turns(view: SubjectView) -> dict[Turn, str]:
    """The turns whose events have an outgoing `updates` edge, with a description of one such edge."""
    events = {event.id: event for event in view.events}
    found: dict[Turn, str] = {}
    for edge in view.edges:
        if edge.type is EdgeType.UPDATES:
            new, old = events[edge.source], events[edge.target]
            found[turn_of(new.sources[-1])] = (
                f"{new.act}/{edge.mode} {new.facet} ← {old.act} {old.facet} [{edge.reason}]"
            )
    return found


def _errors(view: SubjectView, found: Mapping[Turn, str], gold: Gold) -> Iterator[Miss]:
    for item in view.messages:
        turn = turn_of(item.id)
        if turn in found and turn not in gold.said and turn not in gold.ignored:
            yield Miss(turn, "false", item.content, found[turn])
        elif turn in gold.said and turn not in found:
            stated = [f"{e.act} {e.facet}" for e in view.events if e.sources[-1] == item.id]
            yield Miss(turn, "missed", item.content, f"{gold.said[turn]} | events: {stated}")
