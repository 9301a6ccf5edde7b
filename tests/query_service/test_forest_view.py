"""The forest as it is looked at: labels, moves, mentions, and no more than is asked for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from operators.derive import derive
from query_service.forest_view import Move, view_forest
from state.memory_reader import MemoryReader
from state.model import Subject
from tests.operators.toy_rules import RULES
from tests.query_service.test_next_turn import MAYA, SAID, ByLetter, told


def reader_of(texts: tuple[str, ...] = SAID) -> MemoryReader:
    return MemoryReader([derive(told(texts), RULES.distiller, RULES.relater, ByLetter())])


def test_topics_come_latest_first_with_their_turns_in_order() -> None:
    view = view_forest(reader_of(), MAYA)
    assert view is not None
    assert [(topic.id, topic.size) for topic in view.topics] == [("c/6", 1), ("c/0", 4), ("c/2", 2)]
    assert [turn.id for turn in view.topics[1].turns] == ["c/0", "c/1", "c/4", "c/5"]
    assert [topic.conversation for topic in view.topics] == ["c"] * 3
    assert not view.more
    assert view.topics[2].label == "B: My bicycle has a flat tyre."
    assert view.topics[2].turns[1].gist == "B: Please book the repair for Monday."


def test_each_turn_says_what_it_does() -> None:
    view = view_forest(reader_of(), MAYA)
    assert view is not None
    moves = {turn.id: turn.move for topic in view.topics for turn in topic.turns}
    assert moves == {
        "c/0": Move.ROOT,
        "c/1": Move.CONTINUE,
        "c/2": Move.ROOT,
        "c/3": Move.CONTINUE,
        "c/4": Move.RETURN,
        "c/5": Move.BRANCH,
        "c/6": Move.ROOT,
    }


@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_have_each_topic_once(size: int) -> None:
    reader, end, found, pages = reader_of(), None, [], 0
    while view := view_forest(reader, MAYA, topics=size, before=end):
        found += [topic.id for topic in view.topics]
        pages += 1
        if (end := view.end) is None:
            break
    assert found == ["c/6", "c/0", "c/2"]
    assert pages == -(-3 // size)


def test_after_the_last_topic_there_is_an_empty_page() -> None:
    view = view_forest(reader_of(), MAYA, before=(datetime(2000, 1, 1, tzinfo=UTC), "c/0"))
    assert view is not None
    assert (view.topics, view.more, view.end) == ((), False, None)


def test_a_mention_has_the_label_of_its_topic_even_where_that_is_not_shown() -> None:
    view = view_forest(reader_of(), MAYA, topics=1)
    assert view is not None
    assert view.more
    (topic,) = view.topics
    assert topic.turns[0].refers_to == ("c/0",)
    assert view.labels["c/0"].startswith("A: I want to plan")


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_of_a_long_topic_the_last_turns_are_shown(turns: int) -> None:
    texts = tuple(f"A: shelf {n} of oak wood" for n in range(9))
    view = view_forest(reader_of(texts), MAYA, turns=turns)
    assert view is not None
    (topic,) = view.topics
    assert topic.size == 9
    assert [turn.id for turn in topic.turns] == [f"c/{n}" for n in range(9 - turns, 9)]
    assert {turn.move for turn in topic.turns} == {Move.CONTINUE}
    assert topic.label == "A: shelf 0 of oak wood"


def test_what_is_read_does_not_grow_with_the_history() -> None:
    calls = []
    for count in (5, 500):
        reader = reader_of(tuple(f"{'ABCDE'[n % 5]}: shelf {n}" for n in range(count)))
        view_forest(reader, MAYA, topics=3, turns=4)
        calls.append(dict(reader.calls))
    assert calls[0] == calls[1]
    assert sum(calls[0].values()) <= 6


def test_strangers_have_no_forest_and_limits_are_kept() -> None:
    reader = reader_of()
    assert view_forest(reader, Subject("shop", "nobody")) is None
    assert view_forest(reader, Subject("rival", "maya")) is None
    for topics, turns in ((0, 1), (1, 0), (201, 1), (1, 501)):
        with pytest.raises(ValueError, match="can be shown"):
            view_forest(reader, MAYA, topics, turns)


def test_a_turn_and_a_topic_are_told_as_a_model_told_them() -> None:
    view = derive(told(SAID), RULES.distiller, RULES.relater, ByLetter())
    short = {"c/2": "A flat tyre on the bicycle", "c/3": "自行车周一修理"}
    turns = tuple(replace(turn, summary=short.get(turn.id, turn.summary)) for turn in view.turns)
    forest = view_forest(MemoryReader([replace(view, turns=turns)]), MAYA)
    assert forest is not None
    bicycle = forest.topics[2]
    assert bicycle.label == "A flat tyre on the bicycle"
    assert [turn.gist for turn in bicycle.turns] == ["A flat tyre on the bicycle", "自行车周一修理"]
    assert forest.topics[0].turns[0].gist == SAID[6]
