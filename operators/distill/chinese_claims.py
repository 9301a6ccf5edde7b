"""What a Chinese clause claims: (entity, attribute, value) in the text's words.

A clause is a topic and a value, joined by 是, by a verb that says where or by whom, or by nothing at all
("日志保留30天"). A comma list goes on with the topic of its first member, so the topic is handed from clause
to clause.
"""

import re
from dataclasses import dataclass

from operators.distill.chinese_acts import Deed
from operators.distill.chinese_attributes import (
    ROLE_OF_VERB,
    attribute_first,
    names_attribute,
    split_topic,
    tells_when,
    when_of,
)
from operators.distill.chinese_moods import PARTICLES
from operators.distill.chinese_predicates import (
    THING_STATES,
    is_person,
    is_state,
    predicate_of,
    starts_verb,
    subject_of,
    verb_of,
)
from operators.distill.chinese_values import VALUE, attribute_of, whole
from operators.distill.clause import Claim
from state.model import Act


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


_ADJUNCT = re.compile(
    r"^(?:(?:现在|目前|以后|今后|从今以后|从现在起|从今天起|这次|这回|本次|明天起|下周起|下个?月起|今天起|暂时|先|那么?|就|都|也|还|再|只能|只好|可以|能不能|能否|可不可以|可否|能|请问|请|麻烦|帮我|帮忙|帮|给我|替我|劳驾|拜托|您|你们?|我们?(?:想要?|要|希望|需要|决定|打算|这边)?|咱们|想要?|需要|要|决定|系统里|系统显示|已经?为您|为您|给您|已经?|把|将|是)[,，\s]*)+"
)
_ADVERBS_AT_END = re.compile(
    r"(?:已经?|都|就|也|现在|目前|以后|今后|刚刚?|暂时|先|需要|要|得|想|可能|统一|全部|临时|正式|只能|只好|可以|能不能|能否|可不可以|能|麻烦|帮我|帮忙|请|给我|您|你|决定|打算|准备|又|还是|还|再|给|均|最终|最后|从|由|被|就会|将|直接|希望|应该|应)+$"
)
_HIS = re.compile(r"^(?:他们|她们|他|她|它)(?=的)")
_NAMES = re.compile(
    r"^(?P<left>.{1,40}?)(?:[:：]|(?<!不)(?<!还)(?<!就)(?<!总)(?<!可)(?<!但)(?<!正)(?:就|正|都|应该|其实)?是(?!不|否|因|由)|(?<![以因行认成作])为(?![了什何您你我避此])|等于|定(?:在|为|于|成)|定到|约在|设(?:为|成)|选(?:在|定)|安排(?:在|为)|登记(?:在|为|的是)|写(?!了|的|字|作|完|好|过)|填(?!写|了|好|完|的)|显示(?:为)?)(?P<value>.+)$"
)
_IS_AT_HEAD = re.compile(
    r"^(?:就|还|仍|仍然|依然|依旧|也|应该|现在|目前|一直|还|其实|都)*是(?!不|否|因|由|的$)(?P<value>.+)$"
)
_WHERE = re.compile(
    r"^(?P<left>.{0,40}?)(?P<verb>放在|存放在|存在|保存在|停在|住在|住(?!院|宿|户|房|手)|位于|坐落于|坐落在|摆在|设在|寄到|寄往|送到|发到|搁在|放到|存到|留在|集合在|寄(?=我|家|公司|单位|学校)|(?<![现存正实所自内潜])在)(?P<value>.+)$"
)
_PLACED = {
    "放在": "地点", "存在": "地点", "保存在": "地点", "存放在": "地点", "停在": "地点", "摆在": "地点", "设在": "地点", "搁在": "地点", "放到": "地点", "存到": "地点",
    "留在": "地点", "住在": "住址", "住": "住址", "位于": "地点", "坐落于": "地点", "坐落在": "地点", "寄到": "收货地址", "寄往": "收货地址", "送到": "收货地址",
    "发到": "收件地址", "集合在": "集合地点", "寄": "收货地址", "在": "地点",
}  # fmt: skip
_WORKS = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还|一直|也)*在(?:(?P<city>[\u4e00-\u9fff]{2,4})的)?(?P<firm>[^，]{2,20}?)(?P<verb>上班|工作|任职|就职|实习|当差|打工)(?:了)?$"
)
_AT_HOME = re.compile(
    r"^(?P<left>.{0,14}?)(?:现在|目前|还|一直|也|都|改|就|只能|只好)*(?P<value>(?:在家里?|居家|远程|线上|在公司|在单位|到公司|回公司)(?:办公|上班|工作|上课))$"
)
_WORKS_AS = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还|一直|也|都)*在(?P<firm>[^，在]{2,20}?)(?:做|当|担任|任)(?P<post>[\u4e00-\u9fffA-Za-z]{2,10})$"
)
_STUDIES = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还)*在(?P<school>[^，]{2,20}?)(?:读书|上学|念书|读(?P<course>.{1,10})|学习)$"
)
_POST = re.compile(
    r"^(?P<left>.{0,12}?)(?:现在|目前|主要|还|一直)*(?:做|当|担任|任|任职)(?:的是|了|为)?(?P<value>[\u4e00-\u9fffA-Za-z]{1,10}(?:师|员|长|理|监|工|人|生|家|手|编辑|设计|运营|开发|测试|产品|销售|财务|行政|会计|律师|顾问|专员|助理|老板|总裁|主任|秘书))$"
)
_TO_BY = re.compile(
    r"^由?(?P<who>.{1,12}?)(?:来|去)?(?P<verb>接送|主持|负责|照顾|保管|跟进|对接|签收|维修|处理|完成|准备|安排|[接送讲教带收开做出付陪看管写])$"
)
_BY_SELF = re.compile(r"^(?P<verb>[\u4e00-\u9fff]{1,6}?)(?:就|还是|都|改)*由(?P<who>[^，]{1,8}?)(?:来|负责)$")
_BY = re.compile(
    r"^(?P<left>.{0,40}?)(?:还是|仍然|改|就|都|会|全程)*(?:由|归|让|请)(?P<who>[^，]{1,16}?)(?:来|去|负责|全权)*(?P<verb>接送|接|送|主持|负责|主讲|讲|教|带|照顾|保管|跟进|对接|签收|收|开|做|出|付|维修|上门|陪|看|审核|审批|代|管|写|处理|完成|准备|安排|联系|打理|值班|主刀|执行)(?P<rest>.{0,12})$"
)
_USES = re.compile(
    r"^(?P<left>.{0,40}?)(?:还是|仍然|仍|就|都|统一|现在|目前|一直|继续|先|已经?|也|是)*(?P<verb>使用|采用|选用|沿用|启用|部署了?|(?<![费使采选信作利应专公家实常备通适商药食饮日有没不好租占挪调借录聘服享耐管动花引运])用)(?!户|品|餐|途|水|电|于|不)(?:的是|的|了|着)?(?P<value>.+)$"
)
_LIKES = re.compile(
    r"^(?P<left>.{0,20}?)(?:现在|最近|一直|比较|特别|非常|很|最|更|平时|还是|也|都|其实|真的|就|超)*(?P<verb>不喜欢|不爱|不吃|不喝|不能吃|不能喝|喜欢|偏爱|热爱|讨厌|爱吃|爱喝|爱看|爱听|爱玩|偏好|倾向于?|忌口|对(?=.{1,10}过敏))(?P<value>.{1,40})$"
)
_LIKING = {
    "喜欢": "喜好", "偏爱": "喜好", "热爱": "喜好", "爱吃": "喜好", "爱喝": "喜好", "爱看": "喜好", "爱听": "喜好", "爱玩": "喜好", "偏好": "喜好", "倾向": "喜好",
    "倾向于": "喜好", "对": "过敏", "忌口": "忌口", "不吃": "忌口", "不喝": "忌口", "不能吃": "忌口", "不能喝": "忌口", "讨厌": "厌恶", "不喜欢": "厌恶", "不爱": "厌恶",
}  # fmt: skip
_TOOK = re.compile(
    r"^(?P<left>.{0,30}?)(?:已经?|刚刚?|又|都|就|也|先|给您|为您|帮您|给你)*(?P<verb>预订|预约|订|定|选|买|租|报名|报|约|请|雇|领养|养|办|开通|下单|购买|聘请|入职|加入|参加|安排|换|拿|收到|找|挑)(?:了|到了?|好了|下了|的是)(?P<value>[^，]{1,40})$"
)
_COUNTED = re.compile(r"^(?:[一二两三四五六七八九十几\d]+)(?:[个只条台张份间辆套本盆位名家次节趟班])(?:的)?")
_CALLED = re.compile(r"^(?P<left>.{0,20}?)(?P<verb>叫|姓|名叫|属|出生于|来自)(?P<value>[^，]{1,20})$")
_CALLING = {"叫": "姓名", "名叫": "姓名", "姓": "姓名", "属": "属相", "出生于": "生日", "来自": "籍贯"}
_ENROLS = re.compile(r"^(?P<left>.{0,16}?)(?:报|上|选|约|学|订|参加)(?:了|的是)?$")
_NOUN_TAIL = re.compile(r"^的?(?P<noun>[\u4e00-\u9fffA-Za-z0-9“”]{1,12})$")
_LIGHT = re.compile(
    r"(?:大概|大约|约|预计|估计|一共|总共|共计|合计|共|需要|只需|需|要|有|得|只|仅|应该|差不多|暂定|刚好|是|仍|还|就|都|也|现在|目前|(?<!现)在|于|为|定|已经?|每|到|至|截至|截止到?)+$"
)
_TAIL_PLACE = re.compile(r"(?:里面?|中|上面|那里|那儿)$")
_MANY = frozenset({"喜好", "忌口", "厌恶", "过敏", "爱好", "兴趣", "宠物"})
_DENIED = re.compile(r"^(?:.{0,20}?)(?:不|没|别|未|无)")
_RIGHT_NOUN_VERB = re.compile(
    r"^(?:我|你|您|他|她|问|寄|等|打|看|记|写|说|要|去|来|会|有|上|开|到|送|发|走|回|见|吃|做|在|不|没|能|可以|才|再|就|都|前|后|内|之|和|交|出|入|取|配|派|起|截|结|完|复|面|体|退|还|扣|安|营|休|放|给|把|让|由)"
)


