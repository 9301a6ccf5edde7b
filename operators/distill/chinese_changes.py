"""What a Chinese change, restoration, withdrawal, addition or removal says, from the pieces of its deed."""

import re

from operators.distill.chinese_acts import Deed
from operators.distill.chinese_attributes import (
    ROLE_OF_VERB,
    names_attribute,
    split_topic,
    tells_when,
    when_of,
)
from operators.distill.chinese_goods import ITEM, listed
from operators.distill.chinese_predicates import ONCE, is_person, subject_of, verb_of
from operators.distill.chinese_topics import USED, Said, implied_by_form, tidy
from operators.distill.chinese_values import VALUE, attribute_of, whole
from operators.distill.clause import Claim
from state.model import Act

_PREAMBLE = re.compile(
    r"^(?:(?:原定于?|原本|原计划|现在|目前|以后|今后|从今以后|从现在起|从今天起|这次|这回|本次|明天起|下周起|下个?月起|今天起"
    r"|暂时|先|那么?|就|都|也|还(?![款原贷钱])|再|只能|只好|可以|能不能|能否|可不可以|可否|能|请问|请|麻烦|帮我|帮忙|帮"
    r"|给我|替我|劳驾|拜托|您|你们?|我们?(?:想要?|要|希望|需要|决定|打算|这边)?|咱们|想要?|需要|要|决定"
    r"|系统里|系统显示|已经?为您|为您|给您|已经?|把|将|是)[,，\s]*)+"
)


_ADVERBS_AT_END = re.compile(
    r"(?:因故|已经?|都|就|也|现在|目前|以后|今后|刚刚?|暂时|先|需要|要|得|想|可能|统一|全部|临时|正式|只能|只好"
    r"|可以|能不能|能否|可不可以|能|麻烦|帮我|帮忙|请|给我|您|你|决定|打算|准备|又|还是|还|再|给|均|最终"
    r"|最后|从|由|被|就会|将|直接|希望|应该|应)+$"
)


_TO_BY = re.compile(
    r"^由?(?P<who>.{1,12}?)(?:来|去)?(?P<verb>接送|主持|负责|照顾|保管|跟进|对接|签收|维修|处理|完成|准备"
    r"|安排|[接送讲教带收开做出付陪看管写])$"
)


_TO_WHAT = {
    "搬到": "住址", "搬去": "住址", "搬家到": "住址", "改住": "住址", "换住": "住址", "改去": "去",
    "换去": "去", "改坐": "坐", "换坐": "坐", "改乘": "坐",
    "改送": "收货地址", "改寄": "收货地址", "改走": "走", "改买": "买", "改订": "订", "改约": "约",
    "改吃": "吃", "改喝": "喝", "改学": "学",
}  # fmt: skip


_FROM_DAY = re.compile(
    r"^(?:从|自)?(?:[^，]{0,12}?[日号月周一二三四五六天年末底初后])(?:起|开始|以后|之后)(?:就|都)?"
)


def deed_says(text: str, deed: Deed, topic: str) -> Said:
    """The claims of a change, a restoration, a withdrawal, an item added or removed."""
    if deed.act is Act.RESTORE and not deed.verb:
        return Said((Claim(deed.left, "", ""),), topic=deed.left or topic)
    if deed.act is Act.WITHDRAW:
        return _withdrawn(text, deed, topic)
    left, old = _without_old(deed.left, deed.old, tidy(deed.value))
    entity, attribute = split_topic(left) if left else ("", "")
    value, then = _dated(tidy(deed.value))
    told = _restored(deed, attribute, value) or _handed_to(deed, value)
    if told is not None:
        return Said((Claim(entity or topic, *told),), old, topic=entity or topic)
    entity, attribute = _meant(deed, entity, attribute, value, topic)
    many = deed.act in (Act.ADD, Act.REMOVE)
    follows = entity or topic
    if many:
        attribute = attribute or ITEM
    elif not attribute:
        attribute = _newly(deed, entity or topic, value, then)
        if attribute == USED or implied_by_form(value) == attribute == "地点":
            entity, attribute = _which_one(entity, attribute)
            follows = entity or topic or follows
    if not value:
        return Said((), old, topic=follows)
    values = listed(value) if many and attribute == ITEM else (value,)
    claims = tuple(Claim(entity or topic, attribute, given, many) for given in values)
    return Said(claims, old, topic=follows)


_AS_BEFORE = re.compile(r"(?:原来|原先|之前|以前|原|最初)?的?(?:方案|计划|样子|那个|那样|状|样)?")


