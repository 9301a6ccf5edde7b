"""The evidence measure itself, and that answers beat plain search on the public episodes."""

import pytest

from evaluation.evidence import (
    Asked,
    Memory,
    episode_questions,
    faults,
    measure_episodes,
    recall,
    stale_above_new,
)
from state.hashing_encoder import HashingEncoder
from state.model import Subject
from tests.conftest import DATA


def test_recall_counts_what_is_found_within_the_depth() -> None:
    assert recall(["a", "b", "c"], frozenset({"a", "c", "z"}), 2) == pytest.approx(1 / 3)
    assert recall([], frozenset({"a"}), 10) == 0


@pytest.mark.parametrize(
    ("ranked", "stale"), [(["old", "new"], True), (["new", "old"], False), (["old"], True), ([], False)]
)
def test_the_first_of_each_decides_what_stands_above(ranked: list[str], stale: bool) -> None:
    assert stale_above_new(ranked, ["old"], ["new"]) is stale


def question(must: list[str], stale: list[str]) -> Asked:
    facts = {"f1": {"message": "m1"}, "f2": {"message": "m2", "also": ["m3"]}}
    told = frozenset({"m2", "m3"}) if must == ["f2"] else frozenset()
    gold = {"facts": facts, "question": {"must_include": must, "stale": stale}}
    return Asked(Subject("eval", "s"), "?", "current", told, gold=gold)


def test_a_restatement_tells_a_fact_as_well() -> None:
    assert faults(question(["f2"], []), ["m3"], "") == []
    assert faults(question(["f2"], []), ["m1"], "") == ["missing f2"]


def test_an_outdated_message_must_stand_below_or_be_marked() -> None:
    asked = question(["f2"], ["f1"])
    assert faults(asked, ["m1", "m2"], "") == ["stale f1"]
    assert faults(asked, ["m2", "m1"], "") == []
    assert faults(asked, ["m1", "m2"], '[m1] "…" SUPERSEDED since then') == []


@pytest.mark.slow
def test_answers_beat_the_plain_searches_on_the_episodes() -> None:
    if not (DATA / "episodes").exists():
        pytest.skip(f"the labelled episodes are not at {DATA}")
    messages, asked = episode_questions(DATA)
    figures = measure_episodes(Memory(messages, HashingEncoder()), asked)
    best = max(figures[way]["answered"] for way in ("bm25", "dense", "rrf"))
    assert figures["stet"]["answered"] >= best + 0.05
