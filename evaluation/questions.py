"""Questions with labelled evidence, and what a ranking and a context are worth to one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from evaluation.corpus import message
from evaluation.gold_file import gold_rows, task_of
from state.model import Message, Subject

LEFT_OUT = ("adversarial", "abstention")
"""Categories of questions that have no evidence to find."""
TOP = 10
SUPERSEDED = "SUPERSEDED"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a set. `old` and `new` are message ids, where the set labels an update."""

    subject: Subject
    question: str
    category: str
    evidence: frozenset[str]
    as_of: datetime | None = None
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gold: Mapping[str, Any] = field(default_factory=dict)


def evidence_questions(path: Path, tenant: str = "eval") -> list[Asked]:
    """The `evidence` rows of a gold file that have evidence; `old` and `new` of those that ask for an
    update. `tenant` is theirs where they name none."""
    return [
        Asked(
            Subject(row.get("tenant", tenant), row["subject"]),
            row["question"],
            row["category"],
            frozenset(row["evidence"]),
            as_of=datetime.fromisoformat(row["as_of"]) if row.get("as_of") else None,
            old=tuple(row.get("old", ())) if row["category"] == "knowledge_update" else (),
            new=tuple(row.get("new", ())) if row["category"] == "knowledge_update" else (),
        )
        for row in gold_rows(path)
        if task_of(row) == "evidence" and row["category"] not in LEFT_OUT and row["evidence"]
    ]


def episodes_of(path: Path) -> tuple[list[Message], list[Asked]]:
    """The messages and questions of an episodes file; `gold` of a question has its facts and the question."""
    messages: list[Message] = []
    asked: list[Asked] = []
    for episode in gold_rows(path):
        said = [message(row) for row in episode["messages"]]
        messages += said
        facts = {fact["key"]: fact for fact in episode["gold"]["facts"]}
        for row in episode["gold"]["questions"]:
            told = frozenset(m for key in row["must_include"] for m in tellers(facts[key]))
            at = datetime.fromisoformat(row["as_of"]) if row["as_of"] else None
            gold = {"facts": facts, "question": row}
            asked.append(Asked(said[0].subject, row["q"], row["task"], told, at, gold=gold))
    return messages, asked


def tellers(fact: Mapping[str, Any]) -> set[str]:
    """The messages that tell a labelled fact."""
    return {fact["message"], *fact.get("also", ())}


def wanted_facts(asked: Asked) -> list[frozenset[str]]:
    """What a question wants, each thing as the messages that tell it."""
    if not asked.gold:
        return [frozenset({name}) for name in sorted(asked.evidence)]
    facts = asked.gold["facts"]
    return [frozenset(tellers(facts[key])) for key in asked.gold["question"]["must_include"]]


def outdated_of(asked: Asked) -> frozenset[str]:
    """The messages that tell what no longer holds, and nothing that does."""
    if not asked.gold:
        return frozenset(asked.old) - frozenset(asked.new)
    facts = asked.gold["facts"]
    return frozenset(facts[key]["message"] for key in asked.gold["question"]["stale"]) - asked.evidence


def recall(ranked: Sequence[str], evidence: frozenset[str], depth: int) -> float:
    """The share of `evidence` among the first `depth`."""
    return len(evidence.intersection(ranked[:depth])) / len(evidence)


def stale_above_new(ranked: Sequence[str], old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the first outdated message comes before the first new one; what is not ranked comes last."""
    place = {name: at for at, name in reversed(list(enumerate(ranked)))}
    far = len(ranked)
    return min((place.get(m, far) for m in old), default=far) < min(
        (place.get(m, far) for m in new), default=far
    )


def faults(asked: Asked, ranked: Sequence[str], context: str) -> list[str]:
    """What keeps a question of the episodes from being answered; empty when it is.

    It is answered where every fact it must include is told by one of the first `TOP` messages, and no
    outdated message stands above the first current one unless the context marks it as superseded.
    """
    facts, row = asked.gold["facts"], asked.gold["question"]
    top = ranked[:TOP]
    wrong = [f"missing {key}" for key in row["must_include"] if not tellers(facts[key]).intersection(top)]
    current = [at for at, name in enumerate(top) if name in asked.evidence]
    for key in row["stale"]:
        above = [
            at for at, name in enumerate(top) if name == facts[key]["message"] and name not in asked.evidence
        ]
        if above and current and above[0] < current[0] and not _marked(facts[key]["message"], context):
            wrong.append(f"stale {key}")
    return wrong


def _marked(name: str, context: str) -> bool:
    return any(f"[{name}]" in line and SUPERSEDED in line for line in context.splitlines())