def _restored(deed: Deed, attribute: str, value: str) -> tuple[str, str] | None:
    """Attribute and value of a restoration that gives no value of its own: "恢复原来的方案"."""
    if deed.act is not Act.RESTORE:
        return None
    if _AS_BEFORE.fullmatch(value):
        return attribute, ""
    return (value, "") if deed.verb.startswith("还是") and not attribute and names_attribute(value) else None


def _handed_to(deed: Deed, value: str) -> tuple[str, str] | None:
    """Role and person of a change of who does it: "改由爷爷接"."""
    if not (deed.verb.startswith(("改由", "换由", "改成由", "改为由")) or value.startswith("由")):
        return None
    by = _TO_BY.match(value)
    return (ROLE_OF_VERB.get(by["verb"], "负责人"), by["who"]) if by else None


def _meant(deed: Deed, entity: str, attribute: str, value: str, topic: str) -> tuple[str, str]:
    """Entity and attribute of a change where its verb tells more of them than the words in front of it."""
    if re.match(r"跳|转岗|调岗|搬|[调派](?:去|往)", deed.verb) and not entity:
        entity = subject_of(deed.left + deed.verb) if deed.left else topic
        entity = topic if whole(entity) else entity
    if entity and tells_when(entity) and not attribute and VALUE.match(value):
        entity, attribute = "", when_of(entity)
    if deed.verb.rstrip("了") in _TO_WHAT and is_person(person := subject_of(deed.left + deed.verb)):
        entity = person
    return entity, attribute


def _newly(deed: Deed, about: str, value: str, then: str) -> str:
    """The attribute of `about` that gets another value, by the verb or the form of the value."""
    if deed.verb.startswith("搬") and about and not is_person(about):
        return "地点"
    told = (when_of(then) if then else _implied(deed.verb, value)) or implied_by_form(value)
    return USED if not told and about and not VALUE.match(value) else told


_VENUE = re.compile(
    r"(?:.*的)?[\u4e00-\u9fff]{0,3}(?:[\u4e00-\u9fff](?:[厅室房馆店院厢]|(?<![时期中空])间)|[球操赛会]场|[车座床摊展铺泊]位)"
)


def _which_one(entity: str, attribute: str) -> tuple[str, str]:
    """ "琴房改成305": a place that is changed to another is itself the attribute, as in "琴房订的是203"."""
    if not _VENUE.fullmatch(entity):
        return entity, attribute
    owner, _, noun = entity.rpartition("的")
    return owner, noun


def _dated(value: str) -> tuple[str, str]:
    """A day or time and the verb after it: "周五下午三点送" is 周五下午三点, 送."""
    found = VALUE.match(value)
    if found and found.lastgroup == "when" and re.fullmatch(r"[\u4e00-\u9fff]{1,3}", value[found.end() :]):
        return found.group(), value[found.end() :]
    return value, ""


def _without_old(left: str, old: str, new: str = "") -> tuple[str, str]:
    """The topic of a change and the value that it ends: "把周二的围棋课" → 围棋课, 周二."""
    left = _ADVERBS_AT_END.sub("", _PREAMBLE.sub("", left.strip(" ,，")) or "")
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
    left = _ADVERBS_AT_END.sub("", _PREAMBLE.sub("", deed.left))
    left = (
        re.sub(r"^(?:换|改|升级|加|订|约|买|报)(?:成|到|为|了)?(?=\S*(?:装|的)?$)", "", left)
        if VALUE.search(left)
        else left
    )
    value = VALUE.search(left) or VALUE.search(deed.old)
    if value and value.lastgroup == "code" and value.string == left and left != value.group():
        # "订单 B200": the number is part of the name
        return Said((Claim(left, "", ""),), deed.old, True, left)
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
        who = subject_of(deed.left + deed.verb)
        subject = left or (who if is_person(who) else "") or topic
        gone = deed.verb.lstrip("不别再").removeprefix(verb) if verb and verb not in ONCE else ""
        return Said((Claim(subject, verb, gone, bool(gone)),), deed.old, True, subject, loose=True)
    entity, attribute = split_topic(left) if left else ("", "")
    return Said((Claim(entity or topic, attribute, ""),), deed.old, True, entity or topic)


def _implied(verb: str, value: str) -> str:
    found = VALUE.match(value)
    if re.match(r"跳|转岗|调岗", verb):
        return "公司"
    if re.match(r"(?:调|派)(?:去|往)", verb):
        return "工作地点"
    if re.match(r"[A-Za-z]", value):
        return _TO_WHAT.get(verb.rstrip("了"), USED)
    if found:
        return attribute_of(found)
    return _TO_WHAT.get(verb.rstrip("了")) or ("地点" if verb.rstrip("了")[-1] in "在到至" else "")
