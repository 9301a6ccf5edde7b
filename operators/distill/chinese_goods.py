"""Goods that Chinese text orders, adds and takes off: "两箱苹果", "一个底座和一根延长管", "茶和杯子都要"."""

import re

from operators.distill.chinese_topics import Said
from operators.distill.clause import Claim

ITEM = "项目"
"""The attribute of what is added to a list or taken off it."""
QUANTITY = "数量"
"""The attribute of goods that are counted."""

_COUNT = r"(?:\d{1,4}|[一二两三四五六七八九十百半]{1,3})"
_MEASURE = (
    r"(?:个|箱|盒|瓶|袋|包|件|双|台|辆|本|支|把|条|块|只|桶|束|杯|份|套|张|根|斤|公斤|千克|罐|卷|副|顶|盆|朵|颗|串"
    r"|提|打|匹|扇|枚|片|碗|盘|壶|架|部|床|对)"
)
_NO_GOODS = (
    r"(?:小时|钟头|月|星期|礼拜|季度|工作日|问题|说法|解释|结果|忙|人|电话|答复|道理|机会|理由|意见|建议"
    r"|多|左右|以上|以下)"
)
_COUNTED = re.compile(
    rf"(?P<count>{_COUNT}{_MEASURE})(?!{_NO_GOODS})的?(?P<noun>[\u4e00-\u9fffA-Za-z0-9“”]{{1,16}})"
)
_WANTS = re.compile(
    r"^(?:我们?|咱们|这边|那|就|还|也|先|新|刚刚?|已经?|另外|一共|总共|想|打算|准备|需要|希望|给我|帮我|请|麻烦|再)*"
    r"(?P<verb>要|想要|需要|买|订|订购|购买|点|来|拿|下单)(?:了|过)?(?P<items>.{2,60}?)$"
)
_ALL_WANTED = re.compile(
    r"^(?P<items>.{2,60}?)(?:我们?)?(?:全都|都|全|我都)(?:要|想要|买|订|需要)(?:了|的)?$"
)
_BETWEEN = re.compile(r"、|，|以及|还有|外加|加上|和|与|及|跟")
_VERBAL = re.compile(r"[不没了吗呢请把将要会能可是有再就也都还说打送改换取退]|什么|怎么|多少")


def listed(items: str) -> tuple[str, ...]:
    """The items that `items` puts in a row; one, all of it, where a part is no name by itself."""
    parts = [part.strip(" 的") for part in _BETWEEN.split(items)]
    sound = all(len(part) > 1 and not _VERBAL.search(part) for part in parts)
    return tuple(parts) if len(parts) > 1 and sound else (items,)


def goods(items: str, entity: str = "") -> tuple[Claim, ...]:
    """A claim an item: how many there are of it where it is counted, else that it is on the list."""
    found = []
    for item in listed(items):
        counted = _COUNTED.fullmatch(item)
        if counted and not _VERBAL.search(counted["noun"]):
            found.append(Claim(counted["noun"], QUANTITY, counted["count"]))
        else:
            found.append(Claim(entity, ITEM, item, many=True))
    return tuple(found)


def wanting(text: str, topic: str) -> Said | None:
    """ "我要两箱苹果": so many of these goods; "茶和杯子都要": both are on the list."""
    both = _ALL_WANTED.match(text)
    if both and len(listed(both["items"])) > 1:
        return Said(goods(both["items"]), topic=topic)
    found = _WANTS.match(text)
    if found is None:
        return None
    claims = goods(found["items"])
    if any(claim.attribute != QUANTITY for claim in claims):
        return None
    return Said(claims, topic=claims[0].entity if len(claims) == 1 else "")
