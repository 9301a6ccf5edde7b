"""Answers in a model's place, made by the rules from nothing but what a question shows.

For measuring what calls cost and for running the stream without a model: what it says is what the rules would
say, in the form of an answer. It reads the quoted data of a question, as a model would, and knows no ids.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from operators.distill.answer import DistillAnswer, EventTold, LinkTold, TimeTold, TurnTold
from operators.distill.interface import CONTEXT_TURNS, TOLD_IN
from operators.distill.rules import RULES
from operators.distill.verbatim import says
from operators.relate.answer import PairTold, RelateAnswer
from operators.relate.same_thing import Match, same_attribute, same_entity, same_text_value
from operators.relate.spoken import spoken
from operators.summary import gist
from state.model import Event, Message, Occurs, Role, Subject

_NOBODY = Subject("stand-in", "stand-in")
_QUOTE = 160
_TAKES_BACK = ("withdraw", "remove")


def records_of(content: str) -> Iterator[Mapping[str, Any]]:
    """The quoted records of a question's content."""
    for line in content.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def distill_reply(content: str) -> DistillAnswer:
    """What the rules read in the turns that a distilling question asks about."""
    records = list(records_of(content))
    said: dict[int, list[Message]] = {}
    turns = []
    for record in records:
        earlier = said.setdefault(record.get("talk", 0), [])
        turn = _message(record)
        if record.get("read"):
            turns.append(_turn(record, turn, earlier[-CONTEXT_TURNS:]))
        earlier.append(turn)
    return DistillAnswer(turns=turns)


def _message(record: Mapping[str, Any]) -> Message:
    return Message(
        subject=_NOBODY,
        conversation=str(record.get("talk", 0)),
        id=record["m"],
        role=Role(record["role"]),
        speaker=record["by"],
        content=record["text"],
        sent_at=datetime.strptime(record["at"], "%a %Y-%m-%d %H:%M").replace(tzinfo=UTC),
    )


def _turn(record: Mapping[str, Any], turn: Message, context: Sequence[Message]) -> TurnTold:
    distilled = RULES.distill(turn, context)
    name = {event.id: f"e{number}" for number, event in enumerate(distilled.events, start=1)}
    return TurnTold(
        turn=turn.id,
        events=[_told(event, turn) for event in distilled.events],
        links=[
            LinkTold.model_validate(
                {
                    "type": link.type.value,
                    "reason": name.get(link.source, link.source.removeprefix(TOLD_IN)),
                    "result": name[link.target],
                }
            )
            for link in distilled.links
            if link.target in name  # a model is not asked what an earlier message follows from
        ],
        gist=gist(turn.content) if record.get("gist") else None,
        hangs="continue" if "back" in record else None,
    )


def _told(event: Event, turn: Message) -> EventTold:
    """The event as a model would tell it; what an acceptance takes over is quoted by the acceptance."""
    quote = spoken(event)
    thing, attribute, value = (
        (event.facet.entity, event.facet.attribute, event.facet.value) if event.facet else ("", "", "")
    )
    return EventTold.model_validate(
        {
            "quote": quote if says(turn.content, quote) else turn.content[:_QUOTE],
            "type": event.type.value,
            "act": event.act.value,
            "thing": thing,
            "attribute": attribute,
            "value": value,
            "many": event.many,
            "when": _when(event.occurs),
            "also": list(event.sources[:-1]),
        }
    )


def _when(occurs: Occurs | None) -> TimeTold | None:
    if occurs is None:
        return None
    start = occurs.start.isoformat() if occurs.start is not None else None
    end = occurs.end.isoformat() if occurs.end is not None else None
    return TimeTold.model_validate(
        {"words": occurs.words, "precision": occurs.precision.value, "start": start, "end": end}
    )


def relate_reply(content: str) -> RelateAnswer:
    """The updates that are plain from the names alone: one attribute of one thing with another value, or
    taken back."""
    statements: dict[str, Mapping[str, Any]] = {}
    told: list[PairTold] = []
    for record in records_of(content):
        if "s" in record:
            statements[record["s"]] = record
            continue
        for earlier in record["earlier"]:
            mode = _mode(statements[record["later"]], statements[earlier])
            if mode is not None:
                told.append(
                    PairTold.model_validate(
                        {
                            "later": record["later"],
                            "earlier": earlier,
                            "type": "updates",
                            "source": "later",
                            "mode": mode,
                            "confidence": 0.9,
                            "reason": "gives another value" if mode == "replaces" else "takes it back",
                        }
                    )
                )
    return RelateAnswer(pairs=told)


def _mode(later: Mapping[str, Any], earlier: Mapping[str, Any]) -> str | None:
    if "about" not in later or "about" not in earlier or later.get("many") or earlier.get("many"):
        return None
    (thing, attribute, value), (another, its_attribute, old) = later["about"], earlier["about"]
    if same_entity(thing, another) is not Match.EXACT or earlier["act"] in _TAKES_BACK:
        return None
    if later["act"] in _TAKES_BACK:
        return "withdraws" if not attribute or attribute == its_attribute else None
    if same_attribute(attribute, its_attribute) is not Match.EXACT or not value or not old:
        return None
    return None if same_text_value(value, old) else "replaces"
