"""How one facet can be read as a thing and an attribute, since texts split the two differently.

"The kitchen budget is 18,000" gives (kitchen budget) or (kitchen, budget); "12 eggs in the basket" gives
(basket, quantity of eggs), and means the eggs. Two facets are compared in the readings that agree best.
"""

import re
from functools import lru_cache

from operators.relate.words import head, words
from state.identity import normalised

_OF = re.compile(r"^(?P<measure>quantity|number|amount) of (?P<thing>.+)$")

_FAMILIES = (
    "place city area location town region",
    "date day",
    "address destination",
    "price cost fee rate",
    "state status condition",
    "quantity amount",
    "地点 位置 场地 地方",
    "日期 日子",
    "价格 费用 价钱 金额",
    "状态 情况 状况",
)
"""Attribute words that people use for one another."""


def _meaning() -> dict[str, str]:
    """By word (an English stem), the first of its family."""
    found: dict[str, str] = {}
    for family in _FAMILIES:
        members = [head(word) for word in family.split()]
        found.update(dict.fromkeys(members, members[0]))
    return found


_MEANS = _meaning()
_ALIASES = (
    "电话 手机 手机号 手机号码 电话号码 号码 联系电话 联系号码 联系方式",
    "收货地址 快递地址 配送地址 送货地址 收件地址 寄送地址 邮寄地址 派送地址",
    "配送时间 送货时间 派送时间 送达时间 配送日期 送货日期 配送日 送货日",
    "总价 合计 总计 总额 总金额 总费用",
)
"""Chinese names of one attribute; these are whole names, for a Chinese name's end alone may be another's."""
_NAMED = {name: family.split()[0] for family in _ALIASES for name in family.split()}
_TOTAL = _NAMED["总价"]
_IDENTITY = frozenset(head(word) for word in ["name", "id", "identifier", "姓名", "名字", "名称", "编号"])
_OF_GOODS = frozenset({_MEANS[head("quantity")], _MEANS[head("price")], "数量", _MEANS["价格"]})
STATE = frozenset({_MEANS[head("state")], _MEANS["状态"]})
"""What the attribute of a bare "X is Y" is called: it has as many values as there are things to say of X."""
WHEN = frozenset({_MEANS["date"], head("time"), _MEANS["日期"], "时间"})
"""What the attribute of a bare date or time is called."""


@lru_cache(maxsize=65536)
def attribute_words(attribute: str) -> frozenset[str]:
    """The content words of an attribute, each as the first of its family."""
    if attribute in _NAMED:
        return frozenset((_NAMED[attribute],))
    return frozenset(_MEANS.get(term, term) for term in words(attribute).terms)


@lru_cache(maxsize=65536)
def attribute_head(attribute: str) -> str:
    """What kind of attribute it is, as the first word of its family; empty for none."""
    last = head(_NAMED.get(attribute, attribute))
    return _MEANS.get(last, last)


@lru_cache(maxsize=65536)
def _readings(entity: str, attribute: str) -> tuple[tuple[str, str], ...]:
    measured = _OF.match(normalised(attribute))
    if measured and measured["thing"] not in ("people", "persons", "guests"):
        return ((f"{entity} {measured['thing']}".strip(), measured["measure"]),)
    found = [(entity, attribute)]
    modifiers, _, last = normalised(attribute).rpartition(" ")
    if not entity.strip() and modifiers:
        found.append((modifiers, last))
    return tuple(found)


def identifies(attribute: str) -> bool:
    """Whether an attribute tells one thing from another, so that two values of it are two things."""
    return attribute_head(attribute) in _IDENTITY


def is_total(attribute: str) -> bool:
    """Whether a Chinese attribute is what the order at hand comes to: there is one such at a time."""
    return _NAMED.get(attribute) == _TOTAL


def of_goods(attribute: str) -> bool:
    """Whether an attribute is one of goods, of which a conversation has many side by side ("2 litres")."""
    return attribute_head(attribute) in _OF_GOODS


def readings(entity: str, attribute: str, parties: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The (thing, attribute) pairs that a facet's two can be read as, the most telling last.

    `parties`: normalised names of the participants; one who has "3 tickets" does not name the tickets.
    """
    if parties and normalised(entity) in parties and _OF.match(normalised(attribute)):
        return _readings("", attribute)
    return _readings(entity, attribute)


def without_owner(entity: str, attribute: str, parties: frozenset[str]) -> tuple[tuple[str, str], ...]:
    """The readings of what a participant has by itself: "Ana" with a "delivery address" is a delivery with an
    address, and a 快递地址 the 地址 of a 快递. None where nobody of `parties` is the entity."""
    if normalised(entity) not in parties:
        return ()
    return _parted(normalised(attribute))


@lru_cache(maxsize=65536)
def _parted(attribute: str) -> tuple[tuple[str, str], ...]:
    if attribute.isascii():
        thing, _, last = attribute.rpartition(" ")
    else:
        thing, last = attribute[:-2], attribute[-2:]
    return ((thing, last),) if len(thing) > 1 else ()
