"""Chinese for the rules distiller (DESIGN §4): no segmenter and no dictionary, only punctuation, closed
classes of function words and the patterns that they make."""

import re
from dataclasses import replace

from operators.distill.chinese_acts import STATES, Deed, deed_of
from operators.distill.chinese_attributes import split_topic
from operators.distill.chinese_claims import claims_of, offered
from operators.distill.chinese_clauses import Stretch, split
from operators.distill.chinese_connectives import Lead, Led, connect, lead_of
from operators.distill.chinese_moods import (
    agreed_value,
    bare,
    is_assent,
    is_social,
    is_tag,
    is_vocative,
    mood_of,
    strip_marker,
    strip_offer,
    strip_reporter,
)
from operators.distill.chinese_predicates import is_person
from operators.distill.chinese_questions import asks_of
from operators.distill.chinese_topics import Said, owned
from operators.distill.chinese_values import VALUE
from operators.distill.clause import Claim, Clause, Connective, Language, Mood, Reading
from state.model import Act, EdgeType, EventType

_PLAN = re.compile(
    r"打算|计划|准备|将要|即将|要去|要来|会去|想去|明天|后天|下周|下个?月|明年|预计|约在|定在|定于"
)
_BECOME = re.compile(r"(?:了|啦)[!！。~～]*$")
_EFFECTIVE = re.compile(r"(?:从|自)\s*$")
_ONWARD = re.compile(r"^(?:起|开始|以后|之后|生效|后)")
_SINCE = re.compile(r"(?:从|自)?.{2,14}?(?:起|开始|以后|之后)")
_SPEAKING = frozenset({Mood.STATEMENT, Mood.REQUEST, Mood.PROPOSAL, Mood.ACCEPTANCE})


class Chinese:
    """Reads Chinese text, mixed scripts included. Pure; linear in the text; never raises."""

    def read(self, text: str) -> Reading:
        """The clauses of `text`, in order, and the connectives among them."""
        clauses: list[Clause] = []
        led: list[Led] = []
        sentence_of: list[int] = []
        effective = ""
        wrong: tuple[str, str] | None = None
        topic, loose, thing, sentence, supposing = "", False, False, -1, False
        stretches = split(text)
        for stretch in stretches:
            if stretch.sentence != sentence:
                topic, loose, thing, sentence, supposing = "", False, False, stretch.sentence, False
            lead, words, begin = lead_of(stretch.text)
            body = referred(owned(strip_reporter(strip_marker(stretch.text[begin:])), topic), clauses)
            deed = deed_of(body)
            mood = _mood(stretch, body, lead, deed, supposing)
            if not clauses and len(stretches) > 1 and is_vocative(body):
                mood = Mood.SOCIAL
            supposing = supposing or mood is Mood.HYPOTHETICAL
            if loose and (deed.act is not Act.STATE or (lead is Lead.RESULT and not thing)):
                topic = ""
            if not effective or stretch.sentence != sentence_of[-1]:
                effective = ""
            before = topic
            clause, said = _clause(stretch, body, deed, mood, topic)
            if effective and not clause.effective:
                clause = replace(clause, effective=effective)
            effective = clause.effective if _is_since(body) else effective
            if wrong and stretch.sentence == sentence_of[-1]:
                clause = _about(clause, wrong)
            faulty = _FAULTY.match(body)
            wrong = split_topic(faulty["topic"]) if faulty else None
            if wrong and wrong[1]:
                clause, said = replace(clause, claims=()), Said(topic=said.topic)
            thing = said.thing or (thing and said.topic == topic)
            loose = said.loose or (loose and said.topic == topic)
            topic = said.topic
            denied = _NOT_THIS.match(body) if mood is Mood.STATEMENT else None
            if denied:
                clause = replace(clause, claims=(), negated=True, act=Act.STATE)
                said = Said(topic=before, loose=loose)
                topic = before
                _correct(clauses, denied["old"], sentence_of, stretch.sentence)
            elif (
                clauses and _IS_THIS.match(body) and (gone := _NOT_THIS.match(strip_marker(clauses[-1].text)))
            ):
                clause = replace(clause, act=Act.CHANGE, type=EventType.STATE_CHANGE, old_value=gone["old"])
            sentence_of.append(stretch.sentence)
            if mood is Mood.QUESTION and is_tag(bare(body) if body.endswith(("呢", "呀")) else body):
                clause = replace(clause, mood=Mood.SOCIAL, asks="", claims=())
                _offer_before(clauses, sentence_of, stretch.sentence)
            clauses.append(clause)
            led.append(Led(sentence, lead, words, body, mood in _SPEAKING))
        links = connect(led)
        return Reading(_assenting(_following(clauses, links)), links)


_NOT_THIS = re.compile(r"^(?:而)?不是(?P<old>[^，]{1,20})$")
_IS_THIS = re.compile(r"^(?:而|应该|其实|应当)*是")


