"""What Chinese clauses say of people: where they work, what they do, like, take and are called."""

import re

from operators.distill.chinese_attributes import ROLE_OF_VERB, when_of
from operators.distill.chinese_predicates import is_person, verb_of
from operators.distill.chinese_topics import DENIED, LIGHT, Said, claim_of, tidy, undated
from operators.distill.chinese_values import VALUE, attribute_of
from operators.distill.clause import Claim

_WORKS = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还|一直|也)*在(?:(?P<city>[\u4e00-\u9fff]{2,4})的)?(?P<firm>[^，]"
    r"{2,20}?)(?P<verb>上班|工作|任职|就职|实习|当差|打工)(?:了)?$"
)


_AT_HOME = re.compile(
    r"^(?P<left>.{0,14}?)(?:现在|目前|还|一直|也|都|改|就|只能|只好)*(?P<value>(?:在家里?|居家|远程|线上"
    r"|在公司|在单位|到公司|回公司)(?:办公|上班|工作|上课))$"
)


_WORKS_AS = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还|一直|也|都)*在(?P<firm>[^，在]{2,20}?)(?:做|当|担任"
    r"|任)(?P<post>[\u4e00-\u9fffA-Za-z]{2,10})$"
)


_STUDIES = re.compile(
    r"^(?P<left>.{0,10}?)(?:现在|目前|还)*在(?P<school>[^，]{2,20}?)(?:读书|上学|念书"
    r"|读(?P<course>.{1,10})|学习)$"
)


_POST = re.compile(
    r"^(?P<left>.{0,12}?)(?:现在|目前|主要|还|一直)*(?:做|当|担任|任|任职)(?:的是|了"
    r"|为)?(?P<value>[\u4e00-\u9fffA-Za-z]{1,10}(?:师|员|长|理|监|工|人|生|家|手|编辑|设计|运营|开发|测试"
    r"|产品|销售|财务|行政|会计|律师|顾问|专员|助理|老板|总裁|主任|秘书))$"
)


_BY_SELF = re.compile(r"^(?P<verb>[\u4e00-\u9fff]{1,6}?)(?:就|还是|都|改)*由(?P<who>[^，]{1,8}?)(?:来|负责)$")


_BY = re.compile(
    r"^(?P<left>.{0,40}?)(?:还是|仍然|改|就|都|会|全程)*(?:由|归|让|请)(?P<who>[^，]{1,16}?)(?:来|去|负责"
    r"|全权)*(?P<verb>接手|接管|牵头|接送|接|送|主持|负责|主讲|讲|教|带|照顾|保管|跟进|对接|签收|收|开|做|出|付|维修|上门"
    r"|陪|看|审核|审批|代|管|写|处理|完成|准备|安排|联系|打理|值班|主刀|执行)(?P<rest>.{0,12})$"
)


_IN_CHARGE = re.compile(
    r"^(?![没不无由谁都也就可能要会来去已还请让先再])(?P<who>[\u4e00-\u9fff]{2,3}?)(?:来)?(?P<verb>负责|主持|主讲|接手|牵头)(?![人的是])(?P<thing>[\u4e00-\u9fff]{0,10})$"
)
_LIKES = re.compile(
    r"^(?P<left>.{0,20}?)(?:现在|最近|一直|比较|特别|非常|很|最|更|平时|还是|也|都|其实|真的|就"
    r"|超)*(?P<verb>不喜欢|不爱|不吃|不喝|不能吃|不能喝|喜欢|偏爱|热爱|讨厌|爱吃|爱喝|爱看|爱听|爱玩|偏好"
    r"|倾向于?|忌口|对(?=.{1,10}过敏))(?P<value>.{1,40})$"
)


_LIKING = {
    "喜欢": "喜好", "偏爱": "喜好", "热爱": "喜好", "爱吃": "喜好", "爱喝": "喜好", "爱看": "喜好",
    "爱听": "喜好", "爱玩": "喜好", "偏好": "喜好", "倾向": "喜好",
    "倾向于": "喜好", "对": "过敏", "忌口": "忌口", "不吃": "忌口", "不喝": "忌口", "不能吃": "忌口",
    "不能喝": "忌口", "讨厌": "厌恶", "不喜欢": "厌恶", "不爱": "厌恶",
}  # fmt: skip


_TOOK = re.compile(
    r"^(?P<left>.{0,30}?)(?:已经?|刚刚?|新|又|都|就|也|先|给您|为您|帮您|给你)*(?P<verb>预订|预约|订|定|选|买"
    r"|租|报名|报|约|请|雇|领养|养|办|开通|下单|购买|聘请|入职|加入|参加|安排|换|拿|收到|找|挑)(?:了|到了?"
    r"|好了|下了|的是)(?P<value>[^，]{1,40})$"
)


_COUNTED = re.compile(r"^(?:[一二两三四五六七八九十几\d]+)(?:[个只条台张份间辆套本盆位名家次节趟班])(?:的)?")


