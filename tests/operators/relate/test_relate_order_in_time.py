"""Which happens first, where the text dates both."""

from datetime import UTC, datetime

from statements import edges, said

from state.model import EdgeType, Event, Occurs, Precision


def on(turn: int, thing: str, day: int) -> Event:
    words = f"{day} June"
    start, end = datetime(2026, 6, day, tzinfo=UTC), datetime(2026, 6, day + 1, tzinfo=UTC)
    return said(turn, "Mia", thing, "date", words, occurs=Occurs(words, Precision.DAY, start, end))


def order(event: Event, earlier: list[Event]) -> set[tuple[str, str]]:
    return {(e.source, e.target) for e in edges(event, earlier) if e.type is EdgeType.TEMPORAL_BEFORE}


def test_only_the_nearest_on_either_side_are_linked():
    first, second, late, later = on(1, "visa", 1), on(2, "flight", 3), on(3, "talk", 9), on(4, "party", 12)
    event = on(5, "hotel", 5)
    assert order(event, [first, second, late, later]) == {(second.id, event.id), (event.id, late.id)}


def test_times_that_overlap_have_no_order():
    assert order(on(2, "hotel", 5), [on(1, "flight", 5)]) == set()


def test_two_dates_of_one_appointment_are_not_two_happenings():
    assert order(on(2, "massage", 6), [on(1, "massage", 5)]) == set()


def test_a_vague_time_is_never_a_bound():
    vague = said(1, "Mia", "trip", "plan", "Oslo", occurs=Occurs("soon", Precision.VAGUE))
    assert order(on(2, "hotel", 5), [vague]) == set()
    assert (
        order(said(2, "Mia", "x", "y", "z", occurs=Occurs("soon", Precision.VAGUE)), [on(1, "hotel", 5)])
        == set()
    )
