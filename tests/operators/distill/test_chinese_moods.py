"""How Chinese clauses are meant: social, assent, refusal, offer, request, question, supposition."""

import pytest

from operators.distill.chinese import CHINESE
from operators.distill.clause import Mood
from state.model import Act
from tests.operators.distill.chinese_seen import Seen, seen

MOODS: list[tuple[str, list[Seen]]] = [
    (
        "你好！",
        [
            Seen("你好", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "谢谢，辛苦了！",
        [
            Seen("谢谢", Mood.SOCIAL, Act.STATE, []),
            Seen("辛苦了", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "祝您旅途愉快！",
        [
            Seen("祝您旅途愉快", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "恭喜恭喜！",
        [
            Seen("恭喜恭喜", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "收到，我知道了。",
        [
            Seen("收到", Mood.SOCIAL, Act.STATE, []),
            Seen("我知道了", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "可以，没问题。",
        [
            Seen("可以", Mood.ACCEPTANCE, Act.STATE, []),
            Seen("没问题", Mood.ACCEPTANCE, Act.STATE, []),
        ],
    ),
    (
        "行，就按这个来。",
        [
            Seen("行", Mood.ACCEPTANCE, Act.STATE, []),
            Seen("就按这个来", Mood.ACCEPTANCE, Act.STATE, []),
        ],
    ),
    (
        "好的。",
        [
            Seen("好的", Mood.ACCEPTANCE, Act.STATE, []),
        ],
    ),
    (
        "好的，地址是长沙路5号。",
        [
            Seen("好的", Mood.SOCIAL, Act.STATE, []),
            Seen("地址是长沙路5号", Mood.STATEMENT, Act.STATE, [("", "地址", "长沙路5号")]),
        ],
    ),
    (
        "不用了，谢谢。",
        [
            Seen("不用了", Mood.REFUSAL, Act.STATE, []),
            Seen("谢谢", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "算了，不要了。",
        [
            Seen("算了", Mood.REFUSAL, Act.STATE, []),
            Seen("不要了", Mood.REFUSAL, Act.STATE, []),
        ],
    ),
    (
        "周三晚上7点还有空位，您看可以吗？",
        [
            Seen("周三晚上7点还有空位", Mood.PROPOSAL, Act.STATE, [("", "日期", "周三晚上7点")]),
            Seen("您看可以吗", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "我可以给您打九折。",
        [
            Seen("我可以给您打九折", Mood.PROPOSAL, Act.STATE, [("", "比例", "九折")]),
        ],
    ),
    (
        "建议您选上午9点的那趟高铁。",
        [
            Seen("建议您选上午9点的那趟高铁", Mood.PROPOSAL, Act.STATE, [("", "时间", "上午9点")]),
        ],
    ),
    (
        "改到周六怎么样？",
        [
            Seen("改到周六怎么样", Mood.PROPOSAL, Act.CHANGE, [("", "日期", "周六")]),
        ],
    ),
    (
        "如果下雨，就改成室内活动。",
        [
            Seen("如果下雨", Mood.HYPOTHETICAL, Act.STATE, []),
            Seen("就改成室内活动", Mood.HYPOTHETICAL, Act.CHANGE, []),
        ],
    ),
    (
        "要是你们能便宜点，我就买两台。",
        [
            Seen("要是你们能便宜点", Mood.HYPOTHETICAL, Act.STATE, []),
            Seen("我就买两台", Mood.HYPOTHETICAL, Act.STATE, []),
        ],
    ),
    (
        "方便的话，请把发票寄给我。",
        [
            Seen("方便的话", Mood.SOCIAL, Act.STATE, []),
            Seen("请把发票寄给我", Mood.REQUEST, Act.STATE, []),
        ],
    ),
    (
        "随便问问。",
        [
            Seen("随便问问", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "请问退款什么时候到账？",
        [
            Seen(
                "请问退款什么时候到账", Mood.QUESTION, Act.STATE, [("退款", "到账时间", "")], asks="到账时间"
            ),
        ],
    ),
    (
        "客服电话是多少？",
        [
            Seen("客服电话是多少", Mood.QUESTION, Act.STATE, [("客服", "电话", "")], asks="电话"),
        ],
    ),
    (
        "你们几点关门？",
        [
            Seen("你们几点关门", Mood.QUESTION, Act.STATE, [("你们", "关门时间", "")], asks="关门时间"),
        ],
    ),
    (
        "早餐几点开始？",
        [
            Seen("早餐几点开始", Mood.QUESTION, Act.STATE, [("早餐", "开始时间", "")], asks="开始时间"),
        ],
    ),
    (
        "谁负责签合同？",
        [
            Seen("谁负责签合同", Mood.QUESTION, Act.STATE, [], asks="负责人"),
        ],
    ),
    (
        "房租得多少？",
        [
            Seen("房租得多少", Mood.QUESTION, Act.STATE, [], asks="房租"),
        ],
    ),
    (
        "这款有什么颜色？",
        [
            Seen("这款有什么颜色", Mood.QUESTION, Act.STATE, [("这款", "颜色", "")], asks="颜色"),
        ],
    ),
    (
        "帮我查一下快递到哪了。",
        [
            Seen("帮我查一下快递到哪了", Mood.QUESTION, Act.STATE, [("快递", "状态", "")], asks="状态"),
        ],
    ),
    (
        "能帮我取消订单吗？",
        [
            Seen("能帮我取消订单吗", Mood.REQUEST, Act.WITHDRAW, [("订单", "", "")], negated=True),
        ],
    ),
    (
        "保额能提到300万吗？",
        [
            Seen("保额能提到300万吗", Mood.QUESTION, Act.STATE, []),
        ],
    ),
    (
        "你叫什么名字？",
        [
            Seen("你叫什么名字", Mood.QUESTION, Act.STATE, [("你", "姓名", "")], asks="姓名"),
        ],
    ),
    (
        "那就周四吧。",
        [
            Seen("那就周四吧", Mood.REQUEST, Act.CHANGE, [("", "日期", "周四")]),
        ],
    ),
    (
        "张先生，您的订单已发货。",
        [
            Seen("张先生", Mood.SOCIAL, Act.STATE, []),
            Seen("您的订单已发货", Mood.STATEMENT, Act.STATE, [("您的订单", "物流", "发货")]),
        ],
    ),
    (
        "6点满了，7点还有一间，可以吗？",
        [
            Seen("6点满了", Mood.STATEMENT, Act.STATE, []),
            Seen("7点还有一间", Mood.PROPOSAL, Act.STATE, [("", "时间", "7点")]),
            Seen("可以吗", Mood.SOCIAL, Act.STATE, []),
        ],
    ),
    (
        "那优惠券还能用吗？",
        [
            Seen("那优惠券还能用吗", Mood.QUESTION, Act.STATE, []),
        ],
    ),
    (
        "什么都可以。",
        [
            Seen("什么都可以", Mood.ACCEPTANCE, Act.STATE, []),
        ],
    ),
    (
        "我知道他是谁。",
        [
            Seen("我知道他是谁", Mood.STATEMENT, Act.STATE, [("我", "情况", "知道他是谁", True)]),
        ],
    ),
]


@pytest.mark.parametrize(("text", "clauses"), MOODS, ids=[text for text, _ in MOODS])
def test_a_clause_is_meant_as_its_words_say(text: str, clauses: list[Seen]) -> None:
    assert seen(CHINESE.read(text)) == clauses
