"""Topic and value side by side in Chinese, with nothing between: "车费每趟15元", "每周四送"."""

import re

from operators.distill.chinese_attributes import attribute_first, split_topic, tells_when, when_of
from operators.distill.chinese_predicates import is_state, starts_verb, subject_of
from operators.distill.chinese_topics import ADJUNCT, LIGHT, USED, Said, claim_of, implied_by_form, tidy
from operators.distill.chinese_values import VALUE, attribute_of
from operators.distill.clause import Claim

_ENROLS = re.compile(r"^(?P<left>.{0,16}?)(?:报|上|选|约|学|订|参加)(?:了|的是)?$")


_NOUN_TAIL = re.compile(r"^的?(?P<noun>[\u4e00-\u9fffA-Za-z0-9“”]{1,12})$")


_RIGHT_NOUN_VERB = re.compile(
    r"^(?:停|请|值|我|你|您|他|她|问|寄|等|打|看|记|写|说|要|去|来|会|有|上|开|到|送|发|走|回|见|吃|做|在|不|没|能"
    r"|可以|才|再|就|都|前|后|内|之|和|交|出|入|取|配|派|起|截|结|完|复|面|体|退|还|扣|安|营|休|放|给|把"
    r"|让|由)"
)


_BOUND = re.compile(r"(?:算|来算|计算|来看|计|整|的|为止)+$")


_BARE_VERBS = frozenset("加摆订要买来做住玩吃点坐开用选带")


_NOT_EVENT = re.compile(
    r"^(?:的|被|满|多|少|早|晚|错|不|没|很|太|也|都|就|要|会|才|再|前|后|内|有|是|在|左右|可以|能|还|给|特别|非常|不行|没空"
    r"|有空|有事)"
)


_VERB_INSIDE = re.compile("很|太|挺|非常|特别|不|没|了|要|会|是|比较|有点|可以|能|在")


_LATIN = re.compile(r"^(?P<left>[\u4e00-\u9fff“”]{2,14})\s?(?P<value>[A-Za-z][A-Za-z0-9 .+#_/-]{0,40})$")


_COLOUR = r"(?:深|浅|米|天|墨|藏|酒)?[红橙黄绿青蓝紫黑白灰粉棕金银]色"
_COLOURED = re.compile(rf"^(?P<left>[\u4e00-\u9fff]{{1,8}}?)(?P<value>{_COLOUR})$")
_COLOUR_OF = re.compile(rf"^(?P<value>{_COLOUR})的?(?P<left>[\u4e00-\u9fff]{{1,6}})$")
_NAMED = re.compile(
    r"^(?P<left>[\u4e00-\u9fff]{1,8})名(?:字|称)?(?:叫|是|为)?(?P<value>“[^”]{1,30}”|「[^」]{1,30}」)$"
)
_ADDRESS = re.compile(
    r"^(?P<left>[\u4e00-\u9fff]{0,8}(?:地址|住址))(?P<value>[\u4e00-\u9fff]{1,12}[路街道巷弄]\d{1,5}[号弄].{0,20})$"
)
_ACTS_ON = re.compile(r"(?:更新|更换|填写?|查询?|核对|确认|修改|提供|登记|换|改|写|发|给|加|留|记|报|打)了?$")
"""A verb before an attribute acts on it: nothing is said of what it is."""
_STILL = re.compile(r"^(?P<left>.{0,30}?)(?:还是|仍然是|仍是|依然是|依旧是)(?P<value>.+)$")


