"""A reply is read as it comes, wherever its pieces are cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query_service.answer_ask import Reply
from query_service.reply_stream import ReplyStream


def read(*pieces: str) -> tuple[str, Reply | None]:
    """The text as it was given out, and the reply at the end."""
    reading = ReplyStream()
    return "".join(reading.take(piece) for piece in pieces), reading.reply()


@given(st.text(), st.lists(st.text()), st.booleans(), st.integers(1, 9), st.booleans())
def test_an_object_is_read_alike_in_pieces_of_any_size(
    answer: str, citations: list[str], abstained: bool, size: int, escaped: bool
) -> None:
    reply = Reply(answer=answer, citations=citations, abstained=abstained)
    text = json.dumps(reply.model_dump(), ensure_ascii=escaped)
    assert read(*(text[i : i + size] for i in range(0, len(text), size))) == (answer, reply)


def test_the_text_is_given_out_while_it_is_written() -> None:
    reading = ReplyStream()
    given = [reading.take(piece) for piece in ('{"ans', 'wer": "It is', " Fri", "day [m\\u", '0031]."', ", ")]
    assert given == ["", "It is", " Fri", "day [m", "1].", ""]


def test_what_surrounds_the_object_is_left_out() -> None:
    reply = '{"answer": "Friday", "citations": ["m1"], "abstained": false}'
    expected = Reply(answer="Friday", citations=["m1"], abstained=False)
    for text in (f"```json\n{reply}\n```", f"\n\n{reply}\nI hope that helps: {{}}", f"``` {reply}"):
        assert read(*text) == ("Friday", expected)


def test_plain_text_is_an_answer_too() -> None:
    text = "It is Friday [m1]."
    assert read(*text) == (text, Reply(answer=text, citations=[], abstained=False))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("  \n", ""),
        ('{"answer": "It is Fri', "It is Fri"),
        ('{"answer": "Friday", "citations": "m1", "abstained": false}', "Friday"),
        ('{"type": "object", "properties": {}}', ""),
        ('{"answer": 7}', ""),
        ("{" * 100_000, ""),
    ],
    ids=["empty", "blank", "cut", "wrong type", "schema", "number", "deep"],
)
def test_what_is_no_reply_is_told_apart(text: str, shown: str) -> None:
    assert read(*text) == (shown, None)
