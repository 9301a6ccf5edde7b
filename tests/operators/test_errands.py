"""What a customer asks of a service, and what takes the place of what, where no word says so."""

import pytest

from operators.derive import derive
from operators.distill.arguments import arguments, given
from operators.distill.clause import Reading
from operators.distill.rules import RULES as DISTILLER
from operators.distill.rules import reading
from operators.relate.rules import RULES as RELATER
from operators.relate.updates import ERRAND
from state.model import EdgeType
from tests.operators.distill.conversation import messages


def changes(*lines: str) -> list[tuple[str, str]]:
    """(new value, old value) of the updates among all that is said, by place."""
    view = derive(messages(*lines), DISTILLER, RELATER)
    told = {event.id: event for event in view.events}
    pairs = [(told[e.source], told[e.target]) for e in view.edges if e.type is EdgeType.UPDATES]
    return [
        (new.facet.value, old.facet.value)
        for new, old in sorted(pairs, key=lambda pair: (pair[0].place, pair[1].place))
        if new.facet is not None and old.facet is not None
    ]


ASKED_FOR = (
    "Rhea: Could you book a table at Tamarind for 7 pm?",
    "*Desk: Unfortunately there is no table at Tamarind at 7 pm.",
)


@pytest.mark.parametrize(
    ("retry", "change"),
    [
        ("Rhea: Let's try 8 pm then", ("8 pm", "7 pm")),
        ("Rhea: What about Legume instead?", ("Legume", "Tamarind")),
    ],
)
def test_what_is_tried_when_the_first_cannot_be_had_takes_its_place(
    retry: str, change: tuple[str, str]
) -> None:
    assert change in changes(*ASKED_FOR, retry)


def test_a_search_that_is_made_again_with_another_part_of_town_is_about_that_one() -> None:
    lines = (
        "Rhea: Can you find me a Hilton in the North part of town?",
        "*Desk: The Hilton in the North has a rating of 2.",
        "Rhea: Is there instead a Hilton in the West part of town?",
    )
    assert ("West", "North") in [(new.split()[0], old.split()[0]) for new, old in changes(*lines)]


def test_a_bare_ordinal_is_a_day_in_an_errand() -> None:
    lines = (
        "Rhea: I need a flight to Lisbon on the 8th.",
        "*Desk: Unfortunately there are no flights that match your search.",
        "Rhea: Maybe try 9th",
    )
    assert ("9th", "the 8th") in changes(*lines)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Rhea: Are there any more buses? I'm leaving on March 11th", [("March 11th", "March 5th")]),
        ("Rhea: Thanks a lot for that. I'm leaving on March 11th", []),
    ],
)
def test_a_plain_statement_is_a_change_only_where_its_turn_asks_for_something(
    said: str, found: list[tuple[str, str]]
) -> None:
    bus = ("Rhea: Please find me a bus to Gent. I'm leaving on March 5th.", "*Desk: There is a bus at 9 am.")
    assert changes(*bus, said) == found


def test_the_first_value_may_be_more_than_six_messages_away() -> None:
    talk = [line for n in range(4) for line in (f"*Desk: Done so far: {n}.", "Rhea: Go on, please.")]
    lines = [
        "Rhea: Please book a table for 7 pm.",
        *talk,
        "*Desk: I am sorry, but that is not available.",
        "Rhea: Let's try 8 pm instead",
    ]
    assert ("8 pm", "7 pm") in changes(*lines)


@pytest.mark.parametrize(
    "lines",
    [
        # A count of rooms is none of seats.
        (
            "Rhea: Please get me 3 tickets.",
            "*Desk: Unfortunately I could not get them.",
            "Rhea: I also need 2 rooms then",
        ),
        # An end is no beginning.
        (
            "Rhea: I need the car from the 3rd of March.",
            "*Desk: Until when do you need it?",
            "Rhea: I need it until the 9th of March.",
        ),
        # What a customer is called is nothing that is looked for.
        ("Rhea: Book me a table at Tamarind.", "*Desk: May I have your name, please?", "Rhea: Rhea Bell"),
    ],
)
def test_what_may_stand_side_by_side_stands(lines: tuple[str, ...]) -> None:
    assert changes(*lines) == []


def test_an_update_that_signs_alone_tell_says_so() -> None:
    lines = (
        "Rhea: I want to go to Tamarind.",
        "*Desk: Unfortunately there is no table at Tamarind.",
        "Rhea: Oh no, I actually also like to go somewhere near Legume instead",
    )
    view = derive(messages(*lines), DISTILLER, RELATER)
    assert ERRAND in {edge.reason for edge in view.edges if edge.type is EdgeType.UPDATES}


def test_a_chinese_errand_changes_in_the_same_ways() -> None:
    lines = (
        "林夕: 帮我订周五晚上7点的位子",
        "*前台: 抱歉，周五晚上7点没有空位了。",
        "林夕: 那周六晚上7点呢？",
    )
    assert any("周六" in new and "周五" in old for new, old in changes(*lines))


def test_chinese_tickets_and_rooms_stand_side_by_side() -> None:
    lines = ("林夕: 帮我订3张票", "*前台: 抱歉，订不到了。", "林夕: 那再订2间房吧")
    assert changes(*lines) == []


def test_friends_have_no_errands() -> None:
    lines = ("Rhea: I need a table at Tamarind at 7 pm.", "Ola: It is full.", "Rhea: Maybe Legume")
    view = derive(messages(*lines), DISTILLER, RELATER)
    assert ERRAND not in {edge.reason for edge in view.edges}


@pytest.mark.parametrize("mark", ["0", "at 3 ", "Dr. ", "Elm "])
def test_sixty_thousand_characters_without_sense_are_read(mark: str) -> None:
    (asked,) = messages("Rhea: " + mark * (60_000 // len(mark)) + "Hilton")
    read = reading(asked.content)
    found = arguments(asked.content, ())
    assert found == sorted(found, key=lambda one: one.start)
    for said in given(asked.content, read, (), (), Reading(()), asked):
        assert said.claim is not None
        assert read.clauses[said.index].start <= asked.content.find(said.claim.value)


def test_a_value_is_an_argument_once_and_of_the_clause_that_it_lies_in() -> None:
    text = "Is there a Hilton in the West for 2 people? Or is Legume open on Monday at 7 pm?"
    assert [one.text for one in arguments(text, ())] == [
        "Hilton", "West", "2 people", "Legume", "Monday at 7 pm"
    ]  # fmt: skip
