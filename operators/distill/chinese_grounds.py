"""Which Chinese clauses tell a ground, and which one is told for."""

import re
from collections.abc import Sequence

from operators.distill.clause import READ_BACK, Clause, Connective, Mood
from operators.distill.grounds import Part, grounds

_HOW = r"(?:现在|今天|最近|这几天|也|都|真的?|实在|有点儿?|有些|很|太|好|特别|非常|快|还|已经|又)*"
_NEED = re.compile(
    rf"^(?:我们?|咱们?|人家|孩子|我(?:爸|妈|女儿|儿子|老婆|老公)){_HOW}"
    r"(?:饿|渴|累|困|冷|热|忙|病|发烧|感冒|头疼|头痛|肚子疼|难受|不舒服|没时间|没空|没钱|没带|忘了?带|丢了|过敏"
    r"|怀孕|迷路|赶时间|来不及|睡不着)"
    r"|(?:坏了|丢了|不见了|没电了?|用不了|打不开|连不上|没收到|不够用?|来不及了?|漏水|过敏)$"
    r"|^(?:这|那|它|价格|味道|颜色|尺寸|声音|路)?.{0,4}太.{1,5}了$"
)
_HELD = re.compile(
    r"(?:去|来|做|吃|走|用|看|睡|参加|赶|等|办|帮|陪|出)不(?:了|成)|不能|没法|没办法|无法|得走了|只好|只能|不得不"
)
_FELT = re.compile(
    rf"^(?:我|你|他|她|它){_HOW}(?:担心|难过|高兴|生气|紧张|害怕|累|开心|失望|伤心|着急|郁闷|兴奋|无聊|惊讶)"
)
_TELLS = re.compile(
    r"^(?:我们?|他们?|她们?|家里|公司|医生|老板|老师|学校|明天|今天|昨天|昨晚|晚上|下午)"
    r"(?:今天|明天|昨天|昨晚|晚上|下午|刚|还|正|已经|又|都|爸|妈)*(?:有|要|得|没|病|在|被|说|忘|丢)"
)
_JUDGES = re.compile(
    r"^(?:它们?|他|她|这个?|那个?|味道|颜色)?(?:实在|真的?)?(?:太|很|真|有点|不够|总是|老是)"
)
_TASTE = re.compile(r"喜欢|讨厌|受不了|不爱")
_ACT = re.compile(r"吧$|^(?:我们?|咱们?)(?:先|还是|就|去|想|打算|得)|^(?:请|麻烦|帮我)")


def unstated(clauses: Sequence[Clause], links: Sequence[Connective]) -> tuple[Connective, ...]:
    """The grounds among `clauses` that none of `links` states."""
    if len(clauses) < 2:
        return ()
    taken = {end for link in links for end in (link.reason, link.result)}
    return grounds([_part(clause) for clause in clauses], taken)


def _part(clause: Clause) -> Part:
    mood = clause.mood
    if mood in (Mood.REQUEST, Mood.PROPOSAL):
        return Part.NONE if clause.asks == READ_BACK else Part.ACT
    if mood is not Mood.STATEMENT:
        return Part.NONE
    part = Part.NONE
    for kind, pattern in _PATTERNS:
        if pattern.search(clause.text):
            part |= kind
    return part


_PATTERNS = (
    (Part.NEED, _NEED),
    (Part.HELD, _HELD),
    (Part.FELT, _FELT),
    (Part.TELLS, _TELLS),
    (Part.JUDGES, _JUDGES),
    (Part.TASTE, _TASTE),
    (Part.ACT, _ACT),
)
