"""Where the subject of a Chinese clause ends and what is said of it begins; what state it is in."""

import re
from dataclasses import dataclass

from operators.distill.chinese_attributes import attribute_first, split_topic
from operators.distill.chinese_values import VALUE

_STATES = {
    "运营": "停运|维修|检修|施工|装修|恢复运营|恢复通车|恢复通行|恢复营业|停业|停航|停工|复工|停课|复课|停电"
        "|来电|停水|来水|断网|恢复供[水电暖气]|恢复正常|恢复|正常运行|宕机|瘫痪|歇业|关门|关闭|开放|开通"
        "|暂停|封路|通车|故障|运营|营业|上线|下线|上架|下架",
    "健康": "住院|出院|生病|病|感冒|发烧|受伤|骨折|过敏|怀孕|康复|痊愈|(?:嗓子|腿|脚|手|腰|头|牙|胃|眼睛"
        "|膝盖|胳膊)(?:都)?(?:哑|疼|痛|扭|崴|摔|断|伤|肿)",
    "保修": "(?:已经?)?过保|出保|在保(?:修期内|修期)?|还在保|保修(?:已)?(?:过期|到期)|在保修期",
    "库存": "缺货|断货|没货|有货|到货|补货|售罄|卖完|卖光|现货",
    "物流": "发货|寄出|寄|签收|送到|送达|丢件|弄丢|退回|揽收",
    "完好": "坏|修好|漏水|损坏|破损|碎|裂|堵|漏|死机|黑屏|摔坏|泡|淹",
    "有效期": "过期|到期|失效|生效|续费|冻结|解冻|激活",
    "工作变动": "升职|升|辞职|离职|入职|退休|失业|毕业|休假|出差|调走|跳槽|转正|被裁|请假",
    "婚姻": "结婚|离婚|订婚|分手|单身",
    "进度": "延期|延误|晚点|改期|完成|完工|开工|签约|批|通过|批准|获批|办好|办下来|审核通过|没通过|被拒|驳回"
        "|结束|开始",
}  # fmt: skip
_STATE = re.compile(
    "(?:" + "|".join(f"(?P<s{i}>(?:{words}))" for i, words in enumerate(_STATES.values())) + ")$"
)
STATE_NAMES = tuple(_STATES)
THING_STATES = frozenset(("运营", "保修", "物流", "完好", "有效期"))
"""Of these states, the subject is a thing that a price or a day may be told of next."""
_STATE_ADVERB = re.compile(
    r"(?:已经?|都|又|也|刚刚?|还|仍|全|才|就|会|老是?|总是?|一直|正在?|突然|临时|终于|今天|昨天|现在|目前|系统|是|处于)+$"
)

