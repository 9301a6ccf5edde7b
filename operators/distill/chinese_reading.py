"""One Chinese clause by itself: its mood, what it claims, what type of event it is."""

import re
from dataclasses import replace

from operators.distill.chinese_acts import STATES, Deed
from operators.distill.chinese_attributes import tells_new
from operators.distill.chinese_claims import claims_of, offered
from operators.distill.chinese_clauses import Stretch
from operators.distill.chinese_connectives import Lead
from operators.distill.chinese_moods import (
    agreed_value,
    is_assent,
    mood_of,
    strip_offer,
)
from operators.distill.chinese_nouns import tenable
from operators.distill.chinese_people import SETTLED
from operators.distill.chinese_questions import asks_of
from operators.distill.chinese_topics import Said
from operators.distill.chinese_values import VALUE
from operators.distill.clause import Claim, Clause, Mood
from state.model import Act, EventType

_PLAN = re.compile(
    r"打算|计划|准备|将要|即将|要去|要来|会去|想去|明天|后天|下周|下个?月|明年|预计|约在|定在|定于"
)

_BECOME = re.compile(r"(?:了|啦)[!！。~～]*$")

_EFFECTIVE = re.compile(r"(?:从|自)\s*$")

_ONWARD = re.compile(r"^(?:起|开始|以后|之后|生效|后)")

_SINCE = re.compile(r"(?:从|自)?.{2,14}?(?:起|开始|以后|之后)")


def mood_in(stretch: Stretch, body: str, lead: Lead, deed: Deed, supposing: bool) -> Mood:
    if lead is Lead.AVERTED:
        return Mood.HYPOTHETICAL
    mood = mood_of(replace(stretch, text=body), deed.act)
    if supposing and mood in (Mood.STATEMENT, Mood.QUESTION, Mood.PROPOSAL, Mood.ACCEPTANCE):
        return Mood.HYPOTHETICAL
    return mood


def clause_of(stretch: Stretch, body: str, deed: Deed, mood: Mood, topic: str) -> tuple[Clause, Said]:
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
    if mood is Mood.HYPOTHETICAL or is_since(body):
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
        said.claims if mood is Mood.QUESTION else tenable(said.claims, deed.act),
        said.negated,
        said.old,
        asks,
        _effective(stretch.text),
    )


def _type(text: str, deed: Deed, said: Said) -> EventType:
    if said.preference:
        return EventType.PREFERENCE
    if said.claims and tells_new(text):
        return EventType.STATE_CHANGE
    if deed.act is Act.STATE and any(claim.attribute in SETTLED for claim in said.claims):
        return EventType.STATE_CHANGE
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


def is_since(text: str) -> bool:
    """Whether the clause only says from when the next one holds."""
    return text.endswith(("起", "开始", "后")) and len(text) < 20 and _SINCE.fullmatch(text) is not None