def claims_of(body: str, deed: Deed, topic: str, asserted: bool) -> Said:
    """What `body` (a clause without its connective) claims, with `topic` for a clause that names none.

    `asserted`: the clause states something, so a predicate without a value in the open counts too.
    """
    text = body.rstrip(PARTICLES + "!！。.~～ ")
    if text.endswith("不") and len(text) < len(body):
        text += "了"
    if deed.unchanged:
        about = deed.left.rstrip("的")
        if not about or split_topic(about)[1]:
            return Said(topic=topic)
        return Said((Claim(about, "", ""),), topic=about)
    if deed.act is not Act.STATE:
        return _done(text, deed, topic)
    said = _headed(text, topic) or _stating(text, topic)
    if said is not None:
        return said
    return _predicating(text, topic) if asserted else Said(topic=topic)


def offered(body: str, topic: str) -> Said:
    """The value that an offer puts forward: "周三晚上7点还有空位"."""
    found = VALUE.search(body)
    if found is None:
        return Said(topic=topic)
    return Said((Claim(topic, attribute_of(found), found.group()),), topic=topic)


def owned(body: str, topic: str) -> str:
    """ "他的围棋班" in a sentence about 子墨 is 子墨的围棋班."""
    return body if not topic or topic[0] in "我你您" else _HIS.sub(topic.partition("的")[0], body)


