"""Where Chinese text falls into clauses."""

import pytest

from operators.distill.chinese_clauses import LONGEST, split

SPLITS = [
    ("你好，我想退货。", ["你好", "我想退货"]),
    ("金额是1,500元，3.5折。", ["金额是1,500元", "3.5折"]),
    ("他说“好，明天来。”然后走了", ["他说“好，明天来。”然后走了"]),
    ("1月16日（周五，下午），120人", ["1月16日（周五，下午）", "120人"]),
    ("因为下雨所以改期", ["因为下雨", "所以改期"]),
    ("好的 我知道了", ["好的", "我知道了"]),
    ("9月5日 早上7点", ["9月5日 早上7点"]),
    ("新电脑装 Ubuntu 24", ["新电脑装 Ubuntu 24"]),
    ("由于是周末，人多", ["由于是周末", "人多"]),
    ("行！！就这样～", ["行", "就这样"]),
    ("😀😀，。！", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "parts"), SPLITS)
def test_clauses_end_at_marks_and_connectives(text: str, parts: list[str]) -> None:
    assert [s.text for s in split(text)] == parts


def test_a_stretch_without_marks_is_cut() -> None:
    assert all(len(s.text) <= LONGEST for s in split("长" * 5000))


def test_sentences_are_counted() -> None:
    assert [s.sentence for s in split("甲，乙。丙")] == [0, 0, 1]


def test_a_question_mark_marks_its_clause_only() -> None:
    assert [s.asked for s in split("您好，几点开门？谢谢")] == [False, True, False]
