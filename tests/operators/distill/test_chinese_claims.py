"""What Chinese statements claim: (entity, attribute, value), topics carried along a comma list."""

import pytest

from operators.distill.chinese import CHINESE
from operators.distill.clause import Mood
from state.model import Act
from tests.operators.distill.chinese_seen import Seen, seen

CLAIMS: list[tuple[str, list[Seen]]] = [
    (
        "我的快递寄到杭州市西湖区文三路88号，收件人王芳，电话13812345678。",
        [
            Seen(
                "我的快递寄到杭州市西湖区文三路88号",
                Mood.STATEMENT,
                Act.STATE,
                [("我的快递", "收货地址", "杭州市西湖区文三路88号")],
            ),
            Seen("收件人王芳", Mood.STATEMENT, Act.STATE, [("我的快递", "收件人", "王芳")]),
            Seen("电话13812345678", Mood.STATEMENT, Act.STATE, [("我的快递", "电话", "13812345678")]),
        ],
    ),
    (
        "订单号A20391，颜色是黑色，尺码L。",
        [
            Seen("订单号A20391", Mood.STATEMENT, Act.STATE, [("", "订单号", "A20391")]),
            Seen("颜色是黑色", Mood.STATEMENT, Act.STATE, [("", "颜色", "黑色")]),
            Seen("尺码L", Mood.STATEMENT, Act.STATE, [("", "尺码", "L")]),
        ],
    ),
    (
        "教室订的是东配楼207，时间是上午9点到11点。",
        [
            Seen("教室订的是东配楼207", Mood.STATEMENT, Act.STATE, [("", "教室", "东配楼207")]),
            Seen("时间是上午9点到11点", Mood.STATEMENT, Act.STATE, [("", "时间", "上午9点到11点")]),
        ],
    ),
    (
        "课程每周二、周四晚上7点上，学费3600元，一共24课时。",
        [
            Seen(
                "课程每周二、周四晚上7点上",
                Mood.STATEMENT,
                Act.STATE,
                [("课程", "上课时间", "每周二、周四晚上7点")],
            ),
            Seen("学费3600元", Mood.STATEMENT, Act.STATE, [("课程", "学费", "3600元")]),
            Seen("一共24课时", Mood.STATEMENT, Act.STATE, [("课程", "数量", "24课时")]),
        ],
    ),
    (
        "我报了瑜伽班，每周六上午10点上课。",
        [
            Seen("我报了瑜伽班", Mood.STATEMENT, Act.STATE, [("我", "报", "瑜伽班", True)]),
            Seen("每周六上午10点上课", Mood.STATEMENT, Act.STATE, [("瑜伽班", "上课时间", "每周六上午10点")]),
        ],
    ),
    (
        "我给车买了保险，保费每年4200元，保额200万。",
        [
            Seen("我给车买了保险", Mood.STATEMENT, Act.STATE, [("我", "买", "保险", True)]),
            Seen("保费每年4200元", Mood.STATEMENT, Act.STATE, [("保险", "保费", "每年4200元")]),
            Seen("保额200万", Mood.STATEMENT, Act.STATE, [("保险", "保额", "200万")]),
        ],
    ),
    (
        "体检约在10月8日上午8点，记得空腹。",
        [
            Seen("体检约在10月8日上午8点", Mood.STATEMENT, Act.STATE, [("体检", "日期", "10月8日上午8点")]),
            Seen("记得空腹", Mood.REQUEST, Act.STATE, []),
        ],
    ),
    (
        "我对青霉素过敏。",
        [
            Seen("我对青霉素过敏", Mood.STATEMENT, Act.STATE, [("我", "过敏", "青霉素", True)]),
        ],
    ),
    (
        "我不吃香菜，也不喜欢吃辣。",
        [
            Seen("我不吃香菜", Mood.STATEMENT, Act.STATE, [("我", "忌口", "香菜", True)], negated=True),
            Seen("也不喜欢吃辣", Mood.STATEMENT, Act.STATE, [("我", "厌恶", "吃辣", True)], negated=True),
        ],
    ),
    (
        "我女儿喜欢画画，儿子喜欢踢足球。",
        [
            Seen("我女儿喜欢画画", Mood.STATEMENT, Act.STATE, [("我女儿", "喜好", "画画", True)]),
            Seen("儿子喜欢踢足球", Mood.STATEMENT, Act.STATE, [("儿子", "喜好", "踢足球", True)]),
        ],
    ),
    (
        "机票订的是国航CA1375，12月20日早上7点起飞。",
        [
            Seen("机票订的是国航CA1375", Mood.STATEMENT, Act.STATE, [("", "机票", "国航CA1375")]),
            Seen(
                "12月20日早上7点起飞",
                Mood.STATEMENT,
                Act.STATE,
                [("机票", "起飞时间", "12月20日早上7点")],
                effective="12月20日早上7点",
            ),
        ],
    ),
    (
        "退款3到5个工作日到账，金额是268元。",
        [
            Seen("退款3到5个工作日到账", Mood.STATEMENT, Act.STATE, [("退款", "到账时间", "3到5个工作日")]),
            Seen("金额是268元", Mood.STATEMENT, Act.STATE, [("退款", "金额", "268元")]),
        ],
    ),
    (
        "退款账户是招商银行尾号6688。",
        [
            Seen(
                "退款账户是招商银行尾号6688",
                Mood.STATEMENT,
                Act.STATE,
                [("", "退款账户", "招商银行尾号6688")],
            ),
        ],
    ),
    (
        "会员升级为金卡，年费299元，有效期到2026年3月1日。",
        [
            Seen("会员升级为金卡", Mood.STATEMENT, Act.CHANGE, [("会员", "选用", "金卡")]),
            Seen("年费299元", Mood.STATEMENT, Act.STATE, [("会员", "年费", "299元")]),
            Seen("有效期到2026年3月1日", Mood.STATEMENT, Act.STATE, [("会员", "有效期", "2026年3月1日")]),
        ],
    ),
    (
        "我老公是医生，在协和医院上班。",
        [
            Seen("我老公是医生", Mood.STATEMENT, Act.STATE, [("我老公", "职位", "医生")]),
            Seen("在协和医院上班", Mood.STATEMENT, Act.STATE, [("我老公", "公司", "协和医院")]),
        ],
    ),
    (
        "我叫刘洋，今年32岁，属猴。",
        [
            Seen("我叫刘洋", Mood.STATEMENT, Act.STATE, [("我", "姓名", "刘洋")]),
            Seen("今年32岁", Mood.STATEMENT, Act.STATE, [("我", "年龄", "32岁")]),
            Seen("属猴", Mood.STATEMENT, Act.STATE, [("我", "属相", "猴")]),
        ],
    ),
    (
        "我养了一只猫，叫豆豆。",
        [
            Seen("我养了一只猫", Mood.STATEMENT, Act.STATE, [("我", "养", "一只猫", True)]),
            Seen("叫豆豆", Mood.STATEMENT, Act.STATE, [("猫", "姓名", "豆豆")]),
        ],
    ),
    (
        "我的邮箱是liuyang@example.com。",
        [
            Seen(
                "我的邮箱是liuyang@example.com",
                Mood.STATEMENT,
                Act.STATE,
                [("我", "邮箱", "liuyang@example.com")],
            ),
        ],
    ),
    (
        "前端框架用Vue 3，后端用Go。",
        [
            Seen("前端框架用Vue 3", Mood.STATEMENT, Act.STATE, [("前端框架", "选用", "Vue 3")]),
            Seen("后端用Go", Mood.STATEMENT, Act.STATE, [("后端", "选用", "Go")]),
        ],
    ),
    (
        "部署环境：生产用K8s，测试用Docker Compose。",
        [
            Seen("部署环境：生产用K8s", Mood.STATEMENT, Act.STATE, [("生产", "选用", "K8s")]),
            Seen("测试用Docker Compose", Mood.STATEMENT, Act.STATE, [("测试", "选用", "Docker Compose")]),
        ],
    ),
    (
        "周报由小李负责，月报由老王负责。",
        [
            Seen("周报由小李负责", Mood.STATEMENT, Act.STATE, [("周报", "负责人", "小李")]),
            Seen("月报由老王负责", Mood.STATEMENT, Act.STATE, [("月报", "负责人", "老王")]),
        ],
    ),
    (
        "项目负责人是陈晨，预计6月底上线。",
        [
            Seen("项目负责人是陈晨", Mood.STATEMENT, Act.STATE, [("项目", "负责人", "陈晨")]),
            Seen("预计6月底上线", Mood.STATEMENT, Act.STATE, [("项目", "上线时间", "6月底")]),
        ],
    ),
    (
        "健身卡有效期到明年5月，还剩12次。",
        [
            Seen("健身卡有效期到明年5月", Mood.STATEMENT, Act.STATE, [("健身卡", "有效期", "明年5月")]),
            Seen("还剩12次", Mood.STATEMENT, Act.STATE, [("健身卡", "剩", "12次")]),
        ],
    ),
    (
        "婚礼定在五一，地点在悦湖酒店，大概摆30桌。",
        [
            Seen("婚礼定在五一", Mood.STATEMENT, Act.STATE, [("婚礼", "日期", "五一")]),
            Seen("地点在悦湖酒店", Mood.STATEMENT, Act.STATE, [("婚礼", "地点", "悦湖酒店")]),
            Seen("大概摆30桌", Mood.STATEMENT, Act.STATE, [("婚礼", "数量", "30桌")]),
        ],
    ),
    (
        "蛋糕要8寸的，草莓味，周六下午4点取。",
        [
            Seen("蛋糕要8寸的", Mood.STATEMENT, Act.STATE, [("蛋糕", "尺寸", "8寸")]),
            Seen("草莓味", Mood.STATEMENT, Act.STATE, [("蛋糕", "口味", "草莓味")]),
            Seen("周六下午4点取", Mood.STATEMENT, Act.STATE, [("蛋糕", "取货日期", "周六下午4点")]),
        ],
    ),
    (
        "晚上9点关门，周日休息。",
        [
            Seen("晚上9点关门", Mood.STATEMENT, Act.STATE, [("", "关门时间", "晚上9点")]),
            Seen("周日休息", Mood.STATEMENT, Act.STATE, [("", "休息时间", "周日")]),
        ],
    ),
    (
        "宽带师傅明天上午来装。",
        [
            Seen("宽带师傅明天上午来装", Mood.STATEMENT, Act.STATE, [("宽带师傅", "安装时间", "明天上午")]),
        ],
    ),
    (
        "维修工单号WX-88213，师傅姓赵。",
        [
            Seen("维修工单号WX-88213", Mood.STATEMENT, Act.STATE, [("", "维修工单号", "WX-88213")]),
            Seen("师傅姓赵", Mood.STATEMENT, Act.STATE, [("", "师傅", "赵")]),
        ],
    ),
    (
        "发票抬头写北京云途科技有限公司。",
        [
            Seen(
                "发票抬头写北京云途科技有限公司",
                Mood.STATEMENT,
                Act.STATE,
                [("", "发票抬头", "北京云途科技有限公司")],
            ),
        ],
    ),
    (
        "火车票买的是G15次，二等座，9点出发。",
        [
            Seen("火车票买的是G15次", Mood.STATEMENT, Act.STATE, [("火车票", "买", "G15次")]),
            Seen("二等座", Mood.STATEMENT, Act.STATE, [("火车票", "", "二等座", True)]),
            Seen("9点出发", Mood.STATEMENT, Act.STATE, [("火车票", "出发时间", "9点")]),
        ],
    ),
    (
        "钥匙在鞋柜第二层。",
        [
            Seen("钥匙在鞋柜第二层", Mood.STATEMENT, Act.STATE, [("钥匙", "地点", "鞋柜第二层")]),
        ],
    ),
    (
        "文件存在共享盘的“合同”目录。",
        [
            Seen(
                "文件存在共享盘的“合同”目录",
                Mood.STATEMENT,
                Act.STATE,
                [("文件", "地点", "共享盘的“合同”目录")],
            ),
        ],
    ),
    (
        "我更喜欢靠过道的座位。",
        [
            Seen("我更喜欢靠过道的座位", Mood.STATEMENT, Act.STATE, [("我", "喜好", "靠过道的座位", True)]),
        ],
    ),
    (
        "水费每吨3.5元，电费一度0.6元。",
        [
            Seen("水费每吨3.5元", Mood.STATEMENT, Act.STATE, [("", "水费", "每吨3.5元")]),
            Seen("电费一度0.6元", Mood.STATEMENT, Act.STATE, [("", "电费", "一度0.6元")]),
        ],
    ),
    (
        "我在学西班牙语，也在学吉他。",
        [
            Seen("我在学西班牙语", Mood.STATEMENT, Act.STATE, [("我", "学", "在学西班牙语", True)]),
            Seen("也在学吉他", Mood.STATEMENT, Act.STATE, [("我", "学", "也在学吉他", True)]),
        ],
    ),
    (
        "我换工作了，现在在字节跳动做产品经理。",
        [
            Seen("我换工作了", Mood.STATEMENT, Act.STATE, [("我", "换", "换工作", True)]),
            Seen(
                "现在在字节跳动做产品经理",
                Mood.STATEMENT,
                Act.STATE,
                [("我", "公司", "字节跳动"), ("我", "职位", "产品经理")],
            ),
        ],
    ),
    (
        "我现在住在北京朝阳区，下个月搬到上海。",
        [
            Seen("我现在住在北京朝阳区", Mood.STATEMENT, Act.STATE, [("我", "住址", "北京朝阳区")]),
            Seen("下个月搬到上海", Mood.STATEMENT, Act.CHANGE, [("我", "住址", "上海")]),
        ],
    ),
    (
        "收货人：李明，地址：成都市高新区天府大道1号。",
        [
            Seen("收货人：李明", Mood.STATEMENT, Act.STATE, [("", "收货人", "李明")]),
            Seen(
                "地址：成都市高新区天府大道1号",
                Mood.STATEMENT,
                Act.STATE,
                [("", "地址", "成都市高新区天府大道1号")],
            ),
        ],
    ),
    (
        "小明周三羽毛球课，小红周五钢琴课。",
        [
            Seen("小明周三羽毛球课", Mood.STATEMENT, Act.STATE, [("小明的羽毛球课", "日期", "周三")]),
            Seen("小红周五钢琴课", Mood.STATEMENT, Act.STATE, [("小红的钢琴课", "日期", "周五")]),
        ],
    ),
    (
        "奶奶住院了，还没出院。",
        [
            Seen("奶奶住院了", Mood.STATEMENT, Act.STATE, [("奶奶", "健康", "住院")]),
            Seen("还没出院", Mood.STATEMENT, Act.STATE, [("奶奶", "健康", "没出院")], negated=True),
        ],
    ),
    (
        "橱柜浅灰色。",
        [
            Seen("橱柜浅灰色", Mood.STATEMENT, Act.STATE, [("橱柜", "颜色", "浅灰色")]),
        ],
    ),
    (
        "帮我订周六晚上6点的包间，8个人。",
        [
            Seen("帮我订周六晚上6点的包间", Mood.REQUEST, Act.STATE, [("包间", "时间", "周六晚上6点")]),
            Seen("8个人", Mood.STATEMENT, Act.STATE, [("包间", "人数", "8个人")]),
        ],
    ),
    (
        "我给女儿报了周三的芭蕾课。",
        [
            Seen("我给女儿报了周三的芭蕾课", Mood.STATEMENT, Act.STATE, [("女儿的芭蕾课", "日期", "周三")]),
        ],
    ),
    (
        "我妈负责订餐，她叫周兰。",
        [
            Seen("我妈负责订餐", Mood.STATEMENT, Act.STATE, [("我妈", "负责", "负责订餐", True)]),
            Seen("她叫周兰", Mood.STATEMENT, Act.STATE, [("我妈", "姓名", "周兰")]),
        ],
    ),
    (
        "芭蕾老师是江老师。",
        [
            Seen("芭蕾老师是江老师", Mood.STATEMENT, Act.STATE, [("芭蕾", "老师", "江老师")]),
        ],
    ),
    (
        "篮球课一学期1800元。",
        [
            Seen("篮球课一学期1800元", Mood.STATEMENT, Act.STATE, [("篮球课", "价格", "一学期1800元")]),
        ],
    ),
    (
        "包间名“听雨”。",
        [
            Seen("包间名“听雨”", Mood.STATEMENT, Act.STATE, [("包间", "名称", "“听雨”")]),
        ],
    ),
    (
        "快递放门卫就行。",
        [
            Seen("快递放门卫就行", Mood.STATEMENT, Act.STATE, [("快递", "地点", "门卫")]),
        ],
    ),
    (
        "优惠券12月31日到期。",
        [
            Seen("优惠券12月31日到期", Mood.STATEMENT, Act.STATE, [("优惠券", "到期日", "12月31日")]),
        ],
    ),
    (
        "订单DD88231预计明天发货。",
        [
            Seen("订单DD88231预计明天发货", Mood.STATEMENT, Act.STATE, [("订单DD88231", "发货日期", "明天")]),
        ],
    ),
    (
        "小李周二要开会，所以他的面试换到周三。",
        [
            Seen("小李周二要开会", Mood.STATEMENT, Act.STATE, [("小李", "开会", "周二要开会", True)]),
            Seen("所以他的面试换到周三", Mood.STATEMENT, Act.CHANGE, [("小李的面试", "日期", "周三")]),
        ],
    ),
    (
        "开会时间是每周一上午10点，地点在3楼大会议室。",
        [
            Seen("开会时间是每周一上午10点", Mood.STATEMENT, Act.STATE, [("", "开会时间", "每周一上午10点")]),
            Seen("地点在3楼大会议室", Mood.STATEMENT, Act.STATE, [("开会", "地点", "3楼大会议室")]),
        ],
    ),
    (
        "网站改版由小周负责，预算20万，计划9月上线。",
        [
            Seen("网站改版由小周负责", Mood.STATEMENT, Act.STATE, [("网站改版", "负责人", "小周")]),
            Seen("预算20万", Mood.STATEMENT, Act.STATE, [("网站改版", "预算", "20万")]),
            Seen("计划9月上线", Mood.STATEMENT, Act.STATE, [("网站改版", "上线时间", "9月")]),
        ],
    ),
    (
        "您的会员6月30日到期。",
        [
            Seen("您的会员6月30日到期", Mood.STATEMENT, Act.STATE, [("您的会员", "到期日", "6月30日")]),
        ],
    ),
    (
        "支付接口用的是旧版本，日志要保存180天。",
        [
            Seen("支付接口用的是旧版本", Mood.STATEMENT, Act.STATE, [("支付接口", "选用", "旧版本")]),
            Seen("日志要保存180天", Mood.STATEMENT, Act.STATE, [("日志", "保存", "180天")]),
        ],
    ),
    (
        "我的车送修了，预计周四取车，费用大约2300元。",
        [
            Seen("我的车送修了", Mood.STATEMENT, Act.STATE, [("我的车", "送", "送修", True)]),
            Seen("预计周四取车", Mood.STATEMENT, Act.STATE, [("我的车", "取车时间", "周四")]),
            Seen("费用大约2300元", Mood.STATEMENT, Act.STATE, [("我的车", "费用", "2300元")]),
        ],
    ),
    (
        "信用卡账单日是每月5号，还款日是25号。",
        [
            Seen("信用卡账单日是每月5号", Mood.STATEMENT, Act.STATE, [("信用卡", "账单日", "每月5号")]),
            Seen("还款日是25号", Mood.STATEMENT, Act.STATE, [("信用卡", "还款日", "25号")]),
        ],
    ),
    (
        "房子租到明年3月，押金4000。",
        [
            Seen("房子租到明年3月", Mood.STATEMENT, Act.STATE, [("房子", "到期日", "明年3月")]),
            Seen("押金4000", Mood.STATEMENT, Act.STATE, [("房子", "押金", "4000")]),
        ],
    ),
    (
        "新房子在望京，月租6500。",
        [
            Seen("新房子在望京", Mood.STATEMENT, Act.STATE, [("新房子", "地点", "望京")]),
            Seen("月租6500", Mood.STATEMENT, Act.STATE, [("新房子", "月租", "6500")]),
        ],
    ),
    (
        "小李不去了，他要加班。",
        [
            Seen("小李不去了", Mood.STATEMENT, Act.WITHDRAW, [("小李", "去", "")], negated=True),
            Seen("他要加班", Mood.STATEMENT, Act.STATE, [("小李", "加班", "要加班", True)]),
        ],
    ),
]


