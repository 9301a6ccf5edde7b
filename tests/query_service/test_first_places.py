"""What comes first: the fact that stands, and as of an earlier day the one that stood then."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from operators.derive import derive
from operators.distill.rules import RulesDistiller
from operators.relate.rules import RULES as RELATER
from query_service.ask import Answer
from state.model import Message, Role, Subject
from tests.query_service.worlds import World, stores

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(name: str) -> list[Message]:
    rows = [json.loads(line) for line in (EXAMPLES / name).read_text(encoding="utf-8").splitlines()]
    return [
        Message(
            Subject(row["tenant"], row["subject"]),
            row["conversation"],
            row["id"],
            Role(row["role"]),
            row["speaker"],
            row["content"],
            datetime.fromisoformat(row["sent_at"]),
        )
        for row in rows
    ]


def asked(name: str, question: str, as_of: datetime | None = None) -> tuple[Answer, list[str]]:
    """The answer, and the texts of its evidence."""
    messages = told(name)
    held = stores(views=[derive(messages, RulesDistiller(), RELATER)])
    answer = held.asker.ask(messages[0].subject, question, as_of=as_of)
    texts = {message.id: message.content for message in messages}
    return answer, [texts[message] for message in answer.evidence]


def test_the_english_example_shows_the_address_that_stands() -> None:
    _, texts = asked("support_english.jsonl", "Where will the desk be delivered?")
    assert "3 Mill Lane" in texts[0]


def test_as_of_an_earlier_day_it_shows_the_address_of_then() -> None:
    day = datetime(2026, 3, 5, 12, tzinfo=UTC)
    _, texts = asked("support_english.jsonl", "Where will the desk be delivered?", day)
    assert "14 Harbour Street" in texts[0]
    assert not any("3 Mill Lane" in text for text in texts)


def test_the_chinese_example_shows_the_address_that_stands() -> None:
    answer, texts = asked("support_chinese.jsonl", "快递地址是哪里？")
    assert answer.plan.shape == "current"
    assert "青禾路66号" in texts[0]


def test_as_of_an_earlier_day_the_chinese_example_shows_the_address_of_then() -> None:
    _, texts = asked("support_chinese.jsonl", "快递地址是哪里？", datetime(2026, 4, 2, tzinfo=UTC))
    assert "梧桐路18号" in texts[0]
    assert not any("青禾路" in text for text in texts)


def evidence(world: World, question: str) -> tuple[str, ...]:
    return stores(world).asker.ask(world.subject, question).evidence


@pytest.mark.parametrize(
    ("old", "new", "facet", "values", "question"),
    [
        ("The van is parked at Elm Court.", "Put it at Dock 5.", ("van", "parking"), ("Elm Court", "Dock 5"),
         "Where is the van's parking?"),
        ("货车停车位置是榆树院。", "挪到五号码头吧。", ("货车", "停车位置"), ("榆树院", "五号码头"),
         "货车停车位置在哪？"),
    ],
)  # fmt: skip
def test_what_replaced_the_named_fact_comes_first_though_it_names_nothing(
    old: str, new: str, facet: tuple[str, str], values: tuple[str, str], question: str
) -> None:
    world = World()
    world.say("m1", 0, old)
    world.say("m2", 1, new)
    world.say("m3", 2, "Bye!")
    world.state("was", "m1", (*facet, values[0]))
    world.state("is", "m2", ("", "", values[1]))
    world.replace("is", "was")
    assert evidence(world, question)[:2] == ("m2", "m1")


def test_a_replaced_fact_of_another_thing_lifts_nothing_above_the_fact_asked_for() -> None:
    world = World()
    world.say("m1", 0, "The attic fee is 40, the cellar fee is 90.")
    world.say("m2", 1, "The attic fee is 55.")
    world.state("attic", "m1", ("attic", "fee", "40"))
    world.state("cellar", "m1", ("cellar", "fee", "90"))
    world.state("raised", "m2", ("attic", "fee", "55"))
    world.replace("raised", "attic")
    assert evidence(world, "What is the cellar fee?")[0] == "m1"
    assert evidence(world, "What is the attic fee?")[0] == "m2"
