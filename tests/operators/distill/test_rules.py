"""The rules distiller as a whole: identity, times, limits, and that no text breaks it."""

# ruff: noqa: SIM905  (a text to draw words from)

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.distill.chinese import CHINESE
from operators.distill.english import ENGLISH
from operators.distill.interface import CONTEXT_TURNS, TOLD_IN
from operators.distill.rules import MAX_DESCRIPTION, MAX_EVENTS, RULES, language
from state.identity import event_id
from state.model import Act, Message, Precision, Role, Subject
from tests.operators.distill.conversation import last_turn, messages, only_event

DATA = Path(__file__).parents[4] / "shared" / "data"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Hello!",
        "Thanks, bye.",
        "When is my rehearsal?",
        "If we lived in Porto, I'd need a bus pass.",
    ],
)
def test_nothing_said_makes_no_event(text: str) -> None:
    assert last_turn(f"Ana: {text}").events == ()


def test_ids_come_from_content_and_differ_within_a_turn() -> None:
    turn = messages("Ana: I need 6 leeks and 2 bags of flour")[-1]
    events = RULES.distill(turn, []).events
    assert len({event.id for event in events}) == len(events) == 2
    assert [e.id for e in events] == [event_id(turn.subject, e.sources, e.description) for e in events]


def test_a_date_is_resolved_against_the_day_it_was_said() -> None:
    event = only_event("Ana: Move the rehearsal to tomorrow")
    assert event.occurs is not None
    assert event.occurs.start == datetime(2026, 1, 13, tzinfo=UTC)
    assert event.valid_from == event.stated_at


def test_an_effective_date_bounds_validity() -> None:
    event = next(
        e for e in last_turn("Ana: From 5 May I'd like to pay €15 a week").events if e.facet is not None
    )
    assert event.valid_from == datetime(2026, 5, 5, tzinfo=UTC)


def test_a_vague_time_bounds_nothing() -> None:
    for event in last_turn("Ana: I'll send the form soon").events:
        assert event.valid_from == event.stated_at
        assert event.occurs is None or event.occurs.precision is Precision.VAGUE


def test_a_stated_reason_is_a_link_between_events_of_the_turn() -> None:
    made = last_turn("Ana: The twins are hungry, so make it 9 leeks")
    (link,) = made.links
    assert (link.source, link.target) == (made.events[0].id, made.events[1].id)


def test_the_speaker_comes_first_among_the_participants() -> None:
    event = only_event("*Desk: Hello Ana", "Ana: Move the rehearsal to Friday")
    assert event.participants == ("Ana", "Desk")


def test_a_text_is_read_in_its_own_language() -> None:
    assert language("把预约改到 3 点 Villa Rosa") is CHINESE
    assert language("Call Li 李 tomorrow about the invoice") is ENGLISH


def test_an_essay_gives_few_events() -> None:
    essay = "You told me that your budget is $900. " + "Water boils at 100 degrees in 3 minutes. " * 200
    assert len(last_turn("Ana: Tell me about tea", f"*Bot: {essay}").events) <= 4


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=200) | st.lists(
    st.sampled_from(
        "I you my the cancel move to make it 5 eggs Friday 9 am , . ? ! because so since if "
        "instead of not no yes "
        "is was 's n't at in for from Dr. Lind A parcel € $12 and but that please 我 改到 3点 ``` \n".split(
            " "
        )
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(list(Role))), min_size=1, max_size=CONTEXT_TURNS + 1))
def test_any_text_can_be_distilled_and_gives_the_same_again(lines: list[tuple[str, Role]]) -> None:
    row = [
        Message(Subject("t", "s"), "c", f"c/{n}", role, f"P{n % 2}", text, datetime(2026, 1, 12, tzinfo=UTC))
        for n, (text, role) in enumerate(lines)
    ]
    made = RULES.distill(row[-1], row[:-1])
    assert made == RULES.distill(row[-1], row[:-1])
    assert len(made.events) <= MAX_EVENTS
    ids = [event.id for event in made.events]
    assert len(set(ids)) == len(ids)
    for event in made.events:
        assert event.sources[-1] == row[-1].id
        assert len(event.description) <= MAX_DESCRIPTION
        assert event.act is Act.ADOPT or len(event.sources) <= 2
    for link in made.links:
        assert link.target in ids or link.target.startswith(TOLD_IN)
        assert link.source in ids or link.source == TOLD_IN + row[-2].id


@pytest.mark.parametrize("name", ["beam", "goodai", "locomo", "star"])
def test_real_messages_can_be_distilled(name: str) -> None:
    path = DATA / name / "messages.jsonl.gz"
    if not path.exists():
        pytest.skip(f"the {name} set is not at {path}")
    row: list[Message] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(60), lines, strict=False):
            told = json.loads(line)
            row.append(
                Message(
                    Subject(told["tenant"], told["subject"]), told["conversation"], told["id"],
                    Role(told["role"]), told["speaker"], told["content"],
                    datetime.fromisoformat(told["sent_at"]),
                )
            )  # fmt: skip
    found = sum(len(RULES.distill(m, row[max(0, n - CONTEXT_TURNS) : n]).events) for n, m in enumerate(row))
    assert found > 10
