"""Dialogues with causal triplets over spans of their text, and the spans that edges are between.

The format is CIDER's (Ghosal et al., CIDER: Commonsense Inference for Dialogue Explanation and Reasoning,
SIGDIAL 2021): `utterances` is the whole text, a speaker and a colon in front of each turn, four spaces
between two; a triplet has a relation and two spans, as offsets into that text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evaluation.gold_file import gold_rows
from state.lexicon import terms
from state.model import Event, Message, Role, Subject

FORWARD = {
    "Causes": "causes",
    "ResultIn": "causes",
    "CausesDesire": "causes",
}
BACKWARD = {
    "MotivatedByGoal": "causes",
    "HasPrerequisite": "enables",
    "ObstructedBy": "prevents",
}
"""The relations that count, with the edge they are: from head to tail, or from tail to head (what is
obstructed by something is prevented by it)."""
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
HALF = 0.5
"""The share of a span's terms that an event must say, where it cannot be found literally in its message."""
_TURN = re.compile(r"(?:^|\s{4,})(?P<speaker>\w[\w .]{0,20}):\s*")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Triplet:
    """What follows from what: two spans of the text."""

    kind: str
    source: Span
    target: Span


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Messages, where the content of each begins in the text, and the triplets that count."""

    text: str
    messages: tuple[Message, ...]
    offsets: Mapping[str, int]
    triplets: tuple[Triplet, ...]


def dialogues(path: Path) -> Iterator[Dialogue]:
    """The dialogues of a gold file."""
    for row in gold_rows(path):
        if "triplets" in row:
            yield dialogue(row)


def dialogue(row: Mapping[str, Any]) -> Dialogue:
    """One row. Its turns are put a minute apart, all by peers."""
    text: str = row["utterances"]
    starts = list(_TURN.finditer(text))
    messages, offsets = [], {}
    for at, found in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
        content = text[found.end() : end].rstrip()
        if not content:
            continue
        name = f"{row['id']}/{at}"
        sent = START + timedelta(minutes=at)
        subject = Subject("eval", row["id"])
        messages.append(Message(subject, row["id"], name, Role.PEER, found["speaker"], content, sent))
        offsets[name] = found.end()
    return Dialogue(text, tuple(messages), offsets, tuple(_triplets(row)))


def _triplets(row: Mapping[str, Any]) -> Iterator[Triplet]:
    for found in row["triplets"]:
        head, tail = tuple(found["headpos"]), tuple(found["tailpos"])
        if found["relation"] in FORWARD:
            yield Triplet(FORWARD[found["relation"]], head, tail)
        elif found["relation"] in BACKWARD:
            yield Triplet(BACKWARD[found["relation"]], tail, head)


def overlaps(one: Span, other: Span) -> bool:
    """Whether two spans share a character."""
    return one[0] < other[1] and other[0] < one[1]


def says(event: Event, span: Span, talk: Dialogue) -> bool:
    """Whether an event is drawn from a span: what it describes lies over it in its message; where the
    description is not literally there, whether the span is in the message and the event has `HALF` of its
    terms."""
    start = talk.offsets[event.sources[-1]]
    content = next(one.content for one in talk.messages if one.id == event.sources[-1])
    if not overlaps(span, (start, start + len(content))):
        return False
    clause = described(event)
    at = content.find(clause)
    if at >= 0:
        return overlaps(span, (start + at, start + at + len(clause)))
    wanted = frozenset(terms(talk.text[slice(*span)]))
    return len(wanted & frozenset(terms(clause))) >= HALF * len(wanted) > 0


def described(event: Event) -> str:
    """An event's description without the speaker and the full stop that the distiller puts around it."""
    text = event.description.removeprefix(f"{event.speaker}: ").removeprefix("accepts: ")
    return text.rstrip(" .!?。！？")
