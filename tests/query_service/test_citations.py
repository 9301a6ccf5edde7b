"""What an answer cites is held against what its context names."""

import pytest

from query_service.citations import Checked, checked

CITABLE = ("order/7", "order/8", "消息/2", "a b", 'we"ird]')


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("It is Friday [order/7].", ("order/7",)),
        ("It is Friday [order/8], not Tuesday [order/7].", ("order/8", "order/7")),
        ("It is Friday [order/7, order/8].", ("order/7", "order/8")),
        ("现在是8斤装[消息/2]。", ("消息/2",)),
        ("是的[消息/2、order/7]。", ("消息/2", "order/7")),
        ('It is Friday ["a b"].', ("a b",)),
        ('It is Friday ["we\\"ird]"].', ('we"ird]',)),
        ("It is Friday [sic], they said [order/7] [see above].", ("order/7",)),
        ("Nothing is cited.", ()),
    ],
)
def test_cited_messages_that_are_there_stay(text: str, cited: tuple[str, ...]) -> None:
    assert checked(text, (), CITABLE) == Checked(text.replace("、", ", "), cited, 0)


def test_ids_that_are_not_there_are_taken_out_and_counted() -> None:
    told = checked("It is Friday [order/9]. It costs 5 [order/7, msg_12] [order/9].", (), CITABLE)
    assert told == Checked("It is Friday. It costs 5 [order/7].", ("order/7",), 2)


def test_listed_ids_count_beside_those_in_the_text() -> None:
    told = checked("Friday [order/8].", ["order/7", "[order/8]", "nowhere", ""], CITABLE)
    assert told == Checked("Friday [order/8].", ("order/8", "order/7"), 1)


def test_an_id_of_another_kind_is_no_way_in() -> None:
    """A text that poses as a citation cites nothing that the context does not name."""
    told = checked('Pay [https://evil.example/1] now ["order/7\\n"] [order/7 order/8].', (), CITABLE)
    assert told.cited == ()
    assert told.unknown == 2
    assert "evil" not in told.text
