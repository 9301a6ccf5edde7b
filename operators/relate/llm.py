"""Relating with a model: which gated pairs are asked about, under which keys, and which edges come of it.

Nothing here calls a model. One question covers the pairs of a flush; the answer is cut into one text a pair,
which is remembered under `pair_key`, and `edges` makes the edges of an event from such texts, the same ones
each time. The key is of what the question shows of the two events, so an answer is found again whatever else
was asked with it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from pydantic import ValidationError

from operators.distill.interface import Link
from operators.llm.ask import Ask
from operators.llm.instead import RULES_INSTEAD
from operators.llm.prompt import prompt
from operators.llm.purpose import Purpose
from operators.llm.quoted import quoted
from operators.llm.refusal import Refusal, Refused, ignored
from operators.relate.admission import takes_off, why_not
from operators.relate.answer import PairTold, RelateAnswer, Told
from operators.relate.causes import causal_edges, obstacles
from operators.relate.fit import fit
from operators.relate.order_in_time import temporal_edges
from operators.relate.rules import RULES, most_confident
from operators.relate.same_thing import Match
from operators.relate.spoken import spoken
from state.identity import digest, edge_id
from state.model import Edge, EdgeType, Event, UpdateMode

ALIKE, SUPPORT = 10, 5
"""How many candidates of one event are asked about: of those that may speak of its attribute, and of the
latest in its conversation, whatever they speak of, since each may be a reason (DESIGN §4: 10 for updates, 5
for support)."""
PAIRS = 400
"""How many pairs one question should hold at most; what asks parts a longer list."""
_NOTHING = '{"type":"none"}'
_PER_PAIR, _ROOM, _MOST_ROOM = 16, 600, 7_000
_REASON = 160


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement and a gated one that was stated before it."""

    event: Event
    earlier: Event


def pairs_of(event: Event, candidates: Sequence[Event]) -> tuple[Pair, ...]:
    """Those of the gated pairs that a model is asked about, the latest first: at most `ALIKE` that an update
    could be admitted to, and `SUPPORT` of the conversation. No other is asked about or looked up. A function
    of its arguments as sets.
    """
    earlier = sorted((c for c in candidates if c.place < event.place), key=attrgetter("place"), reverse=True)
    near = [c for c in earlier if c.conversation == event.conversation and c.sources[-1] != event.sources[-1]]
    alike = [c for c in earlier if _alike(event, c)]
    kept = {c.id for c in (*near[:SUPPORT], *alike[:ALIKE])}
    return tuple(Pair(event, c) for c in earlier if c.id in kept)


def _alike(event: Event, earlier: Event) -> bool:
    """Whether the two may speak of one attribute of one thing."""
    found = fit(event, earlier)
    if found.grade is Match.NO:
        return takes_off(event, earlier)
    if found.thing is Match.LOOSE:
        return event.conversation == earlier.conversation
    return True


def pair_key(model: str, event: Event, earlier: Event) -> str:
    """The ledger's key of what `model` says of the pair, under the newest prompt."""
    return f"{Purpose.RELATE}:" + digest(prompt("relate").id, model, _shown(earlier), _shown(event))


def keyed_pairs(model: str, event: Event, candidates: Sequence[Event]) -> dict[str, Pair]:
    """`pairs_of`, by their keys in the ledger."""
    return {pair_key(model, event, pair.earlier): pair for pair in pairs_of(event, candidates)}


def relate_ask(pairs: Sequence[Pair]) -> Ask[RelateAnswer]:
    """One question about all of `pairs`, of one subject."""
    labels = _labels(pairs)
    by_event: dict[str, list[str]] = {}
    for pair in pairs:
        by_event.setdefault(labels[pair.event.id], []).append(labels[pair.earlier.id])
    compare = [{"later": later, "earlier": earlier} for later, earlier in by_event.items()]
    statements = [{"s": labels[event.id], **_record(event)} for event in _events(pairs)]
    return Ask(
        purpose=Purpose.RELATE,
        prompt=prompt("relate"),
        content=f"{quoted('statements', statements)}\n{quoted('pairs', compare)}",
        shape=RelateAnswer,
        most_tokens=min(_MOST_ROOM, _ROOM + _PER_PAIR * len(pairs)),
    )


def _events(pairs: Sequence[Pair]) -> list[Event]:
    """All events of the pairs in the order of saying."""
    events = {event.id: event for pair in pairs for event in (pair.earlier, pair.event)}
    return sorted(events.values(), key=attrgetter("place"))


def _labels(pairs: Sequence[Pair]) -> dict[str, str]:
    return {event.id: f"s{number}" for number, event in enumerate(_events(pairs), start=1)}


