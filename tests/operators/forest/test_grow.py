"""The forest as a structure: whatever is said, it stays a forest, and its state stays small and canonical."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import cycle, islice
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.forest.form import from_bytes, to_bytes
from operators.forest.grow import grow, readmitted, step
from operators.forest.interface import Decision, Kind, Reason
from operators.forest.rules import RulesDecider
from operators.forest.state import (
    BRANCHES,
    EMPTY,
    NODE_TERMS,
    NODES,
    OPENED,
    SPEAKERS,
    TERMS,
    THEME,
    TREES,
    WEIGHT,
    State,
)
from state.model import Message
from tests.operators.forest.talks import messages

DECIDER = RulesDecider()
OPENINGS = (
    "I also need to", "Can you", "By the way, could you", "Back to how we",
    "What about how to", "Please",
    "As I said, I", "Speaking of", "Does it", "Yes, and", "Or rather",
    "Forget everything about how to", "Hm,",
    "另外，帮我", "回到", "我想", "那", "就像刚才说的", "对了，", "请问怎么",
)  # fmt: skip
MATTERS = (
    "paint the fence", "rent a boat", "a hotel in Lisbon", "the boat and the fence",
    "thanks", "", "another one?",
    "订一张火车票", "火车票呢？", "查一下账单", "好的，谢谢", "the third question", "what is the boat for?",
)  # fmt: skip


@st.composite
def talks(draw: st.DrawFn, most: int = 30) -> list[Message]:
    """Any mixture of speakers, cues, matters and languages, some as replies to any earlier message."""
    lines = draw(
        st.lists(
            st.builds(
                "{}: {} {}".format,
                st.sampled_from("UUUAAPQT"),
                st.sampled_from(OPENINGS),
                st.sampled_from(MATTERS),
            ),
            max_size=most,
        )
    )
    talk = messages(*lines)
    replies = draw(st.lists(st.integers(0, max(0, len(talk) - 1)), min_size=len(talk), max_size=len(talk)))
    return [
        replace(message, reply_to=f"m{to}") if to < at and to % 3 == 0 else message
        for at, (message, to) in enumerate(zip(talk, replies, strict=True))
    ]


@given(talks(), st.integers(0, 30))
def test_growing_in_two_goes_equals_growing_at_once(talk: list[Message], cut: int):
    state, before = grow(talk[:cut], DECIDER)
    state, after = grow(talk[cut:], DECIDER, from_bytes(to_bytes(state)))
    assert (state, [*before, *after]) == grow(talk, DECIDER)


@given(talks())
def test_every_turn_has_one_place_in_a_forest(talk: list[Message]):
    _, places = grow(talk, DECIDER)
    at = {message.id: place for message, place in zip(talk, places, strict=True)}
    assert len(at) == len(talk) == len(places)
    seen: set[str] = set()
    for turn, place in at.items():
        if place.parent is None:
            assert place.kind is Kind.NEW_TREE
            assert place.topic == place.branch == turn
        else:
            assert place.parent in seen, "parents precede their children"
            assert at[place.parent].topic == place.topic, "a tree is closed under parents"
        seen.add(turn)


@given(talks())
def test_a_branch_is_a_path(talk: list[Message]):
    _, places = grow(talk, DECIDER)
    newest: dict[str, str] = {}
    for message, place in zip(talk, places, strict=True):
        if place.branch == message.id:
            assert place.branch not in newest, "a branch is named by its first turn"
        else:
            assert place.parent == newest[place.branch], "a branch goes on at its newest turn"
        newest[place.branch] = message.id


@given(talks())
def test_what_a_turn_mentions_are_other_trees_that_are_there(talk: list[Message]):
    _, places = grow(talk, DECIDER)
    roots: set[str] = set()
    for place in places:
        assert roots.issuperset(place.mentions)
        assert place.topic not in place.mentions
        assert list(place.mentions) == sorted(place.mentions)
        roots.add(place.topic)


@given(talks())
def test_the_canonical_form_gives_the_state_back(talk: list[Message]):
    state, _ = grow(talk, DECIDER)
    assert from_bytes(to_bytes(state)) == state
    assert to_bytes(from_bytes(to_bytes(state))) == to_bytes(state)


def test_a_form_of_another_version_is_not_read():
    with pytest.raises(ValueError, match="form 0"):
        from_bytes(b"[0,[],[],[],null,0]")


class Scatter:
    """Opens a tree at every third turn, else branches at the root of the most recently used tree."""

    def decide(self, state: State, message: Message) -> Decision:
        if state.active is None or int(message.id[1:]) % 3 == 0:
            return Decision(Kind.NEW_TREE, None, Reason.DEFAULT)
        return Decision(Kind.BRANCH, state.active.id, Reason.DEFAULT)


def wide_talk(length: int) -> list[Message]:
    """Every message says thirty words that no other has."""
    return messages(*(f"U: {' '.join(f'word{n}x{i}' for i in range(30))}" for n in range(length)))


def assert_bounded(state: State) -> None:
    assert len(state.trees) <= TREES
    assert len(state.speakers) <= SPEAKERS
    assert len(state.opened) <= OPENED
    for tree in state.trees:
        assert 1 <= len(tree.branches) <= BRANCHES
        assert len(tree.terms) <= TERMS
        assert len(tree.theme) <= THEME
        assert len(tree.nodes) <= NODES
        assert all(len(node.terms) <= NODE_TERMS for node in tree.nodes)
        assert all(0 < term.weight <= WEIGHT for term in tree.terms)


@given(talks(60))
@settings(max_examples=30)
def test_the_state_of_any_talk_is_bounded(talk: list[Message]):
    assert_bounded(grow(talk, DECIDER)[0])


def test_the_state_does_not_grow_with_the_conversation():
    state, sizes = EMPTY, []
    for at, message in enumerate(wide_talk(1200)):
        state, _ = step(state, message, Scatter())
        if at % 20 == 0:
            assert_bounded(state)
            sizes.append(len(to_bytes(state)))
    assert max(sizes[40:]) <= 1.05 * max(sizes[:40])


def test_the_least_recently_used_tree_falls_out_and_is_told():
    talk = wide_talk(3 * TREES + 1)
    state, places = grow(talk, Scatter())
    assert [tree.id for place in places for tree in place.dropped] == ["m0"]
    assert state.tree("m0") is None
    back = readmitted(state, places[-1].dropped[0])
    assert back.trees[1].id == "m0"
    assert len(back.trees) == TREES
    assert readmitted(back, places[-1].dropped[0]) == back


def calls_of_a_step(state: State, message: Message) -> int:
    """How many functions, Python's and C's, a step calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        step(state, message, DECIDER)
    finally:
        sys.setprofile(None)
    return calls


