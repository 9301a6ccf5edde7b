"""Figures are the plain statistics; intervals are seeded, and lie around them."""

import pytest

from evaluation.bootstrap import FEWEST, Figure, mean, median, pooled


def test_a_mean_is_the_mean() -> None:
    assert mean([0.0, 0.5, 1.0]) == Figure(0.5, 3)


def test_a_pooled_statistic_is_of_the_sums() -> None:
    found = pooled([(1, 2), (3, 4)], lambda sums: float(sums[0] / sums[1]))
    assert found is not None
    assert found.value == pytest.approx(4 / 6)


def test_a_median_of_an_even_number_is_between_the_middle_two() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == Figure(2.5, 4)


def test_without_units_there_is_no_figure() -> None:
    assert (mean([]), median([]), pooled([], lambda _: 0.0)) == (None, None, None)


def test_few_units_have_no_interval() -> None:
    assert mean([0.5] * (FEWEST - 1)) == Figure(0.5, FEWEST - 1)
    assert mean([0.5] * FEWEST) == Figure(0.5, FEWEST, 0.5, 0.5)


@pytest.mark.parametrize("statistic", [mean, median])
def test_an_interval_is_the_same_for_a_seed_and_holds_the_value(statistic) -> None:  # type: ignore[no-untyped-def]
    values = [float(i % 7) for i in range(60)]
    found = statistic(values, 3)
    assert found == statistic(values, 3)
    assert found.low <= found.value <= found.high
    assert found.low < found.high


def test_an_interval_narrows_with_the_number_of_units() -> None:
    few, many = mean([0.0, 1.0] * 10), mean([0.0, 1.0] * 1_000)
    assert few is not None
    assert many is not None
    assert few.high - few.low > 3 * (many.high - many.low)  # type: ignore[operator]


def test_a_mean_of_coin_throws_has_the_textbook_interval() -> None:
    found = mean([0.0, 1.0] * 200)
    assert found is not None
    half_width = 1.96 * 0.5 / 400**0.5
    assert found.low == pytest.approx(0.5 - half_width, abs=0.01)
    assert found.high == pytest.approx(0.5 + half_width, abs=0.01)
