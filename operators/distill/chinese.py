"""Chinese for the rules distiller (DESIGN §4): no segmenter and no dictionary, only punctuation, closed
classes of function words and the patterns that they make."""

import re
from dataclasses import replace

from operators.distill.chinese_acts import STATES, Deed, deed_of
from operators.distill.chinese_claims import claims_of, offered
from operators.distill.chinese_clauses import Stretch, split
from operators.distill.chinese_connectives import Lead, Led, connect, lead_of
from operators.distill.chinese_moods import (
    agreed_value,
    bare,
    is_assent,
    is_social,
    is_vocative,
    mood_of,
    strip_marker,
    strip_offer,
    strip_reporter,
)
from operators.distill.chinese_questions import asks_of
from operators.distill.chinese_topics import Said, owned
from operators.distill.chinese_values import VALUE
from operators.distill.clause import Claim, Clause, Language, Mood, Reading
from state.model import Act, EventType

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
        topic, loose, thing, sentence, supposing = "", False, False, -1, False
        stretches = split(text)
        for stretch in stretches:
            if stretch.sentence != sentence:
                topic, loose, thing, sentence, supposing = "", False, False, stretch.sentence, False
            lead, words, begin = lead_of(stretch.text)
            body = owned(strip_reporter(strip_marker(stretch.text[begin:])), topic)
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
            clauses.append(clause)
            led.append(Led(sentence, lead, words, body, mood in _SPEAKING))
        return Reading(_assenting(clauses), connect(led))


_NOT_THIS = re.compile(r"^(?:而)?不是(?P<old>[^，]{1,20})$")
_IS_THIS = re.compile(r"^(?:而|应该|其实|应当)*是")


def _correct(clauses: list[Clause], old: str, sentence_of: list[int], sentence: int) -> None:
    """ "是9月18日，不是9月8日": the clause before corrects `old`."""
    if clauses and sentence_of[-1] == sentence and clauses[-1].claims:
        clauses[-1] = replace(clauses[-1], act=Act.CHANGE, type=EventType.STATE_CHANGE, old_value=old)


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
            return _made(stretch, Mood.STATEMENT, STATES, settled), settled
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
