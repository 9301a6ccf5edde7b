"""Typed values inside a Chinese clause, seen lightly: where a value stands and which kind it is.

`operators.distill.values` resolves and compares values; here only their extent is needed, to tell the
value of a clause from its topic, so one pattern does.
"""

import re

_NUM = r"(?:\d[\d,]{0,15}(?:\.\d+)?[万千百]?|[零〇一二两三四五六七八九十百千万半]{1,8})"
_CLOCK = (
    rf"(?:(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚)?(?:\d{{1,2}}[:：]\d{{2}}|(?:\d{{1,2}}"
    rf"|(?!一点(?![半钟])|两点(?![半钟整]))[一二两三四五六七八九十]{{1,3}})"
    rf"点(?:半|一刻|三刻|{_NUM}分?|钟|整)?)|凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上)"
)
_WEEKDAY = r"(?:每个?|隔|这个?|本|下下个?|下个?|上个?)?(?:周|星期|礼拜)[一二三四五六日天末]"
_DATE = (
    r"(?:(?:\d{4}|[一二〇零两]?\d{2})年)?(?:\d{1,2}|[一二三四五六七八九十]{1,2})月(?:(?:\d{1,2}"
    r"|[一二三四五六七八九十]{1,3})[日号]|底|初|中旬|份)?"
    r"|(?:\d{4})年(?!前|后|内)|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|(?<![路街道巷弄村坊庄栋幢\d])(?<!胡同)\d{1,2}[日号](?![线楼院店馆厅桌房间门机])"
    r"|大后天|后天|明天|明早|明晚|今天|今晚|今早|昨天|前天|下个月|这个月|上个月|下周|本周|这周|上周|月底"
    r"|年底|周末|(?:明年|今年|去年)(?:\d{1,2}月(?:\d{1,2}[日号]|底|初)?)?|国庆节?|春节|中秋节?|元旦|五一"
    r"|端午节?"
)
_MONEY = (
    rf"(?:每[周月年天日次晚人份]|每个月|一个月|一年|人均|每[\u4e00-\u9fff]{{1,3}}?(?=[\d¥])"
    rf"|一(?:度|吨|斤|个|次|平|小时|学期|节课?|课时|间|晚|位|人|套|张|份|年|条)(?=[\d¥]))?(?:[¥￥$€£]\s?{_NUM}|{_NUM}(?:多)?(?:元|块钱?|美元|欧元|港币"
    rf"|日元|人民币|英镑))"
    rf"(?:/[月年天次人晚]|每[月年天次人晚]|一[个]?[月年天次人晚])?"
)
_UNIT = (
    r"(?:公斤|千克|斤|克|吨|毫升|升|两装|厘米|毫米|公里|千米|米|平方米|平米|平|寸|码|兆|GB|G|MB|TB|kg|g|ml"
    r"|L|cm|mm|km|m"
    r"|个人|间|套|张|份|箱|盒|瓶|袋|包|件|双|台|辆|本|支|把|条|块|个|只|桶|束|杯|次|节|课时|岁|页|门|场|层|楼"
    r"|室|人|位|名|口|桌|路|核|倍|分)"
)
_LENGTH = (
    rf"(?:{_NUM}(?:到|至|[-~～—]))?{_NUM}(?:个半|个)?(?:小时|钟头|分钟|秒钟?|天|晚|周|星期|礼拜|年|季度"
    rf"|工作日|(?<=个)月|(?<=个半)月)(?:后|内|之内|以内|左右)?"
)
_SIZE = r"(?:XXXL|XXL|XXS|XL|XS)(?![A-Za-z])"
_RATE = rf"\d+(?:\.\d+)?[%％]|百分之{_NUM}|{_NUM}折"
_DAY = rf"(?:{_WEEKDAY}|{_DATE})(?:（[^）]{{1,8}}）|\([^)]{{1,8}}\))?"
_WHEN = rf"(?:{_DAY})(?:(?:的|\s)?{_CLOCK})?|每天(?:(?:的|\s)?{_CLOCK})?|{_CLOCK}"
_SPAN = r"(?:\s?(?:到|至|[-~～—–]|、|和|或者?)\s?"
_AMOUNT = rf"{_NUM}\s?{_UNIT}(?:装|型|制)?(?:左右|以上|以下|以内)?|\d[\d.]*万(?!一)"
_MAY_BEGIN = (
    r"(?=[\dA-Za-z¥￥$€£“「《零〇一二两三四五六七八九十百千万半每个人这本隔周星礼上下早中傍晚凌清夜大后明"
    r"今昨前月年国春元端])"
)

VALUE = re.compile(
    rf"{_MAY_BEGIN}(?:(?P<money>{_MONEY})|(?P<rate>{_RATE})"
    rf"|(?P<when>(?:{_WHEN}){_SPAN}(?:{_WHEN})){{0,3}})"
    rf"|(?P<length>{_LENGTH})"
    rf"|(?P<amount>(?:每[周月年天日次人])?{_AMOUNT})"
    rf"|(?P<size>{_SIZE})"
    r"|(?P<mail>[A-Za-z0-9._+-]{1,40}@[A-Za-z0-9.-]{1,60})"
    r"|(?P<code>1[3-9]\d{9}|0\d{2,3}-?\d{7,8}|[A-Za-z]{1,6}-?\d{3,}[A-Za-z0-9-]*|\d{4,})"
    rf"|(?P<quoted>“[^”]{{1,60}}”|「[^」]{{1,60}}」|《[^》]{{1,60}}》))"
)
"""One value; the group that matched is its kind. A clause is short, so a search in it takes bounded time."""

_PEOPLE = re.compile(r"[人位名口](?:左右|以上|以下|以内)?$")


def attribute_of(match: re.Match[str]) -> str:
    """The attribute that a value's kind alone suggests, "" where it suggests none."""
    kind, words = match.lastgroup, match.group()
    if kind == "when":
        return (
            "时间"
            if re.search(r"[点:：]", words) and not re.search(r"[月日号周]|星期|礼拜|天", words)
            else "日期"
        )
    if kind == "amount":
        if _PEOPLE.search(words):
            return "人数"
        if words.endswith(("岁", "寸", "万")):
            return {"岁": "年龄", "寸": "尺寸", "万": "金额"}[words[-1]]
        return "规格" if words.endswith(("装", "型", "制")) else "数量"
    named = {"money": "价格", "rate": "比例", "length": "时长", "mail": "邮箱", "size": "尺码"}
    if kind == "code":
        return "电话" if re.fullmatch(r"1[3-9]\d{9}|0\d{2,3}-?\d{7,8}", words) else "编号"
    return named.get(kind or "", "")


def whole(text: str) -> re.Match[str] | None:
    """The value that all of `text` is, if it is one."""
    match = VALUE.match(text)
    return match if match and match.end() == len(text) else None
