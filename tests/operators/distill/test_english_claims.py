"""Which thing, attribute and value an English clause gives."""

import pytest

from operators.distill.english import ENGLISH


def claims(text: str) -> list[tuple[str, str, str]]:
    return [(c.entity, c.attribute, c.value) for clause in ENGLISH.read(text).clauses for c in clause.claims]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The bakery rent is 1,450", ("bakery", "rent", "1,450")),
        ("Garden budget 6,100.", ("Garden", "budget", "6,100")),
        ("My PIN is 5380", ("my", "pin", "5380")),
        ("The start date is 3 March", ("", "start date", "3 March")),
        ("crate F is 35 kg", ("crate F", "weight", "35 kg")),
        ("Villa Rosa comes to €420", ("Villa Rosa", "price", "€420")),
    ],
)
def test_a_label_before_its_value(text: str, claim: tuple[str, str, str]) -> None:
    assert claim in claims(text)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Move the rehearsal to Friday", ("rehearsal", "date", "Friday")),
        ("Please put the canoe at 12:45", ("canoe", "time", "12:45")),
        ("Book a table for 4", ("table", "number of people", "4")),
        ("I need it until 9 March", ("it", "end", "9 March")),
        ("Deliver the cake to Linden Court", ("cake", "destination", "Linden Court")),
        ("I need a hotel in Porto", ("hotel", "place", "Porto")),
        ("I want a flight from Oslo to Rome", ("flight", "origin", "Oslo")),
        ("Keep the greenhouse at 12 degrees", ("greenhouse", "temperature", "12 degrees")),
    ],
)
def test_a_role_told_by_a_preposition(text: str, claim: tuple[str, str, str]) -> None:
    assert claim in claims(text)


def test_counted_things_are_quantities_of_themselves() -> None:
    assert claims("For Monday's picnic we want 3 bottles of apple juice, 20 rolls and 500 g of ham") == [
        ("picnic", "quantity of apple juice", "3 bottles of apple juice"),
        ("picnic", "quantity of rolls", "20 rolls"),
        ("picnic", "quantity of ham", "500 g of ham"),
    ]


def test_heads_are_counted_whatever_they_are_called() -> None:
    assert claims("It's for 130 guests")[0][1] == claims("It's for 130 people")[0][1] == "number of people"


def test_a_state_of_a_thing() -> None:
    assert claims("The railing is loose") == [("railing", "state", "loose")]
    assert claims("I'm not vegan") == [("I", "state", "not vegan")]
    assert claims("Crate 7718-40 has shipped") == [("Crate 7718-40", "state", "shipped")]


def test_a_passing_feeling_is_no_state() -> None:
    assert claims("I'm sorry about that") == []
    assert claims("I'm thankful for your help") == []


def test_likes_may_stand_side_by_side() -> None:
    clause = ENGLISH.read("I love Thai food").clauses[0]
    assert [(c.attribute, c.value, c.many) for c in clause.claims] == [("likes", "Thai food", True)]