@pytest.mark.parametrize(("text", "clauses"), CLAIMS, ids=[text for text, _ in CLAIMS])
def test_a_statement_gives_its_facts(text: str, clauses: list[Seen]) -> None:
    assert seen(CHINESE.read(text)) == clauses


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("排练厅订的是四号厅", ("", "排练厅", "四号厅")),
        ("琴房选的是C12", ("", "琴房", "C12")),
        ("周日的包间定的是听雨轩", ("周日", "包间", "听雨轩")),
        ("我们酒店订的是海棠苑", ("我们", "酒店", "海棠苑")),
        ("小马订的是四号厅", ("小马", "地点", "四号厅")),
        ("郭思远选的是素斋", ("郭思远", "选", "素斋")),
        ("公司选的是海棠苑", ("公司", "选", "海棠苑")),
        ("酒店订的是三晚", ("酒店", "时长", "三晚")),
        ("琴房改成C15", ("", "琴房", "C15")),
        ("婚礼的宴会厅换到五号厅", ("婚礼", "宴会厅", "五号厅")),
        ("讲座改到五号厅", ("讲座", "地点", "五号厅")),
    ],
)
def test_a_thing_that_is_chosen_is_the_attribute_and_who_chooses_is_not(
    text: str, claim: tuple[str, str, str]
) -> None:
    (clause,) = CHINESE.read(text).clauses
    assert [(c.entity, c.attribute, c.value) for c in clause.claims] == [claim]


def test_what_follows_a_change_of_place_is_about_the_new_one() -> None:
    changed, priced = CHINESE.read("酒店换成海棠苑，每晚400元").clauses
    assert [(c.attribute, c.value) for c in changed.claims] == [("酒店", "海棠苑")]
    assert [(c.entity, c.attribute, c.value) for c in priced.claims] == [("酒店", "价格", "每晚400元")]
