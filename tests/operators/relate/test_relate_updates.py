"""What replaces, withdraws, restates, disputes or leaves alone what was said before (DESIGN §3)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from statements import at, disputed, edges, said, updated

from operators.distill.interface import Link
from state.model import Act, EdgeType, Event, EventType, Occurs, Precision, Role, UpdateMode

R, W = UpdateMode.REPLACES, UpdateMode.WITHDRAWS


def test_another_value_of_the_same_attribute_replaces():
    assert updated(
        said(2, "Nadia", "eggs", "quantity", "18 eggs", Act.CHANGE),
        [said(1, "Nadia", "eggs", "quantity", "12 eggs")],
    ) == [(R, 0)]


def test_the_value_and_its_restatement_are_replaced_together():
    earlier = [
        said(1, "Nadia", "eggs", "quantity", "12 eggs"),
        said(2, "Shop", "eggs", "quantity", "12 eggs"),
    ]
    assert updated(said(3, "Nadia", "eggs", "quantity", "18 eggs", Act.CHANGE), earlier) == [(R, 0), (R, 1)]


def test_only_the_standing_value_is_replaced():
    earlier = [
        said(1, "Nadia", "eggs", "quantity", "12 eggs"),
        said(2, "Nadia", "eggs", "quantity", "18 eggs", Act.CHANGE),
    ]
    assert updated(said(3, "Nadia", "eggs", "quantity", "6 eggs", Act.CHANGE), earlier) == [(R, 1)]


@pytest.mark.parametrize("again", ["18 eggs", "18", "eighteen eggs".replace("eighteen", "18"), "the 18 eggs"])
def test_a_restatement_changes_nothing(again: str):
    earlier = [
        said(1, "Nadia", "eggs", "quantity", "12 eggs"),
        said(2, "Nadia", "eggs", "quantity", "18 eggs", Act.CHANGE),
    ]
    assert updated(said(3, "Shop", "eggs", "quantity", again), earlier) == []


@pytest.mark.parametrize(
    ("entity", "attribute"),
    [("soy milk", "quantity"), ("eggs", "price"), ("Nadia's mother", "age")],
)
def test_another_thing_or_another_attribute_is_left_alone(entity: str, attribute: str):
    earlier = [
        said(1, "Nadia", "rice milk", "quantity", "1 litre"),
        said(1, "Nadia", "eggs", "quantity", "12", clause=1),
        said(1, "Nadia", "Nadia", "age", "31", clause=2),
    ]
    assert updated(said(2, "Nadia", entity, attribute, "2", Act.CHANGE), earlier) == []


def test_two_things_that_differ_by_a_letter_are_two():
    earlier = [
        said(1, "Ana", "parcel A", "price", "€9"),
        said(1, "Ana", "parcel B", "price", "€21", clause=1),
    ]
    assert updated(said(2, "Ana", "parcel B", "price", "€24", Act.CHANGE), earlier) == [(R, 1)]


def test_a_short_name_means_the_thing_spoken_of_last():
    earlier = [said(1, "Ana", "Hotel Mirador", "nights", "2"), said(2, "Ana", "Hotel Juniper", "nights", "3")]
    assert updated(said(3, "Ana", "hotel", "nights", "4", Act.CHANGE), earlier) == [(R, 1)]


def test_values_that_may_coexist_coexist():
    earlier = [said(1, "Sumire", "Sumire", "favourite cuisine", "Thai", many=True)]
    assert updated(said(2, "Sumire", "Sumire", "favourite cuisine", "Peruvian", many=True), earlier) == []
    assert updated(said(2, "Sumire", "Sumire", "favourite cuisine", "Peruvian", Act.ADD), earlier) == []


def test_removing_an_item_withdraws_that_item_only():
    earlier = [
        said(1, "Sumire", "list", "item", "milk", many=True),
        said(1, "Sumire", "list", "item", "bread", many=True, clause=1),
    ]
    assert updated(said(2, "Sumire", "list", "item", "milk", Act.REMOVE, many=True), earlier) == [(W, 0)]


def test_taking_back_the_last_change_leaves_what_it_replaced():
    earlier = [said(1, "Pri", "plan", "type", "single"), said(2, "Pri", "plan", "type", "family", Act.CHANGE)]
    assert updated(said(3, "Pri", "plan", "type", "", Act.WITHDRAW), earlier) == [(W, 1)]


def test_after_a_withdrawal_a_change_replaces_what_stands_again():
    earlier = [
        said(1, "Pri", "plan", "type", "single"),
        said(2, "Pri", "plan", "type", "family", Act.CHANGE),
        said(3, "Pri", "plan", "type", "", Act.WITHDRAW),
    ]
    assert updated(said(4, "Pri", "plan", "type", "student", Act.CHANGE), earlier) == [(R, 0)]


def test_the_words_of_a_withdrawal_are_not_the_value_it_takes():
    earlier = [said(1, "Nadia", "rice", "quantity", "1 kg")]
    assert updated(said(2, "Nadia", "rice", "quantity", "taken out", Act.WITHDRAW), earlier) == [(W, 0)]


def test_acknowledging_a_withdrawal_takes_back_nothing_more():
    earlier = [
        said(1, "Pri", "plan", "type", "single"),
        said(2, "Pri", "plan", "type", "family", Act.CHANGE),
        said(3, "Pri", "plan", "type", "", Act.WITHDRAW),
    ]
    assert updated(said(4, "Desk", "plan", "type", "", Act.WITHDRAW), earlier) == [(W, 1)]


def test_cancelling_the_whole_thing_withdraws_every_earlier_value():
    earlier = [
        said(1, "Bet", "massage", "time", "15:00"),
        said(2, "Bet", "massage", "time", "16:30", Act.CHANGE),
        said(3, "Bet", "massage", "therapist", "Noor"),
        said(4, "Bet", "haircut", "time", "10:00"),
    ]
    assert updated(said(5, "Bet", "massage", "", "", Act.WITHDRAW), earlier) == [(W, 0), (W, 1), (W, 2)]


def test_going_back_replaces_what_stood_in_between():
    earlier = [
        said(1, "Shao", "test db", "engine", "MySQL 8"),
        said(2, "Shao", "test db", "engine", "PostgreSQL 16", Act.CHANGE),
    ]
    assert updated(said(3, "Shao", "test db", "engine", "MySQL 8", Act.RESTORE), earlier) == [(R, 1)]


def test_a_value_taken_back_in_the_same_message_is_replaced_by_the_new_one():
    earlier = [
        said(1, "Sumire", "Sumire", "diet", "vegetarian"),
        said(2, "Sumire", "Sumire", "diet", "vegetarian", Act.WITHDRAW),
    ]
    assert updated(said(2, "Sumire", "Sumire", "diet", "pescatarian", clause=1), earlier) == [(R, 0)]


def test_another_partys_plain_statement_disputes():
    earlier = [said(1, "Petra", "gala", "guests", "145 guests")]
    event = said(2, "Emeka", "gala", "guests", "130 guests")
    assert (updated(event, earlier), disputed(event, earlier)) == ([], [0])


@pytest.mark.parametrize(
    "event",
    [
        said(2, "Emeka", "gala", "guests", "130 guests", Act.CHANGE),
        said(2, "Emeka", "gala", "guests", "130 guests", Act.ADOPT),
        said(2, "Emeka", "gala", "guests", "130 guests", kind=EventType.STATE_CHANGE),
        said(2, "Emeka", "gala", "guests", "130 guests", valid_from=at(600)),
        said(2, "Petra", "gala", "guests", "130 guests"),
    ],
)
def test_a_change_or_the_partys_own_new_value_replaces(event: Event):
    earlier = [said(1, "Petra", "gala", "guests", "145 guests")]
    assert (updated(event, earlier), disputed(event, earlier)) == ([(R, 0)], [])


def test_settling_a_dispute_replaces_ones_own_value_only():
    earlier = [said(1, "Petra", "gala", "guests", "145"), said(2, "Emeka", "gala", "guests", "130")]
    event = said(3, "Petra", "gala", "guests", "130")
    assert (updated(event, earlier), disputed(event, earlier)) == ([(R, 0)], [])


def test_another_partys_mention_of_an_old_value_does_not_bring_it_back():
    earlier = [
        said(1, "Nadia", "eggs", "quantity", "12"),
        said(2, "Nadia", "eggs", "quantity", "18", Act.CHANGE),
    ]
    event = said(3, "Shop", "eggs", "quantity", "12")
    assert (updated(event, earlier), disputed(event, earlier)) == ([], [])


def test_a_change_now_also_replaces_what_holds_until_a_later_change_begins():
    earlier = [
        said(1, "Desk", "tariff", "price", "31 cents"),
        said(2, "Desk", "tariff", "price", "29 cents", Act.CHANGE, valid_from=at(10_000)),
    ]
    assert updated(said(3, "Desk", "tariff", "price", "30 cents", Act.CHANGE), earlier) == [(R, 0), (R, 1)]


def _in(year: int) -> Occurs:
    return Occurs(
        str(year), Precision.YEAR, datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    )


def test_one_fact_in_two_disjoint_periods_keeps_both():
    earlier = [said(1, "Mia", "Mia", "home", "Rome", occurs=_in(2019))]
    assert updated(said(2, "Mia", "Mia", "home", "Bern", occurs=_in(2021)), earlier) == []
    assert updated(said(2, "Mia", "Mia", "home", "Bern", occurs=_in(2019)), earlier) == [(R, 0)]


def test_a_date_with_its_clock_time_restates_the_date():
    day = Occurs("Friday", Precision.DAY, datetime(2026, 3, 6, tzinfo=UTC), datetime(2026, 3, 7, tzinfo=UTC))
    hour = Occurs(
        "the 6th, 15:00",
        Precision.INSTANT,
        datetime(2026, 3, 6, 15, tzinfo=UTC),
        datetime(2026, 3, 6, 16, tzinfo=UTC),
    )
    earlier = [said(1, "Mia", "call", "date", "Friday", occurs=day)]
    assert updated(said(2, "Mia", "call", "date", "the 6th, 15:00", occurs=hour), earlier) == []


def test_two_values_in_one_message_stand_side_by_side_unless_one_is_a_change():
    earlier = [said(1, "Ana", "stay", "nights", "2")]
    assert updated(said(1, "Ana", "stay", "nights", "3", clause=1), earlier) == []
    assert updated(said(1, "Ana", "stay", "nights", "3", Act.CHANGE, clause=1), earlier) == [(R, 0)]


def test_chinese_values_and_things():
    earlier = [
        said(1, "唐颖", "子墨的围棋班", "上课日", "周二"),
        said(1, "唐颖", "子言的画画班", "上课日", "周四", clause=1),
        said(2, "教务", "子墨的围棋班", "上课日", "周二"),
    ]
    assert updated(said(3, "唐颖", "子墨的围棋班", "上课日", "周五", Act.CHANGE), earlier) == [(R, 0), (R, 2)]
    assert updated(said(3, "教务", "子言的画画班", "上课日", "周四"), earlier) == []


def test_a_denial_is_another_value():
    earlier = [said(1, "Yusuf", "stay", "parking", "included")]
    assert updated(said(2, "Yusuf", "stay", "parking", "not included"), earlier) == [(R, 0)]
    earlier = [said(1, "小冯", "洗碗机", "保修", "在保修期内")]
    assert updated(said(2, "小冯", "洗碗机", "保修", "不在保修期内"), earlier) == [(R, 0)]


def test_an_unnamed_thing_is_the_one_at_hand():
    earlier = [said(1, "Ana", "visa", "date", "4 May"), said(2, "Ana", "flight", "date", "6 May")]
    change = said(3, "Ana", "", "date", "7 May", Act.CHANGE, description="Ana: make it 7 May instead")
    assert updated(change, earlier) == [(R, 1)]


def test_a_party_has_no_date_of_its_own():
    earlier = [said(1, "Ana", "flight", "date", "6 May")]
    change = said(2, "Ana", "Ana", "date", "7 May", Act.CHANGE, description="Ana: I need it on 7 May instead")
    assert updated(change, earlier) == [(R, 0)]


def test_what_was_spoken_of_long_ago_is_not_at_hand():
    between = [said(i, "Ana", f"matter {i}x", "note", f"text {i}") for i in range(2, 12)]
    earlier = [said(1, "Ana", "flight", "date", "6 May"), *between]
    change = said(12, "Ana", "", "date", "7 May", Act.CHANGE, description="Ana: make it 7 May instead")
    assert updated(change, earlier) == []
    named = said(
        12, "Ana", "flight", "date", "7 May", Act.CHANGE, description="Ana: the flight on 7 May instead"
    )
    assert updated(named, earlier) == [(R, 0)]


def test_a_bare_value_answers_a_question_and_changes_nothing():
    earlier = [said(1, "Ana", "", "time", "5 pm", description="Ana: 5 pm")]
    assert updated(said(2, "Ana", "", "time", "7 pm", description="Ana: 7 pm"), earlier) == []


def test_a_service_that_reads_out_items_replaces_none():
    earlier = [said(1, "Desk", "flight", "price", "€90", role=Role.AGENT)]
    assert updated(said(2, "Desk", "flight", "price", "€120", role=Role.AGENT), earlier) == []
    changed = said(2, "Desk", "flight", "price", "€120", Act.CHANGE, role=Role.AGENT)
    assert updated(changed, earlier) == [(R, 0)]


def test_what_follows_from_a_stated_reason_is_a_change():
    old = said(1, "Desk", "account", "balance", "€90", role=Role.AGENT)
    reason = said(2, "Desk", "refund", "state", "paid", role=Role.AGENT)
    new = said(2, "Desk", "account", "balance", "€120", clause=1, role=Role.AGENT)
    link = Link(EdgeType.CAUSES, reason.id, new.id, 0.9, "so")
    made = {(e.type, e.target) for e in edges(new, [old, reason], [link])}
    assert (EdgeType.UPDATES, old.id) in made


def test_a_day_does_not_replace_a_place():
    earlier = [said(1, "Ana", "table", "place", "San Rafael")]
    assert updated(said(2, "Ana", "table", "place", "Friday", description="the table Friday"), earlier) == []


def test_a_date_and_a_clock_time_are_told_by_their_values():
    earlier = [said(1, "Ana", "viewing", "time", "Friday at 9 pm")]
    assert updated(said(2, "Ana", "viewing", "date", "Saturday", Act.CHANGE), earlier) == [(R, 0)]
    assert updated(said(2, "Ana", "viewing", "time", "10 pm", Act.CHANGE), earlier) == [(R, 0)]
    assert updated(said(2, "Ana", "viewing", "time", "21:00"), earlier) == []


def test_many_things_hold_of_a_person_until_one_is_denied():
    earlier = [
        said(1, "Sumire", "Sumire", "state", "vegetarian"),
        said(2, "Sumire", "Sumire", "state", "fond of tea"),
    ]
    assert updated(said(3, "Sumire", "Sumire", "state", "tired"), earlier) == []
    denial = said(3, "Sumire", "Sumire", "state", "not vegetarian any more", Act.CHANGE)
    assert updated(denial, earlier) == [(R, 0)]


def test_the_attribute_and_the_thing_may_be_split_in_another_way():
    earlier = [
        said(1, "Rafa", "bakery", "rent", "$1,450"),
        said(1, "Rafa", "garage", "rent", "$380", clause=1),
    ]
    change = said(
        2,
        "Rafa",
        "",
        "bakery rent",
        "$1,600",
        Act.CHANGE,
        description="Rafa: the bakery rent rises to $1,600",
    )
    assert updated(change, earlier) == [(R, 0)]


def test_goods_are_told_apart_by_what_is_counted():
    earlier = [
        said(1, "Nadia", "basket", "quantity of eggs", "12 eggs"),
        said(1, "Nadia", "basket", "quantity of lemons", "3 lemons", clause=1),
    ]
    assert updated(said(2, "Nadia", "", "quantity of eggs", "18 eggs", Act.CHANGE), earlier) == [(R, 0)]
    assert updated(said(2, "Nadia", "eggs", "", "", Act.WITHDRAW), earlier) == [(W, 0)]


def test_a_change_of_a_thing_new_by_name_bears_on_the_matter_at_hand():
    earlier = [said(1, "Ana", "West Bay venue", "date", "Friday")]
    assert updated(said(2, "Ana", "party", "date", "Sunday", Act.CHANGE), earlier) == [(R, 0)]
    known = [said(0, "Ana", "party", "host", "Ben"), *earlier]
    assert updated(said(2, "Ana", "party", "date", "Sunday", Act.CHANGE), known) == []


def test_a_change_that_names_the_value_it_ends_is_about_that_value():
    earlier = [said(1, "Ana", "lamp", "variant", "brass"), said(2, "Shop", "lamp", "price", "€40")]
    text = "Ana: make the colour green instead of brass"
    assert updated(said(9, "Ana", "", "colour", "green", Act.CHANGE, description=text), earlier) == [(R, 0)]
    other = said(9, "Ana", "sofa", "colour", "green", Act.CHANGE, description=text)
    assert updated(other, earlier) == []


def test_what_a_message_says_of_the_thing_that_it_changes_is_new_too():
    shop = {"role": Role.AGENT}
    price = said(1, "Shop", "crate", "price", "€40", **shop)
    more = said(3, "Shop", "crate", "quantity", "3 crates", Act.CHANGE, **shop)
    dearer = said(3, "Shop", "crate", "price", "€60", clause=1, description="the crate is €60", **shop)
    assert updated(dearer, [price, more]) == [(R, 0)]
    assert updated(dearer, [price]) == []


def test_another_name_looked_for_replaces_the_one_before():
    forno = said(1, "Ana", "", "name", "Il Forno")
    assert updated(said(2, "Ana", "", "name", "Bella Vista", Act.CHANGE), [forno]) == [(R, 0)]
    assert updated(said(2, "Ben", "", "name", "Bella Vista", Act.CHANGE), [forno]) == []


@pytest.mark.parametrize(
    ("owned", "thing", "attribute", "old", "new"),
    [
        ("delivery address", "delivery", "address", "1 Quay Street", "2 Mill Lane"),
        ("快递地址", "快递", "地址", "梧桐路18号", "青禾路66号"),
    ],
)
def test_what_a_party_has_and_what_its_thing_has_are_one(
    owned: str, thing: str, attribute: str, old: str, new: str
):
    change = said(2, "Ana", thing, attribute, new, Act.CHANGE)
    assert updated(change, [said(1, "Ana", "Ana", owned, old)]) == [(R, 0)]
    bens = replace(said(2, "Ana", "Ben", owned, new, Act.CHANGE), participants=("Ana", "Ben"))
    assert updated(bens, [said(1, "Ana", "Ana", owned, old)]) == []
