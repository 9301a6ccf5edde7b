"""People change their minds in many ways: what then stands, is doubted or is superseded (DESIGN §3)."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from evaluation.corpus import message
from evaluation.episodes import Judge
from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER

EXCHANGES = ("changes_of_mind.txt", "changes_in_trades.txt")
MINUTE, LATER = timedelta(minutes=1), timedelta(days=2)


def exchanges() -> Iterator[Any]:
    """Each exchange as a case; where the rules are known to be wrong, as one that has to fail."""
    counted: dict[str, int] = {}
    whole = "\n\n".join(Path(__file__).with_name(name).read_text("utf-8").strip() for name in EXCHANGES)
    for block in re.split(r"\n\s*\n", whole):
        head, *lines = block.split("\n")
        if not head.startswith("##"):
            continue
        mark, _, kind = head.partition(" ")
        counted[kind] = counted.get(kind, 0) + 1
        wrong = [pytest.mark.xfail(strict=True, reason=kind)] if mark == "##!" else []
        yield pytest.param(lines, id=f"{kind} {counted[kind]}", marks=wrong)


def told(lines: list[str]) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]], dict[str, str]]:
    """The messages of an exchange, its facts and their statuses, by key."""
    messages: list[dict[str, Any]] = []
    facts: dict[str, dict[str, Any]] = {}
    final: dict[str, str] = {}
    at = datetime(2026, 3, 2, 9, tzinfo=UTC)
    asks = ""
    for line in lines:
        if line == "---":
            at += LATER
        elif line.startswith("= "):
            _, status, number, fact = line.split(" ", 3)
            entity, _, value = fact.rpartition(": ")
            key = f"{number} {fact}"
            facts[key] = {
                "key": key, "message": f"c/{number}", "entity": entity, "attribute": "", "value": value
            }  # fmt: skip
            final[key] = status
        else:
            speaker, _, content = line.partition(": ")
            serves, speaker = speaker.startswith("*"), speaker.lstrip("*")
            asks = asks or ("" if serves else speaker)
            at += MINUTE
            messages.append(
                {
                    "tenant": "t", "subject": "s", "conversation": "c", "id": f"c/{len(messages) + 1}",
                    "role": "agent" if serves else "user" if speaker == asks else "peer",
                    "speaker": speaker, "content": content, "sent_at": at.isoformat().replace("+00:00", "Z"),
                }
            )  # fmt: skip
    return messages, facts, final


@pytest.mark.parametrize("lines", list(exchanges()))
def test_what_people_leave_behind_is_told_from_what_stands(lines: list[str]) -> None:
    messages, facts, final = told(lines)
    gold = {
        "facts": list(facts.values()), "final": final, "updates": [], "must_not_update": [], "causes": [],
        "contradicts": [],
    }  # fmt: skip
    view = derive(map(message, messages), DISTILLER, RELATER)
    score = Judge({"id": "exchange", "messages": messages, "gold": gold}, view).score()
    assert dict(zip(final, score.predicted, strict=True)) == final