def tidy(value: str) -> str:
    """A value without the particles and words of trying that trail it."""
    value = re.sub(r"^(?:了|的)+(?=.)", "", value.strip(" 　:：,，"))
    value = (
        re.sub(
            r"(?:试试|看看|可以吗|好吗|行吗|怎么样|吧|谢谢|就行|就好|即可|这个|比较好|合适|一下|来?重写|来?开发|来?实现|来?搭建|开|来)+$",
            "",
            value,
        )
        or value
    )
    return value.rstrip(PARTICLES + "!！。.~～？? ") or value


def _done(text: str, deed: Deed, topic: str) -> Said:
    """The claims of a change, a restoration, a withdrawal, an item added or removed."""
    left, old = _without_old(deed.left, deed.old, tidy(deed.value))
    entity, attribute = split_topic(left) if left else ("", "")
    if deed.act is Act.WITHDRAW:
        return _withdrawn(text, deed, topic)
    value, then = _dated(tidy(deed.value))
    if deed.act is Act.RESTORE and re.fullmatch(
        r"(?:原来|原先|之前|以前|原|最初)?的?(?:方案|计划|样子|那个|那样|状|样)?", value
    ):
        return Said((Claim(entity or topic, attribute, ""),), old, topic=entity or topic)
    by = (
        _TO_BY.match(value)
        if deed.verb.startswith(("改由", "换由", "改成由", "改为由")) or value.startswith("由")
        else None
    )
    if by:
        role = ROLE_OF_VERB.get(by["verb"], "负责人")
        return Said((Claim(entity or topic, role, by["who"]),), old, topic=entity or topic)
    if re.match(r"跳槽|转岗|调岗|搬", deed.verb) and not entity:
        entity = subject_of(deed.left + deed.verb) if deed.left else topic
    many = deed.act in (Act.ADD, Act.REMOVE)
    if not attribute and not many:
        attribute = (when_of(then) if then else _implied(deed.verb, value)) or _implied_by_form(value)
        if not attribute and (entity or topic) and not VALUE.match(value):
            attribute = USED
    if not value:
        return Said((), old, topic=entity or topic)
    return Said((Claim(entity or topic, attribute, value, many),), old, topic=entity or topic)


