"""The worked examples in the prompts are right by the rules that answers are held to."""

import json
from datetime import UTC, datetime
from typing import Any

from operators.distill.answer import DistillAnswer
from operators.distill.llm import AskedTurn, distilled, per_turn
from operators.llm.prompt import prompt
from operators.relate.admission import why_not
from operators.relate.answer import RelateAnswer, Told
from state.model import Act, Event, EventType, Facet, Message, Role, Subject
from state.ordering import event_place, message_place


def example(name: str) -> tuple[list[dict[str, Any]], str]:
    """The records of a prompt's example, and its answer."""
    _, _, shown = prompt(name).text.partition("Example. Data:\n")
    data, _, answer = shown.partition("Answer:\n")
    return [json.loads(line) for line in data.splitlines()], answer


def test_the_turns_of_the_example_are_taken_over_whole() -> None:
    records, answer = example("distill")
    said = [
        Message(
            subject=Subject("t", "s"),
            conversation="c",
            id=record["m"],
            role=Role(record["role"]),
            speaker=record["by"],
            content=record["text"],
            sent_at=datetime.strptime(record["at"], "%a %Y-%m-%d %H:%M").replace(tzinfo=UTC),
        )
        for record in records
    ]
    turns = [
        AskedTurn(message, tuple(said[:at]))
        for at, (message, record) in enumerate(zip(said, records, strict=True))
        if record.get("read")
    ]
    refused: list[str] = []
    told = DistillAnswer.model_validate_json(answer)
    texts = per_turn(told, turns, refused.append)
    taken = [distilled(texts[t.turn.id], t.turn, t.context, refused.append) for t in turns]
    assert refused == []
    assert [len(one.events) for one in taken] == [len(turn.events) for turn in told.turns]
    assert [len(one.links) for one in taken] == [len(turn.links) for turn in told.turns]


def test_the_pairs_of_the_example_are_admitted() -> None:
    records, answer = example("relate")
    events = {record["s"]: statement(record) for record in records if "s" in record}
    asked = {(r["later"], earlier) for r in records if "later" in r for earlier in r["earlier"]}
    told = RelateAnswer.model_validate_json(answer).pairs
    assert {(pair.later, pair.earlier) for pair in told} < asked
    for pair in told:
        relation = Told(**pair.model_dump(exclude={"later", "earlier"}))
        assert why_not(relation, events[pair.later], events[pair.earlier]) is None


def statement(record: dict[str, Any]) -> Event:
    stated_at = datetime.strptime(record["at"], "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    return Event(
        id=record["s"],
        type=EventType.ACTION,
        participants=(record["by"],),
        description=f"{record['by']}: {record['says']}",
        facet=Facet(*record["about"]),
        occurs=None,
        stated_at=stated_at,
        valid_from=stated_at,
        sources=(record["s"],),
        conversation="c",
        speaker=record["by"],
        place=event_place(message_place(stated_at, record["s"]), 0, record["s"]),
        act=Act(record["act"]),
        many=record.get("many", False),
    )
