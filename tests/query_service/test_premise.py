"""Which facts a text takes to hold although they no longer do."""

from dataclasses import replace

import pytest

from query_service.premise import Outdated, outdated, superseded_in
from query_service.standing import Standings
from state.graph import StoredEvent
from state.memory_reader import MemoryReader
from state.model import Act, EdgeType, UpdateMode
from tests.query_service.worlds import NOW, World, day, piano


def found(world: World, text: str, on: float | None = None) -> dict[str, Outdated]:
    known: dict[str, StoredEvent] = dict(
        MemoryReader([world.view()]).events(world.subject, [event.id for event in world.events])
    )
    standing = Standings(known, NOW if on is None else day(on))
    return {name: outdated(name, known, standing) for name in superseded_in(text, known, standing)}


def desk() -> World:
    world = World()
    world.say("m1", 0, "Deliver the desk to 14 Harbour Street, Bergen.")
    world.say("m2", 3, "Please deliver it to 3 Mill Lane, Bergen instead.")
    world.state("old", "m1", ("desk", "delivery address", "14 Harbour Street, Bergen"))
    world.state("new", "m2", ("desk", "delivery address", "3 Mill Lane, Bergen"))
    world.replace("new", "old")
    return world


def test_what_replaced_it_since_when_and_who_said_so() -> None:
    told = found(desk(), "Will the desk come to 14 Harbour Street, Bergen on Monday?")
    assert told == {
        "old": Outdated(
            fact="desk delivery address: 14 Harbour Street, Bergen",
            replaced_by="desk delivery address: 3 Mill Lane, Bergen",
            since=day(3),
            withdrawn=False,
            sources=("m1",),
            settled_by=("m2",),
        )
    }


@pytest.mark.parametrize(
    "text",
    [
        "Since the desk is delivered to Harbour Street, who signs for it?",
        "is the desk delivery still to 14 harbour street?",
        "Who takes it in at 14 Harbour Street?",
    ],
)
def test_a_value_is_named_by_the_words_that_only_it_has(text: str) -> None:
    assert list(found(desk(), text)) == ["old"]


@pytest.mark.parametrize(
    "text",
    [
        "When will the desk be delivered in Bergen?",  # both addresses have it
        "Is Harbour Street closed to traffic?",  # nothing of the desk
        "Did the desk's delivery move from 14 Harbour Street to 3 Mill Lane, Bergen?",  # who asks knows
        "Does the desk still go to Harbour Street, or to Mill Lane?",
        "Where will the desk be delivered?",
        "",
    ],
)
def test_a_text_that_takes_nothing_old_to_hold(text: str) -> None:
    assert found(desk(), text) == {}


def test_a_fact_counts_as_of_the_asked_time() -> None:
    asked = "Is the desk going to 14 Harbour Street, Bergen?"
    assert found(desk(), asked, on=1) == {}
    assert list(found(desk(), asked, on=4)) == ["old"]


def test_a_chain_leads_to_what_holds_at_its_end() -> None:
    told = found(piano(), "Is the tuning on Tuesday?")
    assert [one.replaced_by for one in told.values()] == ["tuning time: Friday at 11 am"]
    assert told["tuesday"].since == day(1)
    assert told["tuesday"].settled_by == ("conv/1/4", "conv/1/2")


def test_whoever_names_what_holds_too_knows_of_the_change() -> None:
    assert found(piano(), "Was the tuning moved from Tuesday to Friday?") == {}
    assert found(piano(), "The tuning was on Tuesday, and is on Friday now.") == {}


def test_a_value_that_was_gone_back_to_holds() -> None:
    world = desk()
    world.say("m3", 5, "No, 14 Harbour Street, Bergen after all.")
    world.state("again", "m3", ("desk", "delivery address", "14 Harbour Street, Bergen"))
    world.replace("again", "new")
    assert found(world, "Is the desk delivered to 14 Harbour Street, Bergen?") == {}
    assert list(found(world, "Is the desk delivered to Mill Lane?")) == ["new"]


