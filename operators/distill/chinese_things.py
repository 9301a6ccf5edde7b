"""What Chinese clauses say of things by a word between topic and value: 是, 用, 放在, a colon of a label."""

import re

from operators.distill.chinese_attributes import split_topic
from operators.distill.chinese_predicates import is_person, is_state, starts_verb, verb_of
from operators.distill.chinese_topics import (
    ADJUNCT,
    DENIED,
    LIGHT,
    USED,
    Said,
    claim_of,
    implied_by_form,
    tidy,
)
from operators.distill.chinese_values import VALUE, attribute_of
from operators.distill.clause import Claim

_NAMES = re.compile(
    r"^(?P<left>.{1,40}?)(?:[:：]|(?<!不)(?<!还)(?<!就)(?<!总)(?<!可)(?<!但)(?<!正)(?:就|正|都|应该"
    r"|其实)?是(?!不|否|因|由)|(?<![以因行认成作])为(?![了什何您你我避此])|等于|定(?:在|为|于|成)|定到"
    r"|约在|设(?:为|成)|选(?:在|定)|安排(?:在|为)|登记(?:在|为|的是)|写(?!了|的|字|作|完|好|过)|填(?!写|了"
    r"|好|完|的)|显示(?:为)?)(?P<value>.+)$"
)


_IS_AT_HEAD = re.compile(
    r"^(?:应该|应当|就|还|仍|仍然|依然|依旧|也|应该|现在|目前|一直|还|其实|都)*是(?!不|否|因|由|的$)(?P<value>.+)$"
)


_UNKNOWN = re.compile(r"谁|什么|哪|多少|怎么|啥|几(?![^个]*一)")
_CHOSEN = re.compile(r"(?P<verb>[订买选定用写填报住走坐约租寄发要做学吃喝开看读考装配])的$")
_CHOOSING = frozenset("订选定租挑约")
"""Of these, what is done before one has the thing: they say which of its kind it is to be."""
_OWN_THING = re.compile(r"(?P<who>我们?|咱们|你们?|您)的(?P<thing>(?:(?!的)[\u4e00-\u9fff]){1,8})")
""" "我的取书分馆": what a party has, whatever it is called."""
_WHOSE = re.compile(r"(?:我们|咱们|你们|您|我|你|他们)(?=.)")
_KIN = "(?:爸|妈|哥|姐|弟|妹|爷|奶|叔|舅|姑){1,2}|外[公婆]|姥[姥爷]|老[公婆]|儿子|女儿|孩子"
_BODIES = ".{0,4}(?:公司|单位|部门|学校|团队|部|组|班级|们|家里?|人|员|生|客)"
_SURNAME = (
    "[王李张刘陈杨赵吴周徐孙郭何罗郑梁谢宋许邓冯曹曾彭萧蔡潘袁蒋杜苏魏吕丁沈姚卢崔谭廖范汪贾韦邱侯邹孟秦阎薛尹贺"
    "郝龚邵严]"
)
_PEOPLE = re.compile(rf"[A-Za-z][A-Za-z .'’-]*|{_KIN}|{_BODIES}|{_SURNAME}[\u4e00-\u9fff]{{1,2}}")
"""Who may do the choosing: letters of a name, kin, bodies of people, a surname that seldom opens a word."""
_WHERE_IT_IS = ("地点", "地址")


_WHERE = re.compile(
    r"^(?P<left>.{0,40}?)(?P<verb>放在|存放在|存在|保存在|停在|住在|住(?!院|宿|户|房|手|址|处|所)|位于|坐落于"
    r"|坐落在|摆在|设在|寄到|寄往|送到|发到|搁在|放到|存到|留在|集合在|放(?=门|前台|家|柜|楼|桌|保安|传达|驿站|快递柜|物业)|寄(?=我|家|公司|单位|学校)"
    r"|(?<![现存正实所自内潜])在)(?P<value>.+)$"
)


_PLACED = {
    "放在": "地点", "存在": "地点", "保存在": "地点", "存放在": "地点", "停在": "地点", "摆在": "地点",
    "设在": "地点", "搁在": "地点", "放到": "地点", "存到": "地点",
    "留在": "地点", "住在": "住址", "住": "住址", "位于": "地点", "坐落于": "地点", "坐落在": "地点",
    "寄到": "收货地址", "寄往": "收货地址", "送到": "收货地址",
    "发到": "收件地址", "集合在": "集合地点", "放": "地点", "寄": "收货地址", "在": "地点",
}  # fmt: skip


_USES = re.compile(
    r"^(?P<left>.{0,40}?)(?:还是|仍然|仍|就|都|统一|现在|目前|一直|继续|先|已经?|也|是)*(?P<verb>使用|采用"
    r"|选用|沿用|启用|部署了?|(?<![费使采选信作利应专公家实常备通适商药食饮日有没不好租占挪调借录聘服享耐管"
    r"动花引运])用)(?!户|品|餐|途|水|电|于|不)(?:的是|的|了|着)?(?P<value>.+)$"
)


