"""What holds of the Chinese reader on any text at all."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.distill.chinese import CHINESE
from operators.distill.chinese_clauses import LONGEST
from operators.distill.clause import Mood
from tests.operators.distill.chinese_seen import seen

_PIECES = [
    "因为", "所以", "不是", "是", "改成", "取消", "的", "了", "吗", "？", "，", "。", "：", "“",
    "”", "（", "周五", "3点", "88元", "我", "他的", "如果", "由", "在", "放在", "不要", "再加",
    "从7月1日起", "才能", "否则", "MySQL 8", "😀", " ", "\n", "5斤装", "房租", "就", "把",
    "还是用原来的", "错了", "她叫", "可以吗", "abc", "١٢",
]  # fmt: skip
_TEXTS = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))


@given(_TEXTS)
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_and_every_index_is_in_range(text: str) -> None:
    reading = CHINESE.read(text)
    end = 0
    for clause in reading.clauses:
        assert clause.text == text[clause.start : clause.end] != ""
        assert clause.start >= end
        assert len(clause.text) <= LONGEST
        end = clause.end
    for link in reading.connectives:
        assert -1 <= link.reason < len(reading.clauses)
        assert 0 <= link.result < len(reading.clauses)
        assert link.reason != link.result


@given(_TEXTS)
@settings(max_examples=100, deadline=None)
def test_a_reading_is_a_function_of_the_text(text: str) -> None:
    assert CHINESE.read(text) == CHINESE.read(text)


@given(_TEXTS)
@settings(max_examples=200, deadline=None)
def test_what_is_not_meant_as_fact_gives_no_value(text: str) -> None:
    for clause in CHINESE.read(text).clauses:
        if clause.mood in (Mood.SOCIAL, Mood.HYPOTHETICAL, Mood.QUESTION, Mood.REFUSAL):
            assert all(not claim.value for claim in clause.claims)


def test_a_long_text_is_read_to_its_end_like_its_parts() -> None:
    one = "因为下雨，会议改到周五下午三点。"
    parts, whole = seen(CHINESE.read(one)), CHINESE.read(one * 4_000)
    assert seen(whole) == parts * 4_000
    assert len(whole.connectives) == 4_000


@pytest.mark.parametrize(
    "mark", ["长", "的", "“", "（", "是", "1", "改", "，", "在由从把", "不是", "一二三", "每"]
)
def test_sixty_thousand_characters_without_sense_are_read(mark: str) -> None:
    text = mark * (60_000 // len(mark))
    assert all(len(clause.text) <= LONGEST for clause in CHINESE.read(text).clauses)


@pytest.mark.parametrize("owner", ["目录\\data", "\\u9f99", "老\\g<0>", "\\1号库"])
def test_a_thing_with_a_backslash_in_its_name_owns_what_follows(owner: str) -> None:
    reading = CHINESE.read(f"{owner}的电话是13812345678，他的邮箱是lu@example.cn")
    assert [(c.entity, c.attribute) for c in reading.clauses[-1].claims] == [(owner, "邮箱")]