def test_what_was_withdrawn_gives_way_to_what_stands_again_or_to_nothing() -> None:
    world = World()
    world.say("m1", 0, "The order is 5 kg.")
    world.say("m2", 1, "Make it 8 kg.")
    world.say("m3", 2, "Forget the 8 kg.")
    world.state("five", "m1", ("order", "weight", "5 kg"))
    world.state("eight", "m2", ("order", "weight", "8 kg"))
    world.state("forget", "m3", ("order", "weight", "8 kg"))
    world.replace("eight", "five")
    world.link(EdgeType.UPDATES, "forget", "eight", UpdateMode.WITHDRAWS)
    world.say("m4", 2, "I have a red bicycle.")
    world.say("m5", 3, "The bicycle is sold.")
    world.state("bicycle", "m4", ("Ada", "bicycle", "red bicycle"))
    world.state("sold", "m5", ("Ada", "bicycle", "red bicycle"))
    world.link(EdgeType.UPDATES, "sold", "bicycle", UpdateMode.WITHDRAWS)
    world.events = [
        replace(event, act=Act.WITHDRAW) if event.id in ("forget", "sold") else event
        for event in world.events
    ]
    eight = found(world, "When does the order of 8 kg arrive?")["eight"]
    assert (eight.replaced_by, eight.withdrawn, eight.since) == ("order weight: 5 kg", True, day(2))
    bicycle = found(world, "Where is the red bicycle kept?")["bicycle"]
    assert (bicycle.replaced_by, bicycle.withdrawn) == (None, True)
    assert bicycle.settled_by == ("m5",)


def test_a_plain_word_is_a_value_only_beside_the_thing_it_is_said_of() -> None:
    world = World()
    world.say("m1", 0, "The car is blue.")
    world.say("m2", 1, "The car is red now.")
    world.state("blue", "m1", ("car", "colour", "blue"))
    world.state("red", "m2", ("car", "colour", "red"))
    world.replace("red", "blue")
    assert found(world, "Where is the blue sofa?") == {}
    assert found(world, "Is the car a bluebird?") == {}
    assert list(found(world, "Where is the blue car parked?")) == ["blue"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Since item 7 goes to 47 Mill Lane, what does it cost?", ["e47"]),
        ("Since item 7 goes to 7 Mill Lane, what does it cost?", ["e7"]),
        ("Does item 7 go to Mill Lane?", []),
        ("Is item 7 still at 420 euros?", ["price"]),
        ("Which 42 things go with item 7?", []),
    ],
)
def test_a_number_is_the_values_only_beside_its_own_words_or_where_it_is_long(
    text: str, named: list[str]
) -> None:
    world = World()
    for at, street in enumerate((7, 47, 87)):
        world.say(f"m{street}", at, f"Item 7 goes to {street} Mill Lane.")
        world.state(f"e{street}", f"m{street}", ("item 7", "delivery address", f"{street} Mill Lane, Bergen"))
    world.say("p1", 3, "It costs €420.")
    world.say("p2", 4, "It costs €399 now.")
    world.state("price", "p1", ("item 7", "price", "€420"))
    world.state("less", "p2", ("item 7", "price", "€399"))
    world.replace("e47", "e7")
    world.replace("e87", "e47")
    world.replace("less", "price")
    assert list(found(world, text)) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("水蔬月卡5斤装什么时候到？", ["five"]),
        ("水蔬月卡还是5斤吗？", ["five"]),
        ("水蔬月卡是从5斤改成8斤的吗？", []),
        ("水蔬月卡8斤装什么时候到？", []),
        ("调琴还是星期二吗？", ["tuesday"]),
        ("调琴是下午吗？", []),
        ("调琴是从星期二改到星期五的吗？", []),
    ],
)
def test_chinese(text: str, named: list[str]) -> None:
    world = World()
    world.say("m1", 0, "水蔬月卡是5斤装。", "陈卓")
    world.say("m2", 4, "把水蔬月卡换成8斤装。", "陈卓")
    world.say("m3", 5, "星期二下午三点调琴。", "陈卓")
    world.say("m4", 6, "调琴改到星期五上午十点。", "陈卓")
    world.state("five", "m1", ("水蔬月卡", "规格", "5斤"))
    world.state("eight", "m2", ("水蔬月卡", "规格", "8斤"))
    world.state("tuesday", "m3", ("调琴", "时间", "星期二下午三点"))
    world.state("friday", "m4", ("调琴", "时间", "星期五上午十点"))
    world.replace("eight", "five")
    world.replace("friday", "tuesday")
    assert list(found(world, text)) == named
