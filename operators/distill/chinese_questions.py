"""What a Chinese question asks for: the attribute, and the thing whose attribute it is."""

import re

from operators.distill.chinese_attributes import ROLE_OF_VERB, split_topic, when_of

_OPENING = re.compile(
    r"^(?:请问|想问一?下?|问一?下|我想问一?下?|我想知道|麻烦问一?下?|那么?|对了|还有|另外|所以|现在|目前"
    r"|请|您|告诉我|帮我|给我|查一?下|看一?下|查查|看看|[,，:：\s])+"
)
_BEFORE = re.compile(
    r"(?:是在|现在|目前|大概|大约|一般|都|是|在|用的?|叫|要|得|需要|有|选|的|为|还|一共|总共|会|能|到底"
    r"|究竟|今天)+$"
)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:多少|几)[人位个名]*(?:客人|人|位|嘉宾)"), "人数"),
    (re.compile(r"多少钱|什么价(?:格|位)?|怎么收费|怎么卖|多少[元块]"), "价格"),
    (re.compile(r"[多几][大少]?(?:尺码|号码的?鞋)|穿(?:多大|几码|什么码)|什么尺[码寸]"), "尺码"),
    (re.compile(r"(?:几|多少)(?:斤|公斤|升|毫升|克|片|包|瓶|个|两|寸)?(?:装|寸)|什么规格"), "规格"),
    (
        re.compile(
            r"什么时候|何时|什么时间|几时|啥时候|哪天|几月|几号|什么日子|哪一?天|哪年|几点|周几|星期几|礼拜几"
        ),
        "when",
    ),
    (re.compile(r"(?:多久|多长时间|几天|几个月|几个?小时|多少天|几年)"), "时长"),
    (re.compile(r"(?:哪|什么|哪一?家)(?:家)?(?:公司|单位)"), "公司"),
    (re.compile(r"哪里|哪儿|什么地方|何处|哪个地方|什么位置|几楼|哪个(?:城市|会议室|房间|教室)"), "where"),
    (re.compile(r"谁|哪位|什么人"), "who"),
    (re.compile(r"贵姓|怎么称呼|叫什么(?:名字)?|姓什么|什么名字|尊姓大名"), "姓名"),
    (re.compile(r"电话(?:号码)?(?:是)?多少|怎么联系|联系方式"), "电话"),
    (
        re.compile(
            r"(?:什么|哪种|哪个|哪款|啥|几种)(?P<kind>颜色|口味|型号|款式|版本|车型|房型|户型|职位|专业"
            r"|品牌|牌子|数据库|方式|形式|材质|套餐|语言|格式|原因|状态|主题)"
        ),
        "kind",
    ),
    (re.compile(r"为什么|为何|怎么回事|咋回事|怎么会|什么原因"), "原因"),
    (re.compile(r"怎么样了|到哪(?:了|里了)|进展|办好了|好了吗"), "状态"),
    (re.compile(r"多少|什么|啥|几"), "what"),
)
_VERB_AFTER = re.compile(
    r"^(?:能|可以|会|要|来|去|给|再|才|方便|合适|比较好|好|合适)*(?P<verb>[\u4e00-\u9fff]{1,4}?)(?:的|呢"
    r"|了|啊|吧|合适|比较?好|最好|好|方便|行)*[？?]*$"
)
_TRAILING_ROLE = re.compile(r"^(?:来|去|在|要|会|能)*(?P<verb>[\u4e00-\u9fff]{1,2})")


def asks_of(text: str) -> tuple[str, str]:
    """(entity, attribute) that a question is after, "" for what it does not name."""
    body = _OPENING.sub("", text)
    for pattern, form in _FORMS:
        found = pattern.search(body)
        if found:
            before = _BEFORE.sub("", body[: found.start()])
            return _read(form, found, before, body[found.end() :])
    return "", ""


def _read(form: str, found: re.Match[str], before: str, after: str) -> tuple[str, str]:
    entity, attribute = split_topic(before) if before else ("", "")
    if form in ("电话", "姓名", "公司", "人数", "尺码"):
        return before, form
    if (
        form == "when"
        and attribute
        and not attribute.endswith(("时间", "日期", "日", "生日", "期限", "有效期"))
    ):
        entity, attribute = before, ""
    if form == "kind":
        return before, found["kind"]
    if attribute:
        return entity, attribute
    if form == "when":
        verb = _VERB_AFTER.match(after.rstrip("？?吗呢啊"))
        return entity, when_of(verb["verb"]) if verb else "时间"
    if form == "who":
        doing = _TRAILING_ROLE.match(after)
        return entity, ROLE_OF_VERB.get(doing["verb"], f"{doing['verb']}人") if doing else "姓名"
    if form == "where":
        return entity, "地点"
    if form == "what":
        kind = re.match(r"[\u4e00-\u9fff]{1,4}", after.rstrip("？?吗呢啊的"))
        return (entity, "") if kind is None else (entity, kind.group())
    return entity, form
