"""What a question asks for, read from its shape (DESIGN §6.1). Pure: no store, no model, no clock."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import MINYEAR, datetime
from enum import StrEnum

from operators.distill.spans import TypedValue
from operators.distill.values import find_values
from state.model import Precision
from state.validity import Span

DAY_LEVEL = (Precision.INSTANT, Precision.DAY)
LONGEST_QUESTION = 2_000
"""Characters of a question that are read for its shape; the rest only reaches the searches."""


class Shape(StrEnum):
    """The kinds of question, of which each reads the graph in its own way."""

    CURRENT = "current"  # what holds now
    PAST = "past"  # what held at a time
    WHEN = "when"  # at what time
    WHY = "why"  # from what cause, through what chain
    HISTORY = "history"  # how it changed
    LIST = "list"  # every one of several
    OPEN = "open"  # a preference, an opinion, or whatever else


class Voice(StrEnum):
    """Whose words the question is about, where it says so without a name."""

    ASKER = "asker"  # "my budget", "did I"
    OTHER = "other"  # "what did you recommend"
    ANYONE = "anyone"


@dataclass(frozen=True, slots=True)
class Weights:
    """α, β, γ, δ of S(π) = α·NS + β·PC + γ·TC + δ·UV; they sum to 1."""

    similarity: float = 0.40
    confidence: float = 0.30
    temporal: float = 0.15
    validity: float = 0.15


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question is to be answered.

    `at` is τ: what holds is read as of then. `until` is the time after which no message may be used: only an
    `as_of` that the caller gave sets it, since a story about a day is mostly told after that day.
    `hints` are the stretches of time that the question names.
    """

    shape: Shape
    at: datetime
    until: datetime | None
    known_at: datetime | None
    weights: Weights
    validity_counts: bool
    paths_first: bool
    walk_out_causes: bool
    keep_all: bool
    voice: Voice
    premise: bool
    hints: tuple[Span, ...] = ()


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_WHY = _words(
    r"\bwhy\b",
    r"\bhow come\b",
    r"\bwhat(?:'s| is| was| were)? the (?:reason|cause|motivation)s?\b",
    r"\bwhat (?:caused|led|made|prompted|motivated|inspired|drove)\b",
    r"\bfor what reason\b",
    r"为什么|为何|为啥|什么原因|怎么(?:会|没|不|又|突然)|原因是|出于什么",
)
_HISTORY = _words(
    r"\bhow (?:has|have|did|had)\b.{0,80}\b(?:chang|mov|evolv|progress|develop|shift|var)\w*",
    r"\b(?:history|timeline|evolution|sequence|progression) of\b",
    r"\bover time\b",
    r"\bin (?:what |which |the )?order\b",
    r"\bthe order in which\b",
    r"\bstep by step\b",
    r"\bwalk me through\b",
    r"\bsummar(?:y|ise|ize)\b",
    r"\bhow (?:often|many times) (?:did|has|have)\b",
    r"\bhave there been\b",
    r"\bhappened (?:to|with)\b",
    r"\b(?:what|which|who|where)\b.{0,60}\b(?:before|previously|originally|formerly|at first|initially)\b",
    r"\bused to\b",
    r"变化|变动|历史|先后|依次|经过了?哪|后来怎么|改过|换过|几次|曾经|起初|最初|来龙去脉",
    r"(?<![日号点天周月年一二三四五六])之前|原来|原先|从前|以前(?!要|得|必须)",
)
_WHEN = _words(
    r"\bwhen\b(?=\s+(?:did|do|does|is|are|was|were|will|would|has|have|had|can|should|am)\b)",
    r"^\W*when\b",
    r"\b(?:what|which) (?:date|day|time|month|year|week|weekend)s?\b",
    r"\bhow long ago\b",
    r"\bsince when\b",
    r"什么时候|何时|几点|哪天|哪一天|几号|几月|星期几|周几|礼拜几|哪年|哪一年|哪个月|几时|什么时间",
)
_LIST = _words(
    r"\b(?:list|name|enumerate) (?:all|the|every|each|some|them)\b",
    r"\ball (?:of )?(?:the|my|his|her|their)\b",
    r"\b(?:what|which)(?: \w+){0,2} (?!is\b|was\b|has\b|does\b)[a-z]{2,}[^s\W]s\b(?= |\?)",
    r"\bwho (?:are|were|may|can|could)\b",
    r"\bwhat (?:are|were)\b",
    r"\bhow many (?:different|kinds|types)\b",
    r"哪些|哪几|有(?:什么|谁)(?!推荐|建议|看法)|都有|都包括|都包含|列出|分别|几种",
)
_OPEN = _words(
    r"\b(?:would|could|might|should) (?!you\b|i\b)\w+",
    r"\blikely\b",
    r"\b(?:recommend|suggest|advise|advice|propose)\w*\b",
    r"\b(?:favou?rite|prefer|opinion|feel|think|enjoy)\w*\b",
    r"推荐|建议|喜欢|偏好|看法|觉得|会不会|可能",
)
_NOW = _words(
    r"\b(?:now|currently|at the moment|at present|these days|nowadays|still|today|tonight|latest|anymore)\b",
    r"^\W*(?:is|are|does|do|has|have|may|can|will)\b",
    r"\b(?:what|who|which|where|how)\b.{0,60}?\b(?:is|are|does|do|has|have|will|am)\b",
    r"\b(?:what|who|where|how)'s\b",
    r"现在|目前|如今|眼下|还.{0,12}吗|当前|最新",
    r"哪里|哪儿|在哪|哪[个家位种只条台辆间]|多少|几|谁|什么|[是有在]吗|是不是|有没有|怎么样",
)
_THEN = _words(
    r"\bas (?:of|at)\b",
    # "as matters stood", "as the plan for the walk stood then"; who stood somewhere is no state of things
    r"\bas (?!(?:i|you|he|she|we|they|there)\b)(?:\w+ ){1,6}?stood\b",
    r"\bas (?:things|matters) were\b",
    r"\bat (?:that|the) time\b",
    r"\bback then\b",
    r"的时候|当时|那时|那会儿|截至|截止",
)
_PAST_TENSE = _words(r"\b(?:was|were|did|had)\b", r"当时|那时|过|了|[日号天月年]时")
_PRESENT = _words(
    r"\b(?:now|currently|at present|at the moment|these days|still)\b", r"现在|目前|如今|当前|还"
)
_IN_FRONT = re.compile(r"\W*(?:(?:on|at|in|during|back (?:on|in))\s+(?:the\s+)?|在)?", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\s*[,，]|\s+(?:who|whose|what|which|where|how|is|are|was|were|do|does|did|has|have|had|would|could)\b|"
    r"(?=[\u4e00-\u9fff])(?![的起至到之以前后那])",
    re.IGNORECASE,
)
_WOULD = re.compile(
    r"\b(?:would|could|should|might)\b(?! (?:you|i)\b)(?: (?:he|she|we|they)\b)?", re.IGNORECASE
)
_SUBORDINATE = re.compile(
    r"\b(?:that|which|who|whom|whose|where|when|if|after|before|since|of|from|until|i|you|we|they|he|she)\b",
    re.IGNORECASE,
)
_PREMISE = _words(
    r"^\W*(?:since|now that|given that|as|because|seeing that|if)\b.{3,}?,",
    r"\bnow that\b",
    r"\binstead of\b|\breplac(?:e|es|ed)\b",
    r"既然|因为.{2,}?[,，]|鉴于",
)
_ASKER = _words(r"\b(?:i|my|me|mine|myself|i'm|i've|we|our|us)\b", r"我|咱")
_OTHER = _words(
    r"\b(?:did|do|have|had|would) you\b(?! (?:think|help|show|list|walk|give|tell|explain))",
    r"\byou(?:'ve| have)? (?:recommended|suggested|advised|said|told|mentioned|proposed|listed|gave)\b",
    r"\byour (?:advice|recommendation|suggestion)s?\b",
    r"你.{0,4}(?:建议|推荐|说过|提到)",
)
_YEAR = re.compile(r"\d{4}")


