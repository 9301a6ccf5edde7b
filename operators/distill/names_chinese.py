"""Chinese names: only those that a title (丁先生) or an introduction (我叫王小明) makes known."""

import re

from operators.distill.finding import Finding
from operators.distill.spans import ValueKind

_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任"
    "姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严赖覃洪武莫孔"
    "汤向常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕"
    "单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚"
    "娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池"
    "查麻苑迟邝"
)
_HAN_TITLE = re.compile(r"(?:先生|女士|小姐|太太|师傅|老师|医生|经理|教授|主任|阿姨|叔叔|律师|护士长|总监?)")
_HAN_SELF = re.compile(
    r"(?:我叫|我是|名叫|名字叫|姓名[是为：:]|名字是|叫做)([\u4e00-\u9fff]{2,3})(?=$|[，。,.！!？?；;、\s\n])"
)


def han_name_before(text: str, title: int) -> Finding | None:
    """The name that ends in the title at `title`: a surname with up to two characters of a given name."""
    match = _HAN_TITLE.match(text, title)
    if match is None:
        return None
    for length in (1, 3, 2):
        start = title - length
        if (
            start >= 0
            and text[start] in _SURNAMES
            and all("一" <= char <= "鿿" for char in text[start:title])
        ):
            if "谢谢" in text[max(0, start - 1) : title]:
                continue
            if length > 1 and not _han_boundary(text, start):
                continue
            return Finding(ValueKind.NAME, start, match.end(), text[start : match.end()])
    return None


def _han_boundary(text: str, start: int) -> bool:
    return (
        start == 0 or not "一" <= text[start - 1] <= "鿿" or text[start - 1] in "是找由请和跟给让向为叫，对"
    )


def han_self_name_at(text: str, pos: int) -> Finding | None:
    """The name after 我叫 or 我是 at `pos`; after the latter it must begin with a surname."""
    match = _HAN_SELF.match(text, pos)
    if match is None or ("叫" not in match.group()[:3] and match[1][0] not in _SURNAMES):
        return None
    return Finding(ValueKind.NAME, match.start(1), match.end(1), match[1])
