"""States that are stages of one course: what is delivered is no more in transit, what is repaired not broken.

Of a thing many states hold at once, so that one replaces no other, but for the stages of the few courses that
things of any kind take.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from operators.relate.runs import TAKES_BACK
from operators.relate.same_thing import Match, same_entity, same_value
from state.model import Event

_WORK = (
    r"pending|queued|waiting|in progress|under (?:review|way|construction|repair)|"
    r"half[- ]?(?:done|finished|ready)|(?:nearly|almost) (?:done|finished|ready)|ready|done|finished|"
    r"completed?|approved|rejected|accepted|granted|refused|resolved|solved|on hold|paused|not started"
)
_JOURNEY = (
    r"(?:being )?(?:packed|shipped|sent|prepared)|posted|dispatched|in transit|on (?:its|the|his|her) way|"
    r"out for delivery|delivered|arrived|lost|found|returned|stuck|held|collected|picked up|in the post"
)
_ORDER = (
    r"broken|faulty|down|out of (?:order|service)|leaking|being (?:repaired|fixed)|repaired|fixed|mended|"
    r"working|running|up|back up|restored"
)
_ACCESS = r"open|closed|shut|reopened|locked|unlocked"
_STOCK = r"sold out|out of stock|back in stock|in stock|available|unavailable"
_SWITCH = r"on|off|enabled|disabled|active|inactive"
_ENGLISH = re.compile(
    r"(?:not )?(?:now |already |still |finally |back )*(?:"
    + "|".join(
        f"(?P<{name}>{words})"
        for name, words in {
            "journey": _JOURNEY, "order": _ORDER, "work": _WORK, "access": _ACCESS, "stock": _STOCK,
            "switch": _SWITCH,
        }.items()
    )
    + r")(?![\w-])"
)  # fmt: skip
_CHINESE = re.compile(
    r"(?P<journey>打包|备货|出库|发货|寄出|在途|运输|派送|配送中|在路上|签收|送达|送到|丢件|弄丢|丢了|找到|退回|揽收)|"
    r"(?P<work>审核中|待审核|处理中|进行中|制作中|完成|做好|办好|办下来|通过|驳回|被拒|批了|批准|获批|完工)|"
    r"(?P<order>坏|漏水|修好|恢复正常|正常|故障|维修中|宕机|停运|恢复运营)|"
    r"(?P<stock>缺货|断货|没货|有货|到货|补货|售罄|卖完)"
)


@lru_cache(maxsize=8_192)
def course(state: str) -> str:
    """The course that `state` is a stage of; empty for other states."""
    found = _ENGLISH.match(state.casefold()) if state.isascii() else _CHINESE.search(state)
    return (found.lastgroup or "") if found is not None else ""


def passed(event: Event, earlier: Sequence[Event]) -> list[Event]:
    """The states among `earlier` that the thing of `event` has left behind by being in its present one."""
    facet = event.facet
    if facet is None or not facet.entity.strip() or event.act in TAKES_BACK:
        return []
    now = course(facet.value)
    if not now:
        return []
    return [
        told
        for told in earlier
        if told.facet is not None
        and told.act not in TAKES_BACK
        and told.sources[-1] != event.sources[-1]
        and course(told.facet.value) == now
        and same_entity(facet.entity, told.facet.entity) is Match.EXACT
        and not same_value(event, told)
    ]