_SENT_TO = ("寄到", "寄往", "送到", "发到", "放到", "存到", "寄", "放")
_NO_PLACE = re.compile(r"(?:[之以]?[前后]|[之以]?时|的|了|就|再|您|你|请|没|不|我们?(?!家|公司|单位|这|那))")


_TAIL_PLACE = re.compile(r"(?:里面?|中|上面|那里|那儿)$")


_BE_IN = re.compile(r"^(?:也|还|仍|仍然|依然|就|都|一直)*在(?P<value>[\u4e00-\u9fff]{2,4})$")


_PLACE = re.compile(
    r"[楼层厅室店馆院路街区市县镇村口站场座号房库柜门旁边角处里城园中心大厦公司学校酒店宾馆机场]$"
)


def naming(text: str, topic: str) -> Said | None:
    head = _IS_AT_HEAD.match(text)
    if head:
        return claim_of("", head["value"], topic, implied_by_form(tidy(head["value"])))
    found = _NAMES.match(text)
    if found is None or DENIED.match(found["left"]):
        return None
    given = tidy(found["value"])
    if _UNKNOWN.match(given):
        return None
    value = VALUE.match(given)
    fallback = implied_by_form(given) or (attribute_of(value) if value else "")
    chosen = _CHOSEN.search(found["left"])
    left = found["left"][: chosen.start()] if chosen else found["left"]
    if chosen and chosen["verb"] in _CHOOSING and fallback in ("", *_WHERE_IT_IS):
        which = _which(left, given, topic)
        if which is not None:
            return which
    if not fallback and chosen:
        fallback = USED if chosen["verb"] == "用" else chosen["verb"]
    if not fallback and is_person(left):
        fallback = "身份"
    own = _OWN_THING.fullmatch(left) if not fallback and not found["value"].endswith("的") else None
    if own and not starts_verb(own["thing"]) and not split_topic(left)[1]:
        return Said((Claim(own["who"], own["thing"], given),), topic=own["who"])
    return claim_of(left, given, topic, fallback=fallback)


def _which(left: str, given: str, topic: str) -> Said | None:
    """ "琴房订的是203": a thing does not choose, so what stands before the verb is what was chosen, and the
    value says which one. None if it is who chose ("小周订的是203"), or if its noun is an attribute anyway."""
    thing = LIGHT.sub("", ADJUNCT.sub("", left))
    owner, _, noun = thing.rpartition("的")
    whose = _WHOSE.match(noun)
    if not owner and whose:
        owner, noun = whose.group(), noun[whose.end() :]
    if not noun or _chooses(thing) or _chooses(noun) or split_topic(thing)[1] or starts_verb(noun):
        return None
    return Said((Claim(owner or topic, noun, given),), topic=owner or topic or noun)


def _chooses(who: str) -> bool:
    """Whether `who` is a person or people: by a word for them, by a surname, or by its letters."""
    return is_person(who) or _PEOPLE.fullmatch(who) is not None


def using(text: str, topic: str) -> Said | None:
    found = _USES.match(text)
    if found is None or DENIED.match(found["left"]):
        return None
    return claim_of(
        found["left"], found["value"], topic, fallback=implied_by_form(tidy(found["value"])) or USED
    )


def placing(text: str, topic: str) -> Said | None:
    city = _BE_IN.match(text)
    if city and not starts_verb(city["value"]):
        return Said((Claim(topic, "地点", city["value"]),), topic=topic)
    found = _WHERE.match(text)
    if found is None or DENIED.match(found["left"]):
        return None
    if found["verb"] == "在" and _is_site(found["left"], tidy(found["value"])):
        return claim_of(found["left"], found["value"], topic, "地点")
    if found["verb"] == "在" and not _is_place(found["value"]):
        return None
    if found["verb"] in _SENT_TO and _NO_PLACE.match(found["value"]):
        return None
    left, value = found["left"], _TAIL_PLACE.sub("", tidy(found["value"])) or found["value"]
    owner = re.match(r"^(?P<thing>.{2,20}?)(?:我|我们|都|已经?)+$", left)
    at = VALUE.match(value)
    attribute = attribute_of(at) if at and at.lastgroup in ("when", "length") else _PLACED[found["verb"]]
    return claim_of(owner["thing"] if owner else left, value, topic, attribute)


def _is_site(left: str, value: str) -> bool:
    """Whether "left 在 value" tells where a thing is, by a short name of no known kind ("房子在望京")."""
    named = re.fullmatch(r"[\u4e00-\u9fff]{1,3}[^内中期间前后时上下里]", value) is not None and len(left) >= 2
    return named and not (starts_verb(value) or is_state(value) or verb_of(value))


def _is_place(value: str) -> bool:
    return (
        len(value) <= 30
        and not value.endswith(("租房", "买房", "看房"))
        and _PLACE.search(tidy(value)) is not None
    )
