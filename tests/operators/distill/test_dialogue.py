"""What a turn means in its dialogue."""

import pytest

from state.model import Act, EdgeType, EventType
from tests.operators.distill.conversation import facets, last_turn, only_event


def test_i_and_you_are_the_speakers() -> None:
    assert facets("Ana: My rehearsal is on Monday 9 February") == [
        ("Ana's rehearsal", "date", "Monday 9 February")
    ]
    assert facets("Ana: Hello", "*Desk: Your rehearsal is on Monday 9 February") == [
        ("Ana's rehearsal", "date", "Monday 9 February")
    ]


def test_an_answer_takes_the_attribute_of_its_question() -> None:
    assert facets("*Bank: What's your full name?", "Ana: Sarah Brown")[0][1:] == ("full name", "Sarah Brown")
    assert facets("*Desk: For how many people?", "Ana: 4")[0][1:] == ("number of people", "4")
    assert facets("*Cab: Where are you leaving from?", "Ana: cactus club")[0][1:] == ("origin", "cactus club")


def test_a_yes_answers_a_yes_or_no_question_or_nothing() -> None:
    assert last_turn("Ana: Yes.").events == ()


def test_an_elliptical_change_takes_thing_and_attribute_from_context() -> None:
    first = "Ana: For the soup I need 6 leeks"
    assert facets(first, "*Shop: 6 leeks.", "Ana: Make it 9 leeks") == [("leeks", "quantity", "9 leeks")]
    assert facets(
        "Ana: Book the canoe on 4 October at 10:30", "*Hire: Done.", "Ana: Make it 12:45 instead"
    ) == [("canoe", "time", "12:45")]


def test_a_pronoun_takes_the_thing_from_context() -> None:
    event = only_event("Ana: Book the canoe on Friday", "*Hire: Done.", "Ana: Please move it to Sunday")
    assert event.facet is not None
    assert (event.facet.entity, event.facet.attribute) == ("canoe", "date")
    assert event.act is Act.CHANGE


def test_an_accepted_offer_is_adopted_with_both_messages_as_sources() -> None:
    event = only_event(
        "Ana: I need another day for my rehearsal",
        "*Desk: I have Monday 2 February at 4:45 pm free.",
        "Ana: Great, please sign me up for it.",
    )
    assert event.act is Act.ADOPT
    assert event.facet is not None
    assert event.facet.value == "Monday 2 February at 4:45 pm"
    assert event.sources == ("c/2", "c/3")
    assert event.type is EventType.STATE_CHANGE
    assert event.speaker == "Ana"


@pytest.mark.parametrize(
    "answer",
    [
        "That suits me, please book me in for it.",
        "That works, please put my name down for it.",
        "That works, put my name on it.",
        "Lovely, let's go with that. Reserve it for us!",
    ],
)
def test_an_offer_that_is_taken_twice_over_is_adopted_once(answer: str) -> None:
    event = only_event(
        "Ines: Is the pottery class open on another day?",
        "*Studio: I have Thursday 7 May at 6:15 pm free.",
        f"Ines: {answer}",
    )
    assert event.act is Act.ADOPT
    assert event.facet is not None
    assert event.facet.value == "Thursday 7 May at 6:15 pm"


def test_to_enter_ones_name_somewhere_says_nothing_of_the_name() -> None:
    assert facets("Ines: Put my name on the waiting list.") == []


def test_an_offer_alone_is_no_fact_and_a_declined_one_is_none_either() -> None:
    offer = "*Desk: I have Monday 2 February at 4:45 pm free."
    assert last_turn("Ana: Another day please", offer).events == ()
    assert all(e.act is not Act.ADOPT for e in last_turn(offer, "Ana: No, thanks").events)


def test_an_agent_that_reads_back_states_what_it_understood() -> None:
    found = facets("Ana: A table for 2 please", "*Desk: Please confirm: a table for 2 on Friday.")
    assert ("table", "date", "Friday") in found


def test_withdrawals_name_their_thing_or_mean_the_last_one() -> None:
    event = only_event("Ana: Book the canoe on Friday", "*Hire: Done.", "Ana: Cancel the canoe")
    assert event.act is Act.WITHDRAW
    assert event.facet is not None
    assert (event.facet.entity, event.facet.attribute) == ("canoe", "")
    event = only_event("Ana: Put the greenhouse at 12 degrees", "*Home: Done.", "Ana: Forget that")
    assert event.facet is not None
    assert event.facet.entity == "greenhouse"


def test_another_partys_echo_gives_the_same_fact() -> None:
    said = facets("Ana: Move the rehearsal to Saturday 31 January at 6:15 pm")
    echoed = facets(
        "Ana: Move the rehearsal to Saturday 31 January at 6:15 pm",
        "*Desk: Moved. It's Saturday 31 January at 6:15 pm.",
    )
    assert said == echoed


