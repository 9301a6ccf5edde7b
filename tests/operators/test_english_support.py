"""What people say to a support desk in English, and what of it stands at the end."""

import pytest

from operators.derive import derive
from operators.distill.rules import RULES as DISTILLER
from operators.relate.rules import RULES as RELATER
from tests.operators.distill.conversation import START, messages


def standing(*lines: str) -> list[tuple[str, str, str]]:
    """(entity, attribute, value) of what stands a year later, in the order of saying."""
    view = derive(messages(*lines), DISTILLER, RELATER)
    end = START.replace(year=START.year + 1)
    told = sorted(view.events, key=lambda event: event.place)
    return [
        (e.facet.entity, e.facet.attribute, e.facet.value)
        for e in told
        if e.facet is not None and view.timelines[e.id].value(end) == 1
    ]


@pytest.mark.parametrize(
    "change",
    [
        "My number is now 01632 960 146",
        "My new number is 01632 960 146",
        "My phone number changed to 01632 960 146",
    ],
)
def test_a_new_number_is_the_number(change: str) -> None:
    assert standing("Ola: My phone number is 01632 960 145.", f"Ola: I switched carrier. {change}.") == [
        ("Ola", "phone number", "01632 960 146")
    ]


def test_a_cancellation_with_a_pronoun_takes_back_what_was_spoken_of_last() -> None:
    held = standing(
        "Ola: The courier should ring me an hour before.",
        "Ola: I also bought a toaster. Please cancel that one.",
    )
    assert ("Ola", "ring", "an hour") in held
    assert ("toaster", "", "Please cancel that one.") in held


def test_a_cancelled_membership_stands_again_when_it_is_reinstated() -> None:
    lines = [
        "Ola: My membership fee is €30.",
        "Ola: I have to cancel my membership.",
        "*Desk: Your membership is cancelled.",
    ]
    before = standing(*lines)
    assert all(attribute != "fee" for _, attribute, _ in before)
    after = standing(*lines, "Ola: Please don't cancel it.", "*Desk: We have reinstated your membership.")
    assert [value for _, attribute, value in after if attribute == "fee"] == ["€30"]
    assert not any("cancelled" in value for _, _, value in after)


def test_a_refund_leaves_the_total_and_a_new_total_replaces_it() -> None:
    lines = ["*Desk: The total is £90.", "*Desk: A refund of £20 goes back to your card."]
    assert ("total", "price", "£90") in standing(*lines)
    held = standing(*lines, "*Desk: The total now comes to £75.")
    assert [value for _, attribute, value in held if attribute == "price"] == ["£75"]


def test_a_matter_of_its_own_leaves_the_delivery_date() -> None:
    held = standing("Ola: The delivery date is 5 June.", "Ola: I have to cancel the dentist on Tuesday.")
    assert ("Ola", "delivery date", "5 June") in held


def test_a_list_loses_the_one_that_is_named_and_gains_another() -> None:
    held = standing(
        "Ola: I'd like a lamp, a rug and two chairs.",
        "Ola: Leave out the rug.",
        "*Desk: I've removed the rug.",
        "Ola: Add a mirror and a shelf.",
    )
    goods = [value for _, attribute, value in held if attribute in ("item", "quantity")]
    assert "rug" not in goods
    assert [value for value in goods if "rug" not in value] == [
        "lamp", "two chairs", "mirror", "shelf",
    ]  # fmt: skip


def test_what_was_listed_long_before_is_taken_off_by_its_name() -> None:
    held = standing(
        "Ola: I ordered a lamp and a rug.",
        "Ola: My number is 555-0144.",
        "Ola: My address is 5 Elm Road, Cork.",
        "Ola: My email is a@b.com.",
        "Ola: My budget is $50.",
        "Ola: The door code is 5512.",
        "Ola: Remove the rug.",
    )
    assert ("Ola", "item", "lamp") in held
    assert ("Ola", "item", "rug") not in held
    assert ("Ola", "phone number", "555-0144") in held


def test_a_taste_is_no_order() -> None:
    assert standing("Ola: I like tea and coffee.") == [("Ola", "likes", "tea"), ("Ola", "likes", "coffee")]


@pytest.mark.parametrize(
    "change",
    [
        "Please send order 333 to Ghent.",
        "Send 333 to Ghent.",
        "Change the address of order 333 to Ghent.",
    ],
)
def test_what_is_changed_of_one_order_leaves_the_other(change: str) -> None:
    held = standing(
        "*Desk: Order 333 will be shipped to Oslo.",
        "*Desk: Order 444 will be shipped to Turin.",
        f"Ola: {change}",
    )
    assert [value for _, _, value in held] == ["Turin", "Ghent"]


