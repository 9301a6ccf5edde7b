"""What a customer names to a service, and the signs that it is another value than before."""

import pytest

from operators.distill.arguments import arguments, names_in
from state.model import EdgeType
from tests.operators.distill.conversation import facets, last_turn


def signs(*lines: str) -> set[str]:
    """The signs that are noted for the last line's events."""
    links = [link for link in last_turn(*lines).links if link.type is EdgeType.UPDATES]
    return {sign for link in links for sign in link.reason.split(", ")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Legume", [("Legume", "name", "")]),
        ("20th to 22nd", [("20th", "date", ""), ("22nd", "date", "end")]),
        ("something on the east side", [("east", "place", "")]),
        ("Is there a Hilton in Lisbon?", [("Hilton", "name", ""), ("Lisbon", "name", "place")]),
        ("Darn", []),
        ("Transfer it", []),
        ("那就周六吧", [("周六", "date", "")]),
    ],
)
def test_an_argument_is_known_by_its_form(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(a.text, a.attribute, a.role) for a in arguments(text, frozenset())] == found


def test_a_name_that_was_spoken_of_is_known_without_its_capital() -> None:
    known = names_in("How about the Shadyside Inn in town?")
    assert [a.text for a in arguments("can you check shadyside for me please", known)] == ["shadyside"]
    assert arguments("can you check shadyside for me please", frozenset()) == []


def test_an_argument_takes_the_attribute_that_was_asked_for() -> None:
    asked = "*Desk: What restaurant would you like to go to?"
    assert facets(asked, "Rhea: The Porch")[0][1:] == ("restaurant", "Porch")


def test_a_question_whether_something_is_to_be_had_names_what_is_wanted() -> None:
    lines = ("*Desk: How can I help?", "Rhea: Would there be anything at all near Lisbon?")
    assert [value for _, _, value in facets(*lines)] == ["Lisbon"]
    assert facets("*Desk: How can I help?", "Rhea: Who was it that built Lisbon?") == []


def test_what_a_customer_does_not_want_any_more_is_no_argument() -> None:
    lines = ("*Desk: How can I help?", "Rhea: Please make it Friday instead of Sunday")
    assert "Sunday" not in [value for _, _, value in facets(*lines)]


def test_signs_are_noted_of_the_turn_and_of_what_came_before() -> None:
    noted = signs("*Desk: Unfortunately we have no room on Friday.", "Rhea: How about Sunday instead?")
    assert {"unmet", "how about", "another", "question"} <= noted
    assert "asked" in signs("*Desk: For what day?", "Rhea: Sunday")
    assert "repeats" in signs("*Desk: We can do Sunday.", "Rhea: I want Sunday")
    assert "just done" in signs("*Desk: Your table is booked.", "Rhea: Please also ask for Sunday")
    assert "report" in signs("*Desk: Hello.", "Rhea: I need the weather for Sunday")


def test_chinese_signs_are_noted_too() -> None:
    noted = signs("*前台: 抱歉，周五没有空位了。", "林夕: 那还是改成周六吧，怎么样？")
    assert {"another", "how about", "question"} <= noted


def test_a_search_that_is_said_again_shares_its_words() -> None:
    first = "Rhea: Please look for a quiet hotel with breakfast in Lisbon"
    again = "Rhea: Please look for a quiet hotel with breakfast in Porto"
    assert "again 4" in signs(first, "*Desk: There is none.", again)
    assert "again 0" in signs(first, "*Desk: There is none.", "Rhea: Maybe Porto?")


def test_no_signs_are_noted_among_friends_or_for_what_is_accepted() -> None:
    assert signs("Ola: Friday is full.", "Rhea: How about Sunday instead?") == set()
    assert signs("Rhea: A table, please.", "*Desk: I have Sunday at 11 open.", "Rhea: That works.") == set()


def test_what_a_service_says_it_can_do_is_an_offer() -> None:
    lines = ("Rhea: A table on Friday.", "*Desk: I could not get it. Instead, I can book a 7:40 am bus.")
    assert last_turn(*lines).events[-1].facet is None or "7:40 am" not in [v for _, _, v in facets(*lines)]
