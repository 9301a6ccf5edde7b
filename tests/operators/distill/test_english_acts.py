"""How English clauses are meant and what they do."""

import pytest

from operators.distill.clause import Clause, Mood
from operators.distill.english import ENGLISH
from state.model import Act, EventType


def last(text: str) -> Clause:
    return ENGLISH.read(text).clauses[-1]


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "Thanks a lot, have a lovely evening.",
        "Good morning",
        "Bye!",
        "That's all for today, thanks.",
        "Thanks again!",
    ],
)
def test_greetings_thanks_and_farewells_are_social(text: str) -> None:
    assert last(text).mood is Mood.SOCIAL


@pytest.mark.parametrize(
    "text",
    [
        "When is my rehearsal?",
        "What's the address?",
        "Do you serve vegetarian food?",
        "Is Foxglove washable?",
        "How long will it take?",
    ],
)
def test_a_question_says_nothing(text: str) -> None:
    assert last(text).mood is Mood.QUESTION


@pytest.mark.parametrize(
    "text",
    [
        "Could you move it to Friday?",
        "Please book a table for two.",
        "Can you find me a hotel in Porto?",
        "I'd like to leave on Friday",
    ],
)
def test_asking_for_something_is_a_request(text: str) -> None:
    assert last(text).mood is Mood.REQUEST


@pytest.mark.parametrize(
    "text",
    [
        "How about Friday at 10:00?",
        "I have Monday at 4:45 pm free.",
        "Please confirm: a table for 2.",
        "What about 9 pm?",
    ],
)
def test_an_offer_is_a_proposal(text: str) -> None:
    assert last(text).mood is Mood.PROPOSAL


@pytest.mark.parametrize(
    "text", ["Yes.", "That works", "Sounds good to me.", "Sure, go ahead!", "Yes, that is correct."]
)
def test_taking_an_offer_is_an_acceptance(text: str) -> None:
    assert last(text).mood is Mood.ACCEPTANCE


@pytest.mark.parametrize(
    "text",
    [
        "That suits us both fine",
        "It would suit me",
        "This one fits us perfectly, thank you.",
        "Let's settle on that one then",
        "We'd love to go for it",
        "I'll have that one please",
        "Go ahead and reserve it for us",
        "Pencil us in for that",
        "Please put our names down for it",
        "Write my name on it.",
        "Book me in!",
    ],
)
def test_an_offer_is_taken_in_whatever_words(text: str) -> None:
    assert [c.mood for c in ENGLISH.read(text).clauses] == [Mood.ACCEPTANCE]


@pytest.mark.parametrize(
    "text",
    [
        "Book me in for 5 pm",
        "That suits the kitchen",
        "Put it on the shelf",
        "Reserve a kayak for us",
        "We'll go for pizza",
        "Take it off",
        "Put us down for 3 kayaks",
    ],
)
def test_what_says_something_of_its_own_takes_no_offer(text: str) -> None:
    assert last(text).mood is not Mood.ACCEPTANCE


@pytest.mark.parametrize("text", ["No.", "No, thanks", "Not yet.", "Nope"])
def test_declining_is_a_refusal(text: str) -> None:
    assert ENGLISH.read(text).clauses[0].mood is Mood.REFUSAL


@pytest.mark.parametrize("text", ["If I had a bigger boat", "What if Tomasz is away on Monday?"])
def test_an_if_world_is_hypothetical(text: str) -> None:
    assert last(text).mood is Mood.HYPOTHETICAL


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Move the visit to Friday", Act.CHANGE),
        ("Make it 9 leeks", Act.CHANGE),
        ("Foxglove instead of Heather", Act.CHANGE),
        ("Cancel the canoe", Act.WITHDRAW),
        ("Forget that", Act.WITHDRAW),
        ("Please withdraw the application", Act.WITHDRAW),
        ("Never mind the leeks", Act.WITHDRAW),
        ("The wedding is off", Act.WITHDRAW),
        ("Take the leeks out", Act.REMOVE),
        ("Leeks removed", Act.REMOVE),
        ("Keep the striped ones after all", Act.RESTORE),
        ("We're going back to the 40 cm", Act.RESTORE),
        ("Add olives", Act.ADD),
        ("Turku is welcome too", Act.ADD),
        ("My mother lives in Ghent", Act.STATE),
    ],
)
def test_the_act_of_a_clause(text: str, act: Act) -> None:
    assert last(text).act is act


def test_a_refusal_makes_what_follows_a_change() -> None:
    assert last("No, I want two rooms").act is Act.CHANGE
    assert last("I want two rooms").act is Act.STATE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I love Thai food", EventType.PREFERENCE),
        ("I'll come on Friday", EventType.PLAN),
        ("Move it to Friday", EventType.STATE_CHANGE),
        ("We ate at the Porch", EventType.ACTION),
    ],
)
def test_the_type_of_event(text: str, kind: EventType) -> None:
    assert last(text).type is kind


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("What's your full name?", "full name"),
        ("For how many people?", "number of people"),
        ("At what time should I book it?", "time"),
        ("When do you want to come?", "date"),
        ("Return date?", "end"),
        ("Could you provide your room number?", "room number"),
        ("Where are you leaving from?", "origin"),
        ("What kind of food would you like?", "food"),
    ],
)
def test_what_a_question_asks_for(question: str, attribute: str) -> None:
    assert last(question).asks == attribute


def test_free_time_is_nothing_that_is_taken_away() -> None:
    assert ENGLISH.read("I'm taking that day off").clauses[0].act is Act.STATE
    assert ENGLISH.read("I'm taking Friday off").clauses[0].act is Act.STATE
    assert ENGLISH.read("Please take that off the list").clauses[0].act is Act.REMOVE


def test_sorry_corrects_what_was_said() -> None:
    assert ENGLISH.read("Sorry, it is for 3 people").clauses[-1].act is Act.CHANGE