def _dated(value: str) -> tuple[str, str]:
    """A day or time and the verb after it: "周五下午三点送" is 周五下午三点, 送."""
    found = VALUE.match(value)
    if found and found.lastgroup == "when" and re.fullmatch(r"[\u4e00-\u9fff]{1,3}", value[found.end() :]):
        return found.group(), value[found.end() :]
    return value, ""


def _without_old(left: str, old: str, new: str = "") -> tuple[str, str]:
    """The topic of a change and the value that it ends: "把周二的围棋课" → 围棋课, 周二."""
    left = _ADVERBS_AT_END.sub("", _ADJUNCT.sub("", left.strip(" ,，")) or "")
    left = re.sub(r"^.{0,12}?(?:把|将)", "", left)
    day = _FROM_DAY.match(left)
    if day:
        left = left[day.end() :]
    from_ = re.match(r"^(?P<topic>.{0,30}?)(?:从|由|原来的?|原定|之前的?)(?P<old>.{1,20})$", left)
    if from_:
        left, old = from_["topic"], old or from_["old"]
    came = VALUE.match(new)
    value = VALUE.match(left)
    if value and not left[value.end() :].startswith(("前", "后", "内", "起")):
        if value.lastgroup != "when" or (came is not None and came.lastgroup == "when"):
            old = old or value.group()
        left = left[value.end() :].lstrip("的")
    else:
        value = VALUE.search(left)
        if value and value.end() == len(left):
            old, left = old or value.group(), left[: value.start()].rstrip("的是")
    return _ADVERBS_AT_END.sub("", left), old


def _withdrawn(text: str, deed: Deed, topic: str) -> Said:
    left = _ADVERBS_AT_END.sub("", _ADJUNCT.sub("", deed.left))
    left = (
        re.sub(r"^(?:换|改|升级|加|订|约|买|报)(?:成|到|为|了)?(?=\S*(?:装|的)?$)", "", left)
        if VALUE.search(left)
        else left
    )
    value = VALUE.search(left) or VALUE.search(deed.old)
    if value:
        old = deed.old or value.group()
        rest = (
            ""
            if value.string == deed.old
            else left[: value.start()].rstrip("的") or left[value.end() :].lstrip("的")
        )
        entity, attribute = split_topic(rest) if rest else ("", "")
        return Said(
            (Claim(entity or topic, attribute or attribute_of(value), ""),), old, True, entity or topic
        )
    if deed.verb[0] in "不别":
        left = re.sub(r"(?<=.)(?:我们?|你们?|您|咱们)$", "", left)
        verb = verb_of(deed.verb)
        if (
            verb in ("去", "要", "买", "吃", "订", "学", "看", "续", "报", "做")
            and left
            and not is_person(left)
        ):
            return Said((Claim(left, "", ""),), deed.old, True, topic, loose=True)
        subject = left or topic
        return Said((Claim(subject, verb, ""),), deed.old, True, subject, loose=True)
    entity, attribute = split_topic(left) if left else ("", "")
    return Said((Claim(entity or topic, attribute, ""),), deed.old, True, entity or topic)