def _correct(clauses: list[Clause], old: str, sentence_of: list[int], sentence: int) -> None:
    """ "是9月18日，不是9月8日": the clause before corrects `old`."""
    if clauses and sentence_of[-1] == sentence and clauses[-1].claims:
        clauses[-1] = replace(clauses[-1], act=Act.CHANGE, type=EventType.STATE_CHANGE, old_value=old)


_FAULTY = re.compile(
    r"^(?P<topic>[^，]{2,12}?)(?:好像|可能|都|是)?(?:不对|错了|有误|写错了?|填错了?|弄错了?|搞错了?|要改一?下?|要换|有变|变了|改了)$"
)
_SHE = re.compile(r"^(?:他|她)(?!们|的)")


def _about(clause: Clause, wrong: tuple[str, str]) -> Clause:
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


def _offer_before(clauses: list[Clause], sentence_of: list[int], sentence: int) -> None:
    """ "7点还有一间，可以吗？": the clause before the tag is an offer."""
    if clauses and sentence_of[-2] == sentence and clauses[-1].mood in (Mood.STATEMENT, Mood.REQUEST):
        last = clauses[-1]
        claims = (
            last.claims
            if any(c.value and c.attribute for c in last.claims)
            else offered(last.text, "").claims
        )
        clauses[-1] = replace(last, mood=Mood.PROPOSAL, claims=claims)


def _mood(stretch: Stretch, body: str, lead: Lead, deed: Deed, supposing: bool) -> Mood:
    if lead is Lead.AVERTED:
        return Mood.HYPOTHETICAL
    mood = mood_of(replace(stretch, text=body), deed.act)
    if supposing and mood in (Mood.STATEMENT, Mood.QUESTION, Mood.PROPOSAL, Mood.ACCEPTANCE):
        return Mood.HYPOTHETICAL
    return mood


def _clause(stretch: Stretch, body: str, deed: Deed, mood: Mood, topic: str) -> tuple[Clause, Said]:
    if mood in (Mood.SOCIAL, Mood.REFUSAL) or is_assent(body):
        return _made(stretch, mood, STATES, Said()), Said(topic=topic)
    if mood is Mood.QUESTION or (mood is Mood.HYPOTHETICAL and stretch.asked):
        entity, asked = asks_of(body)
        claims = (Claim(entity, asked, ""),) if entity and asked else ()
        return _made(stretch, mood, STATES, Said(claims), asked), Said(topic=entity or topic)
    if mood is Mood.ACCEPTANCE:
        settled = claims_of(agreed_value(body), STATES, topic, asserted=False)
        if settled.claims and settled.claims[0].value:
            return _made(stretch, Mood.REQUEST, Deed(Act.CHANGE), settled), settled
    if mood is Mood.PROPOSAL:
        body = strip_offer(body)
    if mood is Mood.HYPOTHETICAL or _is_since(body):
        return _made(stretch, mood, deed if mood is Mood.HYPOTHETICAL else STATES, Said()), Said(topic=topic)
    said = claims_of(body, deed, topic, asserted=mood is Mood.STATEMENT)
    if mood is Mood.PROPOSAL and not said.claims:
        said = offered(body, topic)
    return _made(stretch, mood, deed, said), said


def _made(stretch: Stretch, mood: Mood, deed: Deed, said: Said, asks: str = "") -> Clause:
    return Clause(
        stretch.text,
        stretch.start,
        stretch.end,
        mood,
        deed.act,
        _type(stretch.text, deed, said),
        said.claims,
        said.negated,
        said.old,
        asks,
        _effective(stretch.text),
    )


def _type(text: str, deed: Deed, said: Said) -> EventType:
    if said.preference:
        return EventType.PREFERENCE
    if deed.act in (Act.CHANGE, Act.RESTORE) or (deed.act is Act.STATE and _BECOME.search(text)):
        return EventType.STATE_CHANGE
    return EventType.PLAN if _PLAN.search(text) else EventType.ACTION


def _effective(text: str) -> str:
    """The day from which the clause holds: "7月1日" of "7月1日起改成…"."""
    if not ("起" in text or "开始" in text or "后" in text or "生效" in text or "从" in text or "自" in text):
        return ""
    for day in VALUE.finditer(text):
        if day.lastgroup == "when":
            opened = _EFFECTIVE.search(text[: day.start()]) is not None
            onward = _ONWARD.match(text[day.end() :])
            if onward and (opened or onward.group() in ("起", "开始", "生效")):
                return day.group()
    return ""


def _is_since(text: str) -> bool:
    """Whether the clause only says from when the next one holds."""
    return text.endswith(("起", "开始", "后")) and len(text) < 20 and _SINCE.fullmatch(text) is not None


def _following(clauses: list[Clause], links: tuple[Connective, ...]) -> list[Clause]:
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


def _assenting(clauses: list[Clause]) -> tuple[Clause, ...]:
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


CHINESE: Language = Chinese()
"""The Chinese reader."""