def test_a_vague_time_is_no_value() -> None:
    assert claims("I'd like to come soon") == []


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Make it 5 tents rather than 4", "4"),
        ("Open on 9 June instead of 6 June", "6 June"),
        ("crate F is 35 kg, not 28", "28"),
    ],
)
def test_what_is_said_to_be_gone(text: str, gone: str) -> None:
    assert ENGLISH.read(text).clauses[-1].old_value == gone


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I'd like to order the lamp in brass, please", ("lamp", "variant", "brass")),
        ("The Fjord desk in oak costs €420.", ("Fjord desk", "price", "€420")),
        ("The parcel weighs 3 kg", ("parcel", "weight", "3 kg")),
        ("The museum has declared crate 3307-52 missing", ("crate 3307-52", "state", "missing")),
        ("The parcel is in transit", ("parcel", "state", "in transit")),
        ("Could you make the colour walnut instead of oak?", ("", "colour", "walnut")),
        ("We've switched to the yearly plan", ("We", "plan", "yearly plan")),
        ("The porch heater is on, owner Imani", ("porch heater", "owner", "Imani")),
        ("New course, Clay Basics: fee $80", ("Clay Basics", "fee", "$80")),
        ("due to these 3 repairs £75 is owed", ("", "price", "£75")),
        ("My address is 14 Harbour Street, Bergen.", ("my", "address", "14 Harbour Street, Bergen")),
    ],
)
def test_what_is_said_of_a_thing(text: str, claim: tuple[str, str, str]) -> None:
    found = [(c.entity, c.attribute, c.value) for c in ENGLISH.read(text).clauses[0].claims]
    assert claim in found
    assert len(found) == 1 or claim[1] == "owner"


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("My number is now 01632 960 145", ("my", "phone number", "01632 960 145")),
        ("Our mobile has changed to 020 7946 0018", ("our", "phone number", "020 7946 0018")),
        ("Our new number is 01 44 27 00 13", ("our", "phone number", "01 44 27 00 13")),
        ("Pia has a new phone number, 555-0163", ("Pia", "phone number", "555-0163")),
        ("We moved, our new address is 8 Q Lane, Cork", ("our", "address", "8 Q Lane, Cork")),
        ("The new pickup date is 5 June", ("", "pickup date", "5 June")),
        ("Your new total is $88", ("your total", "price", "$88")),
    ],
)
def test_that_a_value_is_new_is_no_part_of_its_name(text: str, claim: tuple[str, str, str]) -> None:
    assert claims(text) == [claim]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The deposit of €60 was paid", ("", "deposit", "€60")),
        ("We can give you a $15 voucher", ("", "voucher", "$15")),
        ("Your refund is £12", ("your", "refund", "£12")),
    ],
)
def test_money_that_passes_besides_the_price_has_its_own_name(text: str, claim: tuple[str, str, str]) -> None:
    assert claims(text) == [claim]


REASONS = [
    "Because of",
    "Due to",
    "Owing to",
    "Thanks to",
    "On account of",
    "As a result of",
    "In view of",
    "By reason of",
]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_in_front_is_no_part_of_what_follows_from_it(reason: str) -> None:
    assert claims(f"{reason} the 9 days of frost €65 is due.") == [("", "price", "€65")]
    assert claims(f"{reason} the frost, the pond is closed.") == [("pond", "state", "closed")]


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_behind_is_no_part_of_what_it_explains(reason: str) -> None:
    assert claims(f"The price is €65 {reason.lower()} the 9 days.") == [("", "price", "€65")]
    assert claims(f"The pond is closed {reason.lower()} the frost.") == [("pond", "state", "closed")]


@pytest.mark.parametrize(
    "front", ["After the last 6 lessons", "After our first 3 weeks", "For the next two visits"]
)
def test_a_number_behind_a_word_of_order_belongs_to_the_phrase_in_front(front: str) -> None:
    assert claims(f"{front} $390 is due") == [("", "price", "$390")]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Kestrel Books: rent 2k", ("Kestrel Books", "rent", "2k")),
        ("Kestrel Books: rent is 2k", ("Kestrel Books", "rent", "2k")),
        ("Rent is 2k.", ("", "rent", "2k")),
        ("Order KX-204: visit €40", ("Order KX-204", "visit", "€40")),
        ("Rent a van for $40", ("van", "price", "$40")),
        ("Pay $30.", ("", "price", "$30")),
    ],
)
def test_a_word_in_front_of_a_sum_is_its_name_unless_it_is_a_verb_of_paying(
    text: str, claim: tuple[str, str, str]
) -> None:
    assert claims(text) == [claim]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("The bus leaving at 8:15 am is full", ("bus", "time", "8:15 am")),
        ("Leaving on Friday", ("", "date", "Friday")),
        ("Booked: the handover on Friday in room Oak", ("handover", "place", "room Oak")),
    ],
)
def test_a_deed_is_no_thing_that_has_a_value(text: str, claim: tuple[str, str, str]) -> None:
    assert claim in claims(f"{text}.")