_TO_WHAT = {
    "搬到": "住址", "搬去": "住址", "搬家到": "住址", "改住": "住址", "换住": "住址", "改去": "去", "换去": "去", "改坐": "坐", "换坐": "坐", "改乘": "坐",
    "改送": "收货地址", "改寄": "收货地址", "改走": "走", "改买": "买", "改订": "订", "改约": "约", "改吃": "吃", "改喝": "喝", "改学": "学",
}  # fmt: skip


def _implied(verb: str, value: str) -> str:
    found = VALUE.match(value)
    if re.match(r"跳槽|转岗|调岗", verb):
        return "公司"
    if found:
        return attribute_of(found)
    return _TO_WHAT.get(verb.rstrip("了")) or ("地点" if verb.rstrip("了")[-1] in "在到至" else "")


USED = "选用"
"""The attribute of what a thing uses or has been changed to, where neither says what for."""
_FORMS = (
    (
        re.compile(
            r"(?:线上|线下|远程|视频|电话|现场|面对面|语音|直播|录播|书面|口头)(?:会议|会|方式|形式|进行|举行|举办)?"
        ),
        "形式",
    ),
    (
        re.compile(
            r"(?:纯|深|浅|米|天|墨|藏|酒|玫瑰|香槟)?[红橙黄绿青蓝紫黑白灰粉棕金银](?:色)?(?:的)?|(?:咖啡|米|卡其|奶油|香槟|透明|驼|杏|裸|橘|肉|咖)色"
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
            r"(?:[一二三四五六七八九十]+|\d+)[号楼]?(?:楼|层)?(?:[\u4e00-\u9fff]{1,4})?(?:会议室|教室|包间|包厢|厅|报告厅|诊室)"
        ),
        "地点",
    ),
)
_FROM_DAY = re.compile(
    r"^(?:从|自)?(?:[^，]{0,12}?[日号月周一二三四五六天年末底初后])(?:起|开始|以后|之后)(?:就|都)?"
)
_TITLE = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?:工程师|设计师|会计师|老师|教师|医师|律师|厨师|组长|部长|店长|校长|院长|班长|主管|总监|经理|助理|专员|顾问|主任|秘书|编辑|会计|程序员|研究员|分析师)|医生|护士|律师|厨师|司机|警察|学生|公务员|记者|军人|教授|演员|导游|销售|客服"
)


def _implied_by_form(value: str) -> str:
    """The attribute of a value that stands alone, where its form leaves no doubt."""
    if _TITLE.fullmatch(value):
        return "职位"
    for pattern, attribute in _FORMS:
        if pattern.fullmatch(value):
            return attribute
    found = whole(value)
    implied = attribute_of(found) if found else ""
    return implied if implied in ("规格", "人数", "年龄", "尺寸") else ""


def _undated(left: str) -> str:
    """A subject without the time that follows it: "我今天" → 我."""
    found = VALUE.search(left)
    return left[: found.start()] if found and found.end() == len(left) else left


def _claim(left: str, value: str, topic: str, attribute: str = "", fallback: str = "") -> Said | None:
    """One claim of `left` (adjuncts and adverbs off), or of the topic where it names only an attribute."""
    left = _LIGHT.sub("", _ADJUNCT_KEEPING_PRONOUN.sub("", left.strip(" ,，")))
    value = tidy(value)
    if not value:
        return None
    entity, named = split_topic(left) if left else ("", "")
    if attribute and named and not entity:
        entity, named = "", named
    entity = entity or topic
    return Said(
        (Claim(entity, named or attribute or fallback, value, (named or attribute) in _MANY),), topic=entity
    )


_ADJUNCT_KEEPING_PRONOUN = re.compile(
    r"^(?:现在|目前|以后|今后|从今以后|从现在起|从今天起|这次|这回|本次|暂时|先|那么|我们?建议|建议(?:您|你)?(?:选|订|坐|改|定|约|买)?|推荐(?:您|你)?|提议|要不然?|不如|最早|最快|下次|上次|大概|大约|预计|原来|然后|后来|刚才|就|都|也|还|再|请问|请|麻烦|帮我|帮忙|系统里|系统显示|查到|为您|给您|已经?|其实|对了|另外)+"
)