_VISIT = re.compile(
    r"(?:由|让|请|有|派)?(?:师傅|工程师|技师|人员?|专人)?(?:过来|上门|到家|入户|再次|重新|免费|来|去|给您|为您)*"
    r"(?P<verb>维修|检修|修理|安装|配送|派送|送货|取货|取件|保养|清洗|测量|上门|发货)(?:的)?"
)
_FOR_WHOM = re.compile(r"(?:给|帮|替|为)(?P<whom>[\u4e00-\u9fff]{1,4})$")
_CALLED = re.compile(r"^(?P<left>.{0,20}?)(?P<verb>叫|姓|名叫|属|出生于|来自)(?P<value>[^，]{1,20})$")


_CALLING = {"叫": "姓名", "名叫": "姓名", "姓": "姓名", "属": "属相", "出生于": "生日", "来自": "籍贯"}


SETTLED = frozenset(("公司", "学校", "职位"))
"""What `working` tells of a person holds until another is told, whatever the words."""


def working(text: str, topic: str) -> Said | None:
    home = _AT_HOME.match(text)
    if home:
        who = undated(home["left"]) or topic
        return Said((Claim(who, "办公地点", home["value"]),), topic=who, loose=True)
    found = _WORKS.match(text)
    if found:
        who = undated(found["left"]) or topic
        claims = [Claim(who, "公司", found["firm"])]
        if found["city"]:
            claims.append(Claim(who, "工作城市", found["city"]))
        return Said(tuple(claims), topic=who)
    both = _WORKS_AS.match(text)
    if both:
        who = undated(both["left"]) or topic
        return Said((Claim(who, "公司", both["firm"]), Claim(who, "职位", both["post"])), topic=who)
    study = _STUDIES.match(text)
    if study:
        who = study["left"] or topic
        return Said((Claim(who, "学校", study["school"]),), topic=who)
    post = _POST.match(text)
    if post and not DENIED.match(post["left"]):
        who = post["left"] or topic
        return Said((Claim(who, "职位", post["value"]),), topic=who)
    return None


def by_whom(text: str, topic: str) -> Said | None:
    itself = _BY_SELF.match(text)
    if itself:
        role = ROLE_OF_VERB.get(itself["verb"])
        left = "" if role else itself["verb"]
        return claim_of(left, itself["who"], topic, role or "负责人")
    charged = _IN_CHARGE.match(text)
    if charged and not is_person(charged["who"]):
        role = ROLE_OF_VERB.get(charged["verb"], "负责人")
        return Said(
            (Claim(charged["thing"] or topic, role, charged["who"]),), topic=charged["thing"] or topic
        )
    found = _BY.match(text)
    if found is None or DENIED.match(found["who"]):
        return None
    left = re.sub(r"(?:都|以后|今后|现在|也|会|就|先|暂时|改)+$", "", found["left"])
    return (
        claim_of(left, found["who"], topic, ROLE_OF_VERB.get(found["verb"], "负责人"))
        if found["who"]
        else None
    )


def liking(text: str, topic: str) -> Said | None:
    found = _LIKES.match(text)
    if found is None:
        return None
    who = found["left"] or topic
    verb = found["verb"]
    value = tidy(found["value"])
    if not value.endswith("不过敏"):
        value = value.removesuffix("过敏")
    claim = Claim(who, _LIKING[verb], value, many=True)
    return Said((claim,), negated=verb.startswith("不"), topic=who, preference=True)


def taking(text: str, topic: str) -> Said | None:
    found = _TOOK.match(text)
    if found:
        who = (
            re.sub(r"(?<=.)(?:给|为|帮|替|跟|和|在)[^，]{1,8}$", "", undated(LIGHT.sub("", found["left"])))
            or topic
        )
        value = tidy(found["value"])
        dated = VALUE.match(value)
        if dated and dated.lastgroup == "when" and value[dated.end() :].startswith("的"):
            noun = value[dated.end() + 1 :]
            helped = _FOR_WHOM.search(undated(LIGHT.sub("", found["left"])))
            owner = helped["whom"] if helped else "" if is_person(who) and who[0] in "我你您" else who
            named = f"{owner}的{noun}" if owner else noun
            return Said((Claim(named, attribute_of(dated), dated.group()),), topic=named)
        if dated and dated.end() == len(value) and found["verb"] == "租":
            return Said((Claim(who, "到期日", value),), topic=who)
        if dated and dated.lastgroup == "when" and (visit := _VISIT.fullmatch(value[dated.end() :])):
            return Said((Claim("", when_of(visit["verb"]), dated.group()),), topic="")
        thing = _COUNTED.sub("", value)
        follows = (
            thing if found["verb"][0] in "买订预租报养领约请办选定找雇开" and 1 <= len(thing) <= 10 else who
        )
        return Said(
            (Claim(who, verb_of(found["verb"]), value, many=True),), topic=follows, loose=follows is who
        )
    called = _CALLED.match(text)
    if (
        called
        and (called["left"] or topic or called["verb"] in "姓叫")
        and not called["left"].endswith(("不", "没", "别"))
    ):
        return claim_of(called["left"], called["value"], topic, _CALLING[called["verb"]])
    return None
