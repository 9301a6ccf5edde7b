"""The connectives of Chinese that state a cause, a means or an obstacle, and the clauses that they join."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from operators.distill.clause import Connective
from state.model import EdgeType


class Lead(Enum):
    """What the word at the head of a clause makes of the clause."""

    REASON = "reason"  # 因为 …: the clause is the reason
    AFTERTHOUGHT = "afterthought"  # …，是因为 …: the reason of what precedes
    RESULT = "result"  # 所以 …: the clause follows from what precedes
    ENABLED = "enabled"  # …才能 …: what precedes makes the clause possible
    PURPOSE = "purpose"  # 为了 …: what the other clause is a means to
    AVERTED = "averted"  # 否则 …: what precedes keeps the clause from coming about
    NONE = "none"


_FILLER = r"(?:(?:好的?|嗯+|对|那么?|而且|并且|不过|但是?|另外|其实|再说|主要|看来|看样子)[,，\s]*)?"
_LEADS = re.compile(
    rf"^{_FILLER}(?:"
    r"(?P<afterthought>(?:这|那|就|正|都|主要|之所以[^，。]{0,30})*是(?:因为|由于)|原因是|毕竟|理由是)"
    r"|(?P<reason>又?(?:因为|由于)|既然|鉴于|考虑到|因(?=[^此而果为素人])|又因(?!为)|有鉴于|(?:按照?|根据"
    r"|依)(?=.{1,20}(?:算|来看|来说|计算|规定)$))"
    r"|(?P<purpose>为了(?!解)|为(?=了便于)|以便|好让|以免)"
    r"|(?P<averted>否则的?话?|要?不然的?话?)"
    r"|(?P<enabled>这样(?:一来)?(?:就|才|我们就|我就)?(?:可以|能)|才(?:能|可以)|就(?:能|可以)(?!了?$)"
    r"|从而(?:能|可以))"
    r"|(?P<result>所以说?|因此|因而|于是|故此?(?=[^事意障乡])|为此|以致于?|导致|致使|使得|从而|结果(?!是"
    r"|出|怎|如|为|显|什|呢)|这样一来|那(?=就|我|咱|[^么个些边里时天会儿年月周次场家位种样次是要有不]{1,6}就)|这才|正因如此|正因为如此|正因此)"
    r")"
)
_INNER_ENABLED = re.compile(r"^.{0,12}?(?:才能|才可以|就能|就可以|方可|得以)")
_CANNOT = re.compile(r"(?:就|都|也)?(?:没法|无法|没办法|不能|不可以|不让|[\u4e00-\u9fff]不了)")


@dataclass(frozen=True, slots=True)
class Led:
    """A clause as connectives see it: its sentence, and what its first word makes of it."""

    sentence: int
    lead: Lead
    words: str
    body: str
    says: bool


def lead_of(text: str) -> tuple[Lead, str, int]:
    """The connective that heads the clause, its words, and where the clause goes on after it."""
    match = _LEADS.match(text)
    if match is None or match.lastgroup is None or match.end() == len(text):
        return Lead.NONE, "", 0
    return Lead(match.lastgroup), match[match.lastgroup], match.end()


def connect(clauses: Sequence[Led]) -> tuple[Connective, ...]:
    """The stated links among `clauses`, in text order. O(number of clauses)."""
    found: list[Connective] = []
    for index, clause in enumerate(clauses):
        found.extend(_links(clauses, index, clause))
    unique = {(c.type, c.reason, c.result): c for c in reversed(found)}
    return tuple(sorted(unique.values(), key=lambda c: (c.result, c.reason, c.type.value)))


def _links(clauses: Sequence[Led], index: int, clause: Led) -> list[Connective]:
    lead, words = clause.lead, clause.words
    before = _saying(clauses, index, -1)
    if lead is Lead.REASON:
        after = _saying(clauses, index, 1)
        if after is not None:
            return [Connective(EdgeType.CAUSES, index, after, words)]
        return [] if before is None else [Connective(EdgeType.CAUSES, index, before, words)]
    if lead is Lead.AFTERTHOUGHT:
        return [] if before is None else [Connective(EdgeType.CAUSES, index, before, words)]
    if lead is Lead.RESULT:
        return [_followed(clauses, index, before, words)]
    if lead is Lead.ENABLED:
        return [Connective(EdgeType.ENABLES, -1 if before is None else before, index, words)]
    if lead is Lead.PURPOSE:
        means = before if words in ("以便", "好让", "以免") else _saying(clauses, index, 1)
        return [] if means is None else [Connective(EdgeType.ENABLES, means, index, words)]
    if lead is Lead.AVERTED:
        return [] if before is None else [Connective(EdgeType.PREVENTS, before, index, words)]
    inner = _INNER_ENABLED.match(clause.body)
    if inner and before is not None and clauses[before].sentence == clause.sentence:
        return [Connective(EdgeType.ENABLES, before, index, inner.group()[-3:])]
    return []


def _followed(clauses: Sequence[Led], index: int, before: int | None, words: str) -> Connective:
    """The reason of a result is the clause before it, or, where that one only tells what then cannot be
    ("车坏了，去不成，所以…"), the one before that in its sentence."""
    if before is None:
        return Connective(EdgeType.CAUSES, -1, index, words)
    if _CANNOT.match(clauses[before].body):
        earlier = _saying(clauses, before, -1)
        if earlier is not None and clauses[earlier].sentence == clauses[before].sentence:
            before = earlier
    return Connective(EdgeType.CAUSES, before, index, words)


def _saying(clauses: Sequence[Led], index: int, step: int) -> int | None:
    """The nearest clause on that side that says something: within two clauses, in this sentence or the
    one beside it."""
    here = clauses[index].sentence
    at = index + step
    for _ in range(3):
        if not 0 <= at < len(clauses) or abs(clauses[at].sentence - here) > (1 if step < 0 else 0):
            return None
        if clauses[at].says:
            return at
        at += step
    return None