def test_going_back_gives_the_value_that_stood_before_the_change() -> None:
    talk = ["Ana: Book the canoe on Friday", "*Hire: Done.", "Ana: Make it Sunday", "*Hire: Sunday it is."]
    event = only_event(*talk, "Ana: Actually, keep the first one after all")
    assert event.act is Act.RESTORE
    assert event.facet is not None
    assert (event.facet.entity, event.facet.value) == ("canoe", "Friday")
    event = only_event(*talk, "Ana: Let's stick with the original date")
    assert event.facet is not None
    assert event.facet.value == "Friday"


def test_what_a_change_put_out_can_be_gone_back_to_by_its_name() -> None:
    talk = ["Ana: Please make the colour green instead of blue", "*Shop: The lamp is in green now."]
    assert facets(*talk) == [("lamp", "colour", "in green")]
    assert facets(*talk, "Ana: One more thing: keep the blue after all") == [("", "colour", "blue")]


def test_undoing_the_change_takes_back_the_last_change() -> None:
    event = only_event(
        "Ana: Hello", "*Gym: You're switched to the yearly plan.", "Ana: Please undo the switch"
    )
    assert event.act is Act.WITHDRAW
    assert event.facet is not None
    assert (event.facet.entity, event.facet.attribute) == ("Ana", "plan")


def test_a_reason_that_repeats_a_known_value_states_that_fact_again() -> None:
    said = facets(
        "Ana: The garden budget is 12k", "Ben: Noted.", "Ana: Because all we have is 12k, we skip the pond"
    )
    assert ("garden", "budget", "12k") in said


def test_what_someone_is_called_is_no_name_of_what_is_looked_for() -> None:
    said = facets("Ana: My name is Ana Bell", "*Desk: Thank you.", "Ana: Actually, let's try Taberna Azul")
    assert all(entity != "Ana" for entity, _, _ in said)


def test_a_search_names_what_it_looks_for_whatever_stands_before_it() -> None:
    assert facets("Ana: Can you find some alternatives in Lisbon?") == [("", "place", "Lisbon")]
    assert facets("Ana: Can you find other dentists in Lisbon?") == [("dentists", "place", "Lisbon")]


def test_the_turn_before_is_the_reason_that_a_back_reference_means() -> None:
    turn = last_turn("*Desk: The hall is on Friday.", "Ana: That's why we come on Friday.")
    (link,) = (link for link in turn.links if link.type is EdgeType.CAUSES)
    assert link.source == "told-in:c/1"
    assert last_turn("Ana: That's why we come on Friday.").links == ()


def test_the_name_that_a_service_asks_for_is_the_customers() -> None:
    lines = ("Ana: I need a vet for my cat Miso.", "*Vet: May I have your name, please?", "Ana: Ana Bell")
    assert facets(*lines) == [("Ana", "name", "Ana Bell")]


def test_what_is_said_to_a_service_that_cannot_do_what_it_was_asked_is_a_change() -> None:
    asked = ("Ana: A table for Friday at 6 pm, please.", "*Bistro: Unfortunately 6 pm is not available.")
    assert only_event(*asked, "Ana: 8 pm then.").act is Act.CHANGE
    granted = ("Ana: A table for Friday at 6 pm, please.", "*Bistro: Until when?")
    assert only_event(*granted, "Ana: 8 pm then.").act is Act.STATE


def test_an_offered_thing_of_a_kind_that_one_has_is_adopted_as_another_of_that_kind() -> None:
    turn = last_turn(
        "Ana: I have a basic plan.",
        "*Gym: There's a family plan at £90. Would you like to switch to it?",
        "Ana: Yes, please.",
    )
    adopted = [(e.act, e.facet.attribute, e.facet.value) for e in turn.events if e.facet is not None]
    assert adopted == [(Act.ADOPT, "plan", "family plan")]


def test_what_is_offered_of_a_kind_that_nobody_has_is_no_fact_when_it_is_taken() -> None:
    turn = last_turn(
        "Ana: Hello", "*Gym: There's a family plan at £90. Shall I book it?", "Ana: Yes, please."
    )
    assert all(e.facet is None for e in turn.events)


def test_what_a_service_has_not_is_no_question_that_the_next_words_answer() -> None:
    said = facets("*Clinic: Dr. Osei has no appointment available at 5 pm.", "Ana: Oh bother.")
    assert said == []


def test_what_is_gone_is_taken_back() -> None:
    assert only_event("Ana: The oven shows error 17.", "Ana: Error 17 is gone.").act is Act.WITHDRAW
