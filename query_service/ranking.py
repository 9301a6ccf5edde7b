"""Notes in order: two searches fused, then what the question says of its speakers and dates. Pure."""

import math
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from operators.telling import telling
from query_service.plan import Plan, Shape, Voice
from state.graph import Around
from state.lexicon import terms
from state.model import Message, Role
from state.notes import Hit, Vector

DENSE_SHARE = 0.4
"""The share of the dense search in the fused score; BM25 has the rest. Flat between 0.35 and 0.5 on both
public sets."""
HAN_DENSE_SHARE = 0.2
"""Its share where most of the question is Chinese, to which the default encoder, an English model, is nearly
blind."""
BARE = 12
"""A question of more terms tells what it is about before it asks."""
ONLY_ASKS = 0.4
"""What is left of the score of a message that asks and states no facet: it holds no answer."""
ASKS_TOO = 0.8
"""The same of one that states something before it asks, or asks with words that it does not tell with."""
LONGEST_ASKED = 1_000
"""Characters of a message that are looked at for which of its sentences ask."""
ONLY_SOCIAL = 0.3
"""What is left of the score of a message of at most `SOCIAL_TERMS` terms, none of them asked for, that states
nothing: thanks, a greeting, "Noted."."""
SOCIAL_TERMS = 6
NAMED_SPEAKER = 0.5
"""What a message gains by someone whom the question names: who did a thing mostly tells of it."""
PERSON = 0.2
"""By a person, beside an assistant, whose long answers touch on everything."""
VOICE = 0.2
"""By the party whose words are asked for ("my", "did you recommend")."""
IN_TIME = 0.5
"""Sent within, or soon after, a time that the question names."""
SOON_AFTER = timedelta(days=3)
"""How long after it happened something still tends to be told."""
TIME_TOLD = 0.1
"""Stating something with a time (`dated`), where the question asks when."""
TELLING = 0.5
TELLING_TERMS = 25
"""Having `TELLING_TERMS` terms or more; of a shorter message the logarithm's share. A short one is near to
much and tells little."""
INSTRUCTS = 0.5
"""Instructing whoever answers for every time ("Always … when I ask …")."""
AFTER = (0.3, 0.15)
BEFORE = (0.15,)
NEAR_HIT = 0.2
"""The shares of a hit's score that the first and the second turn after it get, the one before it, and every
turn around it: people answer, ask on and explain in the turns beside, mostly in those after."""
RESTATED_AMONG = 6
RESTATED_SIMILARITY = 0.5
"""Two messages of one speaker this near to one another, both among the first few, tell of the same thing."""
RESTATED_TERMS = 0.5
"""So do two that share this much of what the question asks, and at least two terms of it."""
INSTRUCTION = 400
"""Characters of a message within which an instruction for every time stands."""
_ASKS = re.compile(r"[?？]\W*$")
_INSTRUCTS = re.compile(
    r"\b(?:always|never|make sure|be sure|remember to)\b.*\b(?:when(?:ever)?|if|any ?time) (?:i|we)\b"
    r"|以后(?:都|每次|请|别)|每次.*(?:都要|都请|请|别)|(?:总是|一律|务必)",
    re.IGNORECASE | re.DOTALL,
)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")


def dense_share(question: str) -> float:
    """The weight of the dense search for this question."""
    letters = len(_LETTER.findall(question))
    return HAN_DENSE_SHARE if 2 * len(_HAN.findall(question)) > letters else DENSE_SHARE


def fuse(dense: Sequence[Hit], lexical: Sequence[Hit], share_of_dense: float = DENSE_SHARE) -> list[Hit]:
    """The union of two searches, best first, ties by id; the best possible score is 1.

    A mix of the searches' scores, each scaled to [0, 1] over its own hits: they tell a clear winner from a
    close second, which reciprocal ranks cannot (on LoCoMo the mix finds .64 of the evidence where RRF of the
    same searches finds .55). Linear in the hits but for the sort.
    """
    scores: dict[str, float] = {}
    for hits, share in ((dense, share_of_dense), (lexical, 1 - share_of_dense)):
        if not hits:
            continue
        best = hits[0].score
        # A cosine has no natural zero, so the last hit's stands for it; BM25 has one.
        floor = min(hits[-1].score, best) if hits is dense and len(hits) > 1 else 0.0
        reach = best - floor
        for hit in hits:
            level = max(0.0, (hit.score - floor) / reach) if reach > 0 else 1.0
            scores[hit.message] = scores.get(hit.message, 0.0) + share * level
    return sorted((Hit(name, score) for name, score in scores.items()), key=lambda h: (-h.score, h.message))