_AUX = (
    r"不|没有?|已经?(?!婚)|要(?!求)|想(?!法)|会(?!议|员|展|场|计|所|费|务)|能(?!力|量|源)|可以"
    r"|得(?=[去来走要])|应该|必须|正在|一直|还(?!款|原)|又|也|都(?!市)|只(?!能)|刚刚?|马上|即将|打算"
    r"|计划(?=[去买换搬学])|准备(?=[去买换搬学])|开始|继续|经常|每天|每周|每月|最近|现在|目前|平时|今天"
    r"|明天|昨天|后天|周末"
    r"|很|太|挺|非常|比较|特别|有点|更(?!衣|新)|最(?!低|高|大|小|终|后|新)|被|把|将(?=[要会把在])|给(?!力)"
    r"|跟|和我|对(?!面|接|象)|从|由|在(?!线|校)|用(?!户|品|餐|途|水|电)|是|有(?!限|效|机|线|空)|就|才|再"
    r"|先|喜欢|爱(?=[吃喝看玩听])|讨厌|不吃|过敏|偏好|习惯"
)
_VERB_HERE = (
    r"来(?!源|自|访)|去(?!年|向)|住(?!院|址|处|宅|得)|坐(?!标|席)|买(?!家|方|单)|订(?!单|金|阅)|学(?!校|生|费"
    r"|院|期|历|员|号|科|位|习)|学习|吃|喝|养(?!老|生|分)|搬(?!家公)|报(?=了|名|[周星\d])"
    r"|上(?=[班课学英数语围钢游舞美])|做(?!法|工)|叫(?!车)|姓(?!名)|租(?!金|房合)|修(?!改)|放(?=在|到|进)"
    r"|存(?=在|到|放)"
    r"|跑(?!步机)|打(?!印机|包)|开(?=车|会|在|始|店|公司)|参加|负责|主持|安排|预订|预约|购买|选择|选了"
    r"|使用|采用|支持|需要|提供|包含|包括|生了|丢了|忘了|收到|拿到|换了|卖了|毕业于|属于|位于|坐落|设在"
    r"|定(?=在|于)"
)
_SPLIT = re.compile(rf"(?:{_AUX}|{_VERB_HERE})")
_PRONOUN = re.compile(
    r"(?:我们|咱们|你们|您们|他们|她们|我|你|您|他|她|它|咱|本人)(?:的?(?:家里?|爸妈|爸爸|妈妈|父母|爸|妈"
    r"|老公|老婆|先生|太太|爱人|妻子|丈夫|儿子|女儿|孩子|宝宝|哥哥?|姐姐?|弟弟?|妹妹?|表[哥姐弟妹]"
    r"|堂[哥姐弟妹]|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔?|阿姨|舅舅|姑姑|朋友|同事|室友|同学|老板|领导"
    r"|男朋友|女朋友|公司|这边|那边|家的?[\u4e00-\u9fff]{1,3}))?"
)
_TITLED = re.compile(
    r"[\u4e00-\u9fff]{1,2}?(?:师傅|先生|女士|老师|医生|大夫|经理|教练|主管|主任|律师|护士|阿姨|叔叔)"
)
_CALLED = re.compile(r"[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff](?:总|姐|哥)")
_OWN = re.compile(r"的[\u4e00-\u9fffA-Za-z0-9]{1,8}?(?=[送丢坏掉换修借卖租寄碎漏没被不])")
_LEAD_ADVERB = re.compile(
    r"^(?:已经?|也|都|又|还|就|才|再|先|刚刚?|正在?|要|想要?|会|能|可以|得|应该|必须|打算|计划|准备|开始"
    r"|一直|继续|经常|即将|马上|最近|现在|目前|平时|常|没法|无法|没办法|不能|没有?"
    r"|在(?=[学看打写吃玩用找装休考读忙排等做准])|不再?|别|和[\u4e00-\u9fff]{1,4}?(?=一起)一起|一起"
    r"|下班后?|顺便)+"
)
_TWO_CHAR_VERBS = re.compile(
    r"喜欢|讨厌|上线|下线|起飞|到账|请假|租房|等待|联系|确认|检查|修理|维修|安装|更换|出发|到达|回来|回家"
    r"|参加|负责|主持|安排|预订|预约|购买|选择|使用|采用|支持|需要|提供|包含|包括|学习|过敏|偏好|习惯|收到"
    r"|发货|退款|退货|付款|上班|上课|上学|开会|出差|旅行|旅游|装修|体检|搬家|结婚|生病|报名|办公|工作|锻炼"
    r"|健身|游泳|跑步|加班|休息|出国|留学|实习|入职|离职|保管|照顾|接送|养成|经营|担任|租房|毕业|考试|住院"
)


