"""What an elliptical claim may mean among the claims before it: "make it 18", "keep the first one".

Attributes fall into families of the values that they may hold, and a value may stand only in the place of one
of its family.
"""

# ruff: noqa: SIM905  (a word class reads best as a text)

import re
from collections.abc import Sequence
from functools import lru_cache

from operators.distill.chinese_predicates import OTHERWISE, STATE_NAMES
from operators.distill.clause import Claim, Clause, Mood
from state.model import Act

_FAMILIES = {
    "date": ("date", "day", "日期", "日", "时间"),
    "time": ("time", "hour", "时间"),
    "money": ("price", "cost", "fee", "budget", "amount", "rent", "salary",
        "价", "金额", "费", "租金", "房租", "预算", "薪", "押金"),
    "number": ("number", "quantity", "code", "pin", "id", "数量", "号码"),
    "place": ("place", "city", "location", "area", "town", "region", "where", "地点", "位置", "场地", "城市"),
    "destination": ("destination",),
    "origin": ("origin", "departure"),
    "address": ("address", "地址", "住址"),
    "end": ("end",),
    "name": ("name", "venue", "restaurant", "hotel", "doctor", "with", "姓名", "名字"),
}  # fmt: skip
GENERIC = frozenset(
    "price date time number quantity place venue end name duration percentage origin destination "
    "日期 时间 价格 数量 地址".split()
) | {"date and time"}


MEASURES = frozenset(
    "temperature weight length volume power speed size rating balance total cost rent".split()
)


@lru_cache(maxsize=4_096)
def families(attribute: str) -> frozenset[str]:
    """The kinds of value that an attribute may hold, as far as its words tell."""
    words = attribute.casefold().split()
    parts = {*words, *(word.removesuffix("s") for word in words)}
    return frozenset(
        name
        for name, heads in _FAMILIES.items()
        if any(h in parts or (h > "z" and h in attribute) for h in heads)
    )


_ORDINALS = frozenset("first original old previous earlier initial former same before last".split())


def reverted(claims: Sequence[Claim], attribute: str, value: str) -> Claim | None:
    """The earlier value that a going back without a value of its own ("keep the first one", "the original
    date") means: of the attribute, else of the one changed last, the value before the present one."""
    if value and _ORDINALS.isdisjoint(value.casefold().split()):
        return None
    for at in range(len(claims) - 1, 0, -1):
        now = claims[at]
        if attribute and not _alike(attribute, now):
            continue
        for earlier in reversed(claims[:at]):
            if (
                earlier.attribute == now.attribute
                and earlier.entity == now.entity
                and earlier.value != now.value
            ):
                return earlier
    return None


def said_again(claims: Sequence[Claim], text: str) -> Claim | None:
    """The latest earlier claim whose value's words are all in `text`, which gives no claim of its own
    ("since the hall seats 90", after a capacity of 90)."""
    low = text.casefold()
    heard = frozenset(word.strip(".,;:!?") for word in low.split())
    for earlier in reversed(claims):
        value = earlier.value.casefold()
        told = set(value.split()) - _SMALL
        spelt = len(value) > 1 and value > "z" and value in low
        if spelt or (told and told <= heard and max(map(len, told)) > 2):
            return earlier
    return None


def restated(claims: Sequence[Claim], claim: Claim, entity: str) -> Claim | None:
    """The latest earlier claim whose value a bare "X is Y" says again ("the desk is in walnut now")."""
    said = set(claim.value.casefold().split()) - _SMALL
    for earlier in reversed(claims):
        if said and said == set(earlier.value.casefold().split()) - _SMALL:
            return (
                earlier if not entity or not earlier.entity or _same_thing(entity, earlier.entity) else None
            )
    return None


def alike_before(
    claims: Sequence[Claim], claim: Claim, clause: Clause, attribute: str, entity: str
) -> Claim | None:
    """The latest earlier claim that an elliptical one gives another value to."""
    changing = clause.act in (Act.CHANGE, Act.RESTORE)
    if clause.old_value and _CJK.search(clause.old_value):
        named = present_of(claims, clause.old_value)
        if named is not None and (not entity or _same_thing(entity, named.entity)):
            return named
    old = f" {clause.old_value.casefold()} " if clause.old_value else ""
    value_words = set(claim.value.casefold().split()) - _SMALL
    by_attribute = bool(attribute) and (changing or (not entity and attribute != "number"))
    for earlier in reversed(claims) if old or by_attribute or not attribute else ():
        if old and old in f" {earlier.value.casefold()} ".replace("the ", ""):
            return earlier
        if changing and entity and not attribute and entity.casefold() == earlier.attribute:
            return earlier  # "change the supplier to Bergo"
        if entity and not _same_thing(entity, earlier.entity):
            continue
        if by_attribute and (_alike(attribute, earlier) or _dated(claim, attribute, earlier)):
            return earlier
        if not attribute and value_words & set(f"{earlier.value} {earlier.attribute}".casefold().split()):
            return earlier
    if attribute == "number" and not entity and clause.mood in (Mood.REQUEST, Mood.PROPOSAL) and claims:
        last = claims[-1]  # "how about 350?", after "300 euros for the desk"
        counted = families(last.attribute) & {"money", "number"} or last.attribute == "number of people"
        if counted and not last.many:
            return last
    if changing and (not attribute or not proper(entity)):
        for earlier in reversed(claims):
            if _alike(attribute, earlier) if attribute else _untyped(earlier, claim):
                return earlier
    return None


