"""When a thing happens or begins to hold, as far as a model is believed."""

from datetime import UTC, datetime
from typing import Any

import pytest

from operators.llm.refusal import Refusal
from state.model import Event, Occurs, Precision
from tests.operators.distill.conversation import messages
from tests.operators.distill.tellings import TALK, only, taken, told

R = Refusal


def when(line: str, **fields: Any) -> tuple[Event, list[str]]:
    (turn,) = messages(f"Maya: {line}")  # sent on Monday 12 January 2026
    fields = {"precision": "day", **fields}
    (event,), refused = taken(told(quote=line, value="", when=fields), turn=turn, context=[])
    return event, refused


class TestATime:
    def test_is_reckoned_by_the_rules_from_its_words(self) -> None:
        event, refused = when(
            "I fly next Friday", words="next Friday", start="2031-01-01T00:00Z", end="2031-01-02T00:00Z"
        )
        assert event.occurs is not None
        assert event.occurs.start is not None
        assert event.occurs.start.year == 2026
        assert refused == []

    @pytest.mark.parametrize("words", ["soon", "one day"])
    def test_that_is_vague_has_no_bounds(self, words: str) -> None:
        event, refused = when(
            f"I'll move {words}", words=words, start="2026-01-13T00:00Z", end="2026-01-14T00:00Z"
        )
        assert event.occurs is not None
        assert (event.occurs.precision, event.occurs.start, event.occurs.end) == (Precision.VAGUE, None, None)
        assert refused == [R.VAGUE_BOUND]

    def test_that_names_no_date_has_no_bounds_whatever_the_model_says(self) -> None:
        event, refused = when(
            "I'll call once the dust settles",
            words="once the dust settles",
            start="2026-01-13T00:00Z",
            end="2026-01-14T00:00Z",
        )
        assert event.occurs is not None
        assert event.occurs.start is None
        assert refused == [R.VAGUE_BOUND]

    def test_that_the_rules_cannot_read_may_have_the_models_bounds(self) -> None:
        event, refused = when(
            "We meet the weekend after Easter",
            words="the weekend after Easter",
            start="2026-04-11T00:00:00+02:00",
            end="2026-04-13T00:00:00+02:00",
        )
        assert event.occurs is not None
        assert event.occurs.end == datetime(2026, 4, 12, 22, tzinfo=UTC)
        assert refused == []

    def test_without_bounds_keeps_its_words(self) -> None:
        event, refused = when("I'll call once the dust settles", words="once the dust settles")
        assert event.occurs == Occurs("once the dust settles", Precision.VAGUE)
        assert refused == []

    @pytest.mark.parametrize(
        ("start", "end"),
        [
            ("2026-04-13T00:00Z", "2026-04-11T00:00Z"),
            ("next spring", "2026-04-11T00:00Z"),
            ("2026-04-11T00:00Z", None),
            ("0001-01-01T00:00+14:00", "2026-04-11T00:00Z"),
            ("2026-04-11T00:00Z", "9999-12-31T23:59:59.999999Z"),
            ("9026-04-11T00:00Z", "9026-04-12T00:00Z"),
        ],
    )
    def test_needs_bounds_that_are_some(self, start: str, end: str | None) -> None:
        event, refused = when(
            "We meet the weekend after Easter", words="the weekend after Easter", start=start, end=end
        )
        assert event.occurs is not None
        assert event.occurs.start is None
        assert refused == [R.BAD_TIME]

    def test_must_be_told_by_the_messages(self) -> None:
        event, refused = when("I fly next Friday", words="next Monday")
        assert event.occurs is None
        assert refused == [R.UNSAID_TIME]

    def test_in_a_cited_message_counts_from_when_that_was_sent(self) -> None:
        event = only(
            quote="that works",
            also=[TALK[1].id],
            value="10:00",
            when={"words": "Thursday", "precision": "day"},
        )
        assert event.occurs is not None
        assert event.occurs.start == datetime(2026, 1, 15, tzinfo=UTC)


class TestADateFromWhichItHolds:
    def since(self, line: str, words: str) -> tuple[Event, list[str]]:
        (turn,) = messages(f"Maya: {line}")
        (event,), refused = taken(told(quote=line, value="", since=words), turn=turn, context=[])
        return event, refused

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("From 1 May the rent is higher", "From 1 May"),
            ("The rent is higher from 1 May", "1 May"),
            ("房租从5月1日起涨", "从5月1日起"),
        ],
    )
    def test_is_reckoned_from_the_words(self, line: str, words: str) -> None:
        event, refused = self.since(line, words)
        assert event.valid_from == datetime(2026, 5, 1, tzinfo=UTC)
        assert refused == []

    @pytest.mark.parametrize(
        ("words", "reason"),
        [("soon", R.VAGUE_BOUND), ("on Mars", R.NO_DATE), ("1 June", R.UNSAID_TIME)],
    )
    def test_is_never_a_vague_one(self, words: str, reason: Refusal) -> None:
        event, refused = self.since("The rent rises soon, on Mars", words)
        assert event.valid_from == event.stated_at
        assert refused == [reason]
