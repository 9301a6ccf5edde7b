"""Thoughts are left out of a text that comes in pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.llm.aloud import Aloud


def told(text: str, cuts: list[int]) -> str:
    aloud = Aloud()
    ends = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[a:b] for a, b in pairwise(ends)]
    return "".join([aloud.take(piece) for piece in pieces] + [aloud.rest()])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The desk goes to Mill Lane.", "The desk goes to Mill Lane."),
        ("<think>Which lane?</think>\n\nMill Lane.", "Mill Lane."),
        ("\n<Reasoning>one</Reasoning><think>two</think> 磨坊巷。", "磨坊巷。"),
        ("<b>Mill</b> Lane", "<b>Mill</b> Lane"),
        ("< 3 days", "< 3 days"),
        ("Mill Lane <think>or not</think>", "Mill Lane <think>or not</think>"),
        ("<think>never ends", ""),
        ("<", "<"),
        ("<think", "<think"),
        ("", ""),
    ],
)
@given(cuts=st.lists(st.integers(0, 60)))
def test_what_is_said_does_not_depend_on_where_the_pieces_end(text: str, said: str, cuts: list[int]) -> None:
    assert told(text, cuts) == said


def test_what_is_no_thought_is_given_as_it_comes() -> None:
    aloud = Aloud()
    assert [aloud.take(piece) for piece in ("Mi", "ll ", "Lane")] == ["Mi", "ll ", "Lane"]


def test_thoughts_without_end_and_in_any_number_are_left_out() -> None:
    assert told("<think></think>" * 5_000 + "Mill Lane", []) == "Mill Lane"
    assert (
        told("<think>" + "on and on " * 30_000 + "</THINK>Mill Lane", list(range(0, 300_000, 7)))
        == "Mill Lane"
    )
