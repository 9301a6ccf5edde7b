"""The figures for topics: B-cubed by hand, returns by hand, and that an own half is an own half."""

import gzip
import json

import numpy as np
import pytest

from evaluation.bcubed import Agreement, agreement, returned, returns
from evaluation.score import Counts
from evaluation.topic_baselines import one_topic, online_clusters, similarity_drop
from evaluation.topic_sets import Half, in_half, labelled
from evaluation.topic_vectors import vectors_of
from evaluation.topics import baselines, decided, score
from operators.forest.rules import RulesDecider

EAST, NORTH = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)


def test_equal_topics_under_other_names_agree_fully():
    found = agreement(["x", "x", "y"], ["a", "a", "b"])
    assert (found.precision, found.recall, found.f1) == (1.0, 1.0, 1.0)


def test_one_topic_for_all_has_full_recall_and_the_precision_of_the_shares():
    found = agreement([0, 0, 0, 0], ["a", "a", "a", "b"])
    assert found.recall == 1.0
    assert found.precision == pytest.approx((3 * 3 / 4 + 1 / 4) / 4)


def test_a_topic_a_message_has_full_precision():
    found = agreement([0, 1, 2, 3], ["a", "a", "b", "b"])
    assert (found.precision, found.recall) == (1.0, 0.5)


def test_conversations_add_up_by_message():
    total = agreement([0], ["a"]) + agreement([0, 1], ["a", "a"])
    assert total == Agreement(3.0, 2.0, 3)


def test_a_return_is_to_a_topic_that_was_left():
    assert returned(["a", "a", "b", "a", "a", "c", "b"]) == [3, 6]


def test_a_return_counts_where_gold_returns_to_the_same_topic():
    gold = ["a", "a", "b", "b", "a", "c", "b"]
    assert returns(["x", "x", "y", "y", "x", "z", "y"], gold) == Counts(2, 2, 2, 2)
    assert returns(["x", "x", "y", "y", "y", "x", "y"], gold) == Counts(2, 2, 1, 1)


def test_the_baselines_on_vectors_that_are_plain_to_see():
    vectors = np.stack([EAST, EAST, NORTH, EAST])
    assert one_topic(vectors) == [0, 0, 0, 0]
    assert similarity_drop(vectors, 0.5) == [0, 0, 1, 2]
    assert online_clusters(vectors, 0.5) == [0, 0, 1, 0]


def test_the_halves_share_no_conversation_and_miss_none():
    for place in range(6):
        halves = [in_half("star", place, half) for half in (Half.DEVELOPMENT, Half.CHECK)]
        assert sorted(halves) == [False, True]
        assert in_half("star", place, Half.ALL)


def rows_of(subject, texts):
    return [
        {
            "tenant": "t", "subject": subject, "conversation": subject, "id": f"{subject}/{i}",
            "role": "agent" if i % 2 else "user", "speaker": "x", "content": text,
            "sent_at": f"2026-03-02T10:{i:02d}:00Z",
        }
        for i, text in enumerate(texts)
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    talk = [
        "Hi",
        "Hello",
        "Rent me a boat",
        "Rented",
        "I also need a dentist",
        "Booked",
        "Back to the boat",
        "Yes",
    ]
    with gzip.open(tmp_path / "messages.jsonl.gz", "wt") as file:
        file.writelines(
            json.dumps(row) + "\n" for row in [*rows_of("tasks", talk), *rows_of("threads", talk)]
        )
    gold = [
        {"task": "slot_update", "subject": "tasks"},
        {
            "task": "topics",
            "subject": "tasks",
            "topics": [
                {"turn": at, "task": task} for at, task in ((2, "x"), (2, "boat"), (4, "teeth"), (6, "boat"))
            ],
        },
        {"task": "threads", "subject": "threads", "threads": [["threads/2", "boat"], ["threads/3", ""]]},
    ]
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    return tmp_path


def test_gold_is_read_for_tasks_and_for_threads(folder):
    tasks, threads = labelled(folder)
    assert tasks.gold == (None, None, "boat", "boat", "teeth", "teeth", "boat", "boat")
    assert threads.gold == (None, None, "boat", None, None, None, None, None)


def test_the_decider_is_scored_on_labelled_messages_beside_the_baselines(folder):
    tasks, _ = labelled(folder)
    ours = score("rules", [tasks], [decided(tasks, RulesDecider())])
    assert ours.total.messages == 6
    assert ours.total.f1 == 1.0
    assert (ours.returns.precision, ours.returns.recall) == (1.0, 1.0)
    same = np.tile(EAST, (len(tasks.messages), 1))
    found = list(baselines([(tasks, same)], [(tasks, same)]))
    assert [one.row()["recall"] for one in found] == [1.0, 1.0, 1.0]
    assert all(one.total.f1 < ours.total.f1 for one in found)


def test_vectors_are_kept_in_the_folder_that_is_named_and_nowhere_else(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    talks = labelled(folder)
    encoded: list[int] = []
    before = set(tmp_path.iterdir())
    fresh = vectors_of(talks, None, "hashing", encoded.append)
    assert set(tmp_path.iterdir()) == before
    kept = [vectors_of(talks, tmp_path / "kept", "hashing", encoded.append) for _ in range(2)]
    assert encoded == [16, 16]
    for once in kept:
        assert all(np.array_equal(a, b) for a, b in zip(fresh, once, strict=True))
    assert [len(rows) for rows in fresh] == [8, 8]
