"""How well a question names a fact: its thing, its attribute, and the kind of value it asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query_service.facet_match import FITTING, asked_of, facet_matches
from tests.query_service.worlds import World, stores

Facets = dict[str, tuple[str, str, str]]


def matches(question: str, facets: Facets) -> dict[str, float]:
    world = World()
    for at, (name, facet) in enumerate(facets.items()):
        world.state(name, world.say(f"m{at}", at, " ".join(facet)), facet)
    known = stores(world).reader.events(world.subject, list(facets))
    return facet_matches(asked_of(question), known)


def best(question: str, facets: Facets) -> str:
    found = matches(question, facets)
    return max(found, key=lambda name: found[name])


GARDEN: Facets = {
    "gate": ("gate", "colour", "green"),
    "shed": ("shed", "colour", "white"),
    "roof": ("shed", "roof", "tin"),
}


def test_the_fact_whose_thing_and_attribute_are_named_matches_best() -> None:
    assert best("What colour is the shed?", GARDEN) == "shed"
    assert best("What is the roof of the shed?", GARDEN) == "roof"
    assert matches("What colour is the shed?", GARDEN)["shed"] == pytest.approx(1.0)


def test_in_chinese_the_attribute_is_found_within_the_question() -> None:
    facets: Facets = {
        "door": ("赵敏", "门牌号码", "302"),
        "hours": ("赵敏", "营业时间", "上午九点"),
        "owner": ("赵敏", "房东姓名", "钱先生"),
    }
    assert best("门牌号码是多少？", facets) == "door"
    assert best("房东姓名是什么？", facets) == "owner"


def test_a_word_that_every_fact_shares_tells_them_apart_no_more_than_none() -> None:
    facets: Facets = {"a": ("Petra", "harbour", "north"), "b": ("Petra", "cabin", "south")}
    found = matches("Which cabin has Petra?", facets)
    assert found["b"] > 2 * found.get("a", 0.0)


def test_a_fact_that_the_question_does_not_name_is_no_match() -> None:
    assert matches("How loud was the concert?", GARDEN) == {}
    assert matches("", GARDEN) == {}


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("When is the rehearsal?", "time"),
        ("Where is the rehearsal?", "place"),
        ("How much is the rehearsal?", "price"),
    ],
)
def test_the_kind_of_value_asked_for_decides_between_facts_of_one_thing(question: str, fact: str) -> None:
    facets: Facets = {
        "time": ("rehearsal", "slot", "7 May at 18:00"),
        "place": ("rehearsal", "location", "9 Quay Street, Cork"),
        "price": ("rehearsal", "fee", "€15"),
    }
    assert best(question, facets) == fact


@pytest.mark.parametrize(
    ("question", "fact"), [("排练几点开始？", "time"), ("排练多少钱？", "price"), ("排练在哪里？", "place")]
)
def test_so_it_does_in_chinese(question: str, fact: str) -> None:
    facets: Facets = {
        "time": ("排练", "安排", "5月7日下午6点"),
        "price": ("排练", "收取", "15元"),
        "place": ("排练", "场馆", "码头路9号"),
    }
    assert best(question, facets) == fact


@given(st.text(max_size=60))
def test_a_match_lies_between_nothing_and_a_full_one_of_the_right_kind(question: str) -> None:
    assert all(0 < match <= FITTING + 1e-9 for match in matches(question, GARDEN).values())