def _dated(claim: Claim, attribute: str, earlier: Claim) -> bool:
    """Whether a time that is told with its day stands in the place of a date."""
    if attribute != "time" or "date" not in families(earlier.attribute):
        return False
    return any(len(word) > 2 and word.isalpha() for word in claim.value.split())


_OF_THINGS = frozenset("colour color size material height width variant type kind model version".split())
_KINDS = GENERIC | MEASURES | _OF_THINGS | {"quantity", "number of people"}


def ordered(claims: Sequence[Claim], item: Claim) -> Claim | None:
    """The latest earlier claim of the goods that are taken off, if it counts them ("the tube": one tube);
    None where the item was put on a list, on which it is then looked for by its own words."""
    if item.attribute != "项目" or not item.value:
        return None
    for earlier in reversed(claims):
        if earlier.attribute == item.attribute and item.value in earlier.value:
            return None
        if earlier.attribute == "数量" and earlier.entity.endswith(item.value):
            return earlier
    return None


def present_of(claims: Sequence[Claim], old: str) -> Claim | None:
    """The latest claim that still gives the Chinese day or time `old`, which may leave its month out
    ("13号上午": 5月13日上午)."""
    day = _plain(old)
    later: set[tuple[str, str]] = set()
    for earlier in reversed(claims):
        key = (earlier.entity, earlier.attribute)
        if key not in later and _plain(earlier.value).endswith(day):
            before = _plain(earlier.value).removesuffix(day)
            if not before or not (before[-1].isdigit() and day[0].isdigit()):
                return earlier
        later.add(key)
    return None


def _plain(day: str) -> str:
    return _WEEK.sub("周", day.replace("号", "日").replace(" ", ""))


_WEEK = re.compile("星期|礼拜")
_CJK = re.compile("[\u4e00-\u9fff]")


def spoken_for(attribute: str) -> bool:
    """Whether an attribute without a thing is of the matter at hand: one that is no bare kind of value."""
    return attribute > "z" or attribute not in _KINDS


def own_kind(claim: Claim) -> bool:
    """Whether a claim names its attribute only by its value's own noun ("a family membership")."""
    return not claim.entity and claim.attribute != "" and claim.value.casefold().endswith(claim.attribute)


def kind_known(claims: Sequence[Claim], claim: Claim) -> bool:
    """Whether an earlier claim gives another value of that kind ("an individual membership")."""
    return any(earlier.attribute == claim.attribute for earlier in claims)


def named_in(entity: str, about: str) -> bool:
    """Whether all words of `entity` are in `about`; without spaces between words, its last part is."""
    name = entity.casefold()
    if name > "z":
        return name.split()[-1] in about.casefold()
    return set(name.split()) <= set(about.casefold().split())


def _alike(attribute: str, earlier: Claim) -> bool:
    """Whether a value of a generic attribute may stand in the place of an earlier claim's."""
    kinds = families(earlier.attribute)
    if attribute == earlier.attribute or not kinds.isdisjoint(families(attribute)):
        return True
    if attribute == "number":
        return earlier.attribute in MEASURES
    # A time that is told with the name of a day is a date too.
    if attribute != "date" or "time" not in kinds:
        return False
    return any(len(word) > 2 and word.isalpha() for word in earlier.value.split())


def _untyped(earlier: Claim, claim: Claim) -> bool:
    """Whether open words may take the place of an earlier claim's: not common nouns ("the humidity") that of
    a name; and one name that of another, whatever it names, where it is said of "it"."""
    if earlier.value[:1].isupper() and claim.value[:1].islower():
        return False
    if claim.entity in _IT and earlier.value[:1].isupper() and claim.value[:1].isupper():
        return True
    if not claim.entity and _WORDS.fullmatch(claim.value) and _WORDS.fullmatch(earlier.value):
        return _open(earlier.attribute)  # "改成海港路" leaves out what
    return bool(families(earlier.attribute) & _UNTYPED) and not earlier.value[:1].isdigit()


def _open(attribute: str) -> bool:
    """Whether an attribute may hold any words: none of a measure or a time, nor what a mere verb tells."""
    told = len(attribute) > 1 and attribute != OTHERWISE and attribute not in STATE_NAMES
    return told and not families(attribute) & _MEASURED


_MEASURED = frozenset(("date", "time", "money", "number", "end"))
_WORDS = re.compile("[\u4e00-\u9fff]{2,12}")
_IT = ("it", "that")
_UNTYPED = frozenset(("place", "name", "destination"))
_SMALL = frozenset("the a an of in at to and for with".split())


def proper(entity: str) -> bool:
    """Whether an entity is named for itself: capitalised, or in a script that has no capitals."""
    return entity[:1].isupper() or entity[:1] > "z"


def _same_thing(one: str, another: str) -> bool:
    a, b = one.casefold(), another.casefold()
    return a in b or b in a or a.split()[-1:] == b.split()[-1:]


def answers(attribute: str, pending: list[str]) -> str:
    """The open question that a value of the given attribute answers, if one does."""
    if not pending:
        return ""
    wanted = families(attribute)
    for asked in pending:
        kinds = families(asked)
        if not attribute and not kinds & {"date", "time", "money"}:
            return asked
        if attribute and (wanted & kinds or attribute == asked):
            return asked if asked not in GENERIC else attribute
        if attribute in ("number", "name", "place") and not kinds & {"date", "time", "place"}:
            return asked
    return ""
