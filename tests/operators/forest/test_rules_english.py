"""What each discourse cue of English does to the forest."""

from dataclasses import replace

import pytest

from operators.forest.grow import grow
from operators.forest.interface import Kind, Reason
from operators.forest.rules import RulesDecider
from tests.operators.forest.talks import last, messages, placed

HOTEL = (
    "U: Book me a hotel in Lisbon for May, please.",
    "A: The Alfama Inn has rooms.",
)
HOTEL_THEN_INVOICE = (
    *HOTEL,
    "U: Thanks. I also need to correct an invoice from the plumber.",
    "A: I have opened the invoice.",
)


def test_the_first_message_opens_a_tree():
    place = last("U: Hello!")
    assert (place.kind, place.parent, place.topic, place.branch) == (Kind.NEW_TREE, None, "m0", "m0")


def test_the_first_matter_after_a_greeting_stays_in_its_tree():
    assert (
        last("U: Hello!", "A: Good morning, how can I help?", "U: Can you find me a plumber?").topic == "m0"
    )


@pytest.mark.parametrize("feedback", ["Great, thanks!", "OK.", "That sounds good", "Bye, have a nice day"])
def test_feedback_continues(feedback):
    place = last(*HOTEL_THEN_INVOICE, f"U: {feedback}")
    assert (place.kind, place.reason, place.parent) == (Kind.CONTINUE, Reason.FEEDBACK, "m3")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which month do you travel in?", "The hotel is for October."),
        ("What is your surname, please", "Kowalczyk"),
        ("What kind of view would you like?", "I'd like some view of the river."),
        ("The capital of Peru is ____", "lima"),
    ],
)
def test_an_answer_continues_whatever_it_is_about(question, answer):
    place = last(*HOTEL_THEN_INVOICE, f"A: {question}", f"U: {answer}")
    assert (place.kind, place.reason, place.topic) == (Kind.CONTINUE, Reason.ANSWER, "m2")


@pytest.mark.parametrize(
    "opening",
    [
        "I also need to renew my passport.",
        "One more thing: my passport has expired.",
        "By the way, how long is a passport valid?",
        "Can you help me with a passport form?",
        "Great! Could you remind me to renew a passport?",
        "On another note, my passport has expired.",
    ],
)
def test_a_new_task_by_the_party_that_sets_topics_opens_a_tree(opening):
    place = last(*HOTEL, f"U: {opening}")
    assert (place.kind, place.parent) == (Kind.NEW_TREE, None)


def test_an_assistant_follows_topics_and_opens_none():
    place = last(*HOTEL, "A: I also need to mention a museum pass.")
    assert (place.kind, place.reason) == (Kind.CONTINUE, Reason.RESPONSE)


def test_a_new_task_may_come_after_an_answer_in_the_same_turn():
    place = last(*HOTEL, "A: May I confirm the booking?", "U: Yes please. And can you order a taxi for us?")
    assert place.kind is Kind.NEW_TREE


def test_a_task_is_put_in_before_the_answer():
    asked = (*HOTEL, "A: For how many people?")
    assert last(*asked, "U: Hold on, first let me check my savings balance.").kind is Kind.NEW_TREE


def test_instead_of_an_answer_a_question_about_another_topic_returns_there():
    asked = (*HOTEL_THEN_INVOICE, "A: Which item is wrong?")
    assert last(*asked, "U: Oh, how far is the hotel from the sea?").topic == "m0"


def test_after_an_invitation_there_is_nothing_to_answer():
    invited = (*HOTEL, "A: Is there anything else I can do for you?")
    assert last(*invited, "U: Translate a letter into Polish.").kind is Kind.NEW_TREE


def test_a_task_that_an_earlier_topic_is_about_returns_to_it():
    place = last(*HOTEL_THEN_INVOICE, "U: Please cancel the hotel in Lisbon.")
    assert (place.kind, place.parent, place.topic) == (Kind.RETURN, "m1", "m0")


@pytest.mark.parametrize(
    "words",
    [
        "Back to the hotel, is breakfast included?",
        "Let's go back to the first one.",
        "Returning to the Alfama Inn: does it have a lift?",
        "Speaking of the hotel, we arrive late.",
        "As for the hotel, a quiet room would be best.",
    ],
)
def test_going_back_returns_to_what_is_named(words):
    place = last(*HOTEL_THEN_INVOICE, f"U: {words}")
    assert (place.kind, place.topic, place.branch, place.parent) == (Kind.RETURN, "m0", "m0", "m1")


