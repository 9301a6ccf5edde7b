"""Recorded edges before the rules of admission, and the calls that their system would have made."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from evaluation.calls import BATCH, Published, Talk, published
from evaluation.recorded import Record
from operators.llm.refusal import Refusal
from state.model import Message, Role, Subject

LINES = {
    1: ("Ines: The team meets on Tuesday.", "Ben: Good to know.", "Ines: I play chess."),
    2: ("Ines: The team now meets on Thursday.", "Ben: I work in Lyon.", "Ines: See you!"),
}


def talk() -> list[Message]:
    start = datetime(2026, 3, 2, 9, tzinfo=UTC)
    return [
        Message(
            subject=Subject("t", "talk"),
            conversation="talk",
            id=f"talk/D{session}:{number}",
            role=Role.PEER,
            speaker=line.partition(": ")[0],
            content=line.partition(": ")[2],
            sent_at=start + timedelta(days=session, seconds=number),
        )
        for session, lines in LINES.items()
        for number, line in enumerate(lines, start=1)
    ]


def event(key: str, session: int, text: str, *people: str) -> dict[str, Any]:
    return {
        "id": key,
        "state_change": text,
        "session_id": f"sess_0_{session}",
        "participants": list(people or ("Ines",)),
    }


EVENTS = [
    event("tuesday", 1, "The team meets on Tuesday"),
    event("chess", 1, "Ines plays chess"),
    event("thursday", 2, "The team now meets on Thursday"),
    event("lyon", 2, "Ben works in Lyon", "Ben"),
    event("bye", 2, "Ines and Ben said goodbye", "Ines", "Ben"),
]


def verdict(source: str, target: str, kind: str = "updates") -> str | None:
    edges = [
        {"type": kind, "source": source, "target": target},
        {"type": "causes", "source": "x", "target": "y"},
    ]
    record = Record({"locomo_sample_id": "talk", "events": EVENTS, "edges": edges}, talk())
    (one,) = record.verdicts()
    return one.why


class TestARecordedUpdate:
    def test_stands_where_the_messages_bear_it_out(self) -> None:
        assert verdict("thursday", "tuesday") is None

    def test_falls_where_the_earlier_statement_is_to_replace_the_later(self) -> None:
        assert verdict("tuesday", "thursday") == Refusal.AGAINST_ORDER

    def test_falls_where_one_is_only_a_farewell(self) -> None:
        assert verdict("bye", "tuesday") == Refusal.SOCIAL

    def test_falls_where_the_two_are_of_different_things(self) -> None:
        assert verdict("lyon", "chess") in (Refusal.OTHER_THING, Refusal.OTHER_ATTRIBUTE)


class TestTheCalls:
    def test_of_the_published_system_are_one_a_session_an_event_and_a_candidate(self) -> None:
        # Of the candidates: one for chess, two for Thursday, none for Lyon, four for the farewell.
        assert published({"events": EVENTS, "sessions": [1, 2]}) == Published(2, 5, least=7, most=14)

    def test_of_the_published_system_are_capped_an_event(self) -> None:
        many = [event(str(n), 1, "x") for n in range(30)]
        candidates = sum(range(10)) + 20 * 10
        assert published({"events": many, "sessions": [1]}).most == 1 + 30 + candidates

    @pytest.mark.parametrize(("quiet", "groups"), [(None, [3, 3]), (60, [3, 3]), (0, [1] * 6)])
    def test_of_stet_cover_what_waits_when_a_conversation_goes_quiet(
        self, quiet: int | None, groups: list[int]
    ) -> None:
        assert [len(group) for group in Talk(talk()).groups(quiet)] == groups

    def test_of_stet_are_at_most_two_for_a_session_of_twenty_messages(self) -> None:
        one = talk()[0]
        session = [
            Message(
                one.subject,
                one.conversation,
                f"talk/D1:{n}",
                one.role,
                one.speaker,
                f"I have {n} coats.",
                one.sent_at + timedelta(seconds=n),
            )
            for n in range(BATCH)
        ]
        counted = Talk(session)
        (group,) = counted.groups(None)
        cost = counted.calls(group)
        assert (cost.messages, cost.distill, cost.relate, cost.calls) == (20, 1, 1, 2)
