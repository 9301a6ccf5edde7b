"""Small labelled sets of own wording, as folders in the format that the harness reads."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

TALK = (
    ("Ines", "The greenhouse roof is leaking above the orchids."),
    ("Tom", "I can bring the ladder on Thursday."),
    ("Ines", "My spare key is under the blue pot."),
    ("Tom", "The gas meter reads 4417."),
    ("Ines", "Choir practice has moved to the chapel."),
    ("Tom", "Bread is on the shelf by the oven."),
    ("Ines", "I put the spare key in the shed now, not under the pot."),
    ("Tom", "The orchids look better since the roof was mended."),
    ("Ines", "我把备用钥匙放在车库里了。"),
    ("Tom", "Choir practice starts at seven."),
    ("Ines", "The meter man comes on Monday."),
    ("Tom", "Your ladder is back in the barn."),
    ("Ines", "The oven needs a new lamp."),
    ("Tom", "Monday suits me for the meter."),
    ("Ines", "The chapel has a new organ."),
    ("Tom", "The barn door sticks in the rain."),
)
"""Turns of one conversation, an hour apart: `home/0` to `home/15`."""


def row(subject: str, number: int, speaker: str, content: str, role: str = "peer") -> dict[str, Any]:
    """One message, sent `number` hours after the start."""
    return {
        "tenant": "t",
        "subject": subject,
        "conversation": subject,
        "id": f"{subject}/{number}",
        "role": role,
        "speaker": speaker,
        "content": content,
        "sent_at": (START + timedelta(hours=number)).isoformat(),
    }


def home() -> list[dict[str, Any]]:
    """The messages of `TALK`."""
    return [row("home", at, *said) for at, said in enumerate(TALK)]


def write_set(folder: Path, messages: Sequence[Mapping[str, Any]], gold: Sequence[Mapping[str, Any]]) -> Path:
    """A set's folder, with plain files."""
    folder.mkdir(parents=True)
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in messages)
    (folder / "messages.jsonl").write_text(lines, "utf-8")
    (folder / "gold.json").write_text(json.dumps(gold, ensure_ascii=False), "utf-8")
    return folder


def question(text: str, *evidence: str, **more: Any) -> dict[str, Any]:
    """An evidence row about `home`."""
    return {
        "task": "evidence",
        "subject": "home",
        "question": text,
        "category": "plain",
        "evidence": list(evidence),
        **more,
    }


def questions() -> list[dict[str, Any]]:
    """Two questions: one plain, one whose answer changed."""
    return [
        question("Where does the choir practise?", "home/4"),
        question(
            "Where is the spare key?",
            "home/6",
            category="knowledge_update",
            old=["home/2"],
            new=["home/6"],
        ),
    ]
