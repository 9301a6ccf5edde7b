"""The pieces that all readings of Chinese claims share: what a clause says, its topic, its tidy value."""

import re
from dataclasses import dataclass

from operators.distill.chinese_attributes import names_role, split_topic
from operators.distill.chinese_moods import PARTICLES
from operators.distill.chinese_values import VALUE, attribute_of, whole
from operators.distill.clause import Claim


@dataclass(frozen=True, slots=True)
class Said:
    """Claims of one clause, the value it ends, whether it denies, and the topic the next clause inherits."""

    claims: tuple[Claim, ...] = ()
    old: str = ""
    negated: bool = False
    topic: str = ""
    loose: bool = False  # the topic is a mere subject: what follows from the clause is about something else
    thing: bool = False  # the subject is a thing in some state: what it then costs is still about it
    preference: bool = False


_HIS = re.compile(r"^(?:他们|她们|他|她|它)(?=的)")


def owned(body: str, topic: str) -> str:
    """ "他的围棋班" in a sentence about 子墨 is 子墨的围棋班."""
    owner = topic.partition("的")[0]
    return body if not topic or topic[0] in "我你您" else _HIS.sub(lambda _: owner, body)


def tidy(value: str) -> str:
    """A value without the particles and words of trying that trail it."""
    value = re.sub(r"^(?:了|的)+(?=.)", "", value.strip(" 　:：,，"))
    value = (
        re.sub(
            r"(?:试试|看看|可以吗|好吗|行吗|怎么样|吧|吗|谢谢|就行|就好|即可|这个|比较好|合适|一下|来?重写"
            r"|来?开发|来?实现|来?搭建|开|来)+$",
            "",
            value,
        )
        or value
    )
    return value.rstrip(PARTICLES + "!！。.~～？? ") or value


_OCCASION = re.compile(
    "(?:开会|会议|面试|体检|手术|考试|婚礼|聚餐|活动|复诊|发布会|培训|演出|比赛)(?=时间|日期|地点|人数)"
)
USED = "选用"
"""The attribute of what a thing uses or has been changed to, where neither says what for."""


_FORMS = (
    (
        re.compile(
            r"(?:线上|线下|远程|视频|电话|现场|面对面|语音|直播|录播|书面|口头)(?:会议|会|方式|形式|进行"
            r"|举行|举办)?"
        ),
        "形式",
    ),
    (
        re.compile(
            r"(?:纯|深|浅|米|天|墨|藏|酒|玫瑰|香槟)?[红橙黄绿青蓝紫黑白灰粉棕金银](?:色)?(?:的)?|(?:咖啡"
            r"|米|卡其|奶油|香槟|透明|驼|杏|裸|橘|肉|咖)色"
        ),
        "颜色",
    ),
    (
        re.compile(r"微信(?:支付)?|支付宝|信用卡|银行卡|现金|对公转账|转账|刷卡|花呗|货到付款|分期(?:付款)?"),
        "付款方式",
    ),
    (re.compile(r"(?:大|中|小|加大|均)码|[SML]码?"), "尺码"),
    (re.compile(r"[\u4e00-\u9fff]{1,4}(?:口)?味"), "口味"),
    (re.compile(r"自提|快递|邮寄|顺丰|堂食|外卖|打包|送货上门|同城配送|到店自取|自取|外带"), "配送方式"),
    (
        re.compile(
            r"(?:[一二三四五六七八九十]+|\d+)[号楼]?(?:楼|层)?(?:[\u4e00-\u9fff]{1,4})?(?:会议室|教室|包间"
            r"|包厢|厅|报告厅|诊室)"
        ),
        "地点",
    ),
)


_PERSON = re.compile(
    r"(?P<who>[\u4e00-\u9fff]{1,2}(?P<title>老师|师傅|医生|大夫|教练|律师|护士|阿姨|司机|导游|顾问))(?:来|上课|上门|负责|接手|带队?|讲课?)?"
)
_ADDRESS = re.compile(
    r"[\u4e00-\u9fffA-Za-z0-9]{2,30}(?:路|街|道|巷|弄|胡同)\d{1,5}(?:号|弄).{0,20}|.{2,20}(?:小区|花园|大厦|广场|公寓).{0,20}[号楼室栋座层]"
)
_TITLE = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?:工程师|设计师|会计师|老师|教师|医师|律师|厨师|组长|部长|店长|校长|院长|班长"
    r"|主管|总监|经理|助理|专员|顾问|主任|秘书|编辑|会计|程序员|研究员|分析师)|医生|护士|律师|厨师|司机"
    r"|警察|学生|公务员|记者|军人|教授|演员|导游|销售|客服"
)


