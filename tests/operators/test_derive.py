"""The graph is a function of the set of messages (I1)."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.derive import derive
from operators.distill.interface import CONTEXT_TURNS, Distilled, Link
from operators.relate.rules import RULES
from state.graph import SubjectView
from state.identity import event_id
from state.model import Act, EdgeType, Event, EventType, Facet, Message, Role, Subject, UpdateMode
from state.ordering import event_place, message_place

SUBJECT = Subject("t", "s")
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
_STATEMENT = re.compile(r"(?P<thing>\w+)\.(?P<attribute>\w*) (?P<act>\w+) ?(?P<value>\w*)")


class Spelled:
    """Reads "cake.colour change red; oven.state state broken": the last statement follows from the first."""

    name = "spelled/1"

    def distill(self, turn: Message, context: Sequence[Message]) -> Distilled:
        assert len(context) <= CONTEXT_TURNS
        assert all(m.conversation == turn.conversation for m in context)
        events: dict[str, Event] = {}
        for clause, said in enumerate(_STATEMENT.finditer(turn.content)):
            identity = event_id(turn.subject, [turn.id], said[0])
            events.setdefault(
                identity,
                Event(
                    id=identity,
                    type=EventType.ACTION,
                    participants=(turn.speaker,),
                    description=said[0],
                    facet=Facet(said["thing"], said["attribute"], said["value"]),
                    occurs=None,
                    stated_at=turn.sent_at,
                    valid_from=turn.sent_at,
                    sources=(turn.id,),
                    conversation=turn.conversation,
                    speaker=turn.speaker,
                    place=event_place(message_place(turn.sent_at, turn.id), clause, identity),
                    act=Act(said["act"]),
                ),
            )
        ends = list(events)
        stated = [Link(EdgeType.CAUSES, ends[0], ends[-1], 0.8, "so")] if len(ends) > 1 else []
        return Distilled(tuple(events.values()), tuple(stated))


def message(
    number: int, text: str, *, minute: float | None = None, speaker: str = "Ana", conversation: str = "c"
) -> Message:
    sent = START + timedelta(minutes=number if minute is None else minute)
    return Message(SUBJECT, conversation, f"m{number}", Role.USER, speaker, text, sent)


def view(*messages: Message) -> SubjectView:
    return derive(messages, Spelled(), RULES)


_texts = st.builds(
    lambda parts: "; ".join(
        f"{t}.{a if act != 'withdraw' or whole else ''} {act} {v}" for t, a, act, v, whole in parts
    ),
    st.lists(
        st.tuples(
            st.sampled_from(["cake", "oven"]),
            st.sampled_from(["colour", "state"]),
            st.sampled_from([a.value for a in Act]),
            st.sampled_from(["red", "blue", "green"]),
            st.booleans(),
        ),
        max_size=2,
    ),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Message]:
    """Up to 14 messages of two conversations, with ties in time."""
    return [
        message(
            number,
            draw(_texts),
            minute=draw(st.integers(0, 60)),
            speaker=draw(st.sampled_from(["Ana", "Ben"])),
            conversation=draw(st.sampled_from(["c", "d"])),
        )
        for number in range(draw(st.integers(1, 14)))
    ]


@settings(max_examples=150, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_order_and_duplicates_of_messages_do_not_matter(messages: list[Message], random) -> None:
    again = messages + random.sample(messages, random.randint(0, len(messages)))
    random.shuffle(again)
    assert view(*again) == view(*messages)


@settings(max_examples=150, deadline=None)
@given(histories())
def test_edges_are_admissible_and_owned_by_their_turn(messages: list[Message]) -> None:
    derived = view(*messages)
    events = {e.id: e for e in derived.events}
    assert len({e.id for e in derived.edges}) == len(derived.edges)
    for edge in derived.edges:
        source, target = events[edge.source], events[edge.target]
        turn = events[edge.owner].sources[-1]
        assert turn in (source.sources[-1], target.sources[-1])
        assert 0 < edge.confidence <= 1
        assert edge.reason
        assert (edge.mode is not None) == (edge.type is EdgeType.UPDATES)
        if edge.type is EdgeType.UPDATES:
            assert source.place > target.place
            assert edge.owner == edge.source


@settings(max_examples=80, deadline=None)
@given(histories())
def test_a_message_that_says_nothing_and_comes_last_changes_no_event_or_edge(messages: list[Message]) -> None:
    before, after = view(*messages), view(*messages, message(99, "thanks", minute=90))
    assert (after.events, after.edges, after.timelines) == (before.events, before.edges, before.timelines)


def test_a_change_and_its_taking_back():
    derived = view(
        message(1, "cake.colour state red"),
        message(2, "cake.colour change blue"),
        message(3, "cake.colour withdraw"),
    )
    updates = {(e.mode, e.source, e.target) for e in derived.edges if e.type is EdgeType.UPDATES}
    first, second, third = sorted(derived.events, key=lambda e: e.place)
    assert updates == {
        (UpdateMode.REPLACES, second.id, first.id),
        (UpdateMode.WITHDRAWS, third.id, second.id),
    }
    assert derived.timelines[first.id].value(START + timedelta(hours=1)) == 1.0
    assert derived.timelines[second.id].value(START + timedelta(hours=1)) == 0.0


def test_what_rests_on_a_fact_that_is_out_is_in_doubt():
    derived = view(
        message(1, "oven.state state broken; cake.colour state red"),
        message(2, "oven.state change repaired"),
    )
    cake = next(e for e in derived.events if e.facet and e.facet.entity == "cake")
    assert derived.timelines[cake.id].value(START + timedelta(hours=1)) == 0.5


def test_a_reason_stated_before_gets_the_edge_too():
    derived = view(
        message(1, "oven.state state broken"),
        message(2, "oven.state state broken; cake.colour state none"),
    )
    first, _, cake = sorted(derived.events, key=lambda e: e.place)
    assert (first.id, cake.id) in {(e.source, e.target) for e in derived.edges if e.type is EdgeType.CAUSES}


def test_sessions_turns_and_topics_follow_the_conversations():
    derived = view(
        message(1, "cake.colour state red"),
        message(2, "thanks", minute=120),
        message(3, "hello", conversation="d"),
    )
    assert [len(s.messages) for s in sorted(derived.sessions, key=lambda s: s.start)] == [1, 1, 1]
    assert derived.topic_of == {"m1": "m1", "m2": "m1", "m3": "m3"}
    topic = next(t for t in derived.topics if t.id == "m1")
    assert topic.turns == ("m1", "m2")
    assert topic.sessions == tuple(derived.session_of[m] for m in ("m1", "m2"))


def test_what_is_not_one_subjects_set_is_refused():
    with pytest.raises(ValueError, match="0"):
        derive([], Spelled(), RULES)
    with pytest.raises(ValueError, match="resolve revisions"):
        view(message(1, "a"), message(1, "b"))
    other = Message(Subject("t", "other"), "c", "x", Role.USER, "Ana", "hi", START)
    with pytest.raises(ValueError, match="of 2"):
        view(message(1, "a"), other)