def _stating(text: str, topic: str) -> Said | None:
    """The first reading that a clause without a change allows."""
    text = re.sub(r"^今年(?=\d+岁)", "", text)
    if _ADVERBIAL.match(text):
        given = VALUE.search(text)
        return Said((Claim(topic, attribute_of(given), given.group()),) if given else (), topic=topic)
    for reader in _READERS:
        said = reader(text, topic)
        if said is not None:
            return said
    return None


_ADVERBIAL = re.compile(r"^(?:按照?|根据|依照|关于|至于|对于|除了|随着|经过|通过|为了).{1,40}$")
_COLON = re.compile(r"^(?P<left>[^:：]{1,30})[:：]\s*(?P<value>.+)$")


def _headed(text: str, topic: str) -> Said | None:
    """ "收货人：李明" names an attribute; "“灯塔”项目：测试环境用MySQL" announces what it is about."""
    found = _COLON.match(text)
    if found is None or (found["value"][0].isdigit() and found["left"][-1].isdigit()):
        return None
    left, value = found["left"].strip(), found["value"]
    if not split_topic(left)[1]:
        said = _stating(value, left)
        if said is not None and said.claims:
            return said
    return _claim(left, value, topic)


def _working(text: str, topic: str) -> Said | None:
    home = _AT_HOME.match(text)
    if home:
        who = _undated(home["left"]) or topic
        return Said((Claim(who, "办公地点", home["value"]),), topic=who, loose=True)
    found = _WORKS.match(text)
    if found:
        who = _undated(found["left"]) or topic
        claims = [Claim(who, "公司", found["firm"])]
        if found["city"]:
            claims.append(Claim(who, "工作城市", found["city"]))
        return Said(tuple(claims), topic=who)
    both = _WORKS_AS.match(text)
    if both:
        who = _undated(both["left"]) or topic
        return Said((Claim(who, "公司", both["firm"]), Claim(who, "职位", both["post"])), topic=who)
    study = _STUDIES.match(text)
    if study:
        who = study["left"] or topic
        return Said((Claim(who, "学校", study["school"]),), topic=who)
    post = _POST.match(text)
    if post and not _DENIED.match(post["left"]):
        who = post["left"] or topic
        return Said((Claim(who, "职位", post["value"]),), topic=who)
    return None


def _by_whom(text: str, topic: str) -> Said | None:
    itself = _BY_SELF.match(text)
    if itself:
        role = ROLE_OF_VERB.get(itself["verb"])
        left = "" if role else itself["verb"]
        return _claim(left, itself["who"], topic, role or "负责人")
    found = _BY.match(text)
    if found is None or _DENIED.match(found["who"]):
        return None
    left = re.sub(r"(?:都|以后|今后|现在|也|会|就|先|暂时|改)+$", "", found["left"])
    return (
        _claim(left, found["who"], topic, ROLE_OF_VERB.get(found["verb"], "负责人")) if found["who"] else None
    )


def _liking(text: str, topic: str) -> Said | None:
    found = _LIKES.match(text)
    if found is None:
        return None
    who = found["left"] or topic
    verb = found["verb"]
    value = tidy(found["value"]).removesuffix("过敏")
    claim = Claim(who, _LIKING[verb], value, many=True)
    return Said((claim,), negated=verb.startswith("不"), topic=who, preference=True)


def _naming(text: str, topic: str) -> Said | None:
    head = _IS_AT_HEAD.match(text)
    if head:
        return _claim("", head["value"], topic, _implied_by_form(tidy(head["value"])))
    found = _NAMES.match(text)
    if found is None or _DENIED.match(found["left"]):
        return None
    given = tidy(found["value"])
    value = VALUE.match(given)
    fallback = _implied_by_form(given) or (attribute_of(value) if value else "")
    chosen = _CHOSEN.search(found["left"])
    left = found["left"][: chosen.start()] if chosen else found["left"]
    if not fallback and chosen:
        fallback = chosen["verb"]
    if not fallback and is_person(left):
        fallback = "身份"
    return _claim(left, given, topic, fallback=fallback)


