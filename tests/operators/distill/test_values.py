"""Typed values: what a text holds, in both languages, whatever the text."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.distill.spans import ValueKind
from operators.distill.values import find_values
from tests.operators.distill.times_table import SENT

K = ValueKind

TABLE = [
    ("It costs €420", [(K.MONEY, "€420", "EUR 420")]),
    ("that's 420 euros", [(K.MONEY, "420 euros", "EUR 420")]),
    ("EUR 420.00", [(K.MONEY, "EUR 420.00", "EUR 420")]),
    ("$1,200.50 in all", [(K.MONEY, "$1,200.50", "USD 1200.5")]),
    ("about $1.5 million", [(K.MONEY, "$1.5 million", "USD 1500000")]),
    ("€120 a day", [(K.MONEY, "€120 a day", "EUR 120/day")]),
    ("29 cents per kWh", [(K.MONEY, "29 cents per kWh", "XXX 0.29/kwh")]),
    ("the budget is 45k", [(K.MONEY, "45k", "XXX 45000")]),
    ("a 5k run", [(K.NUMBER, "5k", "5000")]),
    ("价格每周59元", [(K.MONEY, "每周59元", "CNY 59/week")]),
    ("一共3万元", [(K.MONEY, "3万元", "CNY 30000")]),
    ("￥59，", [(K.MONEY, "￥59", "CNY 59")]),
    ("500 g of feta", [(K.QUANTITY, "500 g", "500 g")]),
    ("0.5 kg of feta", [(K.QUANTITY, "0.5 kg", "500 g")]),
    ("换成5斤装吧", [(K.QUANTITY, "5斤装", "2500 g")]),
    ("2 litres", [(K.QUANTITY, "2 litres", "2000 ml")]),
    ("It's 84 guests", [(K.QUANTITY, "84 guests", "84 guest")]),
    ("twelve eggs", [(K.QUANTITY, "twelve eggs", "12 egg")]),
    ("6 window sensors", [(K.QUANTITY, "6 window sensors", "6 window sensor")]),
    ("预计120人", [(K.QUANTITY, "120人", "120 人")]),
    ("三张票", [(K.QUANTITY, "三张票", "3 张票")]),
    ("for 8 weeks", [(K.DURATION, "8 weeks", "P56D")]),
    ("an hour and 90 minutes", [(K.DURATION, "an hour", "PT60M"), (K.DURATION, "90 minutes", "PT90M")]),
    ("three nights", [(K.DURATION, "three nights", "3 night")]),
    ("要两个小时", [(K.DURATION, "两个小时", "PT120M")]),
    ("备份保留90天。", [(K.DURATION, "90天", "P90D")]),
    ("10% off", [(K.PERCENT, "10%", "10%")]),
    ("百分之五", [(K.PERCENT, "百分之五", "5%")]),
    ("the study at 22.5.", [(K.NUMBER, "22.5", "22.5")]),
    ("2026年春节", [(K.DATE, "2026年", "2026")]),
    ("for Saturday's picnic", [(K.DATE, "Saturday", "2026-01-17")]),
    ("today's price", [(K.DATE, "today", "2026-01-14")]),
    ("twenty-one", [(K.NUMBER, "twenty-one", "21")]),
    ("一共二十", [(K.NUMBER, "二十", "20")]),
    ("from 8 to 16.", [(K.NUMBER, "8 to 16", "8..16")]),
    ("mail Jo.Doe@example.co.uk.", [(K.EMAIL, "Jo.Doe@example.co.uk", "jo.doe@example.co.uk")]),
    ("see https://a.example/c?d=1.", [(K.URL, "https://a.example/c?d=1", "https://a.example/c?d=1")]),
    ("call 510-226-7700", [(K.PHONE, "510-226-7700", "5102267700")]),
    ("call +49 30 1234567", [(K.PHONE, "+49 30 1234567", "+49301234567")]),
    ("我的电话是13812345678", [(K.PHONE, "13812345678", "13812345678")]),
    ("to 12 High Street, Leeds please", [(K.ADDRESS, "12 High Street, Leeds", "12 high street leeds")]),
    ("at 2455 bennett valley road", [(K.ADDRESS, "2455 bennett valley road", "2455 bennett valley road")]),
    ("nach Hauptstraße 5", [(K.ADDRESS, "Hauptstraße 5", "hauptstrasse 5")]),
    ("我住在建国路88号3栋501室", [(K.ADDRESS, "建国路88号3栋501室", "建国路88号3栋501室")]),
    ("crate 3307-52 is missing", [(K.IDENTIFIER, "3307-52", "3307-52")]),
    ("ORD-12345, please", [(K.IDENTIFIER, "ORD-12345", "ord-12345")]),
    ("ticket #A1B2", [(K.IDENTIFIER, "#A1B2", "a1b2")]),
    ("my order 60834 is late", [(K.IDENTIFIER, "60834", "60834")]),
    ("we installed 7.11.3 today", [(K.IDENTIFIER, "7.11.3", "7.11.3"), (K.DATE, "today", "2026-01-14")]),
    ("序列号60834，想报修", [(K.IDENTIFIER, "60834", "60834")]),
    ("with Dr. Lind again", [(K.NAME, "Dr. Lind", "dr. lind")]),
    ("The Hotel Mirador is full", [(K.NAME, "Hotel Mirador", "hotel mirador")]),
    ("Villa Rosa's owner", [(K.NAME, "Villa Rosa", "villa rosa")]),
    ("the Bank of America", [(K.NAME, "Bank of America", "bank of america")]),
    ("we use PostgreSQL 16试试", [(K.NAME, "PostgreSQL 16", "postgresql 16")]),
    ("Thanks, Sam. Your help counts", [(K.NAME, "Sam", "sam")]),
    ("Permit P-8204 is granted", [(K.IDENTIFIER, "P-8204", "p-8204")]),
    ("As KX 406 is delayed", [(K.IDENTIFIER, "KX 406", "kx406")]),
    ("丁先生，您好", [(K.NAME, "丁先生", "丁先生")]),
    ("我叫王小明。", [(K.NAME, "王小明", "王小明")]),
    ("《三体》和“星桥”文件夹", [(K.QUOTED, "三体", "三体"), (K.QUOTED, "星桥", "星桥")]),
    ("the 'Broadway and Main' stop", [(K.QUOTED, "Broadway and Main", "broadway and main")]),
]

NOTHING = [
    "Thanks, that works for me!",
    "I can't do that one.",
    "Don't worry about it",
    "1. First, open the lid",
    "a 4-year-old's drawing",
    "as soon as I can",
    "谢谢老师",
    "好的，没问题。",
    "有一个问题",
    "第二天他来了",
    "要两三天",
    "@app.route",
    "def routes\n@app.route",
    "",
]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_what_a_text_holds(text: str, expected: list[tuple[ValueKind, str, str]]) -> None:
    assert [(value.kind, value.text, value.canonical) for value in find_values(text, SENT)] == expected


@pytest.mark.parametrize("text", NOTHING)
def test_texts_without_values(text: str) -> None:
    assert [v for v in find_values(text, SENT) if v.kind is not K.NUMBER or text[0] == "1"] == []


def test_numbers_that_count_are_no_identifiers() -> None:
    (value,) = find_values("please order 500 eggs", SENT)
    assert (value.kind, value.canonical) == (K.QUANTITY, "500 egg")


def test_full_width_signs_read_as_their_ascii_twins_and_keep_their_text() -> None:
    (value,) = find_values("一共４２０元", SENT)
    assert (value.text, value.canonical) == ("４２０元", "CNY 420")


@pytest.mark.parametrize(
    "forms",
    [
        ["€420", "420 euros", "420 EUR", "EUR 420", "420 €", "420欧元"],
        ["500 g", "0.5 kg", "1斤", "500克"],
        ["1.5 hours", "90 minutes", "90分钟", "一个半小时"],
        ["3 pm", "15:00", "下午3点", "3:00 p.m."],
        ["20%", "twenty percent", "百分之二十"],
        ["two weeks", "14 days", "两周"],
    ],
)
def test_equal_values_have_one_canonical_text(forms: list[str]) -> None:
    canonical = {tuple(value.canonical for value in find_values(form, SENT)) for form in forms}
    assert len(canonical) == 1
    assert len(canonical.pop()) == 1


PIECES = st.sampled_from(
    [
        "20", "January", "next", "Friday", "at", "3", "pm", ":", "30", "€", "$", "k", "the",
        "28th", "-", "/", ".", ",", " ",
        "between", "and", "every", "Mr.", "Lind", "A", "order", "#", "@", "a.b", "https://",
        "(", ")", "'", '"', "“", "”",
        "月", "日", "下周", "五", "每", "元", "点", "半", "晚上", "二十", "路", "号", "先生", "丁",
        "我叫", "万", "个", "天", "前",
        "２", "frıday", "ſunday", "K", "İ", "²", "½", "٣", "\n", "\x00", "😀", "century",
        "dozen", "half", "a", "an",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES).map("".join), st.lists(PIECES).map(" ".join)), st.datetimes())
def test_any_text_gives_values_in_bounds_in_order_and_apart(text: str, sent_at: datetime) -> None:
    values = find_values(text, sent_at)
    assert values == find_values(text, sent_at)
    end = 0
    for value in values:
        assert end <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        assert value.canonical
        end = value.end


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "unit",
    ["1", " ", ",", "1,", "A", "Ab ", "a ", "1 ", "a@", "@", "1-", "1.", "12:", "A-", "中", "一", "路",
     "建国路",
    "每周", "two ", "the ", "'", '"',
     "“", "http://", "May 1 - ", "周一、", "1月1日到", "every Monday and ", "of the ", "A. ", "\n",
     "+1 ", "(1", "twenty-", "first "],
)  # fmt: skip
def test_sixty_thousand_characters_of_anything_end(unit: str) -> None:
    """Each takes well under a second where time is linear in the text, and hours where it is exponential."""
    text = (unit * 60_000)[:60_000]
    values = find_values(text, SENT)
    assert all(len(value.text) < 2_100 for value in values)


def test_values_do_not_depend_on_when_but_for_times() -> None:
    text = "€420 for 3 nights with Dr. Lind, parcel 6120-35"
    assert find_values(text, SENT) == find_values(text, datetime(1999, 1, 1, tzinfo=UTC))