def implied_by_form(value: str) -> str:
    """The attribute of a value that stands alone, where its form leaves no doubt."""
    person = _PERSON.fullmatch(value)
    if person:
        return person["title"]
    if _ADDRESS.fullmatch(value):
        return "地址"
    if _TITLE.fullmatch(value):
        return "职位"
    for pattern, attribute in _FORMS:
        if pattern.fullmatch(value):
            return attribute
    found = whole(value)
    implied = attribute_of(found) if found else ""
    return implied if implied in ("规格", "人数", "年龄", "尺寸") else ""


_THAT_DAY = re.compile(r"(?<=.)(?:那天|当天|那时候?|到时候?|这几天|这两天)$")


def undated(left: str) -> str:
    """A subject without the time that follows it: "我今天" → 我."""
    left = _THAT_DAY.sub("", left)
    found = VALUE.search(left)
    return left[: found.start()] if found and found.end() == len(left) else left


LIGHT = re.compile(
    r"(?:大概|大约|(?<![预合签])约|预计|估计|一共|总共|共计|合计|共|需要|只需|需|要|有|得|只|仅|应该|差不多|暂定|刚好"
    r"|是|仍|还|就|都|也|现在|目前|(?<!现)在|于|为|定|已经?|每|到|至|截至|截止到?)+$"
)


_MANY = frozenset({"喜好", "忌口", "厌恶", "过敏", "爱好", "兴趣", "宠物"})


DENIED = re.compile(r"^(?:.{0,20}?)(?:不|没|别|未|无)")


ADJUNCT = re.compile(
    r"^(?:现在|目前|以后|今后|从今以后|从现在起|从今天起|这次|这回|本次|暂时|先|那么|我们?建议|建议(?:您"
    r"|你)?(?:选|订|坐|改|定|约|买)?|推荐(?:您|你)?|提议|要不然?|不如|最早|最快|下次|上次|大概|大约|预计|计划|打算|争取"
    r"|原来|然后|后来|刚才|就|都|也|还(?![款原贷钱])|再|请问|请|麻烦|帮我|帮忙|系统里|系统显示|查到|为您|给您|已经?|其实"
    r"|对了|另外)+"
)


TOTALS = frozenset(("总价", "合计", "总计", "总额", "总金额", "总费用"))
"""What all that is ordered comes to: it is no attribute of the goods named just before."""
_SUM_AT_END = re.compile(r"^(?:现在|订单|全部|加起来|这单)*(?:合计|总计|总共|一共|共计)(?:是|为|需要?|要)?$")
_THE_ORDER = frozenset(("订单", "这个订单", "这单", "整单", "全部", "所有", "商品"))


def claim_of(left: str, value: str, topic: str, attribute: str = "", fallback: str = "") -> Said | None:
    """One claim of `left` (adjuncts and adverbs off), or of the topic where it names only an attribute."""
    summed = _SUM_AT_END.search(left)
    money = VALUE.match(tidy(value)) if summed else None
    if summed and money and money.lastgroup == "money":
        return Said((Claim("", "总价", tidy(value)),))
    left = LIGHT.sub("", ADJUNCT.sub("", left.strip(" ,，")))
    value = tidy(value)
    if not value:
        return None
    entity, named = split_topic(left) if left else ("", "")
    if entity and names_role(named) and VALUE.match(value):
        entity, named = left, ""  # "宽带师傅明天上午来": the day is no master
    if named in TOTALS:
        entity = "" if not entity or entity in _THE_ORDER else entity
        return Said((Claim(entity, named, value),), topic=entity)
    entity = entity or topic
    occasion = _OCCASION.match(named) if not entity else None
    return Said(
        (Claim(entity, named or attribute or fallback, value, (named or attribute) in _MANY),),
        topic=occasion.group() if occasion else entity,
    )