def test_a_step_does_no_more_work_after_many_turns():
    texts = [f"U: {opening} {matter} {n % 90}km" for n, (opening, matter) in enumerate(zip(
        islice(cycle(OPENINGS), 3000), islice(cycle(MATTERS), 3000), strict=True))]  # fmt: skip
    talk = messages(*texts)
    early, _ = grow(talk[:1000], DECIDER)
    late, _ = grow(talk, DECIDER)
    probes = messages(*(f"U: {opening} rent a boat" for opening in OPENINGS))
    for probe in probes:
        calls_of_a_step(early, probe)  # reads the text once, so that neither count has it
    spent = [sum(calls_of_a_step(state, probe) for probe in probes) for state in (early, late)]
    assert spent[1] <= 1.1 * spent[0]


def everything_said() -> str:
    """Every opening with every matter, and where the rules put it, as one text."""
    lines = [f"U: {opening} {matter}" for opening in OPENINGS for matter in MATTERS]
    return repr(list(grow(messages(*lines), DECIDER)[1]))


def test_the_same_messages_give_the_same_forest_in_another_process():
    program = (
        "import sys; from tests.operators.forest.test_grow import everything_said; "
        "sys.stdout.buffer.write(everything_said().encode())"
    )
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        other = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, check=True
        )
        assert other.stdout.decode() == everything_said()


@pytest.mark.parametrize(
    "decision",
    [
        Decision(Kind.CONTINUE, "nowhere", Reason.DEFAULT),
        Decision(Kind.CONTINUE, None, Reason.DEFAULT),
        Decision(Kind.NEW_TREE, "m0", Reason.DEFAULT),
    ],
)
def test_a_decision_that_cannot_be_carried_out_is_refused(decision: Decision):
    class Wrong:
        def decide(self, state: State, message: Message) -> Decision:
            return decision

    first, second = messages("U: hello", "U: again")
    state, _ = step(EMPTY, first, DECIDER)
    with pytest.raises(ValueError, match="turn"):
        step(state, second, Wrong())
