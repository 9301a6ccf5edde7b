"""Terms of a text: English, Chinese, numbers and identifiers; and their BM25 weights."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.lexicon import K1, MEAN_LENGTH, B, idf, sparse, sparse_query, term_hash, terms

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She was moving the bookings", ("move", "book")),
        ("well-known follow-up", ("well", "known", "follow")),
        ("I don’t, can't, cannot", ("not", "not", "not")),
        ("the user's plan", ("user", "plan")),
        ("in May it will rain", ("may", "rain")),
        ("the of and", ()),
        ("", ()),
        (" \n🙂 ", ()),
        ("naïve Ünal Москва", ("naïve", "ünal", "москва")),
    ],
)
def test_english_words_are_stemmed_without_function_words(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order 5930-17", ("order", "5930-17")),
        ("at 3:00, 7pm", ("3:00", "7pm")),
        ("€420 or $9,000.50", ("€", "420", "$", "9000.50")),
        ("make it 9,000, 20% off 1,250", ("make", "9000", "20", "1250")),
        ("ORD-7 v2.1 2026-11-30 user_1", ("ord-7", "v2.1", "2026-11-30", "user_1")),
        ("３：００", ("3:00",)),
    ],
)
def test_what_holds_a_digit_is_kept_whole(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他想改到下周五", ("他想", "想改", "改到", "到下", "下周", "周五")),
        ("我的狗喜欢吗", ("狗喜", "喜欢")),
        ("下午3点", ("下午", "3", "点")),
        ("的", ()),
        ("狗", ("狗",)),
        ("改到Friday晚上", ("改到", "friday", "晚上")),
        ("目的", ("目的",)),
    ],
)
def test_chinese_runs_are_bigrams_without_particles(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


@given(st.text())
def test_terms_do_not_depend_on_case_or_width(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding can undo normal form (a few Greek letters), so both sides are folded once.
    assert terms(unicodedata.normalize("NFKC", folded)) == terms(folded)


@given(st.text())
def test_weights_are_ascending_hashes_with_bounded_values(text: str) -> None:
    indices, values = sparse(text)
    assert indices == sorted(set(indices)) == sparse_query(text)[0]
    assert all(0 <= index < 2**32 for index in indices)
    assert all(0 < value < K1 + 1 for value in values)


def test_a_weight_is_bm25s_term_factor() -> None:
    (index,), (value,) = sparse("blue blue")
    assert index == term_hash("blue")
    assert value == pytest.approx(2 * (K1 + 1) / (2 + K1 * (1 - B + B * 2 / MEAN_LENGTH)))


def test_a_rarer_term_is_worth_more_and_none_is_worth_less_than_nothing() -> None:
    worths = [idf(100, holding) for holding in (1, 10, 50, 100)]
    assert worths == sorted(worths, reverse=True)
    assert worths[-1] > 0


def test_hashes_are_the_same_in_every_process() -> None:
    program = "from state.lexicon import sparse; print(sparse('blue chairs 预订 5930-17'))"
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{sparse('blue chairs 预订 5930-17')}\n"}
