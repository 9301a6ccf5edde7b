"""What a turn means in its dialogue."""

from state.model import Act, EventType
from tests.operators.distill.conversation import facets, last_turn, only_event


def test_i_and_you_are_the_speakers() -> None:
    assert facets("Ana: My cleaning is on Tuesday 20 January") == [
        ("Ana's cleaning", "date", "Tuesday 20 January")
    ]
    assert facets("Ana: Hello", "*Desk: Your cleaning is on Tuesday 20 January") == [
        ("Ana's cleaning", "date", "Tuesday 20 January")
    ]


def test_an_answer_takes_the_attribute_of_its_question() -> None:
    assert facets("*Bank: What's your full name?", "Ana: Sarah Brown")[0][1:] == ("full name", "Sarah Brown")
    assert facets("*Desk: For how many people?", "Ana: 4")[0][1:] == ("number of people", "4")
    assert facets("*Cab: Where are you leaving from?", "Ana: cactus club")[0][1:] == ("origin", "cactus club")


def test_a_yes_answers_a_yes_or_no_question_or_nothing() -> None:
    assert last_turn("Ana: Yes.").events == ()


def test_an_elliptical_change_takes_thing_and_attribute_from_context() -> None:
    first = "Ana: For the basket I need 12 eggs"
    assert facets(first, "*Shop: 12 eggs.", "Ana: Make it 18 eggs") == [("eggs", "quantity", "18 eggs")]
    assert facets(
        "Ana: Book the massage on 18 September at 15:00", "*Spa: Done.", "Ana: Make it 17:00 instead"
    ) == [("massage", "time", "17:00")]


def test_a_pronoun_takes_the_thing_from_context() -> None:
    event = only_event("Ana: Book the massage on Friday", "*Spa: Done.", "Ana: Please move it to Sunday")
    assert event.facet is not None
    assert (event.facet.entity, event.facet.attribute) == ("massage", "date")
    assert event.act is Act.CHANGE


def test_an_accepted_offer_is_adopted_with_both_messages_as_sources() -> None:
    event = only_event(
        "Ana: I need another day for my cleaning",
        "*Desk: I have Wednesday 28 January at 11:15 am open.",
        "Ana: That works, please put me down for it.",
    )
    assert event.act is Act.ADOPT
    assert event.facet is not None
    assert event.facet.value == "Wednesday 28 January at 11:15 am"
    assert event.sources == ("c/2", "c/3")
    assert event.type is EventType.STATE_CHANGE
    assert event.speaker == "Ana"


def test_an_offer_alone_is_no_fact_and_a_declined_one_is_none_either() -> None:
    offer = "*Desk: I have Wednesday 28 January at 11:15 am open."
    assert last_turn("Ana: Another day please", offer).events == ()
    assert all(e.act is not Act.ADOPT for e in last_turn(offer, "Ana: No, thanks").events)


def test_an_agent_that_reads_back_states_what_it_understood() -> None:
    found = facets("Ana: A table for 2 please", "*Desk: Please confirm: a table for 2 on Friday.")
    assert ("table", "date", "Friday") in found


def test_withdrawals_name_their_thing_or_mean_the_last_one() -> None:
    event = only_event("Ana: Book the massage on Friday", "*Spa: Done.", "Ana: Cancel the massage")
    assert event.act is Act.WITHDRAW
    assert event.facet is not None
    assert (event.facet.entity, event.facet.attribute) == ("massage", "")
    event = only_event("Ana: Put the study at 21 degrees", "*Home: Done.", "Ana: Forget that")
    assert event.facet is not None
    assert event.facet.entity == "study"


def test_another_partys_echo_gives_the_same_fact() -> None:
    said = facets("Ana: Move the cleaning to Thursday 22 January at 9:30 am")
    echoed = facets(
        "Ana: Move the cleaning to Thursday 22 January at 9:30 am",
        "*Desk: Moved. It's Thursday 22 January at 9:30 am.",
    )
    assert said == echoed


def test_going_back_gives_the_value_that_stood_before_the_change() -> None:
    talk = ["Ana: Book the massage on Friday", "*Spa: Done.", "Ana: Make it Sunday", "*Spa: Sunday it is."]
    event = only_event(*talk, "Ana: Actually, keep the first one after all")
    assert event.act is Act.RESTORE
    assert event.facet is not None
    assert (event.facet.entity, event.facet.value) == ("massage", "Friday")
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
        "Ana: The kitchen budget is 20k", "Ben: Noted.", "Ana: Because we only have 20k, we skip the oven"
    )
    assert ("kitchen", "budget", "20k") in said


def test_what_someone_is_called_is_no_name_of_what_is_looked_for() -> None:
    said = facets("Ana: My name is Ana Bell", "*Desk: Thank you.", "Ana: Actually, let's try Casa Verde")
    assert all(entity != "Ana" for entity, _, _ in said)


def test_a_search_names_what_it_looks_for_whatever_stands_before_it() -> None:
    assert facets("Ana: Can you find some alternatives in Lisbon?") == [("", "place", "Lisbon")]
    assert facets("Ana: Can you find other dentists in Lisbon?") == [("dentists", "place", "Lisbon")]


def test_the_turn_before_is_the_reason_that_a_back_reference_means() -> None:
    turn = last_turn("*Desk: The hall is on Friday.", "Ana: That's why we come on Friday.")
    (link,) = turn.links
    assert link.source == "told-in:c/1"
    assert last_turn("Ana: That's why we come on Friday.").links == ()
