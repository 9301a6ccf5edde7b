"""Notes in order: two searches fused, then what the question says of its speakers and dates. Pure."""

import re
from collections.abc import Container, Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np

from query_service.plan import Plan, Shape, Voice
from state.lexicon import terms
from state.model import Message, Role
from state.notes import Hit, Vector

Beside = tuple[str | None, str | None]
"""The message before one, and the one after it, in its session."""

DENSE_SHARE = 0.45
"""The share of the dense search in the fused score; BM25 has the rest. Flat between 0.4 and 0.5 on both
public sets, so the middle."""
HAN_DENSE_SHARE = 0.2
"""Its share where most of the question is Chinese, to which the default encoder, an English model, is nearly
blind."""
BARE = 12
"""A question of more terms tells what it is about before it asks."""
ONLY_ASKS = 0.4
"""What is left of the score of a message that asks and states no facet: it holds no answer."""
ASKS_TOO = 0.8
"""The same of one that states something before it asks."""
ONLY_SOCIAL = 0.3
"""What is left of the score of a message of at most `SOCIAL_TERMS` terms, none of them asked for, that states
nothing: thanks, a greeting, "Noted."."""
SOCIAL_TERMS = 6
NAMED_SPEAKER = 0.5
"""A message by someone whom the question names: what a person did is mostly told by that person."""
VOICE = 0.2
"""A message by the party whose words are asked for ("my", "did you recommend")."""
IN_TIME = 0.5
"""A message sent within, or soon after, a time that the question names."""
SOON_AFTER = timedelta(days=3)
"""How long after it happened something still tends to be told."""
REPLY = 0.35
"""What the turn after a hit that asks gets of its score: there stands the answer. (After any other hit it
gains nothing on either set.)"""
TIME_TOLD = 0.1
"""A message that states something with a time (`dated`), where the question asks when."""
RESTATED_AMONG = 6
RESTATED_SIMILARITY = 0.55
"""Two messages of one speaker this near to one another, both among the first few, tell of the same thing."""
RESTATED_TERMS = 0.5
"""So do two that share this much of what the question asks, and at least two terms of it."""
_ASKS = re.compile(r"[?？]\W*$")
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
    beside: Mapping[str, Beside],
    messages: Mapping[str, Message],
    question: str,
    plan: Plan,
    dated: Container[str] = (),
    stating: Container[str] | None = None,
) -> list[Hit]:
    """The fused hits and the turns beside them whose messages are usable, best first, the best with score 1.

    Each is raised by what the question says of it: its speaker's name, whose words are asked for, the time.
    With `stating`, the messages that state a facet, one that only asks or is only polite is lowered.
    """
    asked = frozenset(terms(question))
    scores = {hit.message: hit.score for hit in fused if hit.message in messages}
    for hit in fused:
        _, after = beside.get(hit.message, (None, None))
        if after is None or after not in messages or hit.message not in messages:
            continue
        if _ASKS.search(messages[hit.message].content) and not _unasked(messages[after], plan):
            scores[after] = scores.get(after, 0.0) + REPLY * hit.score
    named = _named_speakers(question, messages)
    raised = {name: score * _raise(messages[name], named, dated, plan) for name, score in scores.items()}
    if stating is not None:
        raised = {name: score * _told(messages[name], asked, stating) for name, score in raised.items()}
    best = max(raised.values(), default=0.0) or 1.0
    hits = [Hit(name, round(score / best, 6)) for name, score in raised.items()]
    return sorted(hits, key=lambda h: (-h.score, messages[h.message].sent_at, h.message))


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


def _told(message: Message, asked: frozenset[str], stating: Container[str]) -> float:
    """What a message keeps of its score by what it can tell."""
    said = terms(message.content)
    if len(said) <= BARE and _ASKS.search(message.content):
        return ASKS_TOO if message.id in stating else ONLY_ASKS
    if message.id in stating:
        return 1.0
    return ONLY_SOCIAL if len(said) <= SOCIAL_TERMS and asked.isdisjoint(said) else 1.0


def _raise(message: Message, named: frozenset[str], dated: Container[str], plan: Plan) -> float:
    factor = 1.0
    if message.speaker in named:
        factor *= 1 + NAMED_SPEAKER
    if plan.voice is not Voice.ANYONE and not _unasked(message, plan):
        factor *= 1 + VOICE
    if plan.shape is Shape.WHEN and message.id in dated:
        factor *= 1 + TIME_TOLD
    if any(_soon_after(message.sent_at, span.start, span.end) for span in plan.hints):
        factor *= 1 + IN_TIME
    return factor


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