def test_the_date_of_a_delivery_is_its_day_with_the_hour() -> None:
    held = standing(
        "*Desk: The delivery is booked for Thursday 9 April, between 8am and noon.",
        "*Desk: The new delivery date is Friday 17 April.",
    )
    assert [value for _, _, value in held] == ["Friday 17 April"]


def test_an_appointment_moved_and_confirmed_is_one() -> None:
    held = standing(
        "*Desk: Your fitting appointment is on Monday 4 May at 10am.",
        "Ola: Could we move it to Wednesday 6 May at 2pm?",
        "*Desk: Your appointment is now Wednesday 6 May at 2pm.",
        "Ola: Can we move the fitting to Thursday 7 May at 9am?",
    )
    assert [value for _, _, value in held] == ["Thursday 7 May at 9am"]


def test_a_code_tells_which_thing_and_is_no_other_thing() -> None:
    held = standing("Ola: I also ordered a toaster, TS-2040. I want to cancel that one.")
    assert held == [("toaster", "", "I want to cancel that one.")]


def test_a_service_that_says_it_cancelled_a_thing_takes_it_back() -> None:
    held = standing("*Desk: Order QA-2040 ships on 4 May.", "*Desk: I've cancelled order QA-2040.")
    assert all(value != "4 May" for _, _, value in held)


def test_what_is_cancelled_is_not_what_is_given_instead() -> None:
    held = standing(
        "Ola: I want the €40 voucher.", "*Desk: I cancelled the repair and applied the €40 voucher."
    )
    assert any(value == "€40" for _, _, value in held)


def test_an_account_of_what_is_so_replaces_nothing_of_a_thing_that_it_does_not_name() -> None:
    held = standing(
        "Ola: I'd like to fly on Saturday 6 June.", "*Desk: Noted.", "Ola: My sister left on Monday."
    )
    assert "Saturday 6 June" in [value for _, _, value in held]


def test_a_named_change_finds_the_value_that_was_given_without_the_name() -> None:
    held = standing("Ola: Saturday 6 June, please.", "*Desk: Noted.", "Ola: Change the visit date to 9 June.")
    assert [value for _, _, value in held] == ["9 June"]


def test_a_bare_name_takes_the_place_of_the_last_one_that_was_looked_for() -> None:
    held = standing(
        "Ola: Please book a table at the Magpie.",
        "*Desk: Unfortunately the Magpie has no tables available.",
        "Ola: How about the Heron?",
    )
    assert "Heron" in [value for _, _, value in held]
    assert "Magpie" not in [value for _, _, value in held]


def test_another_plan_that_is_accepted_replaces_the_one_that_one_has() -> None:
    held = standing(
        "Ola: I have an individual membership.",
        "*Desk: There's a family membership at £90. Would you like to switch to it?",
        "Ola: Yes, please.",
    )
    assert [value for _, attribute, value in held if attribute == "membership"] == ["family membership"]


@pytest.mark.parametrize("of", ["for", "of"])
def test_each_of_several_things_has_a_budget_of_its_own(of: str) -> None:
    held = standing(
        f"Ola: The budget {of} project 0 is 500 euros.",
        f"Ola: The budget {of} project 1 is 600 euros.",
        f"Ola: The budget {of} the kitchen is 800 euros.",
        f"Ola: The budget {of} project 0 is 700 euros.",
    )
    assert held == [
        ("project 1", "budget", "600 euros"),
        ("kitchen", "budget", "800 euros"),
        ("project 0", "budget", "700 euros"),
    ]


def test_the_budget_that_nobody_is_named_for_is_that_of_the_thing_it_was_said_of() -> None:
    held = standing(
        "Ola: For the kitchen, the budget is 30k.",
        *(
            "*Desk: Noted.",
            "Ola: The tiles are grey.",
            "*Desk: Grey.",
            "Ola: The sink is white.",
            "*Desk: White.",
        ),
        *("Ola: The lamp is green.", "*Desk: Green.", "Ola: Good news, the budget is 45k!"),
    )
    assert [value for _, attribute, value in held if attribute == "budget"] == ["45k"]


def test_when_something_happened_is_no_date_that_a_later_one_replaces() -> None:
    held = standing("Ola: And today a firm from Graz called me.", "Ola: No, I'll choose next week.")
    assert "today" in [value for _, _, value in held]