def rank(
    fused: Sequence[Hit],
    around: Mapping[str, Around],
    messages: Mapping[str, Message],
    question: str,
    plan: Plan,
    dated: Container[str] = (),
    stating: Container[str] | None = None,
) -> list[Hit]:
    """The fused hits and the turns beside them whose messages are usable, best first, the best with score 1.

    A sum: what the searches say of a message; of the turns around it (`around`, of the best hits); and what
    the question says of it, its speaker and its time. So a turn that shares no word with the question is
    found where all else speaks for it. With `stating`, the messages that state a facet, one that only asks
    or is only polite is lowered.
    """
    asked = frozenset(terms(question))
    scores = {hit.message: hit.score for hit in fused if hit.message in messages}
    for name, share in _beside(fused, around, messages).items():
        if name in scores or share.close:
            scores[name] = scores.get(name, 0.0) + share.worth
    named = _named_speakers(question, messages)
    said = {name: terms(messages[name].content) for name in scores}
    raised = {
        name: score + _raise(messages[name], len(said[name]), named, dated, plan)
        for name, score in scores.items()
    }
    if stating is not None:
        assisted = not _among_people(messages, messages)
        raised = {
            name: score * _told(messages[name], asked, said[name], name in stating, assisted)
            for name, score in raised.items()
        }
    best = max(raised.values(), default=0.0) or 1.0
    hits = [Hit(name, round(score / best, 6)) for name, score in raised.items()]
    return sorted(hits, key=lambda h: (-h.score, messages[h.message].sent_at, h.message))


@dataclass(slots=True)
class _Beside:
    """What a turn gets of the hits around it, and whether it is at most two turns from one."""

    sums: float = 0.0
    nearest: float = 0.0
    close: bool = False

    @property
    def worth(self) -> float:
        return self.sums + NEAR_HIT * self.nearest


def _beside(
    fused: Sequence[Hit], around: Mapping[str, Around], messages: Mapping[str, Message]
) -> dict[str, _Beside]:
    """The turns around the best hits, where people talk to each other. An assistant's answer repeats what it
    answers, and the next request is another matter: there the turns beside a hit tell nothing more."""
    found: dict[str, _Beside] = {}
    for hit in fused:
        sides = around.get(hit.message)
        if sides is None or not _among_people((hit.message, *sides.before[:1], *sides.after[:1]), messages):
            continue
        for turns, shares in ((sides.before, BEFORE), (sides.after, AFTER)):
            for at, turn in enumerate(turns):
                if turn not in messages:
                    continue
                beside = found.setdefault(turn, _Beside())
                beside.nearest = max(beside.nearest, hit.score)
                if at < len(shares):
                    beside.sums += shares[at] * hit.score
                    beside.close = True
    return found


def _among_people(turns: Iterable[str], messages: Mapping[str, Message]) -> bool:
    return all(messages[name].role is not Role.ASSISTANT for name in turns if name in messages)


def _named_speakers(question: str, messages: Mapping[str, Message]) -> frozenset[str]:
    """The speakers of `messages` whom the question names by their whole name or its first word."""
    asked = question.casefold()
    return frozenset(
        speaker
        for speaker in {message.speaker for message in messages.values()}
        if any(_mentions(asked, name) for name in {speaker.casefold(), speaker.casefold().split()[0]})
    )


