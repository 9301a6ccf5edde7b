"""Precision, recall and macro-F1 by hand."""

import pytest

from evaluation.score import NONE, Counts, macro_f1


def test_counts():
    counts = Counts(predicted=4, gold=6, hit=3, recalled=3)
    assert counts.precision == 0.75
    assert counts.recall == 0.5
    assert counts.f1 == pytest.approx(0.6)
    assert (counts + counts).predicted == 8


def test_nothing_to_divide_is_not_zero():
    assert NONE.precision is None
    assert NONE.f1 is None
    assert Counts(0, 3, 0, 0).f1 == 0.0


def test_macro_f1_weighs_classes_alike():
    gold = ["stands", "stands", "stands", "doubted"]
    assert macro_f1(gold, ["stands"] * 4, ["stands", "doubted", "superseded"]) == pytest.approx(
        (6 / 7 + 0) / 2
    )
