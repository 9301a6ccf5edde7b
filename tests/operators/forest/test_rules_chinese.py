"""What each discourse cue of Chinese does to the forest."""

import pytest

from operators.forest.interface import Kind, Reason
from tests.operators.forest.talks import last, placed

TRAIN = ("U: 我想订一张去上海的高铁票", "A: 已为您选好周五的高铁票。")
TRAIN_THEN_BILL = (*TRAIN, "U: 另外，帮我查一下信用卡账单", "A: 您的账单是三千元。")


def test_the_first_matter_after_a_greeting_stays_in_its_tree():
    assert last("U: 你好", "A: 您好，有什么可以帮您？", "U: 帮我找一位水管工").topic == "m0"


@pytest.mark.parametrize("feedback", ["谢谢", "好的，收到", "明白了", "太好了！", "辛苦了，再见"])
def test_feedback_continues(feedback):
    place = last(*TRAIN_THEN_BILL, f"U: {feedback}")
    assert (place.kind, place.reason, place.parent) == (Kind.CONTINUE, Reason.FEEDBACK, "m3")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("请问您哪天还款？", "下周五"), ("您要分几期？", "我想分三期"), ("卡号是多少？", "尾号八八")],
)
def test_an_answer_continues(question, answer):
    place = last(*TRAIN_THEN_BILL, f"A: {question}", f"U: {answer}")
    assert (place.kind, place.reason, place.topic) == (Kind.CONTINUE, Reason.ANSWER, "m2")


@pytest.mark.parametrize(
    "opening",
    [
        "另外，帮我预约一位牙医",
        "对了，护照过期了",
        "顺便问一下，附近有火锅店吗？",
        "我还需要翻译一封德语信",
        "换个话题，足球比赛谁赢了？",
        "能不能帮我写一份简历？",
    ],
)
def test_a_new_task_opens_a_tree(opening):
    assert last(*TRAIN, f"U: {opening}").kind is Kind.NEW_TREE


@pytest.mark.parametrize(
    "words",
    [
        "回到刚才的高铁票，能改到周六吗？",
        "说到高铁票，我要靠窗的座位",
        "关于高铁票，我要靠窗的座位",
        "回到第一个话题",
    ],
)
def test_going_back_returns_to_what_is_named(words):
    place = last(*TRAIN_THEN_BILL, f"U: {words}")
    assert (place.kind, place.topic, place.parent) == (Kind.RETURN, "m0", "m1")


def test_a_task_that_an_earlier_topic_is_about_returns_to_it():
    assert last(*TRAIN_THEN_BILL, "U: 请取消上海的高铁票").topic == "m0"


def test_referring_to_another_topic_stays_and_keeps_the_link():
    place = last(*TRAIN_THEN_BILL, "U: 就像刚才说的高铁票，也开发票")
    assert (place.topic, place.mentions) == ("m2", ("m0",))


@pytest.mark.parametrize("words", ["那北京呢？", "它几点到？", "这个能退吗？"])
def test_what_needs_the_context_continues(words):
    assert last(*TRAIN, f"U: {words}").topic == "m0"


def test_an_alternative_branches_at_the_turn_it_departs_from():
    talk = (*TRAIN, "U: 它有餐车吗？", "A: 有餐车。")
    place = last(*talk, "U: 高铁票要不换成周日的吧")
    assert (place.kind, place.branch, place.topic) == (Kind.BRANCH, "m4", "m0")


def test_two_talks_of_one_country_stay_apart():
    places = placed(
        "U: 我打算去日本度假，京都有哪些寺庙值得看？",
        "A: 清水寺春天很美。",
        "U: 我还要准备去日本拜访芯片供应商",
        "A: 什么时候见供应商？",
        "U: 下周二",
        "A: 已记下。",
        "U: 回到寺庙，一天能看几座？",
    )
    assert [place.topic for place in places] == ["m0", "m0", "m2", "m2", "m2", "m2", "m0"]


def test_a_matter_that_was_dismissed_is_not_returned_to():
    talk = ("U: 购物清单加两个西瓜", "A: 收到", "U: 购物清单全部清空", "A: 收到", "U: 购物清单加三个西瓜")
    assert [place.topic for place in placed(*talk)] == ["m0", "m0", "m0", "m0", "m4"]
