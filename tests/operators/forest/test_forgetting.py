"""What was long not used is forgotten, so that a late message's effects end."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from operators.forest.forgetting import SPELL, SPELLS, ends_spell
from operators.forest.form import from_bytes, to_bytes
from operators.forest.grow import grow, step
from operators.forest.interface import Kind
from operators.forest.rules import RulesDecider
from operators.forest.state import EMPTY, State
from state.model import Message
from tests.operators.forest.talks import messages

DECIDER = RulesDecider()
ENOUGH = 3 * SPELL * SPELLS
"""Turns that `SPELLS` spells surely end in."""


def talk_of_many_topics(length: int) -> list[Message]:
    """Topics of six turns, each with words of its own."""
    lines = []
    for n in range(length // 6):
        lines += [
            f"U: By the way, can you book the hall{n} for the party{n}?",
            f"A: The hall{n} is free on Monday.",
            f"U: Please order chairs{n} for the hall{n}.",
            f"A: Ordered chairs{n}.",
            f"U: And a cake{n} for the party{n}.",
            "A: Done.",
        ]
    return messages(*lines)


def states(talk: Iterable[Message], state: State = EMPTY) -> list[State]:
    found = []
    for message in talk:
        state, _ = step(state, message, DECIDER)
        found.append(state)
    return found


def meets_after(talk: Sequence[Message], late: Message) -> int:
    """Turns after a late message until the state is what it was without it."""
    after = [message for message in talk if message.sent_at > late.sent_at]
    before = [message for message in talk if message.sent_at < late.sent_at]
    held, _ = grow(before, DECIDER)
    without, with_it = states(after, held), states([late, *after], held)[1:]
    return next(at for at, (old, new) in enumerate(zip(without, with_it, strict=True)) if old == new)


TALK = talk_of_many_topics(1_800)


@pytest.mark.parametrize("at", [-1, 7, 601])
@pytest.mark.parametrize(
    "said",
    ["By the way, my bicycle has a flat tyre. Can you mend it?", "Thanks!", "另外，帮我订一张火车票。"],
)
def test_a_late_messages_effects_end(at: int, said: str) -> None:
    moment = TALK[0].sent_at + (TALK[1].sent_at - TALK[0].sent_at) * (at + 0.5)
    late = replace(TALK[0], id="late", content=said, sent_at=moment)
    assert meets_after(TALK, late) < ENOUGH


def test_a_late_message_by_someone_else_has_no_longer_effects() -> None:
    moment = TALK[0].sent_at - (TALK[1].sent_at - TALK[0].sent_at)
    late = replace(TALK[1], id="late", speaker="B", content="Hello, what can I do for you?", sent_at=moment)
    assert meets_after(TALK, late) < ENOUGH


def test_whether_a_spell_ends_depends_on_the_turn_alone() -> None:
    ends = [ends_spell(message) for message in TALK]
    assert ends == [ends_spell(message) for message in reversed(TALK)][::-1]
    assert 0.5 < sum(ends) * SPELL / len(TALK) < 2


def test_a_topic_that_was_long_not_used_is_forgotten_and_told() -> None:
    talk = messages(
        "U: Please plan the garden party.", *(f"U: Please paint fence{n}." for n in range(ENOUGH))
    )
    state, places = grow(talk, DECIDER)
    assert state.tree("m0") is None
    assert "m0" in {tree.id for place in places for tree in place.dropped}


def test_one_that_is_used_now_and_then_is_not() -> None:
    lines = [
        "U: Back to the garden party: order more tents." if n % 40 == 0 else f"U: Please paint fence{n}."
        for n in range(1, ENOUGH)
    ]
    state, places = grow(messages("U: Please plan the garden party.", *lines), DECIDER)
    tree = state.tree("m0")
    assert tree is not None
    assert all(one.idle < SPELLS for one in (*tree.terms, *tree.branches, *tree.nodes, tree))
    assert sum(place.kind is Kind.RETURN and place.topic == "m0" for place in places) > 5


def test_topics_are_counted_from_the_first_only_while_it_is_known() -> None:
    young, _ = grow(TALK[:30], DECIDER)
    old, _ = grow(TALK, DECIDER)
    assert young.opened
    assert (old.opened, old.age) == ((), SPELLS)


def test_what_is_forgotten_does_not_depend_on_where_the_state_was_kept() -> None:
    state = EMPTY
    for message in TALK[:600]:
        state, _ = step(from_bytes(to_bytes(state)), message, DECIDER)
    assert state == grow(TALK[:600], DECIDER)[0]


def test_an_agent_sets_topics_only_until_a_user_speaks() -> None:
    state, _ = grow(messages("A: Hello.", "A: Still there?"), DECIDER)
    assert [speaker.sets_topics for speaker in state.speakers] == [True]
    state, _ = grow(messages("A: Hello.", "U: I need a taxi.", "A: Where to?"), DECIDER)
    assert [speaker.sets_topics for speaker in state.speakers] == [False, True]