def make_plan(
    question: str,
    now: datetime,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    spoken: datetime | None = None,
) -> Plan:
    """The plan of `question`.

    `now` is the time of asking (never earlier than the newest message); `spoken` is when the conversation
    was last heard, against which a date without a year is resolved (default: `now`). A given `as_of` always
    wins over a time that the question names. Linear in the question.
    """
    text = question[:LONGEST_QUESTION]
    heard = min(as_of or spoken or now, now)
    dated = find_values(text, heard)
    hints = tuple(span for span in (_span(value, heard) for value in dated) if span is not None)
    shape = _shape(text, hints, as_of is not None, _of_the_past(text, dated, heard))
    at = as_of or (_asked_time(hints, now) if shape is Shape.PAST else None) or now
    keep_all = shape in (Shape.HISTORY, Shape.LIST)
    told = shape is Shape.WHEN and bool(re.search(r"\b(?:did|was|were|had)\b", text, re.IGNORECASE))
    return Plan(
        shape=shape,
        at=at,
        until=as_of,
        known_at=known_at,
        weights=_weights(shape),
        validity_counts=not (shape is Shape.HISTORY or told),
        paths_first=shape in (Shape.CURRENT, Shape.PAST, Shape.WHY, Shape.HISTORY),
        walk_out_causes=shape in (Shape.WHY, Shape.HISTORY) or told,
        keep_all=keep_all,
        voice=_voice(text),
        premise=bool(_PREMISE.search(text)),
        hints=hints,
    )


