"""Whether a stretch of Chinese can be the name of a thing: no greeting, adverb, verb or piece of a word."""

import re

from operators.distill.clause import Claim
from state.model import Act

_ALONE = frozenset(
    "换改调不没别就才都也还再又很太更最打修维送发寄买卖订要想会能可把将被给让请在是有无去来到从由向对跟和与或但而且"
    "所因如若虽即则乃于以为之其此该每各某好行先快刚正仅只共新旧那这预"
)
"""Characters that name nothing when they stand alone: function words, verbs, adverbs, bound pieces."""
_CUT_OFF = re.compile(
    r"(?:请|把|将|被|让|不|没|就|才|都|也|还|先|再|又|已|能|[前后时]请|[之以][前后]|[之以][前后][您你我])$"
)
_OPENS_OTHERWISE = re.compile(
    r"(?:请(?!假|柬|帖|求|客)|麻烦|劳驾|拜托|帮我|给我|替我|您好|你好|好[\u4e00-\u9fff]{1,3}(?:先生|女士|小姐|老师)"
    r"|(?:恢复|取消|去掉|删掉|撤销|退掉|换掉|改成|改为|改到)(?=[\u4e00-\u9fff]))"
)
_PRONOUN = re.compile(r"^[我你您他她它](?:们)?(?=.)")
_TIME_ONLY = re.compile(r"(?:那天|当天|那时候?|到时候?|之前|之后|以前|以后|后来|刚才)")


def names_thing(entity: str) -> bool:
    """Whether `entity` may be what a claim is about. An empty one may: the context then tells."""
    name = entity.strip()
    if not name:
        return True
    last = name.rpartition("的")[2] or name
    last = _PRONOUN.sub("", last)
    if last in _ALONE or _TIME_ONLY.fullmatch(last):
        return False
    return not (_CUT_OFF.search(name) or _OPENS_OTHERWISE.match(name))


def tenable(claims: tuple[Claim, ...], act: Act) -> tuple[Claim, ...]:
    """The claims whose entity is the name of a thing, and whose value, where something is said to be or to
    become so, is there."""
    return tuple(claim for claim in claims if names_thing(claim.entity) and not _says_nothing(claim, act))


def _says_nothing(claim: Claim, act: Act) -> bool:
    return act in (Act.STATE, Act.CHANGE) and bool(claim.attribute) and not claim.value.strip()