def beside(text: str, topic: str) -> Said | None:
    """A topic and a value with nothing between them: "车费每趟15元", "每周四送", "小宇周六钢琴课"."""
    found = _telling(text)
    if found is None:
        return None
    left, right = text[: found.start()], text[found.end() :]
    if found.lastgroup == "quoted" and left.endswith("名"):
        return None
    if not left and not right:
        return Said((Claim(topic, implied_by_form(text) or attribute_of(found), text),), topic=topic)
    implied = attribute_of(found)
    if not right and ADJUNCT.sub("", left) in _BARE_VERBS:
        left = ""
    if not right or re.fullmatch(
        r"(?:左右|以上|以下|起|的|算|来算|计算|来看|计|整|前|之前|后|为止|以内)*", right
    ):
        if _has_verb(left):
            return None
        return claim_of(left, found.group() + _BOUND.sub("", right), topic, fallback=implied)
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
            known
            or (
                len(right) <= 3
                and ((clocked and len(right) <= 2) or (len(right) <= 2 and not is_state(right)))
            )
        ):
            return claim_of(left, found.group(), topic, when_of(right))
    return None


def _telling(text: str) -> re.Match[str] | None:
    """The value that a clause tells: the first that is more than the number or name of a thing."""
    first = None
    for found in VALUE.finditer(text):
        if found.lastgroup not in ("code", "quoted"):
            return found
        first = first or found
    return first


def _scheduled(left: str, when: str, noun: str, topic: str) -> Said | None:
    """ "小宇报周六的钢琴课": the class of 小宇 is on Saturdays."""
    if _VERB_INSIDE.search(noun) or (not left and not noun):
        return None
    enrols = _ENROLS.match(left)
    owner = (
        ADJUNCT.sub("", enrols["left"]) if enrols else LIGHT.sub("", re.sub(r"(?:还是|仍然|的)$", "", left))
    )
    if enrols and not owner:
        return Said((Claim(noun, "时间" if re.search("[点:：]", when) else "日期", when),), topic=noun)
    if not owner or owner[0] in "我你您他她" or _has_verb(owner):
        return None
    return Said((Claim(f"{owner}的{noun}" if owner else noun, "日期", when),), topic=owner or noun)


def _has_verb(left: str) -> bool:
    subject = subject_of(left)
    rest = LIGHT.sub("", left[len(subject) :])
    if subject.endswith("的") or left[len(subject) :].startswith("的"):
        return False
    return bool(subject) and len(rest) >= 2 and not split_topic(rest)[1]


def happened(text: str, topic: str) -> Said | None:
    """ "我是2022年9月1日买的": the day of buying."""
    found = VALUE.search(text)
    if found is None or found.lastgroup != "when" or not text[: found.start()].endswith(("是", "在", "于")):
        return None
    done = re.fullmatch(r"(?P<verb>[\u4e00-\u9fff]{1,3})", text[found.end() :])
    if done is None:
        return None
    left = LIGHT.sub("", text[: found.start()])
    entity = topic if not left or left in ("我", "你", "您", "我们") else left
    return Said((Claim(entity, when_of(done["verb"]), found.group()),), topic=entity)


def juxtaposed(text: str, topic: str) -> Said | None:
    """Two nouns side by side: "司机老吴和老郑", "后台服务Redis 7"."""
    coloured = _COLOURED.match(text) or _COLOUR_OF.match(text)
    if coloured and not starts_verb(coloured["left"]):
        return claim_of(coloured["left"], coloured["value"], topic, "颜色")
    addressed = _ADDRESS.match(text)
    if addressed:
        return claim_of(addressed["left"], addressed["value"], topic)
    called = _NAMED.match(text)
    if called:
        return claim_of(called["left"], called["value"], topic, "名称")
    still = _STILL.match(text)
    if still:
        return claim_of(still["left"], still["value"], topic, implied_by_form(tidy(still["value"])))
    latin = _LATIN.match(text)
    if latin and not starts_verb(latin["left"]) and not _has_verb(latin["left"]):
        return claim_of(latin["left"], latin["value"], topic, fallback=USED)
    named = attribute_first(text)
    if (
        named
        and len(named[1]) <= 30
        and named[1][-1] not in "好完过掉错对"
        and not starts_verb(named[1])
        and not _ACTS_ON.search(split_topic(named[0])[0])
        and not _RIGHT_NOUN_VERB.match(named[1])
    ):
        return claim_of(named[0], named[1], topic)
    return None