def test_getting_back_to_somebody_goes_nowhere():
    assert last(*HOTEL_THEN_INVOICE, "A: I will get back to you about it.").kind is Kind.CONTINUE


@pytest.mark.parametrize(
    "words", ["As I said about the hotel, it should be cheap.", "Pay it with the same card as for the hotel."]
)
def test_referring_to_another_topic_stays_and_keeps_the_link(words):
    place = last(*HOTEL_THEN_INVOICE, f"U: {words}")
    assert (place.topic, place.mentions) == ("m2", ("m0",))


@pytest.mark.parametrize(
    "words", ["Does it have a garage?", "Is that one far?", "Can you send them to me?", "What about June?"]
)
def test_what_needs_the_context_continues(words):
    assert last(*HOTEL, f"U: {words}").topic == "m0"


@pytest.mark.parametrize("words", ["What about another hotel instead?", "Or rather a hotel by the sea."])
def test_an_alternative_branches_at_the_turn_it_departs_from(words):
    talk = (*HOTEL, "U: Does it have a pool?", "A: Yes, on the roof.")
    place = last(*talk, f"U: {words}")
    assert (place.kind, place.parent, place.branch, place.topic) == (Kind.BRANCH, "m0", "m4", "m0")


def test_going_back_within_a_tree_branches_there_and_leaves_the_other_branch():
    talk = ("U: Plan a weekend in Porto with a hotel and a museum.", "A: The museum opens at ten.")
    talk = (*talk, "U: Does the museum have a cafe?", "A: A small one.")
    place = last(*talk, "U: Going back to the hotel, is it central?")
    assert (place.kind, place.parent, place.branch, place.topic) == (Kind.BRANCH, "m0", "m4", "m0")


def test_two_talks_of_one_country_stay_apart():
    places = placed(
        "U: I am planning a holiday in Japan. Which temples in Kyoto are worth seeing?",
        "A: Kiyomizu is lovely in spring.",
        "U: I also need to prepare a business trip to Japan, to visit our chip supplier.",
        "A: When do you meet the supplier?",
        "U: Next Tuesday.",
        "A: Noted.",
        "U: Going back to the temples, how many can I see in a day?",
    )
    assert [place.topic for place in places] == ["m0", "m0", "m2", "m2", "m2", "m2", "m0"]


def test_a_statement_of_its_own_after_a_settled_one_opens_a_tree():
    talk = ("U: My sister lives in Bergen.", "A: Understood.", "U: Oil prices fell sharply.")
    assert last(*talk).reason is Reason.NEW_STATEMENT


def test_a_matter_that_was_dismissed_is_not_returned_to():
    talk = (
        "U: Add 2 melons to the shopping list.", "A: Understood.",
        "U: Forget everything on the shopping list.", "A: Understood.",
        "U: Add 3 melons to the shopping list.",
    )  # fmt: skip
    assert [place.topic for place in placed(*talk)] == ["m0", "m0", "m0", "m0", "m4"]


def test_a_failed_request_stays_open_for_another_try():
    talk = (*HOTEL, "U: Please reserve a room there.", "A: Unfortunately that failed.")
    assert last(*talk, "U: Could you try at the Miramar?").topic == "m0"


def test_a_label_before_the_text_leads_back_to_its_topic():
    talk = (
        "U: Radio: a storm reaches Cork.",
        "A: Understood.",
        "U: Oil prices fell sharply.",
        "A: Understood.",
    )
    assert last(*talk, "U: Radio: ferries stay in port tonight.").topic == "m0"


def test_among_peers_everybody_sets_topics():
    talk = ("P: I bought a kayak.", "Q: Lovely, what colour?", "P: Red.")
    assert last(*talk, "Q: By the way, did your daughter pass her exam?").kind is Kind.NEW_TREE


def test_a_reply_hangs_under_the_message_that_it_names():
    *before, final = messages(*HOTEL_THEN_INVOICE, "U: Fully agreed.")
    _, places = grow([*before, replace(final, reply_to="m1")], RulesDecider())
    assert (places[-1].kind, places[-1].parent, places[-1].reason) == (Kind.RETURN, "m1", Reason.REPLY)