def _shape(text: str, hints: Sequence[Span], held: bool, past: bool) -> Shape:
    """`held`: a time was given with the question; `past`: it asks what was to be on a day that is gone."""
    if _WHY.search(text):
        return Shape.WHY
    if _HISTORY.search(text):
        return Shape.HISTORY
    if held or _THEN.search(text):
        return Shape.PAST
    if _WHEN.search(text):
        return Shape.WHEN
    if past or (hints and _PAST_TENSE.search(text)):
        return Shape.PAST
    if _LIST.search(text):
        return Shape.LIST
    if _OPEN.search(text):
        return Shape.OPEN
    return Shape.CURRENT if _NOW.search(text) or not _PAST_TENSE.search(text) else Shape.OPEN


def _of_the_past(text: str, dated: Sequence[TypedValue], heard: datetime) -> bool:
    """Whether the question's main clause is put on a day that has gone by: the day stands in front of it
    ("On 2 April, who leads the walk?") or after a conditional ("Who would lead the walk on 2 April?"). The
    day of a subordinate clause or of a thing ("the order of 2 April") tells which is meant, not when."""
    if _PRESENT.search(text):
        return False
    for value in dated:
        occurs = value.occurs
        if occurs is None or occurs.start is None or occurs.end is None or occurs.start >= heard:
            continue
        before, after = text[: value.start], text[value.end :]
        if _IN_FRONT.fullmatch(before) and _CLAUSE.match(after):
            return True
        would = _WOULD.search(before)
        if would is not None and not _SUBORDINATE.search(before, would.end()):
            return True
    return False


def _weights(shape: Shape) -> Weights:
    """A cause or a change is read off the edges, so their confidence weighs more; a time, off the dates."""
    if shape in (Shape.WHY, Shape.HISTORY):
        return Weights(0.35, 0.40, 0.15, 0.10)
    if shape is Shape.WHEN:
        return Weights(0.40, 0.25, 0.25, 0.10)
    return Weights()


def _voice(text: str) -> Voice:
    if _OTHER.search(text):
        return Voice.OTHER
    return Voice.ASKER if _ASKER.search(text) else Voice.ANYONE


def _span(value: TypedValue, at: datetime) -> Span | None:
    """The stretch a date in a question means. One without a year that would lie ahead is last year's."""
    occurs = value.occurs
    if occurs is None or occurs.start is None or occurs.end is None:
        return None
    start, end = occurs.start, occurs.end
    yearless = not _YEAR.search(value.text) and occurs.precision in (*DAY_LEVEL, Precision.MONTH)
    if yearless and start > at and start.year > MINYEAR:
        start, end = _year_before(start), _year_before(end)
    return Span(start, end)


def _year_before(moment: datetime) -> datetime:
    try:
        return moment.replace(year=moment.year - 1)
    except ValueError:  # 29 February
        return moment.replace(year=moment.year - 1, day=28)


def _asked_time(hints: Sequence[Span], now: datetime) -> datetime | None:
    """τ of a question about a named time: the end of the first such stretch, as far as it has passed.

    The end, because what was said during the day the question names already counts on that day.
    """
    for span in hints:
        if span.start <= now:
            return min(span.end or now, now)
    return None
