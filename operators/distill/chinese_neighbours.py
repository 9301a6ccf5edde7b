"""What one Chinese clause makes of the clauses beside it: corrections, tags, references, consequences."""

import re
from dataclasses import replace

from operators.distill.chinese_claims import offered
from operators.distill.chinese_moods import (
    bare,
    is_social,
)
from operators.distill.chinese_predicates import is_person
from operators.distill.chinese_values import VALUE
from operators.distill.clause import Clause, Connective, Mood
from state.model import Act, EdgeType, EventType

NOT_THIS = re.compile(r"^(?:而)?不是(?P<old>[^，]{1,20})$")

IS_THIS = re.compile(r"^(?:而|应该|其实|应当)*是")

FAULTY = re.compile(
    r"^(?P<topic>[^，]{2,12}?)(?:好像|可能|都|是)?(?:不对|错了|有误|写错了?|填错了?|弄错了?|搞错了?|要改一?下?|要换|有变|变了|改了|换了)$"
)

_SHE = re.compile(r"^(?:他|她)(?!们|的)")


def correct_before(clauses: list[Clause], old: str) -> None:
    """ "是9月18日，不是9月8日": the clause before corrects `old`."""
    if clauses and clauses[-1].claims:
        clauses[-1] = replace(clauses[-1], act=Act.CHANGE, type=EventType.STATE_CHANGE, old_value=old)


def about_named(clause: Clause, wrong: tuple[str, str]) -> Clause:
    """ "地址错了，应该是…": what follows corrects the attribute just named."""
    entity, attribute = wrong
    if not attribute or not clause.claims or not clause.claims[0].value:
        return clause
    first = clause.claims[0]
    if first.attribute and first.attribute not in ("日期", "时间", "价格", "数量", "地址", attribute):
        return clause
    claim = replace(first, attribute=attribute, entity=first.entity or entity)
    return replace(clause, act=Act.CHANGE, type=EventType.STATE_CHANGE, claims=(claim, *clause.claims[1:]))


def referred(body: str, clauses: list[Clause]) -> str:
    """ "收件人改成我妈，她叫周兰": she is the person just named."""
    if not clauses or not clauses[-1].claims or not _SHE.match(body):
        return body
    last = clauses[-1].claims[-1]
    for name in (last.value, last.entity):
        if is_person(name) and name not in ("我", "你", "您"):
            return _SHE.sub(name, body)
    return body


def moved_from(clause: Clause, before: Clause) -> Clause:
    """ "13号上午我不在家，改到14号晚上": the day named first is the one that it is moved from."""
    if clause.act is not Act.CHANGE or clause.old_value or len(clause.claims) != 1:
        return clause
    to = VALUE.match(clause.claims[0].value)
    was = VALUE.search(before.text)
    if to is None or was is None or to.lastgroup != "when" or was.lastgroup != "when":
        return clause
    told = any(claim.value and was.group() in claim.value for claim in before.claims)
    if told or before.act is not Act.STATE or clause.claims[0].entity or was.group() == to.group():
        return clause
    return replace(clause, old_value=was.group())


def offer_before(clauses: list[Clause]) -> None:
    """ "7点还有一间，可以吗？": the clause before the tag is an offer."""
    if clauses and clauses[-1].mood in (Mood.STATEMENT, Mood.REQUEST):
        last = clauses[-1]
        claims = (
            last.claims
            if any(c.value and c.attribute for c in last.claims)
            else offered(last.text, "").claims
        )
        clauses[-1] = replace(last, mood=Mood.PROPOSAL, claims=claims)


def following(clauses: list[Clause], links: tuple[Connective, ...]) -> list[Clause]:
    """What follows from a stated reason has become so: "因为换成了大份，价格是88元"."""
    results = {link.result for link in links if link.type is EdgeType.CAUSES}
    return [
        replace(clause, type=EventType.STATE_CHANGE)
        if at in results
        and clause.mood is Mood.STATEMENT
        and clause.type is EventType.ACTION
        and clause.claims
        else clause
        for at, clause in enumerate(clauses)
    ]


def assenting(clauses: list[Clause]) -> tuple[Clause, ...]:
    """A word of assent counts as one only where the message says nothing else; before news it is filler."""
    if all(c.mood in (Mood.ACCEPTANCE, Mood.SOCIAL) for c in clauses):
        return tuple(clauses)
    return tuple(
        replace(c, mood=Mood.SOCIAL)
        if c.mood is Mood.ACCEPTANCE and not c.claims and _is_filler(c.text)
        else c
        for c in clauses
    )


def _is_filler(text: str) -> bool:
    return bare(text) in ("好", "嗯", "ok", "OK", "好的", "是", "对", "") or is_social(text)