_THEN = re.compile(
    r"^(?:那天|当天|到时候?|那时候?|这几天|这两天|这阵子|这段时间|前几天|后来|然后|结果|听说|据说|可能"
    r"|估计|好像|因此|幸好|可惜|没想到)+"
)
ONCE = frozenset(("来", "到", "走", "参加", "出席", "回来", "过来", "住"))
"""Verbs of which a subject does one at a time: a later statement takes the place of an earlier."""
OTHERWISE = "情况"
"""The attribute of a predicate whose verb is not known; such facts stand side by side."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """`subject` may be empty; `attribute` names what is said of it, `value` are the words that say it."""

    subject: str
    attribute: str
    value: str


def predicate_of(text: str) -> Predicate | None:
    """The subject and predicate of a clause that holds no (attribute, value) in the open."""
    opening = VALUE.match(text)
    if opening and opening.lastgroup == "when":
        text = text[opening.end() :].lstrip("的") or text
    text = _THEN.sub("", text) or text
    state = _STATE.search(text)
    if state:
        before = text[: state.start()]
        negated = before.endswith(("没", "没有", "未", "不", "还没"))
        subject = _STATE_ADVERB.sub("", re.sub(r"(?:还)?(?:没有?|未|不)$", "", before))
        dated = VALUE.search(subject)
        if dated and dated.end() == len(subject) and dated.start():
            subject = subject[: dated.start()]
        held = _SPLIT.search(subject, 1) if subject else None
        if held is None and len(subject) <= 14:
            index = int((state.lastgroup or "s0")[1:])
            return Predicate(subject, STATE_NAMES[index], ("没" if negated else "") + state.group())
    subject = subject_of(text)
    said = text[len(subject) :]
    if not said or (len(said) < 2 and not subject):
        return None
    if not subject and not _SPLIT.match(text):
        return Predicate("", "", said) if len(said) <= 10 else None
    return Predicate(subject, verb_of(said) or (OTHERWISE if subject else ""), said)


def subject_of(text: str) -> str:
    """The leading words before the first verb, auxiliary, adverb or time; "" where none can be told."""
    named = attribute_first(text)
    if named and (_SPLIT.match(named[1]) or _LEAD_ADVERB.match(named[1])):
        return named[0]
    pronoun = _PRONOUN.match(text) or _TITLED.match(text)
    begin = pronoun.end() if pronoun else 1
    split = _SPLIT.search(text, begin)
    dated = next(
        (m for m in VALUE.finditer(text, begin if pronoun else 0) if m.lastgroup not in _NAMING), None
    )
    ends = [m.start() for m in (split, dated) if m]
    own = _OWN.match(text, begin) if pronoun else None
    if own and not (ends and min(ends) < own.end()):
        return text[: own.end()]
    if pronoun and not (ends and min(ends) - begin <= 6 and text[begin : min(ends)].startswith("的")):
        return pronoun.group()
    if not ends:
        return ""
    subject = text[: min(ends)].rstrip("的")
    subject = re.sub(r"(?<=.)(?:我们?|你们?|您|咱们)$", "", subject)
    return subject if len(subject) <= 12 and (not _SPLIT.match(text) or split_topic(subject)[1]) else ""


def is_state(words: str) -> bool:
    """Whether the words are all a state ("住院", "停运")."""
    return _STATE.fullmatch(words) is not None


def is_person(name: str) -> bool:
    """Whether the name is a pronoun, a relative of one, or has a title."""
    return (_PRONOUN.fullmatch(name) or _TITLED.fullmatch(name) or _CALLED.fullmatch(name)) is not None


_NAMING = ("code", "quoted")


def starts_verb(words: str) -> bool:
    """Whether the words open with a verb, an auxiliary or an adverb, and so are no noun."""
    return _SPLIT.match(words) is not None or _LEAD_ADVERB.match(words) is not None


def verb_of(said: str) -> str:
    """The verb that a predicate turns on, after its times and adverbs; a name that is equal for
    "要来住", "来不了" and "不来"."""
    rest = said
    for _ in range(3):
        dated = VALUE.match(rest)
        rest = _LEAD_ADVERB.sub("", rest[dated.end() :] if dated else rest)
    two = _TWO_CHAR_VERBS.match(rest)
    if two:
        return two.group()
    one = re.match(
        r"[来去做上用住坐买订学吃喝养搬报开看打玩走回接送换放存修租卖借还写跑带过参办叫姓寄发请收退交付选要续续]",
        rest,
    )
    if one:
        return one.group()
    placed = re.match(
        r"在[\u4e00-\u9fff]{1,6}?(?=租房|上班|工作|出差|旅游|旅行|读书|上学|开会|学习|休息|办公|生活|等)",
        rest,
    )
    return verb_of(rest[placed.end() :]) if placed else ""
