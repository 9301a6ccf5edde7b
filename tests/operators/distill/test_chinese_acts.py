"""What Chinese clauses do: change, restore, withdraw, add, remove."""

import pytest

from operators.distill.chinese import CHINESE
from operators.distill.clause import Mood
from state.model import Act
from tests.operators.distill.chinese_seen import Seen, seen

ACTS: list[tuple[str, list[Seen]]] = [
    (
        "收货地址改成苏州工业园区星湖街218号。",
        [
            Seen(
                "收货地址改成苏州工业园区星湖街218号",
                Mood.STATEMENT,
                Act.CHANGE,
                [("", "收货地址", "苏州工业园区星湖街218号")],
            ),
        ],
    ),
    (
        "麻烦把收件人换成李强。",
        [
            Seen("麻烦把收件人换成李强", Mood.REQUEST, Act.CHANGE, [("", "收件人", "李强")]),
        ],
    ),
    (
        "颜色换成白色吧，黑色不好看。",
        [
            Seen("颜色换成白色吧", Mood.REQUEST, Act.CHANGE, [("", "颜色", "白色")]),
            Seen("黑色不好看", Mood.STATEMENT, Act.STATE, [("黑色", "情况", "不好看", True)], negated=True),
        ],
    ),
    (
        "能不能改到周五下午三点送？",
        [
            Seen("能不能改到周五下午三点送", Mood.REQUEST, Act.CHANGE, [("", "配送时间", "周五下午三点")]),
        ],
    ),
    (
        "帮我把会议室从301换成502。",
        [
            Seen("帮我把会议室从301换成502", Mood.REQUEST, Act.CHANGE, [("", "会议室", "502")], old="301"),
        ],
    ),
    (
        "预算加到15万。",
        [
            Seen("预算加到15万", Mood.STATEMENT, Act.CHANGE, [("", "预算", "15万")]),
        ],
    ),
    (
        "体检改到10月15号，那天我要出差。",
        [
            Seen("体检改到10月15号", Mood.STATEMENT, Act.CHANGE, [("", "体检时间", "10月15号")]),
            Seen("那天我要出差", Mood.STATEMENT, Act.STATE, [("我", "出差", "要出差", True)]),
        ],
    ),
    (
        "三亚不去了，改去云南。",
        [
            Seen("三亚不去了", Mood.STATEMENT, Act.WITHDRAW, [("三亚", "", "")], negated=True),
            Seen("改去云南", Mood.STATEMENT, Act.CHANGE, [("", "去", "云南")]),
        ],
    ),
    (
        "取消自动续费。",
        [
            Seen("取消自动续费", Mood.STATEMENT, Act.WITHDRAW, [("自动续费", "", "")], negated=True),
        ],
    ),
    (
        "会员我不续了。",
        [
            Seen("会员我不续了", Mood.STATEMENT, Act.WITHDRAW, [("会员", "", "")], negated=True),
        ],
    ),
    (
        "地址不变，电话改成13900001111。",
        [
            Seen("地址不变", Mood.STATEMENT, Act.STATE, []),
            Seen("电话改成13900001111", Mood.STATEMENT, Act.CHANGE, [("", "电话", "13900001111")]),
        ],
    ),
    (
        "再加一份酸辣汤，去掉米饭。",
        [
            Seen("再加一份酸辣汤", Mood.STATEMENT, Act.ADD, [("", "项目", "一份酸辣汤", True)]),
            Seen("去掉米饭", Mood.STATEMENT, Act.REMOVE, [("", "项目", "米饭", True)]),
        ],
    ),
    (
        "不要冰了。",
        [
            Seen("不要冰了", Mood.REQUEST, Act.REMOVE, [("", "项目", "冰", True)]),
        ],
    ),
    (
        "购物车里的耳机删掉。",
        [
            Seen("购物车里的耳机删掉", Mood.STATEMENT, Act.REMOVE, [("", "项目", "购物车里的耳机", True)]),
        ],
    ),
    (
        "好的，已为您取消订单。",
        [
            Seen("好的", Mood.SOCIAL, Act.STATE, []),
            Seen("已为您取消订单", Mood.STATEMENT, Act.WITHDRAW, [("订单", "", "")], negated=True),
        ],
    ),
    (
        "服务器的内存从16GB升到32GB。",
        [
            Seen(
                "服务器的内存从16GB升到32GB",
                Mood.STATEMENT,
                Act.CHANGE,
                [("服务器", "内存", "32GB")],
                old="16GB",
            ),
        ],
    ),
    (
        "后端改用Rust重写。",
        [
            Seen("后端改用Rust重写", Mood.STATEMENT, Act.CHANGE, [("后端", "选用", "Rust")]),
        ],
    ),
    (
        "我想把套餐从59元换成99元的。",
        [
            Seen("我想把套餐从59元换成99元的", Mood.REQUEST, Act.CHANGE, [("", "套餐", "99元")], old="59元"),
        ],
    ),
    (
        "孩子改由外婆接，爷爷腿摔了。",
        [
            Seen("孩子改由外婆接", Mood.STATEMENT, Act.CHANGE, [("孩子", "接送人", "外婆")]),
            Seen("爷爷腿摔了", Mood.STATEMENT, Act.STATE, [("爷爷", "健康", "腿摔")]),
        ],
    ),
    (
        "不是周三，是周四。",
        [
            Seen("不是周三", Mood.STATEMENT, Act.STATE, [], negated=True),
            Seen("是周四", Mood.STATEMENT, Act.CHANGE, [("", "", "周四")], old="周三"),
        ],
    ),
    (
        "送货时间恢复为每周一。",
        [
            Seen("送货时间恢复为每周一", Mood.STATEMENT, Act.RESTORE, [("", "送货时间", "每周一")]),
        ],
    ),
    (
        "周二的围棋课调到周四。",
        [
            Seen(
                "周二的围棋课调到周四", Mood.STATEMENT, Act.CHANGE, [("围棋课", "日期", "周四")], old="周二"
            ),
        ],
    ),
    (
        "瓷砖不要马可波罗的了，换东鹏的。",
        [
            Seen("瓷砖不要马可波罗的了", Mood.STATEMENT, Act.REMOVE, [("瓷砖", "项目", "马可波罗", True)]),
            Seen("换东鹏的", Mood.STATEMENT, Act.CHANGE, [("瓷砖", "选用", "东鹏")]),
        ],
    ),
    (
        "数据库用回Oracle吧。",
        [
            Seen("数据库用回Oracle吧", Mood.REQUEST, Act.RESTORE, [("", "数据库", "Oracle")]),
        ],
    ),
    (
        "改到下周三的事算了吧。",
        [
            Seen(
                "改到下周三的事算了吧",
                Mood.REQUEST,
                Act.WITHDRAW,
                [("", "日期", "")],
                old="下周三",
                negated=True,
            ),
        ],
    ),
    (
        "从7月1日起，物业费涨到每月3元。",
        [
            Seen("从7月1日起", Mood.STATEMENT, Act.STATE, [], effective="7月1日"),
            Seen(
                "物业费涨到每月3元",
                Mood.STATEMENT,
                Act.CHANGE,
                [("", "物业费", "每月3元")],
                effective="7月1日",
            ),
        ],
    ),
    (
        "地址错了，应该是珞喻路21号。",
        [
            Seen("地址错了", Mood.STATEMENT, Act.STATE, []),
            Seen("应该是珞喻路21号", Mood.STATEMENT, Act.CHANGE, [("", "地址", "珞喻路21号")]),
        ],
    ),
    (
        "你记错了，是9月18日，不是9月8日。",
        [
            Seen("你记错了", Mood.STATEMENT, Act.STATE, [("你", "情况", "记错", True)]),
            Seen("是9月18日", Mood.STATEMENT, Act.CHANGE, [("", "", "9月18日")], old="9月8日"),
            Seen("不是9月8日", Mood.STATEMENT, Act.STATE, [], negated=True),
        ],
    ),
    (
        "我不学游泳了。",
        [
            Seen("我不学游泳了", Mood.STATEMENT, Act.WITHDRAW, [("我", "学", "游泳", True)], negated=True),
        ],
    ),
    (
        "公司搬到余杭了，所以我改坐地铁。",
        [
            Seen("公司搬到余杭了", Mood.STATEMENT, Act.CHANGE, [("公司", "地点", "余杭")]),
            Seen("所以我改坐地铁", Mood.STATEMENT, Act.CHANGE, [("我", "坐", "地铁")]),
        ],
    ),
    (
        "芭蕾课还是周三吧。",
        [
            Seen("芭蕾课还是周三吧", Mood.REQUEST, Act.RESTORE, [("芭蕾课", "日期", "周三")]),
        ],
    ),
    (
        "开工推迟到4月8日吧。",
        [
            Seen("开工推迟到4月8日吧", Mood.REQUEST, Act.CHANGE, [("", "开工日期", "4月8日")]),
        ],
    ),
    (
        "大概加6000元。",
        [
            Seen("大概加6000元", Mood.STATEMENT, Act.STATE, [("", "价格", "6000元")]),
        ],
    ),
    (
        "把自动续费关掉吧。",
        [
            Seen("把自动续费关掉吧", Mood.REQUEST, Act.WITHDRAW, [("自动续费", "", "")], negated=True),
        ],
    ),
    (
        "支付接口升级到V3。",
        [
            Seen("支付接口升级到V3", Mood.STATEMENT, Act.CHANGE, [("支付接口", "选用", "V3")]),
        ],
    ),
    (
        "预算砍到15万了。",
        [
            Seen("预算砍到15万了", Mood.STATEMENT, Act.CHANGE, [("", "预算", "15万")]),
        ],
    ),
    (
        "小周调去北京了，改版由小吴接手。",
        [
            Seen("小周调去北京了", Mood.STATEMENT, Act.CHANGE, [("小周", "工作地点", "北京")]),
            Seen("改版由小吴接手", Mood.STATEMENT, Act.STATE, [("改版", "负责人", "小吴")]),
        ],
    ),
    (
        "G204没票了，改买G212。",
        [
            Seen("G204没票了", Mood.STATEMENT, Act.STATE, [("G204", "情况", "没票", True)], negated=True),
            Seen("改买G212", Mood.STATEMENT, Act.CHANGE, [("", "买", "G212")]),
        ],
    ),
    (
        "别换刹车片了。",
        [
            Seen("别换刹车片了", Mood.REQUEST, Act.WITHDRAW, [("", "换", "刹车片", True)], negated=True),
        ],
    ),
    (
        "演出因故推迟到下个月。",
        [
            Seen("演出因故推迟到下个月", Mood.STATEMENT, Act.CHANGE, [("演出", "日期", "下个月")]),
        ],
    ),
    (
        "原定周五的演出取消。",
        [
            Seen(
                "原定周五的演出取消",
                Mood.STATEMENT,
                Act.WITHDRAW,
                [("演出", "日期", "")],
                old="周五",
                negated=True,
            ),
        ],
    ),
    (
        "还是用原来的地址吧。",
        [
            Seen("还是用原来的地址吧", Mood.REQUEST, Act.RESTORE, [("", "地址", "")]),
        ],
    ),
]


@pytest.mark.parametrize(("text", "clauses"), ACTS, ids=[text for text, _ in ACTS])
def test_a_clause_does_what_its_words_do(text: str, clauses: list[Seen]) -> None:
    assert seen(CHINESE.read(text)) == clauses