_CHOSEN = re.compile(r"(?P<verb>[订买选定用写填报住走坐约租寄发要做学吃喝开看读考装配])的$")


def _using(text: str, topic: str) -> Said | None:
    found = _USES.match(text)
    if found is None or _DENIED.match(found["left"]):
        return None
    return _claim(
        found["left"], found["value"], topic, fallback=_implied_by_form(tidy(found["value"])) or USED
    )


def _placing(text: str, topic: str) -> Said | None:
    city = _BE_IN.match(text)
    if city and not starts_verb(city["value"]):
        return Said((Claim(topic, "地点", city["value"]),), topic=topic)
    found = _WHERE.match(text)
    if (
        found is None
        or _DENIED.match(found["left"])
        or (found["verb"] == "在" and not _is_place(found["value"]))
    ):
        return None
    left, value = found["left"], _TAIL_PLACE.sub("", tidy(found["value"])) or found["value"]
    owner = re.match(r"^(?P<thing>.{2,20}?)(?:我|我们|都|已经?)+$", left)
    at = VALUE.match(value)
    attribute = attribute_of(at) if at and at.lastgroup == "when" else _PLACED[found["verb"]]
    return _claim(owner["thing"] if owner else left, value, topic, attribute)


_BE_IN = re.compile(r"^(?:也|还|仍|仍然|依然|就|都|一直)*在(?P<value>[\u4e00-\u9fff]{2,4})$")
_PLACE = re.compile(
    r"[楼层厅室店馆院路街区市县镇村口站场座号房库柜门旁边角处里城园中心大厦公司学校酒店宾馆机场]$"
)


def _is_place(value: str) -> bool:
    return (
        len(value) <= 30
        and not value.endswith(("租房", "买房", "看房"))
        and _PLACE.search(tidy(value)) is not None
    )


def _taking(text: str, topic: str) -> Said | None:
    found = _TOOK.match(text)
    if found:
        who = (
            re.sub(r"(?<=.)(?:给|为|帮|替|跟|和|在)[^，]{1,8}$", "", _undated(_LIGHT.sub("", found["left"])))
            or topic
        )
        value = tidy(found["value"])
        thing = _COUNTED.sub("", value)
        follows = (
            thing if found["verb"][0] in "买订预租报养领约请办选定找雇开" and 1 <= len(thing) <= 10 else who
        )
        return Said(
            (Claim(who, verb_of(found["verb"]), value, many=True),), topic=follows, loose=follows is who
        )
    called = _CALLED.match(text)
    if called and (called["left"] or topic) and not called["left"].endswith(("不", "没", "别")):
        return _claim(called["left"], called["value"], topic, _CALLING[called["verb"]])
    return None


def _beside(text: str, topic: str) -> Said | None:
    """A topic and a value with nothing between them: "房租每月2600元", "每周四送", "子墨周二围棋班"."""
    found = VALUE.search(text)
    if found is None:
        return None
    left, right = text[: found.start()], text[found.end() :]
    if not left and not right:
        return Said((Claim(topic, _implied_by_form(text), text),), topic=topic)
    implied = attribute_of(found)
    if _ADJUNCT_KEEPING_PRONOUN.sub("", left) in _BARE_VERBS:
        left = ""
    if not right or re.fullmatch(
        r"(?:左右|以上|以下|起|的|算|来算|计算|来看|计|整|前|之前|后|为止|以内)*", right
    ):
        if _has_verb(left):
            return None
        return _claim(left, found.group() + _BOUND.sub("", right), topic, fallback=implied)
    noun = _NOUN_TAIL.match(right)
    if (
        found.lastgroup == "when"
        and noun
        and not (_RIGHT_NOUN_VERB.match(noun["noun"]) or starts_verb(noun["noun"]))
    ):
        said = _scheduled(left, found.group(), noun["noun"], topic)
        if said is not None:
            return said
    if found.lastgroup in ("when", "length") and noun and (not left or not _has_verb(left)):
        clocked = re.search(r"[点:：]", found.group()) is not None
        known = tells_when(right)
        if not _NOT_EVENT.match(right) and (
            known or (len(right) <= 3 and (clocked or (len(right) <= 2 and not is_state(right))))
        ):
            return _claim(left, found.group(), topic, when_of(right))
    return None