def _mentions(text: str, name: str) -> bool:
    if not name.isascii():
        return len(name) > 1 and name in text
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def _unasked(message: Message, plan: Plan) -> bool:
    """Whether the question asks for another party's words than this message's."""
    by_asker = message.role in (Role.USER, Role.PEER)
    return (plan.voice is Voice.ASKER and not by_asker) or (plan.voice is Voice.OTHER and by_asker)


def _told(
    message: Message, asked: frozenset[str], said: Sequence[str], stating: bool, assisted: bool
) -> float:
    """What a message keeps of its score by what it can tell. What an assistant is asked (`assisted`) tells
    what the asker was about."""
    if not assisted and _ASKS.search(message.content):
        if len(said) <= BARE:
            return ASKS_TOO if stating else ONLY_ASKS
        if not asked.intersection(said) <= set(terms(telling(message.content[:LONGEST_ASKED]))):
            return ASKS_TOO
    if stating:
        return 1.0
    return ONLY_SOCIAL if len(said) <= SOCIAL_TERMS and asked.isdisjoint(said) else 1.0


def _raise(message: Message, length: int, named: frozenset[str], dated: Container[str], plan: Plan) -> float:
    """What the question's words add to the score of a message of so many terms."""
    gain = TELLING * math.log1p(min(length, TELLING_TERMS)) / math.log1p(TELLING_TERMS)
    gain += NAMED_SPEAKER * (message.speaker in named)
    gain += VOICE * (plan.voice is not Voice.ANYONE and not _unasked(message, plan))
    gain += TIME_TOLD * (plan.shape is Shape.WHEN and message.id in dated)
    gain += IN_TIME * any(_soon_after(message.sent_at, span.start, span.end) for span in plan.hints)
    if message.role is not Role.ASSISTANT:
        gain += PERSON + INSTRUCTS * bool(_INSTRUCTS.search(message.content[:INSTRUCTION]))
    return gain


def _soon_after(sent_at: datetime, start: datetime, end: datetime | None) -> bool:
    """Whether a message falls in a span or soon after it. By difference: the calendar has ends."""
    return start <= sent_at and sent_at - (end or start) < SOON_AFTER


Restated = frozenset[tuple[str, str]]
"""Pairs of messages, the later first, in which one speaker tells of the same thing."""


def restatements(
    hits: Sequence[Hit],
    messages: Mapping[str, Message],
    vectors: Mapping[str, Vector],
    question: str,
    plan: Plan,
) -> Restated:
    """For a question about a state: the pairs among the first few hits in which one speaker tells of the same
    thing again, which is how a change shows that no edge tells of. Quadratic in `RESTATED_AMONG`.
    """
    if plan.shape not in (Shape.CURRENT, Shape.PAST, Shape.WHEN, Shape.OPEN) or not plan.validity_counts:
        return frozenset()
    asked = frozenset(terms(question))
    first = [hit.message for hit in hits[:RESTATED_AMONG]]
    shared = {name: asked.intersection(terms(messages[name].content)) for name in first}
    least = max(2.0, RESTATED_TERMS * len(asked))

    def restates(later: str, earlier: str) -> bool:
        one, other = messages[later], messages[earlier]
        if one.sent_at <= other.sent_at or one.speaker != other.speaker or not shared[later]:
            return False  # with no word of the question it is at most similar in tone
        if len(shared[later] & shared[earlier]) >= least:
            return True
        known = later in vectors and earlier in vectors
        return known and float(np.dot(vectors[later], vectors[earlier])) >= RESTATED_SIMILARITY

    return frozenset((one, other) for one in first for other in first if restates(one, other))


def later_first(names: Sequence[str], restated: Restated) -> list[str]:
    """The messages with each of the first few above those that it tells again."""
    order: list[str] = []
    for name in names[:RESTATED_AMONG]:
        place = next((at for at, other in enumerate(order) if (name, other) in restated), len(order))
        order.insert(place, name)
    return [*order, *names[RESTATED_AMONG:]]


def with_places(hits: Sequence[Hit], names: Sequence[str]) -> list[Hit]:
    """`names` as hits; the scores stay with the places."""
    return [Hit(name, hit.score) for name, hit in zip(names, hits, strict=True)]
