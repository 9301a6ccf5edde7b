"""A fact is told to the next turn as it was said."""

import pytest

from query_service.fact_lines import _short


@pytest.mark.parametrize("value", ["€420", "$35 a month", "£19.50", "110 euros a night", "不要香菜"])
def test_a_value_keeps_its_currency_and_its_small_words(value: str) -> None:
    assert _short(value) == value