_BOUND = re.compile(r"(?:算|来算|计算|来看|计|整|的|为止)+$")
_BARE_VERBS = frozenset("摆订要买来做住玩吃点坐开用选带")
_NOT_EVENT = re.compile(
    r"^(?:的|不|没|很|太|也|都|就|要|会|才|再|前|后|内|有|是|在|左右|可以|能|还|给|特别|非常|不行|没空|有空|有事)"
)


def _scheduled(left: str, when: str, noun: str, topic: str) -> Said | None:
    """ "子墨报周二的围棋班": the class of 子墨 is on Tuesdays."""
    if _VERB_INSIDE.search(noun) or (not left and not noun):
        return None
    enrols = _ENROLS.match(left)
    owner = enrols["left"] if enrols else _LIGHT.sub("", re.sub(r"(?:还是|仍然|的)$", "", left))
    if not owner or owner[0] in "我你您他她" or _has_verb(owner):
        return None
    return Said((Claim(f"{owner}的{noun}" if owner else noun, "日期", when),), topic=owner or noun)


_VERB_INSIDE = re.compile("很|太|挺|非常|特别|不|没|了|要|会|是|比较|有点|可以|能|在")


def _has_verb(left: str) -> bool:
    subject = subject_of(left)
    rest = _LIGHT.sub("", left[len(subject) :])
    return bool(subject) and len(rest) >= 2 and not split_topic(rest)[1]


def _predicating(text: str, topic: str) -> Said:
    found = predicate_of(text)
    if found is None:
        return Said(topic=topic)
    entity = found.subject or topic
    negated = _DENIED.match(found.value) is not None
    attribute = found.attribute or _implied_by_form(found.value)
    if (names_attribute(entity) and entity != topic) or (
        not attribute and (found.subject or len(found.value) > 10)
    ):
        return Said(topic=topic, negated=negated)
    return Said(
        (
            Claim(
                entity,
                attribute,
                found.value,
                many=attribute == found.attribute and not attribute.endswith("状态"),
            ),
        ),
        negated=negated,
        topic=entity,
        loose=True,
        thing=attribute in THING_STATES,
    )


_LATIN = re.compile(r"^(?P<left>[\u4e00-\u9fff“”]{2,14})\s?(?P<value>[A-Za-z][A-Za-z0-9 .+#_/-]{0,40})$")
_STILL = re.compile(r"^(?P<left>.{0,30}?)(?:还是|仍然是|仍是|依然是|依旧是)(?P<value>.+)$")


def _happened(text: str, topic: str) -> Said | None:
    """ "我是2024年5月6日买的": the day of buying."""
    found = VALUE.search(text)
    if found is None or found.lastgroup != "when" or not text[: found.start()].endswith(("是", "在", "于")):
        return None
    done = re.fullmatch(r"(?P<verb>[\u4e00-\u9fff]{1,3})", text[found.end() :])
    if done is None:
        return None
    left = _LIGHT.sub("", text[: found.start()])
    entity = topic if not left or left in ("我", "你", "您", "我们") else left
    return Said((Claim(entity, when_of(done["verb"]), found.group()),), topic=entity)


def _juxtaposed(text: str, topic: str) -> Said | None:
    """Two nouns side by side: "主持人阿彬和小雨", "测试环境MySQL 8"."""
    still = _STILL.match(text)
    if still:
        return _claim(still["left"], still["value"], topic, _implied_by_form(tidy(still["value"])))
    latin = _LATIN.match(text)
    if latin and not starts_verb(latin["left"]) and not _has_verb(latin["left"]):
        return _claim(latin["left"], latin["value"], topic, fallback=USED)
    named = attribute_first(text)
    if (
        named
        and len(named[1]) <= 30
        and named[1][-1] not in "好完过掉错对"
        and not starts_verb(named[1])
        and not _RIGHT_NOUN_VERB.match(named[1])
    ):
        return _claim(named[0], named[1], topic)
    return None


_READERS = (_working, _by_whom, _liking, _happened, _naming, _using, _placing, _taking, _beside, _juxtaposed)
