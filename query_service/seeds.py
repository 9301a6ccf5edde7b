"""Where a question enters the graph: V_q = V_0 ∪ V_ent ∪ V_upd ∪ V_hier (DESIGN §6.2)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from query_service.paths import NEAR
from query_service.plan import Plan
from query_service.ranking import (
    AFTER,
    BEFORE,
    RESTATED_AMONG,
    Restated,
    dense_share,
    fuse,
    later_first,
    rank,
    restatements,
    with_places,
)
from query_service.reading import Reading, spot_of_message
from query_service.recipe import WHOLE, Recipe
from state.graph import Around, Opening, StoredEvent
from state.model import EdgeType, Event, Message
from state.notes import Hit, NoteStore, Vector

SEARCH_DEPTH = 100
"""Notes asked of each of the two searches; beyond that neither adds to recall@20 on the public sets."""
CANDIDATES = 50
"""Fused notes whose messages are read and ranked."""
NEIGHBOURS_OF = 15
"""How many of the best notes bring the turns beside them: an answer sits in the turn after its question."""
KEPT_NOTES = 60
"""Notes that are ranked in the answer; the context holds fewer."""
SEED_EVENTS = 32
"""V_q's size: the walk is shared among this many, best first."""
PER_NAME = 20
"""Event ids read under one name key, the latest ones."""
NAMED_EVENTS = 10
"""Events that come in by name: those that the question names by most words."""
NEWEST_TOPICS = 3
BEST_TOPICS = 3
"""Topics of the best notes that are gone into, those with the most of these notes' scores first."""
TOPIC_TURNS = 2
READ_EVENTS = 250
"""Events read at the start, the named ones and those of the best notes first."""
SETTLING_ROUNDS = 2
"""How many updates or contradictions away from a seed V_upd reaches."""
SETTLED_EVENTS = 80
"""At most so many events are read in one such round."""
NAMED_WORTH = 0.6
SETTLED_WORTH = 0.9
NEAR_WORTH = 0.2
"""What an event is worth as a seed beside one stated by the best note (1): one that is named by all the
words that name anything; one that settles another seed, of that seed's worth; one that is only near."""
SETTLING = (EdgeType.UPDATES, EdgeType.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class Seeds:
    """Everything that a question found before any path is walked.

    `notes`: messages best first, the best with score 1. `events`: seed events best first. `messages`: those
    that may be used, with every message of `notes`. `nearness`: the cosine of the question and a message, for
    those that the dense search found. `ranked` is `notes` before what is told again came above what it tells
    again, and `restated` those pairs.
    """

    notes: tuple[Hit, ...]
    events: tuple[str, ...]
    messages: Mapping[str, Message]
    nearness: Mapping[str, float]
    ranked: tuple[Hit, ...] = ()
    restated: Restated = frozenset()


def find_seeds(
    reading: Reading,
    opening: Opening,
    notes: NoteStore,
    question: str,
    vector: Vector,
    plan: Plan,
    recipe: Recipe = WHOLE,
) -> Seeds:
    """The seeds of `question`: 3 calls of the notes and at most 5 + `SETTLING_ROUNDS` reads of the graph.

    V_hier goes from the topics spoken of last, and from those that the best notes are turns of, to the turns
    of their trees and what these state. A session is not gone through as a whole: it may hold turns of
    several topics, and a topic's turns may lie in several sessions.
    """
    dense = notes.dense(reading.subject, vector, SEARCH_DEPTH, plan.until)
    lexical = notes.lexical(reading.subject, question, SEARCH_DEPTH, plan.until)
    fused = fuse(dense, lexical, dense_share(question))[:CANDIDATES]
    around = _look_around(reading, fused)
    newest = _newest_turns(reading, opening, fused, recipe)
    beside = turns_beside(around)
    told = list(dict.fromkeys([*(hit.message for hit in fused), *beside]))
    reading.read_messages([*told, *newest])
    named = _named(opening.filed)
    read = [name for message in (*told, *newest) for name in reading.stated.get(message, ())]
    reading.read_events(list(dict.fromkeys([*named, *read]))[:READ_EVENTS])
    messages = _usable(told, reading, plan)
    dated = _stating(messages, reading, lambda event: event.occurs is not None)
    stating = _stating(messages, reading, lambda event: event.facet is not None)
    ranked = rank(fused, around, messages, question, plan, dated, stating)[:KEPT_NOTES]
    first = notes.vectors(reading.subject, [hit.message for hit in ranked[:RESTATED_AMONG]])
    restated = restatements(ranked, messages, first, question, plan)
    found = with_places(ranked, later_first([hit.message for hit in ranked], restated))
    worth = _worth(found, beside, newest, reading.stated, named)
    entries = _entries(reading, worth, plan, recipe)
    nearness = {hit.message: hit.score for hit in dense}
    return Seeds(tuple(found), entries, messages, nearness, tuple(ranked), restated)


def _look_around(reading: Reading, fused: Sequence[Hit]) -> dict[str, Around]:
    """Reads the fused messages, and what lies around the best of them."""
    reading.read_messages(hit.message for hit in fused)
    best = [hit.message for hit in fused[:NEIGHBOURS_OF] if hit.message in reading.messages]
    reading.read_around([spot_of_message(reading.messages[name]) for name in best], NEAR)
    return {name: reading.around[name] for name in best if name in reading.around}


def _newest_turns(reading: Reading, opening: Opening, fused: Sequence[Hit], recipe: Recipe) -> list[str]:
    """V_hier's turns: the last ones of the best notes' topics and of those spoken of last."""
    if not recipe.hierarchy:
        return []
    reading.topics.update((root, tuple(turns)) for root, turns in opening.topics.items())
    topics = _best_topics(fused, reading.around)
    reading.read_topics(topics, 2 * NEAR)
    roots = dict.fromkeys([*topics, *opening.topics])
    return [turn for root in roots for turn in reading.topics.get(root, ())[-TOPIC_TURNS:]]


def _stating(messages: Iterable[str], reading: Reading, what: Callable[[Event], bool]) -> set[str]:
    """The messages that state an event of a kind."""
    known, stated = reading.known, reading.stated
    return {
        message
        for message in messages
        if any(what(known[name].event) for name in stated.get(message, ()) if name in known)
    }


def _entries(reading: Reading, worth: dict[str, float], plan: Plan, recipe: Recipe) -> tuple[str, ...]:
    """The seed events, best first."""
    known = reading.known
    worth = {name: value for name, value in worth.items() if _in_time(known.get(name), plan)}
    if recipe.updates:
        _settle(reading, worth, plan)
    return tuple(sorted(worth, key=lambda name: (-worth[name], known[name].event.place))[:SEED_EVENTS])


def turns_beside(around: Mapping[str, Around]) -> list[str]:
    """The turn before and the two after each message of `around` in its session, nearest first."""
    sides = [
        side for spot in around.values() for side in (spot.after[: len(AFTER)], spot.before[: len(BEFORE)])
    ]
    return [turn for turns in zip_longest(*sides) for turn in turns if turn is not None]


def _best_topics(fused: Sequence[Hit], around: Mapping[str, Around]) -> list[str]:
    """The topics that the best notes are turns of."""
    worth: dict[str, float] = {}
    for hit in fused:
        topic = around[hit.message].topic if hit.message in around else None
        if topic:
            worth[topic] = worth.get(topic, 0.0) + hit.score
    return sorted(worth, key=lambda topic: (-worth[topic], topic))[:BEST_TOPICS]


def _usable(names: Iterable[str], reading: Reading, plan: Plan) -> dict[str, Message]:
    """The messages that were sent by `as_of` and known by `known_at`.

    When a message was recorded shows in the events it states; one that states none counts by its own time.
    """
    usable: dict[str, Message] = {}
    for name in names:
        message = reading.messages.get(name)
        if message is None or (plan.until is not None and message.sent_at > plan.until):
            continue
        if plan.known_at is not None:
            states = reading.stated[name]
            unknown = states and not any(event in reading.known for event in states)
            if message.sent_at > plan.known_at or unknown:
                continue
        usable[name] = message
    return usable


def _in_time(stored: StoredEvent | None, plan: Plan) -> bool:
    return stored is not None and (plan.until is None or stored.event.stated_at <= plan.until)


def _named(filed: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
    """V_ent: the events named by most of the question's words, with the share of words that name each."""
    counts = Counter(name for names in filed.values() for name in names)
    best = sorted(counts, key=lambda name: (-counts[name], name))[:NAMED_EVENTS]
    return {name: counts[name] / len(filed) for name in best}


def _worth(
    found: Sequence[Hit],
    around: Iterable[str],
    newest: Iterable[str],
    stated: Mapping[str, tuple[str, ...]],
    named: Mapping[str, float],
) -> dict[str, float]:
    """V_0, V_ent and V_hier with what each is worth as an entry."""
    worth: dict[str, float] = {}
    for hit in found:
        for name in stated.get(hit.message, ()):
            worth[name] = max(worth.get(name, 0.0), hit.score)
    for name, share in named.items():
        worth[name] = max(worth.get(name, 0.0), NAMED_WORTH * share)
    for message in (*around, *newest):
        for name in stated.get(message, ()):
            worth.setdefault(name, NEAR_WORTH)
    return worth


def _settle(reading: Reading, worth: dict[str, float], plan: Plan) -> None:
    """V_upd: adds what supersedes or disputes a seed, and what it superseded."""
    known = reading.known
    level = list(worth)
    for _ in range(SETTLING_ROUNDS):
        beyond: dict[str, float] = {}
        for name in level:
            for edge in known[name].edges:
                if edge.type not in SETTLING:
                    continue
                other = edge.target if edge.source == name else edge.source
                if other not in worth:
                    beyond[other] = max(beyond.get(other, 0.0), SETTLED_WORTH * worth[name])
        chosen = sorted(beyond, key=lambda name: (-beyond[name], name))[:SETTLED_EVENTS]
        reading.read_events(chosen)
        level = [name for name in chosen if _in_time(known.get(name), plan)]
        worth.update((name, beyond[name]) for name in level)
        if not level:
            return