def _record(event: Event) -> dict[str, Any]:
    """What a question shows of an event: all that the answer may depend on, and no id."""
    record: dict[str, Any] = {
        "by": event.speaker,
        "at": event.stated_at.strftime("%Y-%m-%d %H:%M"),
        "says": spoken(event),
        "act": event.act.value,
    }
    if event.facet is not None:
        record["about"] = [event.facet.entity, event.facet.attribute, event.facet.value]
    if event.many:
        record["many"] = True
    if event.occurs is not None:
        record["when"] = event.occurs.words
    return record


@lru_cache(maxsize=8_192)
def _shown(event: Event) -> str:
    return event.id + json.dumps(_record(event), ensure_ascii=False, sort_keys=True)


def per_pair(
    model: str, answer: RelateAnswer, pairs: Sequence[Pair], refused: Refused = ignored
) -> dict[str, str]:
    """The answer cut into one canonical text a pair, by `pair_key`: also for the pairs that it leaves out,
    which have nothing to do with each other. What speaks of other pairs, or of one again, is refused."""
    labels = _labels(pairs)
    asked = {(labels[p.event.id], labels[p.earlier.id]): pair_key(model, p.event, p.earlier) for p in pairs}
    texts: dict[str, str] = {}
    for told in answer.pairs:
        key = asked.get((told.later, told.earlier))
        if key is None or key in texts:
            refused(_why_unasked(told, asked) if key is None else Refusal.REPEATED)
            continue
        texts[key] = _canonical(Told(**told.model_dump(exclude={"later", "earlier"})))
    return {key: texts.get(key, _NOTHING) for key in asked.values()}


def _why_unasked(told: PairTold, asked: Mapping[tuple[str, str], str]) -> Refusal:
    return Refusal.AGAINST_ORDER if (told.earlier, told.later) in asked else Refusal.UNASKED


def _canonical(told: Told) -> str:
    plain = told.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def edges(
    event: Event,
    candidates: Sequence[Event],
    answers: Mapping[str, str],
    links: Sequence[Link],
    refused: Refused = ignored,
    *,
    model: str,
    pairs: Mapping[str, Pair] | None = None,
) -> tuple[Edge, ...]:
    """All edges owned by `event` (`operators.relate.interface.Relater.relate`): what the remembered `answers`
    (by `pair_key`) say of its pairs, as far as it is admitted; what the text links; and the order in time,
    which the dates tell. A pair without an answer has no edge yet.

    Where an answer is `RULES_INSTEAD`, the rules relate that pair. `pairs` are `keyed_pairs`, where they are
    at hand. Never raises.
    """
    earlier = sorted((c for c in candidates if c.place < event.place), key=attrgetter("place"))
    found: list[Edge] = []
    instead: set[str] = set()
    if pairs is None:
        pairs = keyed_pairs(model, event, candidates)
    for key, pair in pairs.items():
        text = answers.get(key)
        if text == RULES_INSTEAD:
            instead.add(pair.earlier.id)
        elif text is not None and text != _NOTHING:  # most have no relation
            found.extend(_edges_of(text, pair, refused))
    if instead:
        by_rules = RULES.relate(event, candidates, links)
        found.extend(e for e in by_rules if {e.source, e.target} & instead and e.type in _JUDGED)
    return most_confident(
        [
            *found,
            *obstacles(event, [e for e in found if e.type is EdgeType.UPDATES], earlier, links),
            *causal_edges(event, earlier, links),
            *temporal_edges(event, earlier),
        ]
    )


_JUDGED = (EdgeType.UPDATES, EdgeType.CONTRADICTS)


def _edges_of(text: str, pair: Pair, refused: Refused) -> list[Edge]:
    """The edge that one remembered answer comes to, if it is admitted."""
    try:
        told = Told.model_validate_json(text)
    except ValidationError:
        refused(Refusal.UNREADABLE)
        return []
    if told.type == "none":
        return []
    why = why_not(told, pair.event, pair.earlier)
    if why is not None:
        refused(why)
        return []
    kind = EdgeType(told.type)
    ends = (pair.event.id, pair.earlier.id) if told.source == "later" else (pair.earlier.id, pair.event.id)
    source, target = sorted(ends) if kind is EdgeType.CONTRADICTS else ends
    return [
        Edge(
            id=edge_id(kind, source, target),
            type=kind,
            mode=UpdateMode(told.mode) if kind is EdgeType.UPDATES and told.mode is not None else None,
            source=source,
            target=target,
            confidence=round(told.confidence, 2),
            reason=" ".join(told.reason.split())[:_REASON] or "a model reads it so",
            owner=pair.event.id,
        )
    ]
